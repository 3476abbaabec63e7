"""How questions stand: which are in dispute (by those who answered, or by an author), and which keys were put right.

Read at most once a moment per process.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import connection

STANDING = """
SELECT 'disputed', report.question_id, 0, 0, 0, min(report.at) FROM quizzes_questionreport AS report
WHERE report.state = 'accepted' OR report.state = 'open' AND EXISTS (
    SELECT FROM quizzes_response AS given
    WHERE given.learner_id = report.learner_id AND given.version_id = report.version_id
) GROUP BY report.question_id
UNION ALL
SELECT 'corrected', correction.question_id, before.number, correction.id, correction.after_id, correction.applied_at
FROM quizzes_correction AS correction JOIN quizzes_questionversion AS before ON before.id = correction.before_id
WHERE correction.applied_at IS NOT NULL AND correction.undone_at IS NULL
UNION ALL
SELECT 'loaded', course.id, release.id, release.number, hashtext(release.fingerprint), release.loaded_at
FROM chapters_course AS course JOIN chapters_release AS release ON release.id = course.release_id
ORDER BY 6
"""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction that was applied: its id, the version that holds the right key, and when."""

    pk: int
    after_pk: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """By question: since when it is in dispute; by question and number of the version: the newest correction."""

    disputed: Mapping[int, datetime]
    corrected: Mapping[tuple[int, int], Corrected]
    mark: int  # equal as long as nothing of it changes and no course is loaded anew


LOOKED: list[tuple[float, Standing]] = []  # how it was a moment ago, in this process


def standing() -> Standing:
    """How all questions stand now (one query; none within READY_SECONDS of the last look)."""
    now = time.monotonic()
    if settings.READY_SECONDS and LOOKED and now < LOOKED[0][0]:
        return LOOKED[0][1]
    with connection.cursor() as cursor:
        cursor.execute(STANDING)
        rows = cursor.fetchall()
    found = Standing(
        disputed={question: at for kind, question, *_, at in rows if kind == "disputed"},
        corrected={
            (question, number): Corrected(pk, after, at)
            for kind, question, number, pk, after, at in rows
            if kind == "corrected"
        },
        mark=hash(tuple(rows)),
    )
    LOOKED[:] = [(now + settings.READY_SECONDS, found)] if settings.READY_SECONDS else []
    return found
