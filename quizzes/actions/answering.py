"""Record an answer exactly once, marked against the version that was shown."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from chapters.actions import EVIDENCE
from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer, AnswerProblem
from quizzes.models import RejectedResponse, Response, Slot
from quizzes.queries.going import RELEASE, STOPS, Going, Posed, going_with, posed_of
from quizzes.queries.notices import judged_by
from quizzes.queries.ready import opened_of, shown_of
from quizzes.queries.standing import Standing, standing
from studyhub.accounts.actions import CHANGED
from studyhub.web import metrics

# The slot of a learner's attempt, when the attempt ended, and whose key counts there, locked until commit; the row of
# the attempt first, as skipping and ending do.
LOCK = """
SELECT slot.id, attempt.finished_at, slot.judged_by_id
FROM quizzes_attempt AS attempt JOIN quizzes_slot AS slot ON slot.attempt_id = attempt.id
WHERE attempt.id = %s AND attempt.learner_id = %s AND slot.position = %s
FOR UPDATE OF attempt, slot
"""

# Inserts an answer and returns its id with what GOING gives of the attempt as it was before, or nothing where a first
# answer comes to a question that has one, or to an attempt that has ended, or was marked by a key that does not count
# any more: both rows are locked before they are judged, and whoever waited judges what is there then. The first
# answer is also told to its slot, counted by the attempt and, outside practice, added to the learner's evidence; of a
# retry (number above 1, nothing to add) the attempt keeps the moment only.
RECORD = f"""
WITH mine AS (
    SELECT slot.id AS slot, attempt.id AS attempt, attempt.quiz_id AS quiz
    FROM quizzes_attempt AS attempt JOIN quizzes_slot AS slot ON slot.attempt_id = attempt.id
    WHERE slot.id = %(slot)s AND attempt.learner_id = %(learner)s AND attempt.finished_at IS NULL
        AND (slot.state = '' OR %(number)s > 1) AND slot.judged_by_id IS NOT DISTINCT FROM %(judged_by)s::bigint
    FOR UPDATE OF attempt, slot
), kept AS (
    INSERT INTO quizzes_response (slot_id, number, learner_id, version_id, key, options, typed, parts, certainty,
        state, fraction, detail, misconceptions, at)
    SELECT slot, %(number)s, %(learner)s, %(version)s, %(key)s, %(options)s::varchar[], %(typed)s,
        %(parts)s::varchar[], %(certainty)s, %(state)s, %(fraction)s, %(detail)s, %(misconceptions)s::varchar[], %(at)s
    FROM mine
    RETURNING id
), told AS (
    UPDATE quizzes_slot SET state = %(state)s, certainty = %(certainty)s, skipped = false
    FROM mine WHERE quizzes_slot.id = mine.slot AND %(number)s = 1
), counted AS (
    UPDATE quizzes_attempt
    SET answered = answered + %(answered)s, "right" = "right" + %(right)s, score = score + %(points)s,
        saved_at = %(at)s
    FROM mine WHERE quizzes_attempt.id = mine.attempt
), changed AS (
    {CHANGED} AND EXISTS (SELECT FROM mine)
), given AS (
    SELECT aim.objective_id AS objective, 1 AS answered, %(right)s::int AS rightly
    FROM mine JOIN quizzes_quiz AS quiz ON quiz.id = mine.quiz AND quiz.purpose = 'quiz',
        quizzes_questionobjective AS aim
    WHERE aim.question_id = %(question)s AND %(number)s = 1
), evidence AS (
    {EVIDENCE}
)
SELECT kept.id, attempt.quiz_id, release.id, release.fingerprint, ({STOPS})
FROM kept, mine JOIN quizzes_attempt AS attempt ON attempt.id = mine.attempt {RELEASE}
"""  # noqa: S608 our own text


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


def answer_question(
    *, attempt_id: uuid.UUID, learner_id: int, submission: Submission, at: datetime
) -> Response | AlreadyAnswered:
    """Mark one answer and record it, or return what is recorded already; see ``answer_and_look``."""
    return answer_and_look(attempt_id=attempt_id, learner_id=learner_id, submission=submission, at=at)[0]


def answer_and_look(
    *, attempt_id: uuid.UUID, learner_id: int, submission: Submission, at: datetime
) -> tuple[Response | AlreadyAnswered, Going | None]:
    """Mark one answer and record it, or return what is recorded already; after a first answer also the attempt then.

    A first answer is one statement, and with it one transaction. Where that finds the question answered, the attempt
    ended or the key put right since, slot and attempt are locked and judged anew, so of two simultaneous answers the
    second sees the first, and a key that was put right by another process counts from the moment it was. The same
    idempotency key with the same answer returns the stored response; anything else that comes too late is kept as a
    RejectedResponse and AlreadyAnswered is returned. Raises Attempt.DoesNotExist and Slot.DoesNotExist for what is
    not this learner's, and AnswerProblem (nothing stored) for an answer that cannot be marked.
    """
    posed, stand = posed_of(attempt_id, learner_id, submission.position), standing()
    answer = _answer(posed, submission)
    response = _judged(posed, answer, submission, 1, stand)
    response.learner_id, response.at = learner_id, at
    after = _record(response, _key_in(posed, stand))
    if after is not None:
        going = going_with(attempt_id, submission.position, posed, after)
        return response, going.answered(response)
    return _answer_late(posed, (attempt_id, learner_id), answer, submission, at), None


@transaction.atomic
def _answer_late(
    slot: Posed, whose: tuple[uuid.UUID, int], answer: Answer, submission: Submission, at: datetime
) -> Response | AlreadyAnswered:
    """What becomes of an answer to a question that has one, of an attempt that has ended, or by a key that changed."""
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [*whose, submission.position])
        row = cursor.fetchone()
    if row is None:  # taken away, or given to another account, since it was posed
        raise Slot.DoesNotExist
    earlier = list(Response.objects.filter(slot_id=slot.slot_pk).order_by("number"))
    submission = _of_its_own(submission, answer, earlier)
    for response in earlier:
        if response.key == submission.key and _same(response, answer):
            return response
    reason = _refusal(row[1], earlier, submission)
    if reason:
        _keep_rejected(slot, whose[1], answer, submission.key, reason, at)
        return AlreadyAnswered(reason)
    stand = standing()
    if _key_in(slot, stand) != row[2]:  # no correction that moves this question ends while its slot is locked
        stand = standing(anew=True)
    response = _judged(slot, answer, submission, len(earlier) + 1, stand)
    response.learner_id, response.at = whose[1], at
    _record(response, row[2])
    return response


def _key_in(slot: Posed, stand: Standing) -> int | None:
    """The version whose key counts for answers here; None for the slot's own."""
    version = shown_of(slot.version_pk)
    return stand.key_of(version.question_pk, version.number)


