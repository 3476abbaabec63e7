"""Corrections of keys: the list, the preview of who moves, and what a taker is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from quizzes.models import Correction, QuestionKey, Rescored, Response


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """One correction in the list."""

    pk: int
    question: str
    quiz_title: str
    stem_html: str
    made_at: datetime
    applied_at: datetime | None
    undone_at: datetime | None
    moved: int

    @property
    def state(self) -> str:
        """waiting, applied or undone."""
        if self.applied_at is None:
            return "waiting"
        return "undone" if self.undone_at else "applied"


def correction_lines() -> list[CorrectionLine]:
    """All corrections, those that wait first, then the newest (two queries)."""
    rows = list(
        Correction.objects.select_related("question__quiz", "after").order_by("applied_at", "-made_at")[:200]
    )
    rows.sort(key=lambda one: (one.applied_at is not None, -one.made_at.timestamp()))
    moved = moved_by([one.pk for one in rows])
    return [
        CorrectionLine(
            pk=one.pk,
            question=one.question.slug,
            quiz_title=one.question.quiz.title,
            stem_html=one.after.stem_html,
            made_at=one.made_at,
            applied_at=one.applied_at,
            undone_at=one.undone_at,
            moved=moved.get(one.pk, 0),
        )
        for one in rows
    ]


def moved_by(corrections: Sequence[int]) -> Mapping[int, int]:
    """How many responses each correction holds moved (one query)."""
    found: dict[int, int] = {}
    for pk in Rescored.objects.filter(correction__in=corrections).values_list("correction_id", flat=True):
        found[pk] = found.get(pk, 0) + 1
    return found


@dataclass(frozen=True, slots=True)
class Move:
    """One taker's answer that would move."""

    learner: int  # a number, no name
    attempt_number: int
    recorded: bool  # the first answer, which counts
    state: str
    points: float
    state_after: str
    points_after: float

    @property
    def change(self) -> float:
        """Points gained; below 0 lost."""
        return self.points_after - self.points


def moves(marks: Mapping[int, tuple[str, float]]) -> list[Move]:
    """What changes when responses get these marks (state, fraction): the largest losses first (one query)."""
    rows = Response.objects.filter(pk__in=list(marks)).select_related("slot__attempt", "version")
    found = [
        Move(
            learner=one.learner_id,
            attempt_number=one.slot.attempt.number,
            recorded=one.number == 1,
            state=one.state,
            points=one.fraction * one.version.points,
            state_after=marks[one.pk][0],
            points_after=marks[one.pk][1] * one.version.points,
        )
        for one in rows
    ]
    moving = [one for one in found if (one.state, one.points) != (one.state_after, one.points_after)]
    return sorted(moving, key=lambda one: (one.change, one.learner))


@dataclass(frozen=True, slots=True)
class Told:
    """What a taker is told of a correction of a question they answered."""

    at: datetime
    state_before: str  # "" when their mark did not move
    state_after: str
    key_before: Mapping[str, object]
    key_after: Mapping[str, object]
    after_pk: int


def told_of(correction_pk: int, response_pks: Sequence[int]) -> Told:
    """A correction as the taker of these responses sees it (three queries). Raises Correction.DoesNotExist."""
    row = Correction.objects.get(pk=correction_pk)
    keys = {one.pk: one.key for one in QuestionKey.objects.filter(pk__in=[row.before_id, row.after_id])}
    moved = Rescored.objects.filter(correction=row, response__in=response_pks).order_by("response_id").first()
    assert row.applied_at is not None
    return Told(
        at=row.applied_at,
        state_before=moved.state_before if moved else "",
        state_after=moved.state_after if moved else "",
        key_before=keys[row.before_id],
        key_after=keys[row.after_id],
        after_pk=row.after_id,
    )
