"""An attempt: its current question, before and after the answer; lists of attempts."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from django.db import connection
from django.db.models import Sum

from quizzes.kinds.shapes import Answer
from quizzes.models import Attempt, Response, Slot
from quizzes.queries.feedback import (
    LETTERS,
    Given,
    option_feedback,
    streets_of,
    typed_feedback,
    verdict_of,
)
from quizzes.queries.ready import Frame, Shown, address, frame_of, opened_of, shown_of
from quizzes.queries.shapes import AttemptLine, Dot, OptionView, QuestionPage, WrongLine

# One row for a learner's attempt: quiz, release of its course, moments, and of every question in order
# [position, state, skipped, flagged, certainty].
GOING = """
SELECT attempt.quiz_id, course.release_id, attempt.saved_at, attempt.finished_at, (
    SELECT json_agg(json_build_array(position, state, skipped, flagged, certainty) ORDER BY position)
    FROM quizzes_slot WHERE attempt_id = attempt.id
)
FROM quizzes_attempt AS attempt
JOIN quizzes_quiz AS quiz ON quiz.id = attempt.quiz_id
JOIN chapters_course AS course ON course.id = quiz.course_id
WHERE attempt.id = %s AND attempt.learner_id = %s
"""

# One row for each answer to a question of an attempt, oldest first; a single row with number null before the first.
ANSWERS = """
SELECT slot.version_id, slot."order", slot.tokens, given.number, given.version_id, given.options, given.typed,
    given.certainty, given.state, given.detail, given.at
FROM quizzes_slot AS slot LEFT JOIN quizzes_response AS given ON given.slot_id = slot.id
WHERE slot.attempt_id = %s AND slot.position = %s
ORDER BY given.number
"""


@dataclass(frozen=True, slots=True)
class Came:
    """What came in with a form and was not accepted: shown again so that nothing is typed twice."""

    raw: Sequence[str] = ()
    certainty: int | None = None
    key: str = ""
    error: str = ""
    notice: str = ""


class Told(Protocol):
    """What the progress line needs to know of a question."""

    @property
    def position(self) -> int: ...
    @property
    def state(self) -> str: ...
    @property
    def skipped(self) -> bool: ...
    @property
    def flagged(self) -> bool: ...
    @property
    def certainty(self) -> int | None: ...


class Stop(NamedTuple):
    """One question of an attempt, without its texts."""

    position: int
    state: str
    skipped: bool
    flagged: bool
    certainty: int | None


@dataclass(frozen=True, slots=True)
class Going:
    """A learner's attempt with its questions in order."""

    attempt_id: uuid.UUID
    frame: Frame
    saved_at: datetime | None
    finished_at: datetime | None
    stops: Sequence[Stop]


def going_of(attempt_id: uuid.UUID, learner_id: int) -> Going:
    """The learner's attempt and its questions (one query). Raises Attempt.DoesNotExist."""
    with connection.cursor() as cursor:
        cursor.execute(GOING, [attempt_id, learner_id])
        row = cursor.fetchone()
    if row is None:
        raise Attempt.DoesNotExist
    quiz_pk, release_pk, saved_at, finished_at, stops = row
    frame = frame_of(quiz_pk, release_pk)
    return Going(attempt_id, frame, saved_at, finished_at, [Stop(*one) for one in stops or ()])


def first_open_position(slots: Sequence[Told], after: int = 0) -> int | None:
    """The next question without an answer: unseen ones first, from ``after`` on and round again, then skipped ones.

    ``slots`` in the order of their positions.
    """
    waiting = [one for one in slots if not one.state]
    places = [one.position for one in waiting if not one.skipped] or [one.position for one in waiting]
    return next((one for one in places if one > after), places[0] if places else None)


def dots_of(slots: Iterable[Told], here: int) -> tuple[Dot, ...]:
    """The progress line."""
    return tuple(
        Dot(
            one.position,
            one.state or ("skipped" if one.skipped else "unseen"),
            one.flagged,
            one.certainty == 1,
            one.position == here,
        )
        for one in slots
    )


def question_page(
    attempt_id: uuid.UUID,
    learner_id: int,
    position: int | None,
    *,
    again: bool = False,
    came: Came | None = None,
) -> QuestionPage:
    """One question of an attempt as it stands for this learner (two queries, and what is not ready in the process).

    Without ``position`` the next open question. The key is only read once the question has an answer; with
    ``again`` the form is shown instead. Raises Attempt.DoesNotExist, Slot.DoesNotExist.
    """
    going = going_of(attempt_id, learner_id)
    stops = going.stops
    position = position or first_open_position(stops) or 1
    stop = next((one for one in stops if one.position == position), None)
    if stop is None:
        raise Slot.DoesNotExist
    form_again = bool(stop.state) and again and going.finished_at is None
    rows = _answers(going, position)
    told = _feedback(going, position, rows) if stop.state and not form_again else _form(going, rows[0], came)
    following = first_open_position(stops, after=position)
    return QuestionPage(
        **_around(going, stop),
        **told,
        notice=came.notice if came else "",
        next_position=following if following != position else None,
        previous_position=position - 1 if any(one.position == position - 1 for one in stops) else None,
        retrying=form_again,
    )


