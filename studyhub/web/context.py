"""What every page may show."""

from __future__ import annotations

from typing import Any

from studyhub.web.request import LearnerRequest


def site(request: LearnerRequest) -> dict[str, Any]:
    """Give ``house`` and ``learner`` to templates (allauth has a ``site`` of its own)."""
    return {"house": {"name": "StudyHub"}, "learner": getattr(request, "learner", None)}
