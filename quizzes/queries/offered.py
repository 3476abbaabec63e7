"""What a course offers to answer, and how far one learner is: quizzes and interview cards, counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from json import loads

from django.db import connection

MOST_OPEN = 5  # open cards named on Today

# By chapter: its quizzes with the questions on the shelf and how many of them have a first answer, and its cards with
# how many of them were compared. A quiz or a deck without any is left out.
OFFERED = """
WITH answered AS (
    SELECT DISTINCT version.question_id
    FROM quizzes_attempt AS attempt
    JOIN quizzes_quiz AS quiz ON quiz.id = attempt.quiz_id AND quiz.purpose = 'quiz'
    JOIN quizzes_slot AS slot ON slot.attempt_id = attempt.id AND slot.state <> ''
    JOIN quizzes_questionversion AS version ON version.id = slot.version_id
    WHERE attempt.learner_id = %(learner)s AND quiz.course_id = (SELECT id FROM chapters_course WHERE slug = %(course)s)
)
SELECT chapter.slug, quiz.slug, quiz.title, quiz.position, count(*), count(answered.question_id)
FROM quizzes_quiz AS quiz JOIN chapters_chapter AS chapter ON chapter.id = quiz.chapter_id
JOIN quizzes_question AS question
    ON question.quiz_id = quiz.id AND question.retired_at IS NULL AND question.current_id IS NOT NULL
LEFT JOIN answered ON answered.question_id = question.id
WHERE quiz.course_id = (SELECT id FROM chapters_course WHERE slug = %(course)s)
    AND quiz.purpose = 'quiz' AND quiz.retired_at IS NULL
GROUP BY chapter.slug, quiz.slug, quiz.title, quiz.position
UNION ALL
SELECT chapter.slug, '', '', 0, count(*), count(*) FILTER (WHERE EXISTS (
    SELECT FROM quizzes_cardtry
    WHERE card_id = card.id AND learner_id = %(learner)s AND shown_at IS NOT NULL AND undone_at IS NULL
))
FROM quizzes_card AS card JOIN chapters_chapter AS chapter ON chapter.id = card.chapter_id
WHERE card.course_id = (SELECT id FROM chapters_course WHERE slug = %(course)s) AND card.retired_at IS NULL
GROUP BY chapter.slug
ORDER BY 4, 2
"""
# By course: cards, cards compared, and those that are open, the newest first: words kept, opened and not rated, or
# rated with points left open.
CARDS = """
WITH mine AS (
    SELECT DISTINCT ON (card_id) card_id, shown_at, rated_at, ratings, coalesce(rated_at, begun_at) AS at,
        bool_or(shown_at IS NOT NULL) OVER (PARTITION BY card_id) AS compared
    FROM quizzes_cardtry WHERE learner_id = %(learner)s AND undone_at IS NULL
    ORDER BY card_id, begun_at DESC, id DESC
), told AS (
    SELECT card.course_id, card.slug, card.front_text, mine.at, mine.compared,
        CASE WHEN mine.rated_at IS NOT NULL THEN 'rated' WHEN mine.shown_at IS NOT NULL THEN 'shown'
            WHEN mine.card_id IS NOT NULL THEN 'begun' ELSE 'new' END AS state,
        CASE WHEN mine.rated_at IS NOT NULL THEN (
            SELECT count(*) FROM jsonb_array_elements(card.points) AS point
            WHERE NOT point ? 'gone' AND coalesce(mine.ratings -> (point ->> 'slug'), 'null') = 'null'
        ) ELSE 0 END AS points
    FROM quizzes_card AS card LEFT JOIN mine ON mine.card_id = card.id
    WHERE card.retired_at IS NULL
)
SELECT course_id, count(*), count(*) FILTER (WHERE compared), coalesce(
    jsonb_agg(jsonb_build_array(slug, front_text, state, points, at) ORDER BY at DESC)
        FILTER (WHERE state IN ('begun', 'shown') OR points > 0),
    '[]'
)
FROM told GROUP BY course_id
"""


@dataclass(frozen=True, slots=True)
class QuizOffer:
    """A quiz of a chapter: its questions, and how many of them this learner has answered."""

    slug: str
    title: str
    questions: int
    answered: int


@dataclass(frozen=True, slots=True)
class Offer:
    """What a chapter offers: quizzes in their order, and its cards with how many of them were compared."""

    quizzes: tuple[QuizOffer, ...] = ()
    cards: int = 0
    compared: int = 0


@dataclass(frozen=True, slots=True)
class OpenCard:
    """A card that waits for its learner. ``state``: begun (words are kept), shown (opened, not rated) or rated."""

    slug: str
    front: str  # plain text
    state: str
    points: int  # left open, of a rated card
    at: datetime


@dataclass(frozen=True, slots=True)
class CardsOffer:
    """The cards of a course, and which of them are open: the newest five, and how many more."""

    total: int = 0
    compared: int = 0
    open: tuple[OpenCard, ...] = ()
    more: int = 0


def offers_of(course: str, learner_id: int | None) -> dict[str, Offer]:
    """What each chapter of the course of this name offers, by its slug; what offers nothing is left out (one query)."""
    with connection.cursor() as cursor:
        cursor.execute(OFFERED, {"course": course, "learner": learner_id or 0})
        rows = cursor.fetchall()
    quizzes: dict[str, list[QuizOffer]] = {}
    cards: dict[str, tuple[int, int]] = {}
    for chapter, slug, title, _, there, done in rows:
        if slug:
            quizzes.setdefault(chapter, []).append(QuizOffer(slug, title, there, done))
        else:
            cards[chapter] = (there, done)
    return {
        chapter: Offer(tuple(quizzes.get(chapter, ())), *cards.get(chapter, (0, 0)))
        for chapter in {*quizzes, *cards}
    }


def cards_of(learner_id: int | None) -> dict[int, CardsOffer]:
    """The cards of each course and which are open for this learner, by course (one query)."""
    with connection.cursor() as cursor:
        cursor.execute(CARDS, {"learner": learner_id or 0})
        rows = cursor.fetchall()
    found = {}
    for course, total, compared, told in rows:
        every = [
            OpenCard(slug, front, state, points, datetime.fromisoformat(at))
            for slug, front, state, points, at in loads(told)
        ]
        found[course] = CardsOffer(total, compared, tuple(every[:MOST_OPEN]), max(0, len(every) - MOST_OPEN))
    return found
