"""What holds for every response, static files included."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from secrets import token_hex
from time import perf_counter
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBase, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.template.loader import render_to_string
from django.urls import URLResolver, get_resolver

from studyhub.web import logs, metrics
from studyhub.web.guards import guards

PROXYS_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
ARRIVED = "studyhub.arrived"  # in the environ: perf_counter before the wait for a turn
FOR_NOBODY = frozenset({"/healthz", "/readyz", "/metrics"})  # whoever asks, no session is looked up
ACCESS = logging.getLogger("studyhub.access")
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
NOT_UTF8 = 400, "Send text as UTF-8."
NO_FORM = 415, "Send a form. Nothing was kept."
TOO_LONG = 400, "This is longer than any form here. Nothing was kept: go back and shorten it."
BROKEN = 400, "This form could not be read. Nothing was kept."
NUL = 400, "This holds a character that cannot be kept (NUL). Nothing was kept: go back and take it out."
OTHER_CHARSET = re.compile(r"charset(?!\s*=\s*\"?utf-?8\b)", re.IGNORECASE)


class JournalMiddleware:
    """Gives every request an id and every answer its X-Request-ID; notes and counts the answer where that is wanted.

    Outermost, so that static files, refusals and redirects have theirs. The id of a header is taken over from one's
    own proxy only.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.trusting: bool = settings.BEHIND_PROXY
        self.noting: bool = settings.ACCESS_LOG or bool(settings.METRICS_TOKEN)
        if settings.METRICS_TOKEN:
            metrics.begin(_route_names(get_resolver()))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request; what is logged meanwhile carries its id."""
        given = request.META.get("HTTP_X_REQUEST_ID", "") if self.trusting else ""
        name = given if given and PROXYS_ID.fullmatch(given) else token_hex(8)
        running = logs.Running(request, name, request.META.get(ARRIVED) or perf_counter())
        request.__dict__["running"] = running  # some lines are written after the answer
        if request.path_info in FOR_NOBODY:
            request.META.pop("HTTP_COOKIE", None)
        mark = logs.RUNNING.set(running)
        try:
            response = self.get_response(request)
            response.headers["X-Request-ID"] = name
            if self.noting:
                _note(running, response.status_code)
            return response
        finally:
            logs.RUNNING.reset(mark)


def _note(running: logs.Running, status: int) -> None:
    metrics.count_request(logs.route_of(running.request), status, perf_counter() - running.began)
    if ACCESS.isEnabledFor(logging.INFO):
        ACCESS.info("answered", extra={"status_code": status})


def _route_names(resolver: URLResolver, spaces: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the name of every address, with its name space, as ``logs.route_of`` gives it."""
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from _route_names(one, (*spaces, one.namespace) if one.namespace else spaces)
        else:
            yield ":".join((*spaces, one.name or one.lookup_str))


class GuardMiddleware:
    """Sends the guards with every answer, refusals and redirects to https too; one that is there already stays.

    They are the same for all pages, so they are written once and not for each response.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.always = guards()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Add what is missing."""
        if refusal := _refusal(request):
            status, words = refusal
            response: HttpResponseBase = HttpResponse(f"{words}\n", status=status, content_type="text/plain")
        else:
            response = _explained(request, self.get_response(request))
        for name, value in self.always.items():
            response.headers.setdefault(name, value)
        return response


def _explained(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """For whoever opens the address of a form in a browser: 405 has no words of its own, and gets a page."""
    if response.status_code != 405 or request.method != "GET":
        return response
    asks = "text/html" in request.META.get("HTTP_ACCEPT", "")  # request.headers would copy all of META
    if asks and isinstance(response, HttpResponse) and not response.content:
        response.content = render_to_string("405.html")
        response.headers["Content-Length"] = str(len(response.content))
    return response


def _refusal(request: HttpRequest) -> tuple[int, str] | None:
    """Status and words for a body that no form of ours can send (trust.md 1.5); None for what may go on.

    Nothing is cut or replaced on the way in: what is not UTF-8, and NUL, which the database cannot keep, end here.
    """
    if OTHER_CHARSET.search(request.META.get("CONTENT_TYPE", "")):
        return NOT_UTF8
    given = request.META.get("CONTENT_LENGTH") or "0"
    if request.method != "POST" or given == "0":
        return None
    if request.content_type not in (URLENCODED, MULTIPART):
        return NO_FORM
    if not given.isascii() or not given.isdigit():
        return BROKEN
    if len(given) > 9 or int(given) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        return TOO_LONG
    return _body_refusal(request)


def _body_refusal(request: HttpRequest) -> tuple[int, str] | None:
    try:
        body = request.body
        (unquote_to_bytes(body) if request.content_type == URLENCODED else body).decode()
        fields = request.POST
    except UnicodeDecodeError:
        return NOT_UTF8
    except (MultiPartParserError, SuspiciousOperation, UnreadablePostError):
        return BROKEN
    text = "".join("".join((name, *values)) for name, values in fields.lists())
    return NUL if "\x00" in text else None
