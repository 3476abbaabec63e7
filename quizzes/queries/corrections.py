"""Corrections of keys for authors: the list, who would move, and who moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db import connection
from django.db.models import Count, F

from quizzes.models import Correction, QuestionVersion, Rescored

MOST = 50  # corrections on a page
MOST_NAMED = 200  # moves that a page lists
STATES = {"right": "right", "partly": "partly right", "wrong": "wrong"}


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """One correction in the list."""

    pk: int
    question: str
    quiz_title: str
    stem_html: str
    made_at: datetime
    applied_at: datetime | None
    undone_at: datetime | None
    state: str  # waiting, aside, applied or undone
    moved: int  # answers, also when it was undone since
    aside_at: datetime | None
    reason: str  # why it was set aside


def correction_lines(leaf: str) -> tuple[list[CorrectionLine], Page[Any]]:
    """Corrections, those that wait first, then the last applied ones, then those set aside, 50 to a page (three
    queries). ``leaf``: number of the page as it was asked for; the nearest one that exists is given.
    """
    rows = Correction.objects.select_related("question__quiz", "after").order_by(
        F("set_aside_at").asc(nulls_first=True), F("applied_at").desc(nulls_first=True), "-made_at", "-pk"
    )
    found = Paginator(rows, MOST).get_page(leaf)
    moved = dict(
        Rescored.objects.filter(correction__in=[one.pk for one in found])
        .values_list("correction_id")
        .annotate(n=Count("pk"))
    )
    lines = [
        CorrectionLine(
            pk=one.pk,
            question=one.question.slug,
            quiz_title=one.question.quiz.title,
            stem_html=one.after.stem_html,
            made_at=one.made_at,
            applied_at=one.applied_at,
            undone_at=one.undone_at,
            state=one.state,
            moved=moved.get(one.pk, 0),
            aside_at=one.set_aside_at,
            reason=one.set_aside_reason,
        )
        for one in found
    ]
    return lines, found


def waiting_in(course: str) -> tuple[str, ...]:
    """The questions of a course whose corrections wait, as quiz#question (one query)."""
    rows = Correction.objects.filter(
        question__quiz__course__slug=course, applied_at__isnull=True, set_aside_at__isnull=True
    )
    names = rows.order_by("question__quiz__slug", "question__slug", "pk").values_list(
        "question__quiz__slug", "question__slug"
    )
    return tuple(f"{quiz}#{question}" for quiz, question in names)


def keys_changed(course_id: int, at: datetime) -> list[tuple[str, str]]:
    """(quiz, question) of a course whose key, kind or points the load of this moment changed (one query)."""
    rows = QuestionVersion.objects.filter(
        question__quiz__course=course_id, made_at=at, number__gt=1, wording=1
    )
    names = rows.order_by("question__quiz__slug", "question__slug")
    return list(names.values_list("question__quiz__slug", "question__slug"))


@dataclass(frozen=True, slots=True)
class Move:
    """One taker's first answer that moves, or moved."""

    learner: int  # a number, no name
    attempt_number: int
    state: str
    points: float
    state_after: str
    points_after: float

    @property
    def change(self) -> float:
        """Points gained; below 0 lost."""
        return self.points_after - self.points

    @property
    def sign(self) -> str:
        """+ or −, nothing where the points stay."""
        return "+" if self.change > 0 else "−" if self.change < 0 else ""

    @property
    def size(self) -> float:
        """Points gained or lost, without the sign."""
        return abs(self.change)

    @property
    def words(self) -> tuple[str, str]:
        """The marks before and after, in words."""
        return STATES[self.state], STATES[self.state_after]


@dataclass(frozen=True, slots=True)
class Moves:
    """Who moves, or moved: first answers by name of their number, later tries only counted, as they count nowhere."""

    answers: int  # first answers that were looked at
    tries: int  # later tries that were looked at
    firsts: tuple[Move, ...]  # the largest losses first, 200 of them
    moving: int  # first answers that move
    up: int  # of them, with more points than before
    down: int
    tries_moving: int


# ``given`` are responses with a mark before and after, each with whether it was looked at only, or moves.
MARKS = """
SELECT response.id, response.state AS before, response.fraction AS fraction_before, one.state AS after,
    one.fraction AS fraction_after,
    (response.state, response.fraction) IS DISTINCT FROM (one.state, one.fraction) AS moves
FROM unnest(%(ids)s::bigint[], %(states)s::varchar[], %(fractions)s::float8[]) AS one (id, state, fraction)
JOIN quizzes_response AS response ON response.id = one.id
"""
MOVED = """
SELECT response_id AS id, state_before AS before, fraction_before, state_after AS after, fraction_after, true AS moves
FROM quizzes_rescored WHERE correction_id = %(correction)s
"""
SUMMED = """
WITH given AS MATERIALIZED ({given}), named AS (
    SELECT response.learner_id AS learner, attempt.number AS attempt, response.number = 1 AS first, given.moves,
        given.before, given.fraction_before * version.points AS points, given.after,
        given.fraction_after * version.points AS points_after
    FROM given JOIN quizzes_response AS response ON response.id = given.id
    JOIN quizzes_questionversion AS version ON version.id = response.version_id
    JOIN quizzes_slot AS slot ON slot.id = response.slot_id
    JOIN quizzes_attempt AS attempt ON attempt.id = slot.attempt_id
), top AS (
    SELECT learner, attempt, before, points, after, points_after FROM named WHERE first AND moves
    ORDER BY points_after - points, learner, attempt LIMIT %(most)s
)
SELECT count(*) FILTER (WHERE first), count(*) FILTER (WHERE NOT first), count(*) FILTER (WHERE first AND moves),
    count(*) FILTER (WHERE first AND moves AND points_after > points),
    count(*) FILTER (WHERE first AND moves AND points_after < points), count(*) FILTER (WHERE NOT first AND moves),
    (SELECT json_agg(json_build_array(learner, attempt, before, points, after, points_after)
        ORDER BY points_after - points, learner, attempt) FROM top)
FROM named
"""


def moves_of(marks: Mapping[int, tuple[str, float]]) -> Moves:
    """What changes when responses get these marks (state, fraction) (one query, however many there are)."""
    states, fractions = [one[0] for one in marks.values()], [one[1] for one in marks.values()]
    return _summed(MARKS, {"ids": list(marks), "states": states, "fractions": fractions})


def moved_by(correction_pk: int) -> Moves:
    """What a correction moved when it was applied, whether or not it was undone since (one query)."""
    return _summed(MOVED, {"correction": correction_pk})


def _summed(given: str, values: dict[str, Any]) -> Moves:
    with connection.cursor() as cursor:
        cursor.execute(SUMMED.format(given=given), {**values, "most": MOST_NAMED})
        answers, tries, moving, up, down, tries_moving, top = cursor.fetchone()
    return Moves(answers, tries, tuple(Move(*one) for one in top or ()), moving, up, down, tries_moving)
