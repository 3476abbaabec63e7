"""What stays of answers when their learner leaves: counts."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from quizzes.models import Attempt, Correction, QuestionReport

REASON_GONE = "Whoever set this aside has left, and their words went along."
COUNTED = """
INSERT INTO quizzes_answercount (version_id, option, first, state, n)
SELECT version_id, option, number = 1, state, count(*)
FROM (
    SELECT version_id, '' AS option, number, state FROM quizzes_response WHERE learner_id = ANY(%(people)s)
    UNION ALL
    SELECT version_id, chosen.option, response.number, state
    FROM quizzes_response AS response
    JOIN quizzes_questionversion AS version ON version.id = version_id
    CROSS JOIN LATERAL unnest(options) AS chosen (option)
    WHERE learner_id = ANY(%(people)s)
        AND body -> 'options' @> jsonb_build_array(jsonb_build_object('slug', chosen.option))
) AS given
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4 -- so that of two people who leave at once one waits for the other
ON CONFLICT (version_id, option, first, state) DO UPDATE SET n = quizzes_answercount.n + excluded.n
"""


def hold_attempts(learner_ids: Sequence[int]) -> None:
    """Lock the attempts of those who leave, as an answer does first: it is in before, or finds no attempt."""
    mine = Attempt.objects.filter(learner_id__in=learner_ids).order_by("pk").select_for_update()
    list(mine.values_list("pk"))


def erase_answers(learner_ids: Sequence[int]) -> None:
    """Before answers go with their learners: count them by version, option and mark. Typed words are in no count,
    and no option that the question itself does not name.

    Runs inside the transaction of ``accounts.actions.erase_person``; the counts hold what is deleted there.
    """
    with connection.cursor() as cursor:
        cursor.execute(COUNTED, {"people": list(learner_ids)})


def erase_reports(learner_ids: Sequence[int]) -> None:
    """A settled report goes; an unsettled one stays without words, because its question is in doubt for everybody."""
    mine = QuestionReport.objects.filter(learner_id__in=learner_ids)
    mine.exclude(state__in=["open", "accepted"]).delete()
    mine.update(text="", answer="", learner=None)


def erase_reasons(learner_ids: Sequence[int]) -> None:
    """A correction that an author set aside stays so, without their words."""
    mine = Correction.objects.filter(set_aside_by__in=learner_ids)
    mine.update(set_aside_reason=REASON_GONE, set_aside_by=None)
