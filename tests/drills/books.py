"""What the database holds against what the learners saw."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import psycopg

from studyhub.postgres.programs import installed
from tests.drills.learners import Intent

ROWS = """SELECT r.key::text, s.attempt_id::text, s.position, r.state, r.number
    FROM quizzes_response r JOIN quizzes_slot s ON s.id = r.slot_id"""
# Attempts whose sums are not those of their first answers.
ODD_ATTEMPTS = """WITH stored AS (
    SELECT s.attempt_id, count(r.id) AS answered, count(*) FILTER (WHERE r.state = 'right') AS rightly,
        coalesce(sum(r.fraction * v.points), 0) AS score, bool_and(s.state = coalesce(r.state, '')) AS told
    FROM quizzes_slot s LEFT JOIN quizzes_response r ON r.slot_id = s.id AND r.number = 1
    JOIN quizzes_questionversion v ON v.id = s.version_id GROUP BY s.attempt_id)
SELECT a.id FROM quizzes_attempt a JOIN stored ON stored.attempt_id = a.id
WHERE ((a.answered, a."right", told) IS DISTINCT FROM (stored.answered, stored.rightly, true)
    OR abs(a.score - stored.score) > 1e-9) AND a.id = ANY(%s::uuid[])"""
# Evidence that is not the sum of the first answers to questions of its objective.
ODD_EVIDENCE = """WITH stored AS (
    SELECT r.learner_id, aim.objective_id, count(*) AS answered, count(*) FILTER (WHERE r.state = 'right') AS rightly
    FROM quizzes_response r JOIN quizzes_slot s ON s.id = r.slot_id
    JOIN quizzes_questionversion v ON v.id = s.version_id
    JOIN quizzes_questionobjective aim ON aim.question_id = v.question_id
    JOIN quizzes_attempt a ON a.id = s.attempt_id JOIN quizzes_quiz q ON q.id = a.quiz_id AND q.purpose = 'quiz'
    WHERE r.number = 1 GROUP BY r.learner_id, aim.objective_id)
SELECT * FROM stored FULL JOIN chapters_objectiveevidence e USING (learner_id, objective_id)
WHERE (e.answered, e."right") IS DISTINCT FROM (stored.answered, stored.rightly)
    AND learner_id IN (SELECT learner_id FROM quizzes_attempt WHERE id = ANY(%s::uuid[]))"""


@dataclass(frozen=True, slots=True)
class Books:
    """``lost``: acknowledged and not stored. ``doubled``: rows too many of one intent. ``ghosts``: stored, never
    acknowledged. ``wrong``: the verdict shown, stored or expected differ. ``odd_sums``: attempts and evidence that
    are not the sums of their answers. ``put_aside``: answers that did not count.
    """

    acked: int
    rows: int
    lost: int = 0
    doubled: int = 0
    ghosts: int = 0
    wrong: int = 0
    odd_sums: int = 0
    put_aside: int = 0


def balance(address: str, acked: Mapping[str, tuple[Intent, str]]) -> Books:
    """Compare. Rows of attempts that no answer here belongs to are somebody else's and left out."""
    attempts = {intent.attempt for intent, _ in acked.values()}
    these = [list(attempts)]
    with psycopg.connect(address, autocommit=True) as connection:
        rows = [row for row in connection.execute(ROWS).fetchall() if row[1] in attempts]
        odd_sums = len(connection.execute(ODD_ATTEMPTS, these).fetchall())
        odd_sums += len(connection.execute(ODD_EVIDENCE, these).fetchall())
        aside = connection.execute(
            "SELECT count(*) FROM quizzes_rejectedresponse j JOIN quizzes_slot s ON s.id = j.slot_id "
            "WHERE s.attempt_id = ANY(%s::uuid[])",
            these,
        ).fetchone()
    keys = Counter(row[0] for row in rows)
    wrong = 0
    for key, attempt, position, state, number in rows:
        if key in acked:
            intent, shown = acked[key]
            there = (intent.attempt, intent.position, intent.again) == (attempt, position, number > 1)
            wrong += not there or not shown == state == intent.expected
    return Books(
        acked=len(acked),
        rows=len(rows),
        lost=len(set(acked) - set(keys)),
        doubled=sum(count - 1 for count in keys.values()),
        ghosts=len(set(keys) - set(acked)),
        wrong=wrong,
        odd_sums=odd_sums,
        put_aside=aside[0] if aside else 0,
    )


def faults_of_tables(address: str) -> str:
    """What pg_amcheck finds wrong in heaps and indexes, every row looked up in every index; "" when all is sound."""
    found = subprocess.run(
        [installed() / "pg_amcheck", "--install-missing", "--heapallindexed", address],
        capture_output=True,
        text=True,
        check=False,
    )
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP EXTENSION IF EXISTS amcheck")
    return found.stdout + found.stderr if found.returncode or found.stdout else ""