class Row(NamedTuple):
    """One row of ANSWERS."""

    version_pk: int
    order: Sequence[str]
    tokens: Sequence[str]
    number: int | None
    answered_pk: int  # the version that was answered
    options: Sequence[str]
    typed: str
    certainty: int | None
    state: str
    detail: str
    at: datetime


def _answers(going: Going, position: int) -> Sequence[Row]:
    with connection.cursor() as cursor:
        cursor.execute(ANSWERS, [going.attempt_id, position])
        return [Row(*one) for one in cursor.fetchall()]


def _around(going: Going, stop: Stop) -> dict[str, Any]:
    frame = going.frame
    return {
        "course": frame.course,
        "attempt_id": str(going.attempt_id),
        "quiz_slug": frame.quiz_slug,
        "quiz_title": frame.quiz_title,
        "position": stop.position,
        "of": len(going.stops),
        "flagged": stop.flagged,
        "dots": dots_of(going.stops, stop.position),
        "saved_at": going.saved_at,
        "unanswered": sum(not one.state for one in going.stops),
    }


def _said(frame: Frame, version: Shown) -> dict[str, Any]:
    return {
        "question_slug": frame.names[version.question_pk][0],
        "kind": version.kind,
        "stem_html": version.stem_html,
        "body_html": version.body_html,
        "unit": version.body.get("unit", ""),
        "several": 0,
    }


def _form(going: Going, row: Row, came: Came | None) -> dict[str, Any]:
    """The question before the answer: no key is read."""
    came = came or Came()
    version = shown_of(row.version_pk)
    options = tuple(
        OptionView(token, LETTERS[index % 26], index + 1, version.texts[slug], token in came.raw)
        for index, (slug, token) in enumerate(zip(row.order, row.tokens, strict=True))
    )
    return {
        **_said(going.frame, version),
        "key": came.key or str(uuid.uuid4()),
        "options": options,
        "typed": came.raw[0] if came.raw and not options else "",
        "certainty": came.certainty,
        "error": came.error,
        "verdict": None,
        "feedback": (),
        "typed_feedback": (),
        "explanation_html": "",
        "read": None,
    }


def _feedback(going: Going, position: int, rows: Sequence[Row]) -> dict[str, Any]:
    """The question after the answer: the last try is explained, the first stays the recorded one."""
    frame, last = going.frame, rows[-1]
    opened = opened_of(last.answered_pk)
    answer = Answer(options=tuple(last.options), typed=last.typed)
    streets = streets_of(frame, f"{address('attempt', going.attempt_id)}?q={position}")
    given = Given(last.number or 1, last.state, last.detail, last.certainty, last.at)
    seen = dict(zip(last.order, last.tokens, strict=True))
    return {
        **_said(frame, opened.shown),
        "key": "",
        "options": (),
        "typed": "",
        "certainty": last.certainty,
        "error": "",
        "verdict": verdict_of(given, rows[0].state),
        "feedback": option_feedback(seen, opened, answer, streets),
        "typed_feedback": typed_feedback(opened, answer, streets),
        "explanation_html": opened.explanation_html,
        "read": streets.link(frame.names[opened.shown.question_pk][1]),
    }


def attempt_lines(attempts: Iterable[Attempt]) -> tuple[AttemptLine, ...]:
    """Rows for lists; each attempt needs quiz and course selected."""
    return tuple(
        AttemptLine(
            id=str(one.pk),
            quiz_slug=one.quiz.slug,
            quiz_title=one.quiz.title,
            course_slug=one.quiz.course.slug,
            number=one.number,
            started_at=one.started_at,
            finished_at=one.finished_at,
            answered=one.answered,
            right=one.right,
            of=one.size,
            points=one.score,
        )
        for one in attempts
    )


def open_attempts(learner_id: int) -> tuple[AttemptLine, ...]:
    """Attempts that are going on, newest first (one query)."""
    return attempt_lines(
        Attempt.objects.of(learner_id).open().select_related("quiz__course").order_by("-started_at")
    )


def recent_attempts(learner_id: int, course_pk: int, most: int = 50) -> tuple[AttemptLine, ...]:
    """The newest attempts in one course (one query)."""
    rows = Attempt.objects.of(learner_id).filter(quiz__course_id=course_pk).select_related("quiz__course")
    return attempt_lines(rows.order_by("-started_at")[:most])


def wrong_lines(learner_id: int, course_pk: int, most: int = 50) -> tuple[WrongLine, ...]:
    """First answers that were wrong, newest first (one query)."""
    rows = (
        Response.objects.filter(
            learner_id=learner_id, number=1, state="wrong", slot__attempt__quiz__course_id=course_pk
        )
        .select_related("version", "slot__attempt__quiz")
        .order_by("-at")[:most]
    )
    return tuple(
        WrongLine(
            str(one.slot.attempt_id),
            one.slot.position,
            one.slot.attempt.quiz.title,
            one.version.stem_text,
            one.at,
        )
        for one in rows
    )


def totals_of(learner_id: int, course_pk: int) -> tuple[int, int]:
    """(answered, right) over all first answers of a learner in one course (one query over the attempts' sums)."""
    sums = (
        Attempt.objects.of(learner_id)
        .filter(quiz__course_id=course_pk)
        .aggregate(a=Sum("answered"), r=Sum("right"))
    )
    return sums["a"] or 0, sums["r"] or 0
