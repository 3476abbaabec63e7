"""The control: a handler that stores what it is sent, without key or lock. It must fail where the product holds."""

from __future__ import annotations

import asyncio
import random
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import psycopg

from tests.drills.line import FaultyLine
from tests.drills.plain_http import Browser, Lost

TABLE = "drill_naive"


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class _Threaded(ThreadingMixIn, WSGIServer):
    daemon_threads = True


@contextmanager
def naive_site(address: str) -> Iterator[int]:
    """Serve the handler over a table of its own, which is gone afterwards; gives the port."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"DROP TABLE IF EXISTS {TABLE}")
        connection.execute(f"CREATE TABLE {TABLE} (id bigserial PRIMARY KEY, answer uuid NOT NULL)")

    def handle(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        answer = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()
        try:
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(f"INSERT INTO {TABLE} (answer) VALUES (%s)", [answer])
        except psycopg.Error:
            start_response("503 Service Unavailable", [("Content-Length", "0")])
            return []
        start_response("200 OK", [("Content-Length", "0")])
        return []

    server = make_server("127.0.0.1", 0, handle, server_class=_Threaded, handler_class=_Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def naive_books(address: str) -> tuple[int, int]:
    """(different answers stored, rows too many); the table is dropped."""
    with psycopg.connect(address, autocommit=True) as connection:
        row = connection.execute(f"SELECT count(DISTINCT answer), count(*) FROM {TABLE}").fetchone()
        connection.execute(f"DROP TABLE {TABLE}")
    assert row is not None
    return row[0], row[1] - row[0]


async def send_naively(line: FaultyLine, answers: int, dice: random.Random) -> int:
    """Send so many answers until each is acknowledged; returns how many were."""
    browser, acked = Browser(line.port), 0
    for _ in range(answers):
        body = str(uuid.UUID(int=dice.getrandbits(128))).encode()
        while True:
            try:
                if (await browser.ask("POST", "/", body)).status == 200:
                    break
            except Lost:
                pass
            await asyncio.sleep(0.05)
        acked += 1
    return acked
