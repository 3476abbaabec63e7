"""A real site as its operator sees it: lines, counts of two worker processes, readiness without a database.

Proves trust.md 2, row power loss (a server that runs without fsync is not ready), and, of ASVS 5, V16.2.1 and V16.5.2.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from studyhub import postgres
from studyhub.postgres import Embedded
from tests.conftest import CHAPTER, COURSE
from tests.drills.killing import kill_postgres, kill_worker, main_process
from tests.journeys.house import FIRST_START, ROOT, House, opened_house
from tests.studyhub.web.exposition import parsed

pytestmark = pytest.mark.drill
TOKEN = "0123456789abcdef0123456789abcdef"
ASKED = {  # what is asked: method, path, the name of its route, the status
    ("GET", "/"): ("home", 200),
    ("GET", f"/c/{COURSE}/{CHAPTER}/"): ("chapter", 200),
    ("GET", "/there/is/nothing/"): ("none", 404),
    ("GET", "/static/nothing.css"): ("static", 404),
    ("POST", "/accounts/login/"): ("account_login", 403),
    ("GET", "/progress/"): ("progress", 200),
    ("GET", "/healthz"): ("healthz", 200),
}
TIMES = 40


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: str


class WatchedHouse(House):
    """A site that writes JSON lines into a file of their own and counts."""

    def start(self) -> None:
        """Serve; see House.start."""
        with self.lines_at.open("ab") as lines, (self.data.parent / "serve.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "serve"], cwd=ROOT, env=self._environment(), stdin=subprocess.DEVNULL,
                stdout=log, stderr=lines, start_new_session=True,
            )  # fmt: skip
        wait(
            lambda: self.ready() and f"{self.url}/" in self.said(), FIRST_START
        )  # it has asked itself, and says so

    @property
    def lines_at(self) -> Path:
        return self.data.parent / "lines.log"

    def lines(self) -> list[dict[str, Any]]:
        """Everything written so far, each line read as JSON."""
        return [json.loads(one) for one in self.lines_at.read_text().splitlines()]

    def ask(self, method: str, path: str, **headers: str) -> Answer:
        """One request on a connection of its own."""
        caller = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            caller.request(
                method, path, headers={name.replace("_", "-"): one for name, one in headers.items()}
            )
            answer = caller.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read().decode())
        finally:
            caller.close()

    def counts(self) -> Counter[tuple[str, str]]:
        """Requests by route and class of status."""
        found = parsed(self.ask("GET", "/metrics", Authorization=f"Bearer {TOKEN}").body)
        return Counter(
            {
                (one["route"], one["status"]): int(n)
                for one, n in found["studyhub_requests_total"]
                if one["route"] != "metrics"
            }
        )

    def _environment(self) -> dict[str, str]:
        given = {"LOG_FORMAT": "json", "ACCESS_LOG": "yes", "METRICS_TOKEN": TOKEN, "BEHIND_PROXY": "yes"}
        return {**super()._environment(), **given}


def wait(until: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture(scope="module")
def watched() -> Iterator[WatchedHouse]:
    with opened_house(WatchedHouse, "watched") as site:
        yield site


def test_counts_and_lines_of_two_processes_are_the_requests_made(watched: WatchedHouse) -> None:
    before, written = watched.counts(), len(watched.lines())
    asked = [one for one in ASKED for _ in range(TIMES)]
    random.Random(3).shuffle(asked)
    with ThreadPoolExecutor(6) as callers:
        answers = list(callers.map(lambda one: watched.ask(*one), asked))
    made = Counter({(route, f"{status // 100}xx"): TIMES for route, status in ASKED.values()})
    after = watched.counts()
    assert {key: after[key] - before[key] for key in made} == made
    ids = [one.headers["x-request-id"] for one in answers]
    lines = [one for one in watched.lines()[written:] if one["route"] not in {"metrics", "readyz"}]
    refused = [
        lines.pop(at) for at, one in reversed([*enumerate(lines)]) if one["logger"] != "studyhub.access"
    ]
    assert {(one["logger"], one["route"]) for one in refused} == {("django.security.csrf", "account_login")}
    assert len(refused) == TIMES
    assert sorted(one["request_id"] for one in lines) == sorted(ids)
    told = Counter((one["method"], one["route"], one["status"]) for one in lines)
    assert told == {(method, *ended): TIMES for (method, _), ended in ASKED.items()}


def test_counts_outlive_each_process_that_made_them(watched: WatchedHouse) -> None:
    main = main_process(watched)
    for _ in range(2):
        workers = {one.pid for one in main.children()}
        for _ in range(20):
            watched.ask("GET", f"/c/{COURSE}/about/")
        before = watched.counts()
        kill_worker(watched, random.Random(1))
        wait(
            lambda gone=workers: (
                len({one.pid for one in main.children() if one.status() != "zombie"} - gone) >= 1
            )
        )
        wait(watched.ready)
        after = watched.counts()
        assert {key: n for key, n in before.items() if after[key] < n} == {}
        assert [after[key] - n for key, n in before.items() if key[0] not in {"readyz", "healthz"}] == [
            0
        ] * sum(key[0] not in {"readyz", "healthz"} for key in before)


def test_counts_are_shown_for_the_token_only(watched: WatchedHouse) -> None:
    for shown in ("", "Bearer ", f"Bearer {TOKEN}0"):
        assert watched.ask("GET", "/metrics", Authorization=shown).status == 404


def test_id_of_the_proxy_is_in_answer_and_line(watched: WatchedHouse) -> None:
    name = "0123456789abcdef0123456789abcdef"
    answer = watched.ask("GET", f"/c/{COURSE}/about/", X_Request_ID=name)
    assert answer.headers["x-request-id"] == name
    assert [one["route"] for one in watched.lines() if one.get("request_id") == name] == ["about"]


def test_server_that_runs_without_fsync_is_not_ready(watched: WatchedHouse) -> None:
    with psycopg.connect(postgres.url(watched.data), autocommit=True) as database:
        database.execute("ALTER SYSTEM SET fsync = off")
        try:
            database.execute("SELECT pg_reload_conf()")
            wait(lambda: not watched.ready())
            answer = watched.ask("GET", "/readyz")
            assert (answer.status, answer.body) == (503, "not ready: Postgres runs with fsync off\n")
        finally:
            database.execute("ALTER SYSTEM RESET fsync")
            database.execute("SELECT pg_reload_conf()")
    wait(watched.ready)


def test_without_a_database_every_503_is_one_line_that_its_page_names(watched: WatchedHouse) -> None:
    written = len(watched.lines())
    kill_postgres(watched)
    pages = [
        watched.ask("GET", path) for path in ("/", "/progress/", f"/c/{COURSE}/{CHAPTER}/") for _ in range(3)
    ]
    ready, alive = watched.ask("GET", "/readyz"), watched.ask("GET", "/healthz")
    failed = [one for one in pages if one.status == 503]
    assert {one.status for one in pages} <= {200, 503}
    assert len(failed) > 3
    assert (ready.status, ready.body, alive.status) == (503, "not ready: the database does not answer\n", 200)
    lines = [one for one in watched.lines()[written:] if one["level"] == "ERROR"]
    for one in failed:
        name = one.headers["x-request-id"]
        assert (one.headers["retry-after"], f"<code>{name}</code>" in one.body) == ("2", True)
        (line,) = [line for line in lines if line["request_id"] == name]
        assert line["status"] == 503
        assert [place for place in line["exception"] if ".py:" in place] == []
    assert {one["request_id"] for one in lines} >= {one.headers["x-request-id"] for one in (*failed, ready)}
    wait(watched.ready)


def test_every_line_was_short_enough_to_be_written_at_once(watched: WatchedHouse) -> None:
    lines = watched.lines_at.read_bytes().splitlines(keepends=True)
    assert max(map(len, lines)) <= os.pathconf(watched.lines_at, "PC_PIPE_BUF")
    assert len(lines) > len(ASKED) * TIMES


def test_log_of_the_database_has_no_statement_and_no_row(watched: WatchedHouse) -> None:
    with psycopg.connect(postgres.url(watched.data), autocommit=True) as database:
        for _ in range(2):
            with pytest.raises(psycopg.DataError):
                database.execute("SELECT 'zqcanary'::int")
            with pytest.raises(psycopg.IntegrityError):
                database.execute("INSERT INTO accounts_user (id, email) VALUES (1, 'zqcanary')")
    said = Embedded.at(watched.data).log.read_text()
    assert "ready to accept connections" in said
    assert "zqcanary" not in said
