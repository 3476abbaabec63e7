"""What holds for every response, static files included."""

from __future__ import annotations

import re
from collections.abc import Callable

from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

OTHER_CHARSET = re.compile(r"charset(?!\s*=\s*\"?utf-?8\b)", re.IGNORECASE)
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self)"


class GuardMiddleware:
    """Headers that Django's own middleware does not set; a response that has one already keeps its own.

    The Content-Security-Policy is the same for all pages, so it is written once and not for each response.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.always = {
            "Content-Security-Policy": build_policy(settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]),
            "Permissions-Policy": PERMISSIONS,
            "X-Frame-Options": "DENY",
        }

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Add what is missing."""
        if OTHER_CHARSET.search(request.META.get("CONTENT_TYPE", "")):
            return HttpResponse("Send text as UTF-8.\n", status=400, content_type="text/plain")
        response = self.get_response(request)
        for name, value in self.always.items():
            response.headers.setdefault(name, value)
        return response
