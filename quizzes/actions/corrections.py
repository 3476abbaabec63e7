"""Corrections of keys: made when a pack is loaded, applied and undone by an author."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, ParamSpec

from django.db import OperationalError, connection, transaction
from django.db.models import Max
from psycopg.errors import DeadlockDetected

from chapters.actions import MOVE_EVIDENCE
from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer, Mark
from quizzes.models import Correction, Question, QuestionKey, QuestionVersion, Rescored, Response
from quizzes.queries.corrections import later_than, standing_beside
from studyhub.accounts.auditing import Act, Actor, Kind, Thing, record

# The different answers to the versions of a question with one number, each with the ids of its responses.
ANSWERS = """
SELECT version_id, options, typed, parts, array_agg(id)
FROM quizzes_response WHERE version_id = ANY(%s) GROUP BY version_id, options, typed, parts
"""

# Lock what moves before it moves, each table in order: attempts with their slots, evidence, people. Answering takes its
# locks in the same order, so the two wait for each other and never both.
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
PATIENCE = 3  # times that a correction gave way to somebody else before the next one is the last
Arguments = ParamSpec("Arguments")


class NotComparable(Exception):
    """The versions do not ask the same of the learner, so that answers to one cannot be marked by the other's key."""


class LaterCorrection(Exception):
    """Another correction moved these answers after this one; undo that one first."""


class Overtaken(Exception):
    """Somebody was quicker: the correction is applied already, or not any more. Nothing was done."""


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


@dataclass(frozen=True, slots=True)
class Remarked:
    """Responses that gave one answer, with the mark they get."""

    ids: Sequence[int]
    version_pk: int
    mark: Mark


@transaction.atomic
def note_correction(*, question: Question, after: QuestionVersion, at: datetime) -> int:
    """After another key was loaded: one correction for every earlier number of the question that has answers which
    the new key can mark and marks by something else.

    Corrections that nobody applied and that lead to an older key make place for it. Returns how many were made.
    """
    Correction.objects.filter(question=question, applied_at__isnull=True).delete()
    answered = Response.objects.filter(version__question=question).exclude(version__number=after.number)
    key, made = QuestionKey.objects.get(pk=after.pk).key, 0
    for number in set(answered.values_list("version__number", flat=True)):
        before = question.versions.filter(number=number).order_by("-wording")[0]
        if not _comparable(before, after) or _same_key(before, after, key):
            continue
        _, new = Correction.objects.get_or_create(
            before=before, after=after, defaults={"question": question, "made_at": at}
        )
        made += new
    return made


def _comparable(before: QuestionVersion, after: QuestionVersion) -> bool:
    """Whether both ask the same of the learner, so that the key of one can mark the answers to the other."""
    return before.kind == after.kind and shape_of(before.body) == shape_of(after.body)


def _same_key(before: QuestionVersion, after: QuestionVersion, key: Any) -> bool:
    """Whether only the points are others: points stay as they were when the question was answered."""
    old, kind = QuestionKey.objects.get(pk=before.pk).key, KINDS[after.kind]
    return bool(kind.meaning(before.body, old) == kind.meaning(after.body, key))


def remarked(correction: Correction, key_of: QuestionVersion) -> list[Remarked]:
    """Every answer to the corrected versions as the key of ``key_of`` marks it (three queries, nothing is written).

    Each different answer is marked once, against the wording that was shown. Raises NotComparable.
    """
    before = correction.before
    versions = {
        one.pk: one
        for one in QuestionVersion.objects.filter(question=correction.question_id, number=before.number)
    }
    key = QuestionKey.objects.get(pk=key_of.pk).key
    kind = KINDS[before.kind]
    if not _comparable(before, key_of):
        raise NotComparable
    with connection.cursor() as cursor:
        cursor.execute(ANSWERS, [list(versions)])
        rows = cursor.fetchall()
    found = []
    for version_pk, options, typed, parts, ids in rows:
        answer = Answer(tuple(options), typed, tuple(parts))
        found.append(Remarked(ids, version_pk, kind.mark(answer, versions[version_pk].body, key)))
    return found