def _answer(slot: Posed, submission: Submission) -> Answer:
    """What was answered, in the terms of the version that was shown. Raises AnswerProblem."""
    version = shown_of(slot.version_pk)
    return KINDS[version.kind].read(_slugs(slot, submission.raw), version.body)


def _slugs(slot: Posed, raw: Sequence[str]) -> Sequence[str]:
    """Option ids of this attempt turned into option slugs; typed text stays as it is."""
    if not slot.order:
        return raw
    known = dict(zip(slot.tokens, slot.order, strict=True))
    if any(token not in known for token in raw):
        raise AnswerProblem("That option does not belong to this question. Choose among the ones shown.")
    return [known[token] for token in raw]


def _of_its_own(submission: Submission, answer: Answer, earlier: Sequence[Response]) -> Submission:
    """Another retry from a page that was shown twice (two tabs) is a try of its own; sent again it is the same one."""
    clash = [one for one in earlier if one.key == submission.key]
    if not submission.again or not clash or _same(clash[0], answer):
        return submission
    return replace(submission, key=uuid.uuid5(submission.key, repr(answer)))


def _same(response: Response, answer: Answer) -> bool:
    given = Answer(tuple(response.options), response.typed, tuple(response.parts))
    return given == answer


def _refusal(finished_at: datetime | None, earlier: Sequence[Response], submission: Submission) -> str:
    if any(response.key == submission.key for response in earlier):
        return "key"
    if earlier and not submission.again:
        return "answered"
    if finished_at is not None:
        return "finished"
    return ""


def _keep_rejected(
    slot: Posed, learner_id: int, answer: Answer, key: uuid.UUID, reason: str, at: datetime
) -> None:
    RejectedResponse.objects.create(
        slot_id=slot.slot_pk,
        learner_id=learner_id,
        key=key,
        options=list(answer.options),
        typed=answer.typed,
        parts=list(answer.parts),
        reason=reason,
        at=at,
    )


def _judged(slot: Posed, answer: Answer, submission: Submission, number: int, stand: Standing) -> Response:
    """The answer with its mark, not stored yet; the key is read here."""
    opened = judged_by(opened_of(slot.version_pk), stand)
    mark = KINDS[opened.shown.kind].mark(answer, opened.shown.body, opened.key)
    return Response(
        slot_id=slot.slot_pk,
        number=number,
        version_id=slot.version_pk,
        key=submission.key,
        options=list(answer.options),
        typed=answer.typed,
        parts=list(answer.parts),
        certainty=submission.certainty,
        state=mark.state,
        fraction=mark.fraction,
        detail=mark.detail,
        misconceptions=list(mark.misconceptions),
    )


def _record(response: Response, judged_by_pk: int | None) -> Sequence[Any] | None:
    """Store a judged answer in one statement and return its row of RECORD. ``judged_by_pk``: the version whose key it
    was marked by, None for its own.

    None when its question has an answer already, its attempt has ended, or another key counts.
    """
    version = shown_of(response.version_id)
    first, right = response.number == 1, response.state == "right"
    values: dict[str, Any] = {
        "question": version.question_pk,
        "slot": response.slot_id,
        "number": response.number,
        "learner": response.learner_id,
        "version": response.version_id,
        "key": response.key,
        "options": response.options,
        "typed": response.typed,
        "parts": response.parts,
        "certainty": response.certainty,
        "state": response.state,
        "fraction": response.fraction,
        "detail": response.detail,
        "misconceptions": response.misconceptions,
        "at": response.at,
        "judged_by": judged_by_pk,
        "answered": int(first),
        "right": int(first and right),
        "points": response.fraction * version.points if first else 0.0,
    }
    with connection.cursor() as cursor:
        cursor.execute(RECORD, values)
        row: Sequence[Any] | None = cursor.fetchone()
    if row is not None:
        response.pk = row[0]
        transaction.on_commit(metrics.count_answer)
    return row
