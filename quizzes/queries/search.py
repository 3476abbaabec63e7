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

from chapters.queries.passages import HEADLINE, SOME, asked, extract_of
from quizzes.queries.ready import address, street

# The newest first answer to each question.
ANSWERED = """
SELECT DISTINCT ON (version.question_id) 'answer', response.id,
    ts_rank_cd(setweight(version.words, 'C'), {some}, 1), {complete}
FROM quizzes_questionversion version
JOIN quizzes_response response ON response.version_id = version.id
JOIN quizzes_question question ON question.id = version.question_id
JOIN quizzes_quiz quiz ON quiz.id = question.quiz_id
WHERE version.words @@ {some} AND response.learner_id = %(learner)s AND response.number = 1
    AND quiz.course_id = %(course)s
ORDER BY version.question_id, response.at DESC
"""
CARDS = """
SELECT CASE WHEN in_front THEN 'card' ELSE 'back' END, id, ts_rank_cd(setweight(words, 'C'), {some}, 1), {complete}
FROM (
    SELECT card.id, front.found IS TRUE AS in_front,
        CASE WHEN front.found IS TRUE THEN card.words ELSE card.back_words END AS words
    FROM quizzes_card card, LATERAL (SELECT card.words @@ {some} AS found) front
    WHERE card.course_id = %(course)s AND card.retired_at IS NULL AND (
        card.words @@ {some} OR card.back_words @@ {some} AND (
            SELECT bool_and(shown_at IS NOT NULL) AND bool_or(fingerprint = card.fingerprint)
            FROM quizzes_cardtry
            WHERE card_id = card.id AND learner_id = %(learner)s AND undone_at IS NULL
        )
    )
) card
"""
ANSWERS_SHOWN = f"""
SELECT response.id, slot.attempt_id, slot.position, attempt.finished_at IS NULL, quiz.title, version.stem_text,
    {HEADLINE.format(text="version.stem_text", some=SOME)}
FROM quizzes_response response
JOIN quizzes_questionversion version ON version.id = response.version_id
JOIN quizzes_question question ON question.id = version.question_id
JOIN quizzes_quiz quiz ON quiz.id = question.quiz_id
JOIN quizzes_slot slot ON slot.id = response.slot_id
JOIN quizzes_attempt attempt ON attempt.id = slot.attempt_id
WHERE response.id = ANY(%(ids)s) AND response.learner_id = %(learner)s
"""  # noqa: S608 our own text
CARDS_SHOWN = f"""
SELECT card.id, card.slug, card.level, card.front_text, back.text,
    {HEADLINE.format(text="card.front_text", some=SOME)}, {HEADLINE.format(text="back.text", some=SOME)}
FROM quizzes_card card LEFT JOIN LATERAL (
    SELECT string_agg(point.value ->> 'text', ' ' ORDER BY point.ordinality) AS text
    FROM jsonb_array_elements(card.points) WITH ORDINALITY AS point
    WHERE card.id = ANY(%(backs)s)
) back ON TRUE
WHERE card.id = ANY(%(ids)s)
"""  # noqa: S608 our own text


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


def answers_shown(ids: Collection[int], learner_id: int, text: str) -> dict[int, AnswerHit]:
    """The questions to which this learner gave the responses with these ids (one query; none for no ids)."""
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(ANSWERS_SHOWN, {**asked(text), "ids": list(ids), "learner": learner_id})
        rows = cursor.fetchall()
    return {
        pk: AnswerHit(
            _question_url(attempt_id, position, going_on), quiz, position, extract_of(headline, stem)
        )
        for pk, attempt_id, position, going_on, quiz, stem, headline in rows
    }


def _question_url(attempt_id: uuid.UUID, position: int, going_on: bool) -> str:
    if going_on:
        return f"{address('attempt', attempt_id)}?q={position}"
    return f"{address('review', attempt_id)}#q{position}"


def cards_shown(
    fronts: Collection[int], backs: Collection[int], text: str, course_slug: str
) -> dict[int, CardHit]:
    """The cards with these ids; ``backs`` are those found by their opened backs (one query; none for no ids)."""
    if not fronts and not backs:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(CARDS_SHOWN, {**asked(text), "ids": [*fronts, *backs], "backs": list(backs)})
        rows = cursor.fetchall()
    return {
        pk: CardHit(
            url=street("card", course_slug, slug),
            level=level,
            front=front,
            extract=extract_of(back_headline, back) if back else extract_of(headline, front),
            back=bool(back),
        )
        for pk, slug, level, front, back, headline, back_headline in rows
    }
