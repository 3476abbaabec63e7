"""Pictures of loaded packs."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import FileResponse, Http404
from django.views.decorators.http import require_safe

from studyhub.web.request import LearnerRequest

NAME = re.compile(r"[0-9a-f]{64}\.(png|jpg|gif|webp)")
TYPES = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
FOR_EVER = "public, max-age=31536000, immutable"


@login_not_required
@require_safe
def picture(request: LearnerRequest, name: str) -> FileResponse:
    """Serve a picture that a pack brought; its name is the hash of its content, so it may be kept for ever.

    The browser may show it and do nothing else with it.
    """
    found = NAME.fullmatch(name)
    path = Path(settings.MEDIA_ROOT) / "packs" / name
    if found is None or not path.is_file():
        raise Http404
    return FileResponse(
        path.open("rb"),
        content_type=TYPES[found[1]],
        headers={"Cache-Control": FOR_EVER, "Content-Security-Policy": "sandbox; default-src 'none'"},
    )
