"""The turnstile in front of the application: bodies are read first, then one request at a time goes through.

Each worker has many threads, and only one of them at a time runs the application: more would fight for the
interpreter, and each would keep a database connection of its own; so the connection goes with the turn. But a body
arrives as slowly as its sender likes, so it is read before the turnstile, by a thread that may wait. Bodies may occupy
only some of the threads: readers and health checks always find a free one.

Nobody waits without an end. What a page asks of the database is limited (see ``studyhub.web.database``), and whoever
waits longer than PATIENCE for a turn is told to come back. Whether the process lives is answered without a turn.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from studyhub.web import metrics
from studyhub.web.database.base import DatabaseWrapper
from studyhub.web.guards import guards

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

LOG = logging.getLogger(__name__)
THREADS = 24  # of each worker
WAITING = 16  # of them that may wait for bodies
LARGEST = (
    512 * 1024
)  # bytes of a body; Django refuses forms above DATA_UPLOAD_MAX_MEMORY_SIZE in its own words
PATIENCE = 8.0  # seconds to wait for a turn
ALIVE = "/healthz"  # asks for nobody and looks at nothing
BUSY = "503 Service Unavailable"
LEAVES = "studyhub.leaves"  # in the environ: the perf_counter before which the answer does not leave, set by a view
PLAIN = ("Content-Type", "text/plain; charset=utf-8")


class Turnstile:
    """A WSGI application around another one."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.turn = threading.Lock()
        self.waiting = threading.BoundedSemaphore(WAITING)
        self.database: BaseDatabaseWrapper | None = None

    def __call__(self, env: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Read the body, wait for the turn, answer."""
        if env["REQUEST_METHOD"] not in {"GET", "HEAD"} or env.get("CONTENT_LENGTH", "0") not in {
            "",
            "0",
        }:
            refusal = self._take_body(env)
            if refusal:
                return _refused(refusal, start_response)
        env["studyhub.arrived"] = arrived = time.perf_counter()
        if env.get("PATH_INFO") == ALIVE:
            env.pop("HTTP_COOKIE", None)  # a session would be looked up
            return self.application(env, start_response)
        if not self.turn.acquire(timeout=PATIENCE):
            return _refused(BUSY, start_response, arrived)
        try:
            with self._connected():
                answer = self.application(env, start_response)
        finally:
            self.turn.release()
        if LEAVES in env:
            time.sleep(max(0.0, env[LEAVES] - time.perf_counter()))  # nobody else waits for it
        return answer

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """Hand the worker's one database connection over with the turn, and take it back."""
        if self.database is None:  # made in the worker, which was forked after this object was made
            self.database = connections[DEFAULT_DB_ALIAS]
            if isinstance(self.database, DatabaseWrapper):
                self.database.limited = True
            self.database.inc_thread_sharing()
        connections[DEFAULT_DB_ALIAS] = self.database
        try:
            yield
        finally:
            del connections[DEFAULT_DB_ALIAS]

    def _take_body(self, env: Environ) -> str:
        """Replace the body's stream by its bytes; returns a status line where it is refused."""
        given = env.get("CONTENT_LENGTH") or ""
        if given and (not given.isascii() or not given.isdigit()):
            return "400 Bad Request"
        if given and int(given) > LARGEST:
            return "413 Content Too Large"
        if not self.waiting.acquire(blocking=False):
            return BUSY
        try:
            body = env["wsgi.input"].read(int(given) if given else LARGEST + 1)
        finally:
            self.waiting.release()
        if len(body) > LARGEST:
            return "413 Content Too Large"
        if given and len(body) < int(given):
            return "400 Bad Request"
        env["wsgi.input"] = BytesIO(body)
        env["CONTENT_LENGTH"] = str(len(body))
        return ""


def _refused(status: str, start_response: StartResponse, arrived: float | None = None) -> Iterable[bytes]:
    waited = time.perf_counter() - arrived if arrived is not None else 0.0
    metrics.count_request(metrics.TURNSTILE, int(status[:3]), waited)
    if status == BUSY:
        LOG.warning("refused with 503: no turn or no thread came free in time")
    start_response(status, [PLAIN, ("Retry-After", "2"), ("Connection", "close"), *guards().items()])
    return [b"Nothing was recorded. Try again in a moment.\n"]
