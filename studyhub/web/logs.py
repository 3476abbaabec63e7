"""What the site writes down: one line for each thing that happened, as JSON or for reading.

Own formatters and not structlog: what is wanted are a few fixed fields on every line, those of Django and the libraries
included, and they come through the standard library's logging in either case. structlog would add a dependency and a
second way to log beside it.

A line says which request it belongs to, and of it: method, name of the route (addresses hold ids and keys), status,
milliseconds, the number of the learner. It repeats no word that a visitor sent or is called by; and no value can begin
a line of its own. A line is written in one go and is short enough (MOST) that those of two processes do not mix.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from types import TracebackType
from typing import Any
from urllib.parse import unquote_plus
from weakref import ref

import psycopg
from django.conf import settings
from django.db import Error as DjangoDatabaseError
from django.http import HttpRequest, QueryDict

LETTERBOX = re.compile(r"[^\s\"'<>()\[\],;:=@]+@[^\s\"'<>()\[\],;:=@]+\.[^\s\"'<>()\[\],;:=@]+")
# Words, also with signs that repr and ascii wrote out; the ends of lines that they wrote out are between words.
WORD = re.compile(r"\\[abfnrtv]|(?:\w|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\U[0-9a-f]{8})+")
SHORTEST = (
    6  # characters of an ASCII word that is left out where a visitor sent it: shorter ones are like any other
)
SAYS_NOTHING = (
    "HTTP_ACCEPT",
    "HTTP_CONNECTION",
    "HTTP_SEC_",
)  # headers whose words are those of every browser
DATA_EXCEPTION = "22"  # class of SQLSTATE: what Postgres says there repeats the value
MOST = 4000  # bytes of a line: less than what a pipe takes from one process without another in between (PIPE_BUF)
SIZES = (
    (40, 1000),
    (20, 500),
    (8, 200),
    (3, 100),
    (0, 40),
)  # frames, characters of a message: tried until it fits
MOST_REASONS = 5
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
NO_ROUTE, STATIC = "none", "static"  # where no view was found
PASSING = 503  # told in one line: where it came from is the database's trouble, not the code's
OWN_WORDS = frozenset(
    {"studyhub.access", "studyhub.doors"}
)  # these say nothing that came from outside but numbers
FAILED = logging.getLogger("studyhub.failed")


class Running:
    """A request that is being answered. Held loosely: it holds this, and a ring would be left to the collector."""

    __slots__ = ("_request", "began", "id")

    def __init__(self, request: HttpRequest, name: str, began: float) -> None:
        self._request, self.id, self.began = ref(request), name, began  # perf_counter, seconds

    @property
    def request(self) -> HttpRequest:
        """The request; an empty one when it is gone."""
        return self._request() or HttpRequest()


RUNNING: ContextVar[Running | None] = ContextVar("running", default=None)


def request_id() -> str:
    """The id of the request that is being answered; empty outside of requests."""
    running = RUNNING.get()
    return running.id if running is not None else ""


def route_of(request: HttpRequest) -> str:
    """The name of the view's address, with its name space; STATIC or NO_ROUTE where no view was found."""
    match = request.resolver_match
    if match is not None:
        return match.view_name or NO_ROUTE
    return STATIC if request.path_info.startswith(settings.STATIC_URL) else NO_ROUTE


def facts(record: logging.LogRecord, size: tuple[int, int] = SIZES[0]) -> dict[str, Any]:
    """The fields of a line, in order. ``status`` and ``ms`` are there as far as they are known."""
    running = RUNNING.get() or getattr(getattr(record, "request", None), "running", None)
    discreet = Discretion(running, size[1])
    line: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname,
        "logger": record.name,
        "message": _message(record, running, discreet),
    }
    if running is not None:
        request, learner = running.request, running.request.__dict__.get("learner")
        method = request.method if request.method in METHODS else "other"
        line |= {"request_id": running.id, "method": method, "route": route_of(request)}
        if (status := getattr(record, "status_code", None)) is not None:
            line["status"] = status
        line["ms"] = round((time.perf_counter() - running.began) * 1000, 2)
        if learner is not None:
            line["learner"] = learner.pk
    if record.exc_info and record.exc_info[1] is not None:
        frames = 0 if line.get("status") == PASSING else size[0]
        line["exception"] = list(_exception(record.exc_info[1], discreet, frames))
    return line


