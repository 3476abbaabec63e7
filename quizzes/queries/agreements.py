"""What must hold of attempts and answers; ``manage.py verify`` asks it of a running site."""

from __future__ import annotations

from studyhub.web.diagnosis import Agreement

OWN = (
    Agreement(
        "Every attempt's sums are those of its recorded answers",
        """
        SELECT count(*) FROM quizzes_attempt AS attempt LEFT JOIN (
            SELECT slot.attempt_id, count(*) AS answered, count(*) FILTER (WHERE response.state = 'right') AS "right"
            FROM quizzes_response AS response JOIN quizzes_slot AS slot ON slot.id = response.slot_id
            WHERE response.number = 1 GROUP BY 1
        ) AS given ON given.attempt_id = attempt.id
        WHERE attempt.answered <> coalesce(given.answered, 0) OR attempt."right" <> coalesce(given."right", 0)
        """,
    ),
    Agreement(
        "Every question of an attempt is marked as its recorded answer",
        """
        SELECT count(*) FROM quizzes_slot AS slot
        LEFT JOIN quizzes_response AS response ON response.slot_id = slot.id AND response.number = 1
        WHERE slot.state <> coalesce(response.state, '')
        """,
    ),
    Agreement(
        "Every answer is to the version that was shown, and of the learner whose attempt it is",
        """
        SELECT count(*) FROM quizzes_response AS response
        JOIN quizzes_slot AS slot ON slot.id = response.slot_id
        JOIN quizzes_attempt AS attempt ON attempt.id = slot.attempt_id
        WHERE response.version_id <> slot.version_id OR response.learner_id <> attempt.learner_id
        """,
    ),
    Agreement(
        "Every version of a question has a key",
        """
        SELECT count(*) FROM quizzes_questionversion AS version
        LEFT JOIN quizzes_questionkey AS key ON key.version_id = version.id WHERE key.version_id IS NULL
        """,
    ),
)
