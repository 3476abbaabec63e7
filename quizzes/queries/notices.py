"""What stands at a question beside its feedback: that it is in dispute, and that its key was put right."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.html import escape

from quizzes.kinds import KINDS
from quizzes.kinds.fitting import fitted
from quizzes.kinds.shapes import Answer
from quizzes.models import Rescored
from quizzes.queries.key_forms import changed_first
from quizzes.queries.ready import Opened, opened_of
from quizzes.queries.standing import Corrected, Standing

Moved = Mapping[tuple[int, int], tuple[str, str]]  # by correction and position: the mark before and after


@dataclass(frozen=True, slots=True)
class Change:
    """When a key was put right, and when that was taken back."""

    at: datetime
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class CorrectionNote:
    """What became of a key since it was answered: the newest change and all before it, what they did to this learner's
    mark, what was right and what is right now.
    """

    at: datetime
    undone_at: datetime | None  # no correction stands: when the newest was taken back
    state_before: str  # "" when this learner's mark did not move
    state_after: str
    was: tuple[tuple[str, str], ...]  # HTML of what was right, and why it was thought to hold
    now: tuple[tuple[str, str], ...]
    past: tuple[Change, ...]  # every change, oldest first


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
    place = opened.shown.question_pk, opened.shown.number
    disputed_at, past = stand.disputed.get(place[0]), stand.past.get(place, ())
    if not past:
        return Notices(disputed_at, None) if disputed_at else NONE
    marks = moved_in(attempt_id) if moved is None else moved
    return Notices(disputed_at, _note(opened, position, stand, past, marks))


def _note(
    opened: Opened, position: int, stand: Standing, past: Sequence[Corrected], marks: Moved
) -> CorrectionNote:
    """The one note on a key that changed: of the correction that stands, or else of the one that was undone last."""
    standing = [one for one in past if one.undone_at is None]
    newest = standing[-1] if standing else max(past, key=_undone)
    before, after = marks.get((newest.pk, position), ("", ""))
    was = opened_of(standing[-2].after_pk) if len(standing) > 1 else opened
    if not standing:
        was, before, after = opened_of(newest.after_pk), after, before
    now = judged_by(opened, stand)
    return CorrectionNote(
        at=newest.at,
        undone_at=newest.undone_at,
        state_before=before,
        state_after=after,
        was=right_in(was, now),
        now=right_in(now, was),
        past=tuple(Change(one.at, one.undone_at) for one in past),
    )


def _undone(one: Corrected) -> datetime:
    return one.undone_at or one.at


def judged_by(opened: Opened, stand: Standing) -> Opened:
    """The wording that was answered with the key that counts now: a corrected one where there is one."""
    shown = opened.shown
    after_pk = stand.key_of(shown.question_pk, shown.number)
    if after_pk is None:
        return opened
    after = opened_of(after_pk)
    body, key = fitted(shown.kind, shown.body, after.shown.body, after.key)
    return Opened(replace(shown, body=body), key, after.explanation_html)


def moved_in(attempt_id: uuid.UUID) -> Moved:
    """Which first answers of an attempt corrections moved, from what to what (one query)."""
    rows = Rescored.objects.filter(response__slot__attempt=attempt_id, response__number=1).values_list(
        "correction_id", "response__slot__position", "state_before", "state_after"
    )
    return {(correction, position): (before, after) for correction, position, before, after in rows}


def right_in(opened: Opened, beside: Opened) -> tuple[tuple[str, str], ...]:
    """What a key calls right, each with its rationale; of many forms those that ``beside`` does not accept too."""
    shown, key = opened.shown, opened.key
    if beside.shown.kind == shown.kind:
        key = changed_first(shown.kind, shown.body, key, beside.key)
    kind, nothing = KINDS[shown.kind], Answer()
    remarks = kind.remarks(nothing, shown.body, key)
    parts = kind.parts(nothing, shown.body, key)
    return (
        *(
            (shown.texts.get(one.slug) or escape(one.title), one.rationale_html)
            for one in remarks
            if one.right
        ),
        *((f"{one.title_html} {one.wanted_html}".strip(), one.rationale_html) for one in parts),
    )
