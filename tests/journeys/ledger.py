"""What the database of a running site holds: the journeys compare it with what the page says."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg

from studyhub import postgres

ACCOUNT = "(SELECT id FROM accounts_user WHERE email = %s)"


@dataclass(frozen=True, slots=True)
class Question:
    """One question of an attempt with its key. ``right`` and ``wrong`` are option ids of this attempt."""

    kind: str
    slug: str
    number: str  # a right number, typed; "" for choices
    mistake: str  # a wrong number
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    tokens: tuple[str, ...]

    def digit(self, token: str) -> str:
        """The key that chooses this option."""
        return str(self.tokens.index(token) + 1)


class Ledger:
    """Reads, and never writes."""

    def __init__(self, data: Path) -> None:
        self._address = postgres.url(data)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of one query on a connection of its own."""
        with psycopg.connect(self._address, autocommit=True) as connection:
            return list(connection.execute(query, values))  # type: ignore[arg-type]

    def question(self, attempt: str, position: int) -> Question:
        """A question as this attempt shows it."""
        ((kind, slug, order, tokens, key),) = self.rows(
            """SELECT v.kind, q.slug, s."order", s.tokens, k.key FROM quizzes_slot s
            JOIN quizzes_questionversion v ON v.id = s.version_id
            JOIN quizzes_question q ON q.id = v.question_id
            JOIN quizzes_questionkey k ON k.version_id = v.id
            WHERE s.attempt_id = %s AND s.position = %s""",
            attempt,
            position,
        )
        if kind == "number":
            first, mistakes = key["accepted"][0], key["mistakes"]
            middle = (Decimal(first["low"]) + Decimal(first["high"])) / 2
            mistake = mistakes[0]["low"] if mistakes else str(middle * 3 + 1)
            return Question(kind, slug, str(middle), mistake, (), (), ())
        known = dict(zip(tokens, order, strict=True))
        right = tuple(token for token in tokens if key["options"][known[token]]["right"])
        wrong = tuple(token for token in tokens if token not in right)
        return Question(kind, slug, "", "", right, wrong, tuple(tokens))

    def positions(self, attempt: str, kind: str) -> list[int]:
        """Where the questions of a kind are in an attempt."""
        found = self.rows(
            """SELECT s.position FROM quizzes_slot s JOIN quizzes_questionversion v ON v.id = s.version_id
            WHERE s.attempt_id = %s AND v.kind = %s ORDER BY s.position""",
            attempt,
            kind,
        )
        return [row[0] for row in found]

    def answers(self, attempt: str, position: int) -> list[tuple[int, str, tuple[str, ...]]]:
        """(number, state, chosen option ids) of every recorded answer to one question."""
        found = self.rows(
            """SELECT r.number, r.state, r.options, s."order", s.tokens FROM quizzes_response r
            JOIN quizzes_slot s ON s.id = r.slot_id
            WHERE s.attempt_id = %s AND s.position = %s ORDER BY r.number""",
            attempt,
            position,
        )
        return [
            (number, state, tuple(tokens[order.index(slug)] for slug in options))
            for number, state, options, order, tokens in found
        ]

    def sums(self, attempt: str) -> tuple[int, int, int]:
        """(answered as summed up, right as summed up, first answers that are stored)."""
        ((answered, right, stored),) = self.rows(
            """SELECT a.answered, a."right", (SELECT count(*) FROM quizzes_response r
            JOIN quizzes_slot s ON s.id = r.slot_id WHERE s.attempt_id = a.id AND r.number = 1)
            FROM quizzes_attempt a WHERE a.id = %s""",
            attempt,
        )
        return answered, right, stored

    def owned(self, email: str) -> dict[str, int]:
        """How many rows of each kind an account has."""
        counts = {
            "reads": "chapters_sectionread",
            "marks": "chapters_checkpointmark",
            "places": "chapters_place",
            "attempts": "quizzes_attempt",
            "answers": "quizzes_response",
        }
        return {
            name: self.rows(f"SELECT count(*) FROM {table} WHERE learner_id = {ACCOUNT}", email)[0][0]
            for name, table in counts.items()
        }

    def guests(self) -> int:
        """How many guests there are."""
        return int(self.rows("SELECT count(*) FROM accounts_user WHERE guest")[0][0])