class JsonLines(logging.Formatter):
    """One JSON object a line, ASCII only."""

    def format(self, record: logging.LogRecord) -> str:
        return _fitting(record, lambda line: json.dumps(line).replace("\x7f", "\\u007f"))


class TextLines(logging.Formatter):
    """The same for reading: what belongs to a line follows it, indented."""

    def format(self, record: logging.LogRecord) -> str:
        return _fitting(record, _readable)


class Lines(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes each line in one go; one that cannot be written is lost, and nothing else fails for it."""

    torn = False  # a full disk took the beginning of the last line only

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line. Raises nothing, be the disk full or nobody there to read."""
        with suppress(Exception):
            try:
                said = self.format(record)
            except Exception as problem:
                said = json.dumps(
                    {"level": "ERROR", "logger": FAILED.name, "message": type(problem).__name__}
                )
            line = ("\n" * self.torn + said + "\n").encode("utf-8", "backslashreplace")
            self.torn = os.write(self.stream.fileno(), line) < len(line)


def take_over() -> None:
    """Let what Python itself would print, warnings and failures of threads, go the way of all lines."""
    logging.captureWarnings(True)
    threading.excepthook = lambda one: _failed(one.exc_type, one.exc_value, one.exc_traceback)
    sys.unraisablehook = lambda one: _failed(one.exc_type, one.exc_value, one.exc_traceback)


def _failed(kind: type[BaseException], problem: BaseException | None, trace: TracebackType | None) -> None:
    if problem is not None and not issubclass(kind, SystemExit):
        FAILED.error("failed beside the requests", exc_info=(kind, problem, trace))


class Discretion:
    """Leaves out what came with a request and whatever looks like somebody's address; made for one line."""

    def __init__(self, running: Running | None, most: int) -> None:
        self.most = most
        sent = "\n".join(_sent(running.request)) if running is not None else ""
        self.sent = f"{sent}\n{sent!a}".casefold() if sent else ""

    def __call__(self, said: str) -> str:
        """What may be said, ``most`` characters of it."""
        said = LETTERBOX.sub("[e-mail]", said[: self.most * 4])
        if self.sent:
            said = WORD.sub(self._kept, said)
        return said if len(said) <= self.most else f"{said[: self.most]}..."

    def _kept(self, found: re.Match[str]) -> str:
        word = found[0]
        telling = len(word) >= SHORTEST or not word.isascii() or (len(word) > len(r"\n") and "\\" in word)
        return "[sent]" if telling and word.casefold() in self.sent else word


def _fitting(record: logging.LogRecord, write: Callable[[dict[str, Any]], str]) -> str:
    """The record as ``write`` writes it, with as much of it as fits in MOST bytes."""
    said = ""
    for size in SIZES:
        said = write(facts(record, size))
        if len(said.encode("utf-8", "backslashreplace")) < MOST:
            break
    return said


def _readable(line: dict[str, Any]) -> str:
    start = " ".join(str(line.pop(name)) for name in ("time", "level", "logger"))
    message, frames = line.pop("message"), line.pop("exception", [])
    rest = " ".join(f"{name}={value}" for name, value in line.items())
    first = f"{start}: {message}" + (f" [{rest}]" if rest else "")
    return "\n    ".join(_printable(one) for one in (first, *frames))


def _message(record: logging.LogRecord, running: Running | None, discreet: Discretion) -> str:
    """The message. What is put into it is looked at; the address of a request becomes the name of its route."""
    if record.name in OWN_WORDS:
        return record.getMessage()
    if not record.args:
        return discreet(str(record.msg))
    routes = _routes(running.request) if running is not None else {}

    def fit(value: object) -> object:
        said = str(value)
        return value if isinstance(value, int | float) else routes.get(said) or discreet(said)

    given = record.args
    args = (
        tuple(map(fit, given))
        if isinstance(given, tuple)
        else {name: fit(one) for name, one in given.items()}
    )
    try:
        return (str(record.msg) % args)[: discreet.most]
    except (TypeError, ValueError, KeyError):  # the writer's mistake
        return discreet(str(record.msg))


def _routes(request: HttpRequest) -> dict[str, str]:
    """The addresses of a request, as they are and as Django writes them, with its route."""
    plain = {request.path, request.get_full_path()}
    written = {one.encode("unicode_escape").decode("ascii") for one in plain}
    return dict.fromkeys(plain | written, route_of(request))


def _exception(problem: BaseException, discreet: Discretion, most: int) -> Iterator[str]:
    """Yield where a failure came from, the first one first: ``most`` places in the code, then what it was."""
    seen: list[BaseException] = []
    one: BaseException | None = problem
    while one is not None and one not in seen:
        seen.append(one)
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    for number, each in enumerate(reversed(seen[:MOST_REASONS])):
        if number and most:
            yield "then, because of that or on its way:"
        frames = traceback.extract_tb(each.__traceback__)[-most:] if most else []
        yield from (f"{_short(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames)
        yield f"{type(each).__module__}.{type(each).__qualname__}: {discreet(_words(each))}"


@cache
def _short(path: str) -> str:
    """A file's place as one would import it."""
    folders = (f"{one}{os.sep}" for one in sorted(map(os.path.abspath, sys.path), key=len, reverse=True))
    return next((path.removeprefix(one) for one in folders if path.startswith(one)), path)


def _words(problem: BaseException) -> str:
    """What a failure says. What Postgres adds in further lines, or says of a value it refuses, holds values of rows."""
    try:
        said = str(problem)
    except Exception:
        return "(it cannot say what it is)"
    if not isinstance(problem, psycopg.Error | DjangoDatabaseError):
        return said
    cause = problem if isinstance(problem, psycopg.Error) else problem.__cause__
    said = said.partition("\n")[0]
    if str(getattr(cause, "sqlstate", None) or "").startswith(DATA_EXCEPTION):
        return re.split('[:"]', said)[0].strip()
    return said


def _sent(request: HttpRequest) -> Iterator[str]:
    """Yield what came with a request, as far as it was read, and what its learner is called by."""
    told = request.META
    yield from (
        value
        for name, value in told.items()
        if name.startswith("HTTP_") and not name.startswith(SAYS_NOTHING)
    )
    yield from (request.path_info, told.get("QUERY_STRING", ""), unquote_plus(told.get("QUERY_STRING", "")))
    yield from _values(request.__dict__)
    match, learner = request.resolver_match, request.__dict__.get("learner")
    yield from map(str, match.kwargs.values() if match is not None else ())
    if learner is not None:
        yield from (str(learner.__dict__.get(name, "")) for name in ("name", "email"))


def _values(read: dict[str, Any]) -> Iterator[str]:
    """Yield the fields of the form, the names of its files, and the body where it was read as a whole."""
    form, files = read.get("_post"), read.get("_files")
    if isinstance(form, QueryDict):
        yield from (value for name in form for value in (name, *map(str, form.getlist(name))))
    yield from (str(one.name) for name in files or () for one in _list(files, name))
    if body := read.get("_body"):
        yield body.decode("utf-8", "backslashreplace")


def _list(files: Any, name: str) -> Iterable[Any]:
    found: Iterable[Any] = files.getlist(name)
    return found


def _printable(text: str) -> str:
    """Write out what is no visible sign or space: ends of lines, colours, turns of the direction of writing."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
