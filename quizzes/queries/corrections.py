"""Corrections of keys for authors: the list, who would move, and who moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, QuerySet

from quizzes.models import Correction, QuestionVersion, Rescored, Response

MOST = 50  # corrections on a page
MOST_NAMED = 200  # moves that a page lists
STATES = {"right": "right", "partly": "partly right", "wrong": "wrong"}


def state_of(row: Correction) -> str:
    """waiting, applied or undone."""
    if row.applied_at is None:
        return "waiting"
    return "undone" if row.undone_at else "applied"


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
    state: str  # see state_of
    moved: int  # answers, also when it was undone since


def correction_lines(leaf: str) -> tuple[list[CorrectionLine], Page[Any]]:
    """Corrections, those that wait first, then the last applied ones, 50 to a page (three queries). ``leaf``: number
    of the page as it was asked for; the nearest one that exists is given.
    """
    rows = Correction.objects.select_related("question__quiz", "after").order_by(
        F("applied_at").desc(nulls_first=True), "-made_at", "-pk"
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
            state=state_of(one),
            moved=moved.get(one.pk, 0),
        )
        for one in found
    ]
    return lines, found


def standing_beside(row: Correction) -> QuerySet[Correction]:
    """Other corrections of the same answers that are applied and not undone."""
    return Correction.objects.filter(
        question=row.question_id,
        before__number=row.before.number,
        applied_at__isnull=False,
        undone_at__isnull=True,
    ).exclude(pk=row.pk)


def later_than(row: Correction) -> QuerySet[Correction]:
    """Those of them that were applied after this one, the newest first: they have to be undone before it."""
    return standing_beside(row).filter(applied_at__gte=row.applied_at).order_by("-applied_at", "-pk")


def waiting_in(course: str) -> tuple[str, ...]:
    """The questions of a course whose corrections wait, as quiz#question (one query)."""
    rows = Correction.objects.filter(question__quiz__course__slug=course, applied_at__isnull=True)
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
    """One taker's answer that moves, or moved."""

    learner: int  # a number, no name
    attempt_number: int
    recorded: bool  # the first answer, which counts
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


def moves_of(marks: Mapping[int, tuple[str, float]]) -> Moves:
    """What changes when responses get these marks (state, fraction) (one query)."""
    rows = Response.objects.filter(pk__in=list(marks)).select_related("slot__attempt", "version")
    found = [_move(one, (one.state, one.fraction), marks[one.pk]) for one in rows]
    return _summed(found, [one for one in found if _differs(one)])


def moved_by(correction_pk: int) -> Moves:
    """What a correction moved when it was applied, whether or not it was undone since (one query)."""
    rows = Rescored.objects.filter(correction=correction_pk).select_related(
        "response__slot__attempt", "response__version"
    )
    found = [
        _move(one.response, (one.state_before, one.fraction_before), (one.state_after, one.fraction_after))
        for one in rows
    ]
    return _summed(found, found)


def _move(response: Response, before: tuple[str, float], after: tuple[str, float]) -> Move:
    points = response.version.points
    return Move(
        learner=response.learner_id,
        attempt_number=response.slot.attempt.number,
        recorded=response.number == 1,
        state=before[0],
        points=before[1] * points,
        state_after=after[0],
        points_after=after[1] * points,
    )


def _differs(one: Move) -> bool:
    return (one.state, one.points) != (one.state_after, one.points_after)


def _summed(looked_at: Sequence[Move], moving: Iterable[Move]) -> Moves:
    ordered = sorted(moving, key=lambda one: (one.change, one.learner, one.attempt_number))
    firsts = tuple(one for one in ordered if one.recorded)
    answers = sum(one.recorded for one in looked_at)
    return Moves(
        answers=answers,
        tries=len(looked_at) - answers,
        firsts=firsts[:MOST_NAMED],
        moving=len(firsts),
        up=sum(one.change > 0 for one in firsts),
        down=sum(one.change < 0 for one in firsts),
        tries_moving=len(ordered) - len(firsts),
    )
