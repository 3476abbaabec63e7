"""What answers come to by the key of another version: known before anything moves, and what moves is made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet

from quizzes.kinds import KINDS
from quizzes.kinds.fitting import fitted, shape_of
from quizzes.kinds.shapes import Answer, Mark
from quizzes.models import Correction, QuestionKey, QuestionVersion

# The different answers to versions of a question, each with the ids of its responses.
ANSWERS = """
SELECT version_id, options, typed, parts, array_agg(id)
FROM quizzes_response WHERE version_id = ANY(%s) GROUP BY version_id, options, typed, parts
"""


class NotComparable(Exception):
    """The versions do not ask the same of the learner, so that answers to one cannot be marked by the other's key."""


@dataclass(frozen=True, slots=True)
class Remarked:
    """Responses that gave one answer, with the mark they get."""

    ids: Sequence[int]
    version_pk: int
    mark: Mark


def standing_of(question_id: int, number: int) -> QuerySet[Correction]:
    """Corrections of the answers to one number of a question that are applied and not undone, the newest first: its
    key counts.
    """
    rows = Correction.objects.filter(question=question_id, before__number=number)
    return rows.filter(applied_at__isnull=False, undone_at__isnull=True).order_by("-applied_at", "-pk")


def standing_beside(row: Correction) -> QuerySet[Correction]:
    """Other corrections of the same answers that stand."""
    return standing_of(row.question_id, row.before.number).exclude(pk=row.pk)


def later_than(row: Correction) -> QuerySet[Correction]:
    """Those of them that were applied after this one, the newest first: they have to be undone before it."""
    return standing_beside(row).filter(applied_at__gte=row.applied_at)


def key_before(row: Correction) -> QuestionVersion:
    """The version whose key counted before a correction that stands, or counts now beside one that does not: that of
    another correction, or of the version that was answered (one query).
    """
    beside = standing_beside(row)
    if row.state == "applied":
        beside = beside.filter(applied_at__lt=row.applied_at)
    last = beside.select_related("after").first()
    return last.after if last else row.before


def comparable(before: QuestionVersion, after: QuestionVersion) -> bool:
    """Whether both ask the same of the learner, so that the key of one can mark the answers to the other."""
    return before.kind == after.kind and shape_of(before.kind, before.body) == shape_of(
        after.kind, after.body
    )


def same_key(one: QuestionVersion, other: QuestionVersion) -> bool:
    """Whether two versions of a kind mark alike (one query); points stay as they were when a question was answered."""
    keys = dict(QuestionKey.objects.filter(pk__in=[one.pk, other.pk]).values_list("pk", "key"))
    meaning = KINDS[one.kind].meaning
    return bool(meaning(one.body, keys[one.pk]) == meaning(other.body, keys[other.pk]))


def held(row: Correction) -> bool:
    """Whether the course holds the key of a correction now (no query where it is that of the current version, else
    one). ``question__current`` and ``after`` should be read with the row.
    """
    now, after = row.question.current, row.after
    return now is None or now.number == after.number or (comparable(after, now) and same_key(after, now))


def newer_than(row: Correction) -> Correction | None:
    """The correction of the same answers to the newest key, if that is newer than the row's."""
    rows = Correction.objects.filter(question=row.question_id, before__number=row.before.number)
    return rows.filter(after__number__gt=row.after.number).order_by("-after__number", "-pk").first()


def remarked(correction: Correction, key_of: QuestionVersion) -> list[Remarked]:
    """Every answer to the corrected versions as the key of ``key_of`` marks it (three queries, nothing is written).

    Each different answer is marked once, against the wording that was shown. Raises NotComparable.
    """
    before = correction.before
    if not comparable(before, key_of):
        raise NotComparable
    versions = {
        one.pk: one
        for one in QuestionVersion.objects.filter(question=correction.question_id, number=before.number)
    }
    key = QuestionKey.objects.get(pk=key_of.pk).key
    kind = KINDS[before.kind]
    with connection.cursor() as cursor:
        cursor.execute(ANSWERS, [list(versions)])
        rows = cursor.fetchall()
    found = []
    for version_pk, options, typed, parts, ids in rows:
        answer = Answer(tuple(options), typed, tuple(parts))
        mark = kind.mark(answer, *fitted(before.kind, versions[version_pk].body, key_of.body, key))
        found.append(Remarked(ids, version_pk, mark))
    return found
