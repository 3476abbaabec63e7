"""What happened to a learner's answers and reports while they were away."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from json import loads
from typing import Any

from django.db import connection

NEW_FOR = timedelta(days=14)  # since a correction was applied, in which it counts as new

# By course: reports with an answer that was not seen, and what became of keys that this learner's first answers were
# marked by, the newest first. Of each question the newest that was done is told, applying or undoing a correction, and
# of several answers the newest is named; what the learner has seen is not told again.
NEWS = """
WITH answered AS (
    SELECT quiz.course_id, count(*) AS n
    FROM quizzes_questionreport AS report
    JOIN quizzes_question AS question ON question.id = report.question_id
    JOIN quizzes_quiz AS quiz ON quiz.id = question.quiz_id
    WHERE report.learner_id = %(learner)s AND report.state <> 'open' AND report.seen_at IS NULL
    GROUP BY quiz.course_id
), done AS (
    SELECT correction.*, coalesce(undone_at, applied_at) AS done_at FROM quizzes_correction AS correction
    WHERE coalesce(undone_at, applied_at)
        > greatest(%(since)s, (SELECT at FROM quizzes_newsseen WHERE learner_id = %(learner)s))
), marked AS (
    SELECT DISTINCT ON (done.question_id) quiz.course_id, done.done_at, done.undone_at IS NOT NULL AS undone,
        slot.attempt_id, slot.position, asked.title,
        coalesce(CASE WHEN done.undone_at IS NULL THEN moved.state_before ELSE moved.state_after END, '') AS before,
        coalesce(CASE WHEN done.undone_at IS NULL THEN moved.state_after ELSE moved.state_before END, '') AS after
    FROM done
    JOIN quizzes_questionversion AS wrong ON wrong.id = done.before_id
    JOIN quizzes_questionversion AS shown
        ON shown.question_id = done.question_id AND shown.number = wrong.number
    JOIN quizzes_response AS answer ON answer.version_id = shown.id AND answer.number = 1
    JOIN quizzes_slot AS slot ON slot.id = answer.slot_id
    JOIN quizzes_attempt AS attempt ON attempt.id = slot.attempt_id
    JOIN quizzes_quiz AS asked ON asked.id = attempt.quiz_id
    JOIN quizzes_question AS question ON question.id = done.question_id
    JOIN quizzes_quiz AS quiz ON quiz.id = question.quiz_id
    LEFT JOIN quizzes_rescored AS moved ON moved.correction_id = done.id AND moved.response_id = answer.id
    WHERE answer.learner_id = %(learner)s AND answer.at <= done.applied_at
    ORDER BY done.question_id, done.done_at DESC, answer.at DESC
), corrected AS (
    SELECT course_id, jsonb_agg(
        jsonb_build_array(attempt_id, position, title, before, after, done_at, undone) ORDER BY done_at DESC
    ) AS told FROM marked GROUP BY course_id
)
SELECT course_id, coalesce(answered.n, 0), coalesce(corrected.told, '[]')
FROM answered FULL JOIN corrected USING (course_id)
"""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A key that was put right after this learner had answered the question, or put back."""

    attempt_id: str
    position: int
    quiz_title: str
    before: str  # right, wrong or partly; "" where the mark stayed as it was
    after: str
    at: datetime
    undone: bool = False  # the correction was taken back


@dataclass(frozen=True, slots=True)
class News:
    """What is new in one course."""

    answers: int  # to the learner's reports, not seen yet
    corrected: tuple[Corrected, ...]  # within 14 days and not seen, one of each question, the newest first

    @property
    def until(self) -> datetime | None:
        """The moment of the newest: whoever has seen this has seen all."""
        return self.corrected[0].at if self.corrected else None


NO_NEWS = News(0, ())


def news_of(learner_id: int, at: datetime) -> dict[int, News]:
    """What is new for this learner at a moment, by course; courses without news are left out (one query)."""
    with connection.cursor() as cursor:
        cursor.execute(NEWS, {"learner": learner_id, "since": at - NEW_FOR})
        rows = cursor.fetchall()
    return {course: News(n, tuple(_corrected(*one) for one in loads(told))) for course, n, told in rows}


def _corrected(*told: Any) -> Corrected:
    attempt_id, position, title, before, after, at, undone = told
    return Corrected(attempt_id, position, title, before, after, datetime.fromisoformat(at), undone)
