"""Health, and what is said when something fails."""

from __future__ import annotations

import sys
from secrets import compare_digest

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studyhub.web import logs, readiness
from studyhub.web import metrics as counts
from studyhub.web.database.base import is_passing

RETRY_AFTER = "2"  # seconds


@login_not_required
@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is looked at."""
    return HttpResponse("ok\n", content_type="text/plain")


@login_not_required
@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """The database answers, has our tables and keeps what it acknowledges; else 503 with every reason in a line."""
    found = readiness.obstacles()
    if not found:
        return HttpResponse("ready\n", content_type="text/plain")
    reasons = "".join(f"not ready: {one}\n" for one in found)
    return HttpResponse(reasons, content_type="text/plain", status=503, headers={"Retry-After": RETRY_AFTER})


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Counts for Prometheus, for whoever shows METRICS_TOKEN; for all others there is nothing here."""
    shown, token = request.headers.get("Authorization", ""), settings.METRICS_TOKEN
    if not token or not compare_digest(shown.encode(), f"Bearer {token}".encode()):
        raise Http404
    return HttpResponse(
        counts.text(),
        content_type="text/plain; version=0.0.4; charset=utf-8",
        headers={"Cache-Control": "no-store"},
    )


@login_not_required
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form's token was missing or stale: say so, keep nothing."""
    return render(request, "403_csrf.html", status=403)


@login_not_required
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: the request could not be read; or 503 when it was the session's table that did not answer."""
    if is_passing(exception):
        return _in_a_moment()
    return render(request, "400.html", status=400)


@login_not_required
def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: not for this person."""
    return render(request, "403.html", status=403)


@login_not_required
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: nothing here, or nothing here for this person; both look the same."""
    return render(request, "404.html", status=404)


@login_not_required
def server_error(request: HttpRequest) -> HttpResponse:
    """500; or 503 with Retry-After when it is the database that does not answer right now."""
    if is_passing(sys.exception()):
        return _in_a_moment()
    return HttpResponse(_with_reference("500.html"), status=500)


def _in_a_moment() -> HttpResponse:
    return HttpResponse(_with_reference("503.html"), status=503, headers={"Retry-After": RETRY_AFTER})


def _with_reference(template: str) -> str:
    """An error page that names its request as the log does."""
    return render_to_string(template, {"reference": logs.request_id()})
