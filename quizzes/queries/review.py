"""The review after the end: every question with every option and rationale."""

from __future__ import annotations

import uuid

from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer
from quizzes.models import Attempt, QuestionKey, Response, Slot
from quizzes.queries.attempts import attempt_lines, dots_of
from quizzes.queries.feedback import (
    Given,
    option_feedback,
    part_feedback,
    streets_of,
    typed_feedback,
    verdict_of,
)
from quizzes.queries.going import Stop
from quizzes.queries.notices import NONE, Moved, judged_by, moved_in, notices_of
from quizzes.queries.ready import Frame, Opened, address, frame_of, shown
from quizzes.queries.shapes import ReviewItem, ReviewPage
from quizzes.queries.standing import Standing, standing


class NotFinished(Exception):
    """The attempt is still going on: its keys stay closed."""

    def __init__(self, attempt: Attempt) -> None:
        super().__init__(str(attempt))
        self.attempt = attempt


def review_page(attempt_id: uuid.UUID, learner_id: int) -> ReviewPage:
    """A finished attempt (four queries, and what is not ready in the process).

    Raises Attempt.DoesNotExist, NotFinished.
    """
    attempt = (
        Attempt.objects.of(learner_id)
        .with_partly()
        .select_related("quiz__course__release")
        .defer("quiz__intro_html", "quiz__course__intro_html")
        .get(pk=attempt_id)
    )
    if attempt.finished_at is None:
        raise NotFinished(attempt)
    slots = list(Slot.objects.filter(attempt=attempt).select_related("version").order_by("position"))
    responses: dict[int, list[Response]] = {}
    for response in Response.objects.filter(slot__attempt=attempt).order_by("number"):
        responses.setdefault(response.slot_id, []).append(response)
    keys = {
        row.pk: row for row in QuestionKey.objects.filter(version_id__in=[one.version_id for one in slots])
    }
    release = attempt.quiz.course.release
    assert release is not None
    frame = frame_of(attempt.quiz_id, release.pk, release.fingerprint)
    stand = standing()
    marks = (stand, moved_in(attempt.pk) if stand.past else {})
    return ReviewPage(
        course=frame.course,
        attempt=attempt_lines([attempt])[0],
        dots=dots_of((_stop(one) for one in slots), 0),
        items=tuple(
            _item(frame, one, responses.get(one.pk, []), keys[one.version_id], marks) for one in slots
        ),
    )


def _item(
    frame: Frame, slot: Slot, responses: list[Response], key: QuestionKey, marks: tuple[Standing, Moved]
) -> ReviewItem:
    answered = Opened(shown(slot.version), key.key, key.explanation_html)
    opened = judged_by(answered, marks[0])
    slug, read = frame.names[slot.version.question_id]
    streets = streets_of(frame, f"{address('review', slot.attempt_id)}#q{slot.position}")
    recorded = responses[0] if responses else None
    answer = Answer()
    if recorded:
        answer = Answer(tuple(recorded.options), recorded.typed, tuple(recorded.parts))
    return ReviewItem(
        position=slot.position,
        question_slug=slug,
        stem_html=opened.shown.stem_html,
        body_html=opened.shown.body_html,
        kind=opened.shown.kind,
        flagged=slot.flagged,
        verdict=verdict_of(_given(recorded), recorded.state, opened.shown.kind, answer) if recorded else None,
        options=option_feedback(dict(zip(slot.order, slot.tokens, strict=True)), opened, answer, streets),
        typed_feedback=typed_feedback(opened, answer, streets),
        explanation_html=opened.explanation_html,
        read=streets.link(read),
        tries=len(responses),
        notices=notices_of(answered, slot.attempt_id, slot.position, *marks) if recorded else NONE,
        parts=part_feedback(opened, answer, streets),
        said=KINDS[opened.shown.kind].said(answer, opened.shown.body),
    )


def _given(response: Response) -> Given:
    return Given(response.number, response.state, response.detail, response.certainty, response.at)


def _stop(slot: Slot) -> Stop:
    return Stop(slot.position, slot.state, slot.skipped, slot.flagged, slot.certainty)
