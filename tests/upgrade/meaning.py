"""What a site's data means to its people, in words that every version of the tables can answer."""

from __future__ import annotations

from typing import Any

import psycopg

QUESTIONS = {
    "people": "SELECT coalesce(email, 'guest'), name, time_zone, guest, is_active FROM accounts_user",
    "attempts": """SELECT coalesce(email, 'guest'), q.slug, a.number, a.started_at::text, a.finished_at::text, a.size,
        a.answered, a.right, round(a.score::numeric, 6)::text
        FROM quizzes_attempt a JOIN accounts_user u ON u.id = a.learner_id JOIN quizzes_quiz q ON q.id = a.quiz_id""",
    "answers": """SELECT coalesce(email, 'guest'), q.slug, s.position, s.state, r.number, r.key::text, r.options::text,
        r.certainty, r.state, round(r.fraction::numeric, 6)::text, r.at::text, v.number
        FROM quizzes_response r JOIN quizzes_slot s ON s.id = r.slot_id JOIN quizzes_questionversion v ON v.id = r.version_id
        JOIN quizzes_question q ON q.id = v.question_id JOIN accounts_user u ON u.id = r.learner_id""",
    "sections read": """SELECT coalesce(email, 'guest'), s.slug, r.at::text
        FROM chapters_sectionread r JOIN chapters_section s ON s.id = r.section_id
        JOIN accounts_user u ON u.id = r.learner_id""",
    "checkpoints": """SELECT coalesce(email, 'guest'), c.slug, m.at::text
        FROM chapters_checkpointmark m JOIN chapters_checkpoint c ON c.id = m.checkpoint_id
        JOIN accounts_user u ON u.id = m.learner_id""",
    "evidence": """SELECT coalesce(email, 'guest'), o.slug, e.answered, round(e.right::numeric, 6)::text
        FROM chapters_objectiveevidence e JOIN chapters_objective o ON o.id = e.objective_id
        JOIN accounts_user u ON u.id = e.learner_id""",
}


def meaning(address: str) -> dict[str, list[list[Any]]]:
    """The rows of each question, sorted; moments in UTC."""
    with psycopg.connect(address, options="-c timezone=UTC") as connection:
        return {
            name: sorted(([*row] for row in connection.execute(question)), key=str)  # type: ignore[call-overload]
            for name, question in QUESTIONS.items()
        }
