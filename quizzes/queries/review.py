"""The review after the end: every question with every option and rationale."""

from __future__ import annotations

import uuid

from django.urls import reverse

from chapters.queries import course_view
from quizzes.kinds.shapes import Answer
from quizzes.models import Attempt, QuestionKey, Response, Slot
from quizzes.queries.attempts import attempt_lines, attempt_of, dots_of
from quizzes.queries.feedback import answer_of, option_feedback, streets_of, typed_feedback, verdict_of
from quizzes.queries.shapes import ReviewItem, ReviewPage


class NotFinished(Exception):
    """The attempt is still going on: its keys stay closed."""


def review_page(attempt_id: uuid.UUID, learner_id: int) -> ReviewPage:
    """A finished attempt (four queries). Raises Attempt.DoesNotExist, NotFinished."""
    attempt = attempt_of(attempt_id, learner_id)
    if attempt.finished_at is None:
        raise NotFinished
    slots = list(
        Slot.objects.filter(attempt=attempt).select_related("version__question").order_by("position")
    )
    responses: dict[int, list[Response]] = {}
    for response in Response.objects.filter(slot__attempt=attempt).order_by("number"):
        responses.setdefault(response.slot_id, []).append(response)
    keys = {
        row.pk: row for row in QuestionKey.objects.filter(version_id__in=[one.version_id for one in slots])
    }
    release = attempt.quiz.course.release
    assert release is not None
    release.course = attempt.quiz.course
    return ReviewPage(
        course=course_view(release),
        attempt=attempt_lines([attempt])[0],
        dots=dots_of(slots, 0),
        items=tuple(_item(attempt, one, responses.get(one.pk, []), keys[one.version_id]) for one in slots),
    )


def _item(attempt: Attempt, slot: Slot, responses: list[Response], key: QuestionKey) -> ReviewItem:
    version = slot.version
    streets = streets_of(attempt, f"{reverse('review', args=[attempt.pk])}#q{slot.position}")
    recorded = responses[0] if responses else None
    answer = answer_of(recorded) if recorded else Answer()
    return ReviewItem(
        position=slot.position,
        question_slug=version.question.slug,
        stem_html=version.stem_html,
        body_html=version.body_html,
        kind=version.kind,
        flagged=slot.flagged,
        verdict=verdict_of(recorded, recorded) if recorded else None,
        options=option_feedback(slot, version, answer, key.key, streets),
        typed_feedback=typed_feedback(version, answer, key.key, streets),
        explanation_html=key.explanation_html,
        read=streets.link(version.question.read),
        tries=len(responses),
    )
