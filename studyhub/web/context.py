"""What every page may show."""

from __future__ import annotations

from typing import Any

from studyhub.web.request import LearnerRequest


def site(request: LearnerRequest) -> dict[str, Any]:
    """``site`` and ``learner`` for templates."""
    return {"site": {"name": "StudyHub"}, "learner": getattr(request, "learner", None)}
