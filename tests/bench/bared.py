"""The site without its layers of security and notes, to weigh what they cost. For ``make bench`` alone, never to serve.

Left out: request ids and notes, the guards' headers, Django's security headers, the check of form tokens. Who somebody
is and what they may see is still asked: that is not a layer, pages depend on it.
"""

from __future__ import annotations

from studyhub.settings import *  # noqa: F403
from studyhub.settings import MIDDLEWARE as WHOLE

LAYERS = (
    "studyhub.web.middleware.JournalMiddleware",
    "studyhub.web.middleware.GuardMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
)
MIDDLEWARE = [one for one in WHOLE if one not in LAYERS]
