"""Record an answer exactly once, marked against the version that was shown."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection, transaction
from django.db.models import OuterRef

from chapters.actions import record_evidence
from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer, AnswerProblem
from quizzes.models import QuestionKey, QuestionObjective, RejectedResponse, Response, Slot

SUMS = """
WITH told AS (
    UPDATE quizzes_slot SET state = %s, certainty = %s, skipped = false WHERE id = %s
)
UPDATE quizzes_attempt
SET answered = answered + 1, "right" = "right" + %s, score = score + %s, saved_at = %s
WHERE id = %s
"""


@dataclass(frozen=True, slots=True)
class Submission:
    """What the browser sent: ``raw`` are the option ids of this attempt, or the typed text."""

    position: int
    raw: Sequence[str]
    certainty: int | None
    key: uuid.UUID
    again: bool  # a retry, wanted as such


@dataclass(frozen=True, slots=True)
class AlreadyAnswered:
    """The answer did not count; it was kept with the reason, and the recorded one stands."""

    reason: str  # answered, finished, key


@transaction.atomic
def answer_question(
    *, attempt_id: uuid.UUID, learner_id: int, submission: Submission, at: datetime
) -> Response | AlreadyAnswered:
    """Mark one answer and record it, or return what is recorded already.

    The slot and its attempt are locked first, so of two simultaneous answers the second sees the first. The same
    idempotency key with the same answer returns the stored response; anything else that comes too late is kept as
    a RejectedResponse and AlreadyAnswered is returned. Raises Slot.DoesNotExist for what is not this learner's, and
    AnswerProblem (nothing stored) for an answer that cannot be marked.
    """
    slot = (
        Slot.objects.select_for_update(of=("self", "attempt"))
        .select_related("attempt", "version")
        .get(attempt_id=attempt_id, attempt__learner_id=learner_id, position=submission.position)
    )
    kind = KINDS[slot.version.kind]
    answer = kind.read(_slugs(slot, submission.raw), slot.version.body)
    earlier = list(slot.responses.order_by("number")) if slot.state else []
    for response in earlier:
        if response.key == submission.key and _same(response, answer):
            return response
    reason = _refusal(slot, earlier, submission)
    if reason:
        _keep_rejected(slot, learner_id, answer, submission.key, reason, at)
        return AlreadyAnswered(reason)
    return _record(slot, answer, submission, len(earlier) + 1, at)


def _slugs(slot: Slot, raw: Sequence[str]) -> Sequence[str]:
    """Option ids of this attempt turned into option slugs; typed text stays as it is."""
    if not slot.order:
        return raw
    known = dict(zip(slot.tokens, slot.order, strict=True))
    if any(token not in known for token in raw):
        raise AnswerProblem("That option does not belong to this question. Choose among the ones shown.")
    return [known[token] for token in raw]


def _same(response: Response, answer: Answer) -> bool:
    return tuple(response.options) == answer.options and response.typed == answer.typed


def _refusal(slot: Slot, earlier: Sequence[Response], submission: Submission) -> str:
    if any(response.key == submission.key for response in earlier):
        return "key"
    if earlier and not submission.again:
        return "answered"
    if slot.attempt.finished_at is not None:
        return "finished"
    return ""


def _keep_rejected(
    slot: Slot, learner_id: int, answer: Answer, key: uuid.UUID, reason: str, at: datetime
) -> None:
    RejectedResponse.objects.create(
        slot=slot,
        learner_id=learner_id,
        key=key,
        options=list(answer.options),
        typed=answer.typed,
        reason=reason,
        at=at,
    )


def _record(slot: Slot, answer: Answer, submission: Submission, number: int, at: datetime) -> Response:
    """Judge, insert, and for a first answer add it to the sums and the evidence."""
    aims = QuestionObjective.objects.filter(question_id=OuterRef("version__question_id"))
    stored = QuestionKey.objects.annotate(aims=ArraySubquery(aims.values("objective_id"))).get(
        pk=slot.version_id
    )
    mark = KINDS[slot.version.kind].mark(answer, slot.version.body, stored.key)
    learner_id = slot.attempt.learner_id
    response = Response.objects.create(
        slot=slot,
        number=number,
        learner_id=learner_id,
        version_id=slot.version_id,
        key=submission.key,
        options=list(answer.options),
        typed=answer.typed,
        certainty=submission.certainty,
        state=mark.state,
        fraction=mark.fraction,
        detail=mark.detail,
        misconceptions=list(mark.misconceptions),
        at=at,
    )
    if number == 1:
        right = mark.state == "right"
        points = mark.fraction * slot.version.points
        with connection.cursor() as cursor:
            cursor.execute(
                SUMS,
                [mark.state, submission.certainty, slot.pk, int(right), points, at, slot.attempt_id],
            )
        record_evidence(learner_id=learner_id, objective_ids=stored.aims, right=right, at=at)
    else:
        slot.attempt.saved_at = at
        slot.attempt.save(update_fields=["saved_at"])
    return response
