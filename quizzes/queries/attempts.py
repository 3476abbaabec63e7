"""An attempt: its current question, before and after the answer; lists of attempts."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery, Sum
from django.urls import reverse

from chapters.queries import course_view
from quizzes.models import Attempt, QuestionKey, QuestionVersion, Response, Slot
from quizzes.queries.feedback import (
    LETTERS,
    answer_of,
    option_feedback,
    streets_of,
    typed_feedback,
    verdict_of,
)
from quizzes.queries.shapes import AttemptLine, Dot, OptionView, QuestionPage, WrongLine

SLOT_COLUMNS = ("id", "position", "version_id", "order", "tokens", "flagged", "skipped", "state", "certainty")


@dataclass(frozen=True, slots=True)
class Came:
    """What came in with a form and was not accepted: shown again so that nothing is typed twice."""

    raw: Sequence[str] = ()
    certainty: int | None = None
    key: str = ""
    error: str = ""
    notice: str = ""


def attempt_of(attempt_id: uuid.UUID, learner_id: int) -> Attempt:
    """The learner's attempt with quiz, chapter, course and release (one query). Raises Attempt.DoesNotExist."""
    return (
        Attempt.objects.of(learner_id)
        .select_related("quiz__course__release", "quiz__chapter")
        .defer(
            "quiz__intro_html",
            "quiz__course__intro_html",
            "quiz__chapter__notes",
            "quiz__chapter__purpose_html",
        )
        .get(pk=attempt_id)
    )


def slots_of(attempt: Attempt) -> list[Slot]:
    """The attempt's questions in order, without their texts (one query)."""
    return list(Slot.objects.filter(attempt=attempt).only(*SLOT_COLUMNS).order_by("position"))


def first_open_position(slots: Sequence[Slot], after: int = 0) -> int | None:
    """The next question without an answer: unseen ones first, from ``after`` on and round again, then skipped ones."""
    waiting = [one for one in slots if not one.state]
    rounds = sorted(waiting, key=lambda one: (one.skipped, one.position <= after, one.position))
    return rounds[0].position if rounds else None


def dots_of(slots: Sequence[Slot], here: int) -> tuple[Dot, ...]:
    """The progress line."""
    return tuple(
        Dot(
            position=one.position,
            state=one.state or ("skipped" if one.skipped else "unseen"),
            flagged=one.flagged,
            unsure=one.certainty == 1,
            here=one.position == here,
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
    """One question of an attempt as it stands for this learner (three queries).

    Without ``position`` the next open question. The key is only read once the question has an answer; with
    ``again`` the form is shown instead. Raises Attempt.DoesNotExist, Slot.DoesNotExist.
    """
    attempt = attempt_of(attempt_id, learner_id)
    slots = slots_of(attempt)
    position = position or first_open_position(slots) or 1
    slot = next((one for one in slots if one.position == position), None)
    if slot is None:
        raise Slot.DoesNotExist
    form_again = bool(slot.state) and again and attempt.finished_at is None
    told = _feedback(attempt, slot) if slot.state and not form_again else _form(slot, came or Came())
    others = [one.position for one in slots if one.position != position]
    following = first_open_position(slots, after=position)
    return QuestionPage(
        **_frame(attempt, slots, slot),
        **told,
        notice=came.notice if came else "",
        next_position=following if following != position else None,
        previous_position=position - 1 if position - 1 in others else None,
        retrying=form_again,
    )


def _frame(attempt: Attempt, slots: Sequence[Slot], slot: Slot) -> dict[str, Any]:
    quiz = attempt.quiz
    release = quiz.course.release
    assert release is not None
    release.course = quiz.course
    return {
        "course": course_view(release),
        "attempt_id": str(attempt.pk),
        "quiz_slug": quiz.slug,
        "quiz_title": quiz.title,
        "position": slot.position,
        "of": len(slots),
        "flagged": slot.flagged,
        "dots": dots_of(slots, slot.position),
        "saved_at": attempt.saved_at,
        "unanswered": sum(1 for one in slots if not one.state),
    }


def _shown(version: QuestionVersion) -> dict[str, Any]:
    return {
        "question_slug": version.question.slug,
        "kind": version.kind,
        "stem_html": version.stem_html,
        "body_html": version.body_html,
        "unit": version.body.get("unit", ""),
        "several": 0,
    }


def _form(slot: Slot, came: Came) -> dict[str, Any]:
    """The question before the answer: no key is read."""
    version = QuestionVersion.objects.select_related("question").get(pk=slot.version_id)
    texts = {one["slug"]: one["html"] for one in version.body.get("options", [])}
    options = tuple(
        OptionView(token, LETTERS[index % 26], index + 1, texts[slug], token in came.raw)
        for index, (slug, token) in enumerate(zip(slot.order, slot.tokens, strict=True))
    )
    return {
        **_shown(version),
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


def _feedback(attempt: Attempt, slot: Slot) -> dict[str, Any]:
    """The question after the answer: the last try is explained, the first stays the recorded one (one query)."""
    keys = QuestionKey.objects.filter(pk=OuterRef("version_id"))
    responses = list(
        Response.objects.filter(slot=slot)
        .select_related("version__question")
        .annotate(secret=Subquery(keys.values("key")), explained=Subquery(keys.values("explanation_html")))
        .order_by("number")
    )
    last = responses[-1]
    version, key, answer = last.version, last.secret, answer_of(last)
    back = f"{reverse('attempt', args=[attempt.pk])}?q={slot.position}"
    streets = streets_of(attempt, back)
    return {
        **_shown(version),
        "key": "",
        "options": (),
        "typed": "",
        "certainty": last.certainty,
        "error": "",
        "verdict": verdict_of(last, responses[0]),
        "feedback": option_feedback(slot, version, answer, key, streets),
        "typed_feedback": typed_feedback(version, answer, key, streets),
        "explanation_html": last.explained,
        "read": streets.link(version.question.read),
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
