"""The progress page: what was read and answered, with n and interval, the weakest first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count, F, Q

from chapters.models import Chapter, CheckpointMark, Objective, Section, SectionRead
from chapters.queries import courses, view_of
from quizzes.queries.progress import (
    Sum,
    newest_attempts,
    newest_wrong,
    sums_by_chapter,
    sums_by_objective,
)
from studyhub.accounts.models import User
from studyhub.desk.queries.figures import certainty_of, figure_of
from studyhub.desk.queries.shapes import (
    ChapterProgress,
    CourseProgress,
    DomainProgress,
    ObjectiveProgress,
    ProgressPage,
)

MOST_WEAK = 5  # objectives named as the weakest of a course
Sums = Mapping[int, Sequence[Sum]]


class Placed(NamedTuple):
    """A chapter with its row."""

    row: Chapter
    progress: ChapterProgress


class Reading(NamedTuple):
    """Sections there are and sections read in their present wording, by chapter and by (chapter, objective slug)."""

    there: Counter[object]
    read: Counter[object]


def progress_page(learner: User | None) -> ProgressPage:
    """Per course: domains, objectives, certainty, attempts, wrong answers.

    Ten queries, however many courses there are and however long the history is.
    """
    if learner is None:
        return ProgressPage(courses=(), started_at=None)
    sums = sums_by_chapter(learner.pk)
    chapters = _chapters(learner.pk, sums)
    attempts, wrong = newest_attempts(learner.pk), newest_wrong(learner.pk)
    found = []
    for course in courses():
        mine = [one for one in chapters if one.row.course_id == course.pk]
        own = _answers(mine, sums)
        found.append(
            CourseProgress(
                course=view_of(course),
                figure=figure_of(own),
                domains=_domains(mine, sums),
                weak=_weakest(mine),
                certainty=certainty_of(own),
                attempts=tuple(attempts.get(course.slug, ())),
                wrong=tuple(wrong.get(course.slug, ())),
            )
        )
    return ProgressPage(courses=tuple(found), started_at=learner.joined_at)


def _answers(chapters: Sequence[Placed], sums: Sums) -> list[Sum]:
    return [part for one in chapters for part in sums.get(one.row.pk, ())]


def _weakest(chapters: Sequence[Placed]) -> tuple[ObjectiveProgress, ...]:
    every = [one for chapter in chapters for one in chapter.progress.objectives]
    figures = ((one, one.figure) for one in every)  # what went wrong never is no weak spot
    told = [one for one, at in figures if at.told and at.right < at.n and at.state != "good"]
    return tuple(sorted(told, key=lambda one: one.figure.weakness)[:MOST_WEAK])


def _domains(chapters: Sequence[Placed], sums: Sums) -> tuple[DomainProgress, ...]:
    """The domains that have a chapter, the weakest first."""
    grouped: dict[int, list[Placed]] = defaultdict(list)
    for one in chapters:
        grouped[one.row.domain_id].append(one)
    found = [
        DomainProgress(
            slug=mine[0].row.domain.slug,
            title=mine[0].row.domain.title,
            weight=mine[0].row.domain.weight,
            sections=sum(one.progress.sections for one in mine),
            sections_read=sum(one.progress.sections_read for one in mine),
            figure=figure_of(_answers(mine, sums)),
            chapters=tuple(one.progress for one in mine),
        )
        for mine in grouped.values()
    ]
    return tuple(sorted(found, key=lambda one: one.figure.weakness))


def _chapters(learner_id: int, sums: Sums) -> list[Placed]:
    """Every chapter with what was read, ticked and answered (six queries)."""
    rows = (
        Chapter.objects.on_shelf()
        .select_related("domain")
        .defer("notes", "purpose_html", "practice")
        .annotate(boxes=Count("checkpoints", filter=Q(checkpoints__retired_at__isnull=True)))
        .order_by("number")
    )
    reading, ticked = _reading(learner_id), _ticked(learner_id)
    objectives, answers = _objectives(), sums_by_objective(learner_id)
    return [
        Placed(
            one,
            ChapterProgress(
                slug=one.slug,
                title=one.title,
                number=one.number,
                sections=reading.there[one.pk],
                sections_read=reading.read[one.pk],
                checkpoints=one.boxes,  # type: ignore[attr-defined]
                checkpoints_ticked=ticked[one.pk],
                figure=figure_of(sums.get(one.pk, ())),
                objectives=_of_chapter(one, objectives.get(one.pk, ()), reading, answers),
            ),
        )
        for one in rows
    ]


def _of_chapter(
    chapter: Chapter, objectives: Sequence[Objective], reading: Reading, answers: Sums
) -> tuple[ObjectiveProgress, ...]:
    found = [
        ObjectiveProgress(
            slug=one.slug,
            html=one.html,
            chapter_slug=chapter.slug,
            chapter_title=chapter.title,
            sections=reading.there[chapter.pk, one.slug],
            sections_read=reading.read[chapter.pk, one.slug],
            figure=figure_of(answers.get(one.pk, ())),
        )
        for one in objectives
    ]
    return tuple(sorted(found, key=lambda one: one.figure.weakness))


def _reading(learner_id: int) -> Reading:
    """How many sections there are and how many are read in their present wording (two queries)."""
    live = Section.objects.filter(kind="section", retired_at__isnull=True)
    read = set(
        SectionRead.objects.of(learner_id)
        .filter(fingerprint=F("section__fingerprint"), section__retired_at__isnull=True)
        .values_list("section_id", flat=True)
    )
    found = Reading(Counter(), Counter())
    for pk, chapter, objectives in live.values_list("pk", "chapter_id", "objectives"):
        for key in (chapter, *((chapter, slug) for slug in objectives)):
            found.there[key] += 1
            found.read[key] += pk in read
    return found


def _ticked(learner_id: int) -> Counter[int]:
    """Checkpoints whose newest mark is a tick, by chapter (one query)."""
    newest = (
        CheckpointMark.objects.of(learner_id)
        .filter(checkpoint__retired_at__isnull=True)
        .order_by("checkpoint_id", "-at", "-pk")
        .distinct("checkpoint_id")
        .values_list("checkpoint__chapter_id", "ticked")
    )
    return Counter(chapter for chapter, ticked in newest if ticked)


def _objectives() -> dict[int, list[Objective]]:
    """Objectives by chapter (one query)."""
    found: dict[int, list[Objective]] = defaultdict(list)
    for row in Objective.objects.filter(retired_at__isnull=True).order_by("position"):
        found[row.chapter_id].append(row)
    return found