def shape_of(body: Any) -> tuple[Any, ...]:
    """What two versions must have in common to be marked by each other's key: options by slug, rows, gaps, unit."""
    slugs = sorted(one["slug"] for one in body.get("options", []))
    sizes = [len(body.get(name, [])) for name in ("rows", "gaps", "items")]
    return slugs, sizes, body.get("unit", "")


@giving_way
@transaction.atomic
def apply_correction(*, correction_id: int, by: Actor, at: datetime, again: bool = False) -> int:
    """Mark all answers by the corrected key; returns how many moved. Is audited.

    ``again``: it is applied, and what came since is to be moved too. Its question is locked first, so of two at once
    one applies. Raises Correction.DoesNotExist, NotComparable, Overtaken for what is not (``again``: not any more)
    to be applied, and LaterCorrection where another one was applied since.
    """
    row = _locked(correction_id)
    standing = _stands(row)
    if standing is not again:
        raise Overtaken
    if standing and later_than(row).exists():
        raise LaterCorrection
    if not standing:  # what an earlier, undone application moved
        Rescored.objects.filter(correction=row).delete()
    moved = _move(row, remarked(row, row.after), keep=True)
    if not standing:
        row.applied_at, row.applied_by_id, row.undone_at = _after_the_others(row, at), by.person_id, None
        row.save(update_fields=["applied_at", "applied_by", "undone_at"])
    before, after = {"applied": standing}, {"applied": True, "moved": moved}
    record(by=by, act=Act.CORRECTION_APPLIED, what=_thing(row), at=at, before=before, after=after)
    return moved


@giving_way
@transaction.atomic
def undo_correction(*, correction_id: int, by: Actor, at: datetime) -> int:
    """Put every mark that the correction moved back to what it was; returns how many. What it moved stays on record.
    Is audited.

    Raises Correction.DoesNotExist, LaterCorrection, and Overtaken where it is not applied.
    """
    row = _locked(correction_id)
    if not _stands(row):
        raise Overtaken
    if later_than(row).exists():
        raise LaterCorrection
    kept = {one.response_id: one for one in Rescored.objects.filter(correction=row)}
    back = [
        Remarked([pk], one.version_pk, _before(one.mark, kept.get(pk)))
        for one in remarked(row, _key_before(row))
        for pk in one.ids
    ]
    moved = _move(row, back, keep=False)
    row.undone_at = at
    row.save(update_fields=["undone_at"])
    before, after = {"applied": True}, {"applied": False, "moved": moved}
    record(by=by, act=Act.CORRECTION_UNDONE, what=_thing(row), at=at, before=before, after=after)
    return moved


def _thing(row: Correction) -> Thing:
    return Thing(Kind.CORRECTION, row.pk)


def _after_the_others(row: Correction, at: datetime) -> datetime:
    """The moment of applying: after that of every other one it follows, though it was asked for before it."""
    last = standing_beside(row).aggregate(last=Max("applied_at"))["last"]
    return max(at, last + timedelta(microseconds=1)) if last else at


def _stands(row: Correction) -> bool:
    """Whether it is applied and not undone."""
    return row.applied_at is not None and row.undone_at is None


def _before(mark: Mark, kept: Rescored | None) -> Mark:
    """The mark before the correction: the one that was kept, or, of an answer that came since, by the key before."""
    if kept is None:
        return mark
    return replace(mark, state=kept.state_before, fraction=kept.fraction_before)


def _key_before(row: Correction) -> QuestionVersion:
    """The version whose key counted before this correction: an earlier one's that still stands, or the answered one."""
    earlier = standing_beside(row).filter(applied_at__lt=row.applied_at)
    last = earlier.select_related("after").order_by("-applied_at").first()
    return last.after if last else row.before


def _locked(correction_id: int) -> Correction:
    """The correction, with its question locked first: what moves the same answers waits for each other."""
    found = Correction.objects.select_related("before", "after").get(pk=correction_id)
    Question.objects.select_for_update(no_key=True).get(pk=found.question_id)
    return Correction.objects.select_related("before", "after").get(pk=correction_id)


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
