"""What holds for every response, static files included."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self)"


class GuardMiddleware:
    """Headers that Django and django-csp do not set."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Add Permissions-Policy and X-Frame-Options."""
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", POLICY)
        response.headers.setdefault("X-Frame-Options", "DENY")
        return response
