"""Headers that go with every answer, whoever gives it: the application, or the turnstile in front of it."""

from __future__ import annotations

from csp.utils import build_policy
from django.conf import settings

PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self)"


def guards() -> dict[str, str]:
    """What every browser is told. None of it depends on the page, so it can be written once."""
    return {
        "Content-Security-Policy": build_policy(settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]),
        "Permissions-Policy": PERMISSIONS,
        "X-Frame-Options": settings.X_FRAME_OPTIONS,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    }
