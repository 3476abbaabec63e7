"""The form token of a visitor, masked anew for every page as Django does it, a fifth of the time."""

from __future__ import annotations

import os

from django.http import HttpRequest
from django.middleware.csrf import CSRF_ALLOWED_CHARS, CSRF_SECRET_LENGTH, get_token

_PLACE = {sign: index for index, sign in enumerate(CSRF_ALLOWED_CHARS)}
_FAIR = len(CSRF_ALLOWED_CHARS) * (
    256 // len(CSRF_ALLOWED_CHARS)
)  # bytes from here on would favour some signs


def form_token(request: HttpRequest) -> str:
    """The token for this page's forms; a visitor without one gets a cookie with the answer.

    A cookie that is there is used as it is and not sent again: it lives a year, and every sign-in replaces it.
    """
    secret = request.META.get("CSRF_COOKIE")
    if secret is None or request.META.get("CSRF_COOKIE_NEEDS_UPDATE"):
        return get_token(request)
    return masked(secret)


def masked(secret: str) -> str:
    """A random mask and the secret shifted by it, sign by sign (BREACH: no two pages repeat a token)."""
    drawn: list[int] = []
    while len(drawn) < CSRF_SECRET_LENGTH:
        drawn += [byte for byte in os.urandom(CSRF_SECRET_LENGTH + 8) if byte < _FAIR]
    size, signs = len(CSRF_ALLOWED_CHARS), CSRF_ALLOWED_CHARS
    mask = [byte % size for byte in drawn[:CSRF_SECRET_LENGTH]]
    shifted = [(_PLACE[sign] + by) % size for sign, by in zip(secret, mask, strict=True)]
    return "".join([signs[one] for one in mask]) + "".join([signs[one] for one in shifted])
