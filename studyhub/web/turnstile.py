"""The turnstile in front of the application: bodies are read first, then one request at a time goes through.

Each worker has many threads, and only one of them runs the application: more would fight for the interpreter, and
each would keep a database connection of its own. But a body arrives as slowly as its sender likes, so it is read
before the turnstile, by a thread that may wait. Bodies may occupy only some of the threads: readers and health checks
always find a free one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from io import BytesIO
from queue import SimpleQueue
from typing import Any

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

THREADS = 24  # of each worker
WAITING = 16  # of them that may wait for bodies
LARGEST = (
    512 * 1024
)  # bytes of a body; Django refuses forms above DATA_UPLOAD_MAX_MEMORY_SIZE in its own words
PLAIN = ("Content-Type", "text/plain; charset=utf-8")


class _Visit:
    """One request on its way through; ``result`` waits for the answer."""

    __slots__ = ("answer", "env", "over", "problem", "start_response")

    def __init__(self, env: Environ, start_response: StartResponse) -> None:
        self.env, self.start_response = env, start_response
        self.answer: Iterable[bytes] = ()
        self.problem: BaseException | None = None
        self.over = threading.Lock()
        self.over.acquire()

    def result(self) -> Iterable[bytes]:
        self.over.acquire()
        if self.problem is not None:
            raise self.problem
        return self.answer


class Turnstile:
    """A WSGI application around another one."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.queue: SimpleQueue[_Visit] = SimpleQueue()
        self.inside: threading.Thread | None = None
        self.opening = threading.Lock()
        self.waiting = threading.BoundedSemaphore(WAITING)

    def __call__(self, env: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Read the body, wait for the turn, answer."""
        if env["REQUEST_METHOD"] not in {"GET", "HEAD"} or env.get("CONTENT_LENGTH", "0") not in {
            "",
            "0",
        }:
            refusal = self._take_body(env)
            if refusal:
                start_response(refusal, [PLAIN, ("Retry-After", "2"), ("Connection", "close")])
                return [b"Nothing was recorded. Try again in a moment.\n"]
        if self.inside is None:  # begun in the worker, which was forked after this object was made
            self._open()
        visit = _Visit(env, start_response)
        self.queue.put(visit)
        return visit.result()

    def _open(self) -> None:
        with self.opening:
            if self.inside is None:
                self.inside = threading.Thread(target=self._serve, name="application", daemon=True)
                self.inside.start()

    def _serve(self) -> None:
        while True:
            visit = self.queue.get()
            try:
                visit.answer = self.application(visit.env, visit.start_response)
            except BaseException as problem:
                visit.problem = problem
            visit.over.release()

    def _take_body(self, env: Environ) -> str:
        """Replace the body's stream by its bytes; returns a status line where it is refused."""
        given = env.get("CONTENT_LENGTH") or ""
        if given and (not given.isascii() or not given.isdigit()):
            return "400 Bad Request"
        if given and int(given) > LARGEST:
            return "413 Content Too Large"
        if not self.waiting.acquire(blocking=False):
            return "503 Service Unavailable"
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
