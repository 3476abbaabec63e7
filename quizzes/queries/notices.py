"""What stands at a question beside its feedback: that it is in dispute, and that its key was put right."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer
from quizzes.models import Rescored
from quizzes.queries.ready import Opened, opened_of
from quizzes.queries.standing import Standing

Moved = Mapping[tuple[int, int], tuple[str, str]]  # by correction and position: the mark before and after


@dataclass(frozen=True, slots=True)
class CorrectionNote:
    """A key that was put right: when, what it did to this learner's mark, and what was and is right."""

    at: datetime
    state_before: str  # "" when this learner's mark did not move
    state_after: str
    was: tuple[tuple[str, str], ...]  # HTML of what was right, and why it was thought to hold
    now: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Notices:
    """``disputed_at``: since when somebody doubts the question."""

    disputed_at: datetime | None
    correction: CorrectionNote | None


NONE = Notices(None, None)


def notices_of(
    opened: Opened, attempt_id: uuid.UUID, position: int, stand: Standing, moved: Moved | None = None
) -> Notices:
    """The notices of a question that has its answer.

    No query where nothing stands against it; one for a corrected key where ``moved`` is not given, and what is not
    ready in the process.
    """
    question = opened.shown.question_pk
    corrected = stand.corrected.get((question, opened.shown.number))
    disputed_at = stand.disputed.get(question)
    if corrected is None:
        return Notices(disputed_at, None) if disputed_at else NONE
    marks = moved_in(attempt_id) if moved is None else moved
    before, after = marks.get((corrected.pk, position), ("", ""))
    note = CorrectionNote(corrected.at, before, after, _right(opened), _right(opened_of(corrected.after_pk)))
    return Notices(disputed_at, note)


def judged_by(opened: Opened, stand: Standing) -> Opened:
    """The wording that was answered with the key that counts now: a corrected one where there is one."""
    corrected = stand.corrected.get((opened.shown.question_pk, opened.shown.number))
    if corrected is None:
        return opened
    after = opened_of(corrected.after_pk)
    return replace(opened, key=after.key, explanation_html=after.explanation_html)


def moved_in(attempt_id: uuid.UUID) -> Moved:
    """Which first answers of an attempt corrections moved, from what to what (one query)."""
    rows = Rescored.objects.filter(response__slot__attempt=attempt_id, response__number=1).values_list(
        "correction_id", "response__slot__position", "state_before", "state_after"
    )
    return {(correction, position): (before, after) for correction, position, before, after in rows}


def _right(opened: Opened) -> tuple[tuple[str, str], ...]:
    """What a key calls right, each with its rationale."""
    shown = opened.shown
    kind, nothing = KINDS[shown.kind], Answer()
    remarks = kind.remarks(nothing, shown.body, opened.key)
    parts = kind.parts(nothing, shown.body, opened.key)
    return (
        *((shown.texts.get(one.slug) or one.title, one.rationale_html) for one in remarks if one.right),
        *((f"{one.title_html} {one.wanted_html}".strip(), one.rationale_html) for one in parts),
    )
