"""What happened to a learner's answers and reports while they were away."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from json import loads
from typing import Any

from django.db import connection

NEW_FOR = timedelta(days=14)  # since a correction was applied, in which it counts as new

# By course: reports with an answer that was not seen, and the corrections of keys that this learner's first answers
# were marked by, the newest first; of several answers to one question the newest is named.
NEWS = """
WITH answered AS (
    SELECT quiz.course_id, count(*) AS n
    FROM quizzes_questionreport AS report
    JOIN quizzes_question AS question ON question.id = report.question_id
    JOIN quizzes_quiz AS quiz ON quiz.id = question.quiz_id
    WHERE report.learner_id = %(learner)s AND report.state <> 'open' AND report.seen_at IS NULL
    GROUP BY quiz.course_id
), marked AS (
    SELECT DISTINCT ON (correction.id) quiz.course_id, correction.applied_at, slot.attempt_id, slot.position,
        asked.title, coalesce(moved.state_before, '') AS before, coalesce(moved.state_after, '') AS after
    FROM quizzes_correction AS correction
    JOIN quizzes_questionversion AS wrong ON wrong.id = correction.before_id
    JOIN quizzes_questionversion AS shown
        ON shown.question_id = correction.question_id AND shown.number = wrong.number
    JOIN quizzes_response AS answer ON answer.version_id = shown.id AND answer.number = 1
    JOIN quizzes_slot AS slot ON slot.id = answer.slot_id
    JOIN quizzes_attempt AS attempt ON attempt.id = slot.attempt_id
    JOIN quizzes_quiz AS asked ON asked.id = attempt.quiz_id
    JOIN quizzes_question AS question ON question.id = correction.question_id
    JOIN quizzes_quiz AS quiz ON quiz.id = question.quiz_id
    LEFT JOIN quizzes_rescored AS moved ON moved.correction_id = correction.id AND moved.response_id = answer.id
    WHERE answer.learner_id = %(learner)s AND answer.at <= correction.applied_at
        AND correction.applied_at > %(since)s AND correction.undone_at IS NULL
    ORDER BY correction.id, answer.at DESC
), corrected AS (
    SELECT course_id, jsonb_agg(
        jsonb_build_array(attempt_id, position, title, before, after, applied_at) ORDER BY applied_at DESC
    ) AS told FROM marked GROUP BY course_id
)
SELECT course_id, coalesce(answered.n, 0), coalesce(corrected.told, '[]')
FROM answered FULL JOIN corrected USING (course_id)
"""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A key that was put right after this learner had answered the question."""

    attempt_id: str
    position: int
    quiz_title: str
    before: str  # right, wrong or partly; "" where the mark stayed as it was
    after: str
    at: datetime


@dataclass(frozen=True, slots=True)
class News:
    """What is new in one course."""

    answers: int  # to the learner's reports, not seen yet
    corrected: tuple[Corrected, ...]  # within 14 days, the newest first


NO_NEWS = News(0, ())


def news_of(learner_id: int, at: datetime) -> dict[int, News]:
    """What is new for this learner at a moment, by course; courses without news are left out (one query)."""
    with connection.cursor() as cursor:
        cursor.execute(NEWS, {"learner": learner_id, "since": at - NEW_FOR})
        rows = cursor.fetchall()
    return {course: News(n, tuple(_corrected(*one) for one in loads(told))) for course, n, told in rows}


def _corrected(*told: Any) -> Corrected:
    attempt_id, position, title, before, after, at = told
    return Corrected(attempt_id, position, title, before, after, datetime.fromisoformat(at))
