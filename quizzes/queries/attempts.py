"""An attempt: its current question, before and after the answer; lists of attempts."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from quizzes.kinds.shapes import Answer, option_letter
from quizzes.models import Attempt
from quizzes.queries.feedback import (
    Given,
    option_feedback,
    part_feedback,
    streets_of,
    typed_feedback,
    verdict_of,
)
from quizzes.queries.fields import fields_of
from quizzes.queries.going import Going, Stop, going_of
from quizzes.queries.notices import NONE, judged_by, notices_of
from quizzes.queries.ready import Frame, Opened, Shown, address, opened_of, shown_of
from quizzes.queries.shapes import AttemptLine, Dot, OptionView, QuestionPage
from quizzes.queries.standing import Standing, standing


class AttemptOver(Exception):
    """The attempt has ended: there is no next question, only its review."""


@dataclass(frozen=True, slots=True)
class Came:
    """What came in with a form and was not accepted: shown again so that nothing is typed twice."""

    raw: Sequence[str] = ()
    certainty: int | None = None
    key: str = ""
    error: str = ""
    notice: str = ""


def first_open_position(stops: Iterable[Stop], after: int = 0) -> int | None:
    """The next question without an answer: unseen ones first, from ``after`` on and round again, then skipped ones.

    ``stops`` in the order of their positions.
    """
    waiting = [one for one in stops if not one.state]
    places = [one.position for one in waiting if not one.skipped] or [one.position for one in waiting]
    return next((one for one in places if one > after), places[0] if places else None)


def dots_of(stops: Iterable[Stop], here: int) -> tuple[Dot, ...]:
    """The progress line."""
    return tuple([_dot(one, one.position == here) for one in stops])


@lru_cache(maxsize=4096)
def _dot(stop: Stop, here: bool) -> Dot:
    seen = stop.state or ("skipped" if stop.skipped else "unseen")
    return Dot(stop.position, seen, stop.flagged, stop.certainty == 1, here)


def question_page(
    attempt_id: uuid.UUID,
    learner_id: int,
    position: int | None,
    *,
    again: bool = False,
    came: Came | None = None,
) -> QuestionPage:
    """One question of an attempt as it stands for this learner (two queries, and what is not ready in the process).

    Raises what ``going_at`` raises.
    """
    return page_of(going_at(attempt_id, learner_id, position), again=again, came=came)


def going_at(attempt_id: uuid.UUID, learner_id: int, position: int | None) -> Going:
    """How the attempt goes, at a question or, without ``position``, at the next open one (one query).

    Raises Attempt.DoesNotExist, Slot.DoesNotExist, and AttemptOver where there is no next one because the attempt
    has ended.
    """
    going = going_of(attempt_id, learner_id, position)
    if position is None and going.finished_at is not None:
        raise AttemptOver
    return going


def page_of(
    going: Going, *, again: bool = False, came: Came | None = None, stand: Standing | None = None
) -> QuestionPage:
    """The question that is looked at (no query but for what is not ready in the process, how it stands among it).

    The key is only read once the question has an answer; with ``again`` the form is shown instead.
    """
    stop = going.here
    here = stop.position
    form_again = bool(stop.state) and again and going.finished_at is None
    following = first_open_position(going.stops, after=here)
    opened = opened_of(going.told[-1].answered_pk) if stop.state and not form_again else None
    stand = stand or standing()
    return QuestionPage(
        **_around(going, stop),
        **(_feedback(going, opened, stand) if opened else _form(going, came or Came())),
        notice=came.notice if came else "",
        next_position=following if following != here else None,
        previous_position=here - 1 if here > 1 else None,
        retrying=form_again,
        ended_at=going.finished_at,
        notices=notices_of(opened, going.attempt_id, here, stand) if opened else NONE,
    )


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


def _tries(going: Going) -> int:
    """How many answers the question has."""
    return sum(one.number is not None for one in going.told)


def _said(frame: Frame, version: Shown) -> dict[str, Any]:
    return {
        "question_slug": frame.names[version.question_pk][0],
        "kind": version.kind,
        "stem_html": version.stem_html,
        "body_html": version.body_html,
        "unit": version.body.get("unit", ""),
        "several": 0,
    }


def _form(going: Going, came: Came) -> dict[str, Any]:
    """The question before the answer: no key is read."""
    row = going.told[0]
    version = shown_of(row.version_pk)
    seen = [one for one in zip(row.order, row.tokens, strict=True) if one[0] in version.texts]
    fields = fields_of(version, seen, came.raw, refused=bool(came.error))
    options = tuple(
        OptionView(token, option_letter(index), index + 1, version.texts[slug], token in came.raw)
        for index, (slug, token) in enumerate(seen if version.kind != "order" else ())
    )
    return {
        **_said(going.frame, version),
        "key": came.key or str(uuid.uuid5(going.attempt_id, f"{row.position}.{_tries(going)}")),
        "options": options,
        "fields": fields,
        "typed": came.raw[0] if came.raw and not options and not fields else "",
        "certainty": came.certainty,
        "error": came.error,
        "verdict": None,
        "feedback": (),
        "typed_feedback": (),
        "explanation_html": "",
        "read": None,
    }


def _feedback(going: Going, answered: Opened, stand: Standing) -> dict[str, Any]:
    """The question after the answer: the last try is explained, the first stays the recorded one."""
    frame, last = going.frame, going.told[-1]
    opened = judged_by(answered, stand)
    answer = Answer(tuple(last.options), last.typed, tuple(last.parts))
    streets = streets_of(frame, f"{address('attempt', going.attempt_id)}?q={last.position}")
    assert last.number is not None
    given = Given(last.number, last.state, last.detail, last.certainty, datetime.fromisoformat(last.at))
    seen = dict(zip(last.order, last.tokens, strict=True))
    return {
        **_said(frame, opened.shown),
        "key": "",
        "options": (),
        "typed": "",
        "certainty": last.certainty,
        "error": "",
        "verdict": verdict_of(given, going.told[0].state, opened.shown.kind, answer),
        "feedback": option_feedback(seen, opened, answer, streets),
        "typed_feedback": typed_feedback(opened, answer, streets),
        "parts": part_feedback(opened, answer, streets),
        "explanation_html": opened.explanation_html,
        "read": streets.link(frame.names[opened.shown.question_pk][1]),
    }


def attempt_lines(attempts: Iterable[Attempt]) -> tuple[AttemptLine, ...]:
    """Rows for lists; each attempt needs quiz and course selected, and ``with_partly``."""
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
            partly=one.partly,  # type: ignore[attr-defined]
            of=one.size,
            points=one.score,
        )
        for one in attempts
    )


def open_attempts(learner_id: int) -> tuple[AttemptLine, ...]:
    """Attempts that are going on, newest first (one query)."""
    return attempt_lines(
        Attempt.objects.of(learner_id)
        .open()
        .with_partly()
        .select_related("quiz__course")
        .order_by("-started_at")
    )
