"""When a load changes what a chapter is for, its purpose or objectives, the release's report keeps both texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studyhub.text.paragraphs import paragraphs_of

AIMS = "aims"  # in a release's report: {key of a chapter: [aims before, aims since]}


def aims_of(sheet: Mapping[str, Any]) -> dict[str, list[list[str]]]:
    """Purpose and objectives of a chapter's sheet in plain words: [anchor or slug, text] each, in order."""
    return {
        "purpose": [[anchor, text] for anchor, text in paragraphs_of(sheet["chapter"]["purpose"])],
        "objectives": [
            [slug, " ".join(text for _, text in paragraphs_of(html))] for _, slug, html in sheet["objectives"]
        ],
    }


def step_between(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> list[Any] | None:
    """The aims of two sheets of one chapter, where they differ; a chapter that is new has no step."""
    if before is None:
        return None
    old, new = aims_of(before), aims_of(now)
    return [old, new] if old != new else None
