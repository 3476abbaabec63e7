"""What happened since the start, counted by all worker processes together, in Prometheus' text format.

Own counting and no library: prometheus-client keeps a file for each process that ever lived, takes several
microseconds for an observation, and is one more dependency for what is a table of numbers. Here the table is memory
that the processes share because they are forked from one that made it. Each process writes a strip of its own, so no
count is lost and nobody waits; a process that follows a dead one goes on with its strip, so counts never fall.
Nothing is counted, and nothing kept, before ``begin``.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import tempfile
import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator

STRIPS = 16  # processes that count at the same time
CLASSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
BUCKETS = (
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
)  # seconds, upper ends
WIDTH = (
    len(CLASSES) + len(BUCKETS) + 1 + 1
)  # of a route: statuses, buckets with the endless one, microseconds
STATIC, UNKNOWN, TURNSTILE = "static", "none", "turnstile"  # routes without a view
ANSWERS, UNAVAILABLE, CONNECTIONS = range(3)
EVENTS = (
    ("studyhub_answers_total", "Answers recorded in quizzes."),
    ("studyhub_unavailable_total", "Requests answered with 503."),
    ("studyhub_database_connections_total", "Connections made to the database by the workers."),
)
HEAD = "# HELP {name} {words}\n# TYPE {name} {kind}\n"


class Ledger:
    """The shared table. Made before the processes that count are forked."""

    def __init__(self, routes: Iterable[str]) -> None:
        self.routes = sorted({*routes, STATIC, UNKNOWN, TURNSTILE})
        self.starts = {name: len(EVENTS) + n * WIDTH for n, name in enumerate(self.routes)}
        self.length = len(EVENTS) + len(self.routes) * WIDTH
        self.cells = memoryview(mmap.mmap(-1, STRIPS * self.length * 8)).cast("Q")
        self.claims = tempfile.TemporaryFile()  # noqa: SIM115 open, and its locks held, as long as this process lives
        self.guard = threading.Lock()
        self.holder, self.strip = 0, -1

    def count(self, event: int) -> None:
        """Add one to an event."""
        with self.guard:
            strip = self._strip()
            if strip >= 0:
                self.cells[strip + event] += 1

    def count_request(self, route: str, status: int, seconds: float) -> None:
        """Add a request: its route (UNKNOWN for one that is not in the table), the answer's status and its time."""
        with self.guard:
            strip = self._strip()
            if strip < 0:
                return
            cells, at = self.cells, strip + self.starts.get(route, self.starts[UNKNOWN])
            cells[at + min(max(status // 100, 1), len(CLASSES)) - 1] += 1
            cells[at + len(CLASSES) + bisect_left(BUCKETS, seconds)] += 1
            cells[at + WIDTH - 1] += max(0, int(seconds * 1e6))
            if status == 503:
                cells[strip + UNAVAILABLE] += 1

    def text(self) -> str:
        """All counts in Prometheus' text format 0.0.4; routes that nobody asked for are left out."""
        sums = [sum(self.cells[n :: self.length]) for n in range(self.length)]
        lines = [
            HEAD.format(name=name, words=words, kind="counter") + f"{name} {sums[n]}\n"
            for n, (name, words) in enumerate(EVENTS)
        ]
        asked = {
            route: sums[at : at + WIDTH]
            for route, at in self.starts.items()
            if any(sums[at : at + len(CLASSES)])
        }
        name, words = "studyhub_requests_total", "Requests by route and class of status."
        lines.append(HEAD.format(name=name, words=words, kind="counter"))
        for route, row in asked.items():
            lines += [
                f'{name}{{route="{route}",status="{one}"}} {row[n]}\n'
                for n, one in enumerate(CLASSES)
                if row[n]
            ]
        name, words = "studyhub_request_seconds", "Seconds from the arrival of a request to its answer."
        lines.append(HEAD.format(name=name, words=words, kind="histogram"))
        for route, row in asked.items():
            lines += _histogram(name, route, row[len(CLASSES) :])
        return "".join(lines)

    def _strip(self) -> int:
        """Where this process' strip begins; claimed at its first count, freed by its end. -1 when none is free."""
        if self.holder != os.getpid():
            self.holder, self.strip = os.getpid(), -1
            for n in range(STRIPS):
                try:
                    fcntl.lockf(self.claims, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, n)
                except OSError:
                    continue
                self.strip = n * self.length
                break
        return self.strip


_OPEN: list[Ledger] = []  # one, or none where nothing is counted


def begin(routes: Iterable[str]) -> None:
    """Count from now on; called again it changes nothing."""
    if not _OPEN:
        _OPEN.append(Ledger(routes))


def end() -> None:
    """Forget all counts and count no more."""
    _OPEN.clear()


def count(event: int) -> None:
    """Add one to an event, where anything is counted."""
    if _OPEN:
        _OPEN[0].count(event)


def count_answer() -> None:
    """Add a recorded answer."""
    count(ANSWERS)


def count_request(route: str, status: int, seconds: float) -> None:
    """Add a request, where anything is counted; see ``Ledger.count_request``."""
    if _OPEN:
        _OPEN[0].count_request(route, status, seconds)


def text() -> str:
    """All counts as text; empty where nothing is counted."""
    return _OPEN[0].text() if _OPEN else ""


def _histogram(name: str, route: str, row: list[int]) -> Iterator[str]:
    """Yield the lines of one route; each bucket holds what the smaller ones hold as well."""
    *buckets, micros = row
    total = 0
    for end, held in zip([*map(str, BUCKETS), "+Inf"], buckets, strict=True):
        total += held
        yield f'{name}_bucket{{route="{route}",le="{end}"}} {total}\n'
    yield f'{name}_sum{{route="{route}"}} {micros / 1e6}\n'
    yield f'{name}_count{{route="{route}"}} {total}\n'
