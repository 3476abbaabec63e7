"""What the site writes down: one line for each thing that happened, as JSON or for reading.

Own formatters and not structlog: what is wanted are a few fixed fields on every line, those of Django and the libraries
included, and they come through the standard library's logging in either case. structlog would add a dependency and a
second way to log beside it.

A line says which request it belongs to, and of it: method, name of the route (addresses hold ids and keys), status,
milliseconds, the number of the learner. It never repeats what a visitor sent, nor names, addresses of people, cookies
or query strings; and no value can begin a line of its own.
"""

from __future__ import annotations

import json
import logging
import re
import time
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Any

import psycopg
from django.db import Error as DjangoDatabaseError
from django.http import HttpRequest, QueryDict

LETTERBOX = re.compile(r"[^\s\"'<>()\[\],;:=@]+@[^\s\"'<>()\[\],;:=@]+\.[^\s\"'<>()\[\],;:=@]+")
SHORTEST = 6  # characters of what a visitor sent that are taken out; shorter ones are words like any other
LONGEST = 4000  # characters of a message
MOST_FRAMES = 60
NO_ROUTE = "-"
PASSING = 503  # told in one line: where it came from is the database's trouble, not the code's


@dataclass(slots=True)
class Running:
    """A request that is being answered."""

    request: HttpRequest
    id: str
    began: float  # perf_counter, seconds


RUNNING: ContextVar[Running | None] = ContextVar("running", default=None)


def request_id() -> str:
    """The id of the request that is being answered; empty outside of requests."""
    running = RUNNING.get()
    return running.id if running is not None else ""


def route_of(request: HttpRequest) -> str:
    """The name of the view's address, with its name space; NO_ROUTE where no view was found."""
    match = request.resolver_match
    return (match.view_name or NO_ROUTE) if match is not None else NO_ROUTE


def facts(record: logging.LogRecord) -> dict[str, Any]:
    """The fields of a line, in order. ``status`` and ``ms`` are there as far as they are known."""
    running = RUNNING.get() or getattr(getattr(record, "request", None), "running", None)
    line: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname,
        "logger": record.name,
        "message": _message(record, running),
    }
    if running is not None:
        request, learner = running.request, running.request.__dict__.get("learner")
        line |= {"request_id": running.id, "method": str(request.method)[:20], "route": route_of(request)}
        if (status := getattr(record, "status_code", None)) is not None:
            line["status"] = status
        line["ms"] = round((time.perf_counter() - running.began) * 1000, 2)
        if learner is not None:
            line["learner"] = learner.pk
    if record.exc_info and record.exc_info[1] is not None:
        line["exception"] = list(_exception(record.exc_info[1], running, short=line.get("status") == PASSING))
    return line


class JsonLines(logging.Formatter):
    """One JSON object a line, ASCII only."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(facts(record)).replace("\x7f", "\\u007f")


class TextLines(logging.Formatter):
    """The same for reading: what belongs to a line follows it, indented."""

    def format(self, record: logging.LogRecord) -> str:
        line = facts(record)
        start = " ".join(str(line.pop(name)) for name in ("time", "level", "logger"))
        message, frames = line.pop("message"), line.pop("exception", [])
        rest = " ".join(f"{name}={value}" for name, value in line.items())
        first = f"{start}: {message}" + (f" [{rest}]" if rest else "")
        return "\n    ".join(_printable(one) for one in (first, *frames))


def _message(record: logging.LogRecord, running: Running | None) -> str:
    """The message; where Django puts in the address of a request, the name of its route instead."""
    if running is not None and isinstance(record.args, tuple) and record.args:
        request = running.request
        addresses = {request.path, request.get_full_path()}
        args = tuple(route_of(request) if one in addresses else one for one in map(_plain, record.args))
        return _discreet(str(record.msg) % args, running)
    return _discreet(record.getMessage(), running)


def _plain(value: object) -> object:
    return value if isinstance(value, int | float | str) else str(value)


def _exception(problem: BaseException, running: Running | None, *, short: bool) -> Iterator[str]:
    """Yield where a failure came from, the first one first: places in the code, then what it was."""
    seen: list[BaseException] = []
    one: BaseException | None = problem
    while one is not None and one not in seen:
        seen.append(one)
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    for number, each in enumerate(reversed(seen)):
        if number and not short:
            yield "then, because of that or on its way:"
        if not short:
            frames = traceback.extract_tb(each.__traceback__)[-MOST_FRAMES:]
            yield from (f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
        yield f"{type(each).__module__}.{type(each).__qualname__}: {_words(each, running)}"


def _words(problem: BaseException, running: Running | None) -> str:
    """What a failure says. What Postgres adds to it in further lines holds values of rows."""
    said = str(problem)
    if isinstance(problem, psycopg.Error | DjangoDatabaseError):
        said = said.partition("\n")[0]
    return _discreet(said, running)


def _discreet(said: str, running: Running | None) -> str:
    """Leave out what the visitor sent and whatever looks like somebody's address."""
    if running is not None:
        for one in sorted(_sent(running.request), key=len, reverse=True):
            said = said.replace(one, "[sent]")
    return LETTERBOX.sub("[e-mail]", said)[:LONGEST]


def _sent(request: HttpRequest) -> set[str]:
    """What came with a request, as far as it was read: values of its form, query, cookies and address."""
    read = [request.__dict__.get(name) or {} for name in ("GET", "_post", "COOKIES")]
    match = request.resolver_match
    named = match.kwargs.values() if match is not None else ()
    lists = [one.getlist(name) for one in read if isinstance(one, QueryDict) for name in one]
    values = chain(named, *lists, *(one.values() for one in read))
    return {one for one in values if isinstance(one, str) and len(one) >= SHORTEST}


def _printable(text: str) -> str:
    """Write out what is no visible sign or space: ends of lines, colours, turns of the direction of writing."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
