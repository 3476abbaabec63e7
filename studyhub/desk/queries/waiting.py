"""How many mistakes wait to be practised in each course, without saying which.

The same answer as ``quizzes.queries.mistakes``, for all courses at once: a question waits from a first answer that was
not right until it was right in practice on two study days since.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from json import loads
from zoneinfo import ZoneInfo

from django.db import connection

from studyhub.rhythm.calendar import study_day, study_day_begins

# By course, of the questions on the shelf that were missed: how many were right in practice at most once since, how
# many of these not today, and the first and last such moments of those that were right more often
# within the 25 hours that the longest study day lasts. Moments further apart are on two study days.
WAITING = """
WITH slip AS (
    SELECT version.question_id, max(answer.at) AS at
    FROM quizzes_response AS answer JOIN quizzes_questionversion AS version ON version.id = answer.version_id
    WHERE answer.learner_id = %(learner)s AND answer.number = 1 AND answer.state IN ('wrong', 'partly')
    GROUP BY version.question_id
), held AS (
    SELECT version.question_id, answer.at
    FROM quizzes_attempt AS attempt
    JOIN quizzes_quiz AS practice ON practice.id = attempt.quiz_id AND practice.purpose = 'mistakes'
    JOIN quizzes_slot AS slot ON slot.attempt_id = attempt.id
    JOIN quizzes_response AS answer ON answer.slot_id = slot.id AND answer.number = 1 AND answer.state = 'right'
    JOIN quizzes_questionversion AS version ON version.id = answer.version_id
    WHERE attempt.learner_id = %(learner)s
), since AS (
    SELECT slip.question_id, min(held.at) AS first, max(held.at) AS last
    FROM slip LEFT JOIN held ON held.question_id = slip.question_id AND held.at > slip.at
    GROUP BY slip.question_id
)
SELECT quiz.course_id,
    count(*) FILTER (WHERE since.first IS NULL OR since.first = since.last),
    count(*) FILTER (WHERE since.first IS NULL OR since.first = since.last AND since.last < %(today)s),
    coalesce(
        jsonb_agg(jsonb_build_array(since.first, since.last))
            FILTER (WHERE since.first < since.last AND since.last - since.first <= interval '25 hours'),
        '[]'
    )
FROM since JOIN quizzes_question AS question ON question.id = since.question_id
JOIN quizzes_quiz AS quiz ON quiz.id = question.quiz_id
WHERE quiz.purpose = 'quiz' AND quiz.retired_at IS NULL AND question.retired_at IS NULL
    AND question.current_id IS NOT NULL
GROUP BY quiz.course_id
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Mistakes of a course that wait, and how many of them are asked today."""

    all: int
    today: int


NOTHING = Waiting(0, 0)


def waiting_of(learner_id: int, zone: ZoneInfo, at: datetime) -> dict[int, Waiting]:
    """What waits for this learner, by course (one query)."""
    today = study_day_begins(study_day(at, zone), zone)
    with connection.cursor() as cursor:
        cursor.execute(WAITING, {"learner": learner_id, "today": today})
        rows = cursor.fetchall()
    found = {}
    for course, once, due, close in rows:
        pairs = [tuple(map(datetime.fromisoformat, pair)) for pair in loads(close)]
        last = [one[1] for one in pairs if study_day(one[0], zone) == study_day(one[1], zone)]
        found[course] = Waiting(once + len(last), due + sum(moment < today for moment in last))
    return found
