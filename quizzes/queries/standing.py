"""How questions stand: which are in dispute (by those who answered, or by an author), and which keys were put right.

Read at most once a moment per process.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import connection

STANDING = """
SELECT 'disputed', report.question_id, 0, 0, 0, min(report.at), NULL::timestamptz FROM quizzes_questionreport AS report
WHERE report.state = 'accepted' OR report.state = 'open' AND EXISTS (
    SELECT FROM quizzes_response AS given
    WHERE given.learner_id = report.learner_id AND given.version_id = report.version_id
) GROUP BY report.question_id
UNION ALL
SELECT 'corrected', correction.question_id, before.number, correction.id, correction.after_id, correction.applied_at,
    correction.undone_at
FROM quizzes_correction AS correction JOIN quizzes_questionversion AS before ON before.id = correction.before_id
WHERE correction.applied_at IS NOT NULL
UNION ALL
SELECT 'loaded', course.id, release.id, release.number, hashtext(release.fingerprint), release.loaded_at, NULL
FROM chapters_course AS course JOIN chapters_release AS release ON release.id = course.release_id
ORDER BY 6, 4
"""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction that was applied: its id, the version that holds the right key, when, and when it was undone."""

    pk: int
    after_pk: int
    at: datetime
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """By question: since when it is in dispute; by question and number of the version: the newest correction that
    stands, and everyone that was applied, also those undone since, in the order of applying.
    """

    disputed: Mapping[int, datetime]
    corrected: Mapping[tuple[int, int], Corrected]
    past: Mapping[tuple[int, int], Sequence[Corrected]]
    mark: int  # equal as long as nothing of it changes and no course is loaded anew

    def key_of(self, question_pk: int, number: int) -> int | None:
        """The version whose key counts for answers to a version with this number; None for its own."""
        corrected = self.corrected.get((question_pk, number))
        return corrected.after_pk if corrected else None


LOOKED: list[tuple[float, Standing]] = []  # how it was a moment ago, in this process


def standing(*, anew: bool = False) -> Standing:
    """How all questions stand now (one query; none within READY_SECONDS of the last look, but ``anew``)."""
    now = time.monotonic()
    if settings.READY_SECONDS and LOOKED and now < LOOKED[0][0] and not anew:
        return LOOKED[0][1]
    with connection.cursor() as cursor:
        cursor.execute(STANDING)
        rows = cursor.fetchall()
    past: dict[tuple[int, int], list[Corrected]] = {}
    for kind, question, number, pk, after, at, undone_at in rows:
        if kind == "corrected":
            past.setdefault((question, number), []).append(Corrected(pk, after, at, undone_at))
    found = Standing(
        disputed={row[1]: row[5] for row in rows if row[0] == "disputed"},
        corrected={
            place: one for place, all_of_it in past.items() for one in all_of_it if one.undone_at is None
        },
        past=past,
        mark=hash(tuple(rows)),
    )
    LOOKED[:] = [(now + settings.READY_SECONDS, found)] if settings.READY_SECONDS else []
    return found
