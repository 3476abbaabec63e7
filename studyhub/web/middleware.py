"""What holds for every response, static files included."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from secrets import token_hex
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLResolver, get_resolver

from studyhub.web import logs, metrics
from studyhub.web.guards import guards

PROXYS_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
ARRIVED = "studyhub.arrived"  # in the environ: perf_counter before the wait for a turn
ACCESS = logging.getLogger("studyhub.access")
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
    route = logs.route_of(running.request)
    if route == logs.NO_ROUTE:
        known = running.request.path_info.startswith(settings.STATIC_URL)
        route = metrics.STATIC if known else metrics.UNKNOWN
    metrics.count_request(route, status, perf_counter() - running.began)
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
        if OTHER_CHARSET.search(request.META.get("CONTENT_TYPE", "")):
            response: HttpResponseBase = HttpResponse(
                "Send text as UTF-8.\n", status=400, content_type="text/plain"
            )
        else:
            response = self.get_response(request)
        for name, value in self.always.items():
            response.headers.setdefault(name, value)
        return response
