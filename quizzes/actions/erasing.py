"""What stays of answers when their learner leaves: counts."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from quizzes.models import QuestionReport

COUNTED = """
INSERT INTO quizzes_answercount (version_id, option, first, state, n)
SELECT version_id, option, number = 1, state, count(*)
FROM (
    SELECT version_id, '' AS option, number, state FROM quizzes_response WHERE learner_id = ANY(%(people)s)
    UNION ALL
    SELECT version_id, unnest(options), number, state FROM quizzes_response WHERE learner_id = ANY(%(people)s)
) AS given
GROUP BY 1, 2, 3, 4
ON CONFLICT (version_id, option, first, state) DO UPDATE SET n = quizzes_answercount.n + excluded.n
"""


def erase_answers(learner_ids: Sequence[int]) -> None:
    """Before answers go with their learners: count them by version, option and mark. Typed words are in no count.

    Runs inside the transaction of ``accounts.actions.erase_people``; the counts hold what is deleted there.
    """
    with connection.cursor() as cursor:
        cursor.execute(COUNTED, {"people": list(learner_ids)})


def erase_reports(learner_ids: Sequence[int]) -> None:
    """A settled report goes; an unsettled one stays without words, because its question is in doubt for everybody."""
    mine = QuestionReport.objects.filter(learner_id__in=learner_ids)
    mine.exclude(state__in=["open", "accepted"]).delete()
    mine.update(text="", answer="", learner=None)
