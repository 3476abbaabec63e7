"""Search in what a learner has answered: stems of their questions, fronts of cards, and backs they have opened.

``ANSWERED`` and ``CARDS`` are branches of the statement with which the desk looks everywhere at once. Neither reads a
key or a rationale, and a question without an answer of this learner is in no branch. The back of a card counts once
this learner has opened it as it is now, and not while another answer to it waits.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection

from chapters.queries.passages import extracts
from quizzes.queries.ready import address, street

# A stem and a card weigh as much as a paragraph; their words have no weight of their own, which counts as D.
RANK = "{{rank}}(ARRAY[0.2, 0.2, 0.4, 1]::real[], {words}, {{sought}}, 1)"
# The newest first answer to each question.
ANSWERED = f"""
SELECT DISTINCT ON (version.question_id) 'answer', response.id, {RANK.format(words="version.words")}, {{complete}}
FROM quizzes_questionversion version
JOIN quizzes_response response ON response.version_id = version.id
JOIN quizzes_question question ON question.id = version.question_id
JOIN quizzes_quiz quiz ON quiz.id = question.quiz_id
WHERE version.words @@ {{sought}} AND response.learner_id = %(learner)s AND response.number = 1
    AND quiz.course_id = %(course)s
ORDER BY version.question_id, response.at DESC
"""  # noqa: S608 our own text
CARDS = f"""
SELECT CASE WHEN in_front THEN 'card' ELSE 'back' END, id, {RANK.format(words="words")}, {{complete}}
FROM (
    SELECT card.id, front.found IS TRUE AS in_front,
        CASE WHEN front.found IS TRUE THEN card.words ELSE card.back_words END AS words
    FROM quizzes_card card, LATERAL (SELECT card.words @@ {{sought}} AS found) front
    WHERE card.course_id = %(course)s AND card.retired_at IS NULL AND (
        front.found OR card.back_words @@ {{sought}} AND (
            SELECT bool_and(shown_at IS NOT NULL) AND bool_or(fingerprint = card.fingerprint)
            FROM quizzes_cardtry
            WHERE card_id = card.id AND learner_id = %(learner)s AND undone_at IS NULL
        )
    )
) card
"""  # noqa: S608 our own text
ANSWERS_SHOWN = """
SELECT response.id, slot.attempt_id, slot.position, attempt.finished_at IS NULL, quiz.title, version.stem_text
FROM quizzes_response response
JOIN quizzes_questionversion version ON version.id = response.version_id
JOIN quizzes_question question ON question.id = version.question_id
JOIN quizzes_quiz quiz ON quiz.id = question.quiz_id
JOIN quizzes_slot slot ON slot.id = response.slot_id
JOIN quizzes_attempt attempt ON attempt.id = slot.attempt_id
WHERE response.id = ANY(%(ids)s) AND response.learner_id = %(learner)s
"""
CARDS_SHOWN = """
SELECT card.id, card.slug, card.level, card.front_text, coalesce(back.text, '')
FROM quizzes_card card LEFT JOIN LATERAL (
    SELECT string_agg(point.value ->> 'text', ' ' ORDER BY point.ordinality) AS text
    FROM jsonb_array_elements(card.points) WITH ORDINALITY AS point
    WHERE card.id = ANY(%(backs)s) AND NOT point.value ? 'gone'
) back ON TRUE
WHERE card.id = ANY(%(ids)s)
"""


@dataclass(frozen=True, slots=True)
class AnswerHit:
    """A question that this learner has answered. ``extract``: its stem, what matched between BEGIN and END."""

    url: str  # the learner's own attempt or its review
    quiz_title: str
    position: int
    extract: str


@dataclass(frozen=True, slots=True)
class CardHit:
    """An interview card. ``extract`` is of its back where only that matched, and the learner has opened it."""

    url: str
    level: str
    front: str
    extract: str
    back: bool


def answers_shown(ids: Collection[int], learner_id: int, stems: Collection[str]) -> dict[int, AnswerHit]:
    """The questions to which this learner gave the responses with these ids, words with one of ``stems`` marked.

    One query, none for no ids; ``extracts`` may add one.
    """
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(ANSWERS_SHOWN, {"ids": list(ids), "learner": learner_id})
        rows = cursor.fetchall()
    told = extracts([row[5] for row in rows], stems)
    return {
        pk: AnswerHit(_question_url(attempt_id, position, going_on), quiz, position, extract)
        for (pk, attempt_id, position, going_on, quiz, _), extract in zip(rows, told, strict=True)
    }


def _question_url(attempt_id: uuid.UUID, position: int, going_on: bool) -> str:
    if going_on:
        return f"{address('attempt', attempt_id)}?q={position}"
    return f"{address('review', attempt_id)}#q{position}"


def cards_shown(
    fronts: Collection[int], backs: Collection[int], stems: Collection[str], course_slug: str
) -> dict[int, CardHit]:
    """The cards with these ids, words with one of ``stems`` marked; ``backs`` are those found by their opened backs.

    One query, none for no ids; ``extracts`` may add one.
    """
    if not fronts and not backs:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(CARDS_SHOWN, {"ids": [*fronts, *backs], "backs": list(backs)})
        rows = cursor.fetchall()
    told = extracts([back or front for _, _, _, front, back in rows], stems)
    return {
        pk: CardHit(street("card", course_slug, slug), level, front, extract, bool(back))
        for (pk, slug, level, front, back), extract in zip(rows, told, strict=True)
    }
