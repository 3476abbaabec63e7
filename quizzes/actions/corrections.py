"""Corrections of keys: made when a pack is loaded; applied, undone, set aside and taken up again by an author."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, ParamSpec

from django.db import OperationalError, connection, transaction
from django.db.models import Max, Q
from psycopg.errors import DeadlockDetected

from chapters.actions import MOVE_EVIDENCE
from quizzes.kinds.shapes import Mark
from quizzes.kinds.words import folded
from quizzes.models import Correction, Question, QuestionReport, QuestionVersion, Rescored, Slot
from quizzes.queries.remarking import (
    Remarked,
    comparable,
    held,
    key_before,
    later_than,
    remarked,
    same_key,
    standing_beside,
    standing_of,
)
from studyhub.accounts.actions import note_change
from studyhub.accounts.auditing import Act, Actor, Kind, Thing, record

# The slots that pose a question in the versions with one number, answered or not.
POSED = """
quizzes_slot AS slot JOIN quizzes_questionversion AS version ON version.id = slot.version_id
    AND version.question_id = %s AND version.number = %s
"""

# Lock what moves before it moves, each table in order: attempts with their slots, evidence, people. Answering takes
# its locks in the same order, so the two wait for each other and never both. Slots without an answer are locked and
# told whose key counts too: whoever answers there is in before, or finds that another key counts than was marked by.
HELD = f"""
SELECT slot.id FROM {POSED} JOIN quizzes_attempt AS attempt ON attempt.id = slot.attempt_id
ORDER BY attempt.id, slot.id FOR UPDATE OF attempt, slot
"""  # noqa: S608 our own text
JUDGED = "UPDATE quizzes_slot SET judged_by_id = %s WHERE id = ANY(%s) AND judged_by_id IS DISTINCT FROM %s"
ATTEMPTS = """
SELECT attempt.id FROM quizzes_response AS response JOIN quizzes_slot AS slot ON slot.id = response.slot_id
JOIN quizzes_attempt AS attempt ON attempt.id = slot.attempt_id
WHERE response.id = ANY(%s) ORDER BY attempt.id, slot.id FOR UPDATE OF attempt, slot
"""
TAKERS = "SELECT learner_id FROM quizzes_response WHERE id = ANY(%s)"
EVIDENCE = f"""
SELECT id FROM chapters_objectiveevidence WHERE learner_id IN ({TAKERS})
    AND objective_id IN (SELECT objective_id FROM quizzes_questionobjective WHERE question_id = %s)
ORDER BY learner_id, objective_id FOR UPDATE
"""  # noqa: S608 our own text
PEOPLE = f"SELECT id FROM accounts_user WHERE id IN ({TAKERS}) ORDER BY id FOR NO KEY UPDATE"  # noqa: S608

# Moves marks. ``given`` names responses with their new marks; those that differ are changed, and told to their slots,
# attempts and evidence (first answers only, practice adds none), and their learners' kept pages grow old. Old values
# are read from the same table under the statement's own snapshot.
MOVE = f"""
WITH given AS (
    SELECT * FROM unnest(%(ids)s::bigint[], %(states)s::varchar[], %(fractions)s::float8[], %(details)s::text[],
        %(beliefs)s::text[]) AS one(id, state, fraction, detail, beliefs)
), changed AS (
    UPDATE quizzes_response AS response
    SET state = given.state, fraction = given.fraction, detail = given.detail,
        misconceptions = ARRAY(SELECT jsonb_array_elements_text(given.beliefs::jsonb))
    FROM given JOIN quizzes_response AS old ON old.id = given.id
    WHERE response.id = given.id
        AND (old.state, old.fraction) IS DISTINCT FROM (given.state::varchar, given.fraction)
    RETURNING response.id, response.slot_id, response.number, response.learner_id, response.version_id,
        old.state AS state_before, old.fraction AS fraction_before, given.state, given.fraction
), kept AS (
    INSERT INTO quizzes_rescored (correction_id, response_id, state_before, fraction_before, state_after,
        fraction_after)
    SELECT %(correction)s, id, state_before, fraction_before, state, fraction FROM changed WHERE %(keep)s
    ON CONFLICT (correction_id, response_id) DO UPDATE
    SET state_after = excluded.state_after, fraction_after = excluded.fraction_after
), slots AS (
    UPDATE quizzes_slot AS slot SET state = changed.state
    FROM changed WHERE slot.id = changed.slot_id AND changed.number = 1
), first AS (
    SELECT slot.attempt_id, attempt.quiz_id, changed.learner_id, version.question_id,
        (changed.state = 'right')::int - (changed.state_before = 'right')::int AS "right",
        (changed.fraction - changed.fraction_before) * version.points AS points
    FROM changed JOIN quizzes_slot AS slot ON slot.id = changed.slot_id
    JOIN quizzes_attempt AS attempt ON attempt.id = slot.attempt_id
    JOIN quizzes_questionversion AS version ON version.id = changed.version_id
    WHERE changed.number = 1
), attempts AS (
    UPDATE quizzes_attempt AS attempt
    SET "right" = attempt."right" + sums."right", score = attempt.score + sums.points
    FROM (SELECT attempt_id, sum("right") AS "right", sum(points) AS points FROM first GROUP BY attempt_id) AS sums
    WHERE attempt.id = sums.attempt_id
), moved AS (
    SELECT first.learner_id AS learner, aim.objective_id AS objective, sum(first."right") AS rightly
    FROM first JOIN quizzes_quiz AS quiz ON quiz.id = first.quiz_id AND quiz.purpose = 'quiz'
    JOIN quizzes_questionobjective AS aim ON aim.question_id = first.question_id
    GROUP BY first.learner_id, aim.objective_id
), evidence AS (
    {MOVE_EVIDENCE}
), people AS (
    UPDATE accounts_user SET changes = changes + 1 WHERE id IN (SELECT learner_id FROM changed)
)
SELECT count(*) FROM changed
"""  # noqa: S608 our own text
LONGEST = 2000  # characters of a reason
PATIENCE = 3  # times that a correction gave way to somebody else before the next one is the last
Arguments = ParamSpec("Arguments")


class LaterCorrection(Exception):
    """Another correction moved these answers after this one; undo that one first."""


class Overtaken(Exception):
    """Somebody was quicker: the correction does not stand as it stood when it was looked at. Nothing was done."""


class Stale(Overtaken):
    """It stands in the same state, but it or another correction of its question was applied or undone in between."""


class OtherKey(Exception):
    """The course holds another key now than the one of this correction; nothing was done."""


class NoReason(ValueError):
    """Setting aside wants a reason; the text says what is wrong with it."""


def giving_way(act: Callable[Arguments, int]) -> Callable[Arguments, int]:
    """Do it again where the database ended it for somebody who holds rows in another order, as a merge of a guest."""

    @wraps(act)
    def patient(*args: Arguments.args, **named: Arguments.kwargs) -> int:
        for _ in range(PATIENCE):
            try:
                return act(*args, **named)
            except OperationalError as problem:
                if not isinstance(problem.__cause__, DeadlockDetected):
                    raise
        return act(*args, **named)

    return patient


@transaction.atomic
def note_correction(*, question: Question, after: QuestionVersion, at: datetime) -> int:
    """After another key was loaded: one correction for every earlier number of the question that is posed in an open
    attempt or has answers, which the new key can mark, and by something else than what counts there now.

    Corrections that wait and lead to an older key make place for it. Returns how many were made.
    """
    Correction.objects.filter(question=question, applied_at__isnull=True, set_aside_at__isnull=True).delete()
    return _note_missing(question, after, at)


def _note_missing(question: Question, after: QuestionVersion, at: datetime) -> int:
    """Make the corrections to a key that are wanted and not there, and drop those that wait and would move nothing."""
    posed = Slot.objects.filter(version__question=question).filter(
        ~Q(state="") | Q(attempt__finished_at__isnull=True)
    )
    made = 0
    for number in sorted(set(posed.values_list("version__number", flat=True)) - {after.number}):
        before = question.versions.filter(number=number).order_by("-wording")[0]
        if not comparable(before, after):
            continue
        standing = standing_of(question.pk, number).select_related("after").first()
        if same_key(standing.after if standing else before, after):
            idle = Correction.objects.filter(question=question, before__number=number, after=after)
            idle.filter(applied_at__isnull=True, set_aside_at__isnull=True).delete()
            continue
        _, new = Correction.objects.get_or_create(
            before=before, after=after, defaults={"question": question, "made_at": at}
        )
        made += new
    return made


@giving_way
@transaction.atomic
def apply_correction(
    *, correction_id: int, by: Actor, at: datetime, again: bool = False, seen: str | None = None
) -> int:
    """Mark all answers by the corrected key; returns how many moved. Is audited.

    ``again``: it is applied, and what came since is to be moved too. ``seen``: the stamp of the correction as it was
    looked at. Its question is locked first, so of two at once one applies. Raises Correction.DoesNotExist,
    NotComparable, Overtaken for what is not (``again``: not any more) to be applied or stands otherwise than
    ``seen``, OtherKey where the course does not hold its key any more, and LaterCorrection where another one was
    applied since.
    """
    row = _locked(correction_id, seen)
    standing = row.state == "applied"
    if standing is not again or row.state == "aside":
        raise Overtaken
    if standing and later_than(row).exists():
        raise LaterCorrection
    if not standing and not held(row):
        raise OtherKey
    if not standing:  # what an earlier, undone application moved
        Rescored.objects.filter(correction=row).delete()
    _hold(row, row.after_id)
    moved = _move(row, remarked(row, row.after), keep=True)
    if not standing:
        row.applied_at, row.applied_by_id = _after_the_others(row, at), by.person_id
        row.undone_at = row.undone_by_id = None
        row.save(update_fields=["applied_at", "applied_by", "undone_at", "undone_by"])
        _follow(row, at)
    before, after = {"applied": standing}, {"applied": True, "moved": moved}
    record(by=by, act=Act.CORRECTION_APPLIED, what=_thing(row), at=at, before=before, after=after)
    return moved


@giving_way
@transaction.atomic
def undo_correction(*, correction_id: int, by: Actor, at: datetime, seen: str | None = None) -> int:
    """Put every mark that the correction moved back to what it was; returns how many. What it moved stays on record.
    Is audited. ``seen``: the stamp of the correction as it was looked at.

    Raises Correction.DoesNotExist, LaterCorrection, and Overtaken where it is not applied.
    """
    row = _locked(correction_id, seen)
    if row.state != "applied":
        raise Overtaken
    if later_than(row).exists():
        raise LaterCorrection
    counts = key_before(row)
    _hold(row, None if counts == row.before else counts.pk)
    kept = {one.response_id: one for one in Rescored.objects.filter(correction=row)}
    back = [
        Remarked([pk], one.version_pk, _before(one.mark, kept.get(pk)))
        for one in remarked(row, counts)
        for pk in one.ids
    ]
    moved = _move(row, back, keep=False)
    row.undone_at, row.undone_by_id = at, by.person_id
    row.save(update_fields=["undone_at", "undone_by"])
    _follow(row, at)
    before, after = {"applied": True}, {"applied": False, "moved": moved}
    record(by=by, act=Act.CORRECTION_UNDONE, what=_thing(row), at=at, before=before, after=after)
    return moved


@transaction.atomic
def set_aside(*, correction_id: int, by: Actor, reason: str, at: datetime, seen: str | None = None) -> None:
    """Put a correction that waits out of the way of authors, with a reason for them; takers hear nothing. Is audited.

    Raises Correction.DoesNotExist, Overtaken where it does not wait any more, and NoReason.
    """
    row, words = _locked(correction_id, seen), reason.strip()
    if row.state != "waiting":
        raise Overtaken
    if not folded(words):
        raise NoReason("Say why it is set aside: other authors will read it.")
    if len(words) > LONGEST:
        raise NoReason(f"Write at most {LONGEST:,} characters; this is {len(words):,}. Nothing was kept yet.")
    row.set_aside_at, row.set_aside_by_id, row.set_aside_reason = at, by.person_id, words
    row.save(update_fields=["set_aside_at", "set_aside_by", "set_aside_reason"])
    before, after = {"aside": False}, {"aside": True}
    record(by=by, act=Act.CORRECTION_SET_ASIDE, what=_thing(row), at=at, before=before, after=after)


@transaction.atomic
def take_up(*, correction_id: int, by: Actor, at: datetime, seen: str | None = None) -> None:
    """Let a correction that was set aside wait again. Is audited.

    Raises Correction.DoesNotExist, Overtaken where it is not set aside any more, and OtherKey.
    """
    row = _locked(correction_id, seen)
    if row.state != "aside":
        raise Overtaken
    if not held(row):
        raise OtherKey
    row.set_aside_at, row.set_aside_by_id, row.set_aside_reason = None, None, ""
    row.save(update_fields=["set_aside_at", "set_aside_by", "set_aside_reason"])
    before, after = {"aside": True}, {"aside": False}
    record(by=by, act=Act.CORRECTION_TAKEN_UP, what=_thing(row), at=at, before=before, after=after)


def _thing(row: Correction) -> Thing:
    return Thing(Kind.CORRECTION, row.pk)


def _after_the_others(row: Correction, at: datetime) -> datetime:
    """The moment of applying: after that of every other one it follows, though it was asked for before it."""
    last = standing_beside(row).aggregate(last=Max("applied_at"))["last"]
    return max(at, last + timedelta(microseconds=1)) if last else at


def _before(mark: Mark, kept: Rescored | None) -> Mark:
    """The mark before the correction: the one that was kept, or, of an answer that came since, by the key before."""
    if kept is None:
        return mark
    return replace(mark, state=kept.state_before, fraction=kept.fraction_before)


def _locked(correction_id: int, seen: str | None) -> Correction:
    """The correction, with its question locked first: what moves the same answers waits for each other.

    Raises Overtaken where it stands otherwise than when its stamp was ``seen``.
    """
    found = Correction.objects.only("question_id").get(pk=correction_id)
    Question.objects.select_for_update(no_key=True).get(pk=found.question_id)
    row = Correction.objects.select_related("before", "after", "question__current").get(pk=correction_id)
    if seen is not None and seen != row.stamp:
        raise Stale if seen.partition(".")[0] == row.state else Overtaken
    return row


def _hold(row: Correction, key_pk: int | None) -> None:
    """Lock every slot that poses what is corrected, and its attempt: nobody answers there before all is moved, and
    then by the key of version ``key_pk``, None for the slot's own.
    """
    with connection.cursor() as cursor:
        cursor.execute(HELD, [row.question_id, row.before.number])
        cursor.execute(JUDGED, [key_pk, [pk for (pk,) in cursor.fetchall()], key_pk])


def _follow(row: Correction, at: datetime) -> None:
    """Let everything follow another key that counts: reporters of what the corrected version fixed hear of it, and a
    correction is made where the newest key is not the one that counts.
    """
    told = QuestionReport.objects.filter(
        question=row.question_id, version__number=row.before.number, fixed_in__number=row.after.number
    ).filter(state="fixed", learner__isnull=False)
    for learner_id in sorted(set(told.values_list("learner_id", flat=True))):
        note_change(learner_id=learner_id)
    told.update(seen_at=None)
    newest = row.question.current
    if newest is not None:
        _note_missing(row.question, newest, at)


def _move(correction: Correction, marks: Sequence[Remarked], *, keep: bool) -> int:
    """Write marks in one statement; ``keep`` what they were before on record."""
    flat = [(pk, one.mark) for one in marks for pk in one.ids]
    values: dict[str, Any] = {
        "ids": [pk for pk, _ in flat],
        "states": [mark.state for _, mark in flat],
        "fractions": [mark.fraction for _, mark in flat],
        "details": [mark.detail for _, mark in flat],
        "beliefs": [json.dumps(list(mark.misconceptions)) for _, mark in flat],
        "correction": correction.pk,
        "keep": keep,
    }
    with connection.cursor() as cursor:
        cursor.execute(ATTEMPTS, [values["ids"]])
        cursor.execute(EVIDENCE, [values["ids"], correction.question_id])
        cursor.execute(PEOPLE, [values["ids"]])
        cursor.execute(MOVE, values)
        return int(cursor.fetchone()[0])
