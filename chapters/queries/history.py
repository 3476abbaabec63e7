"""The history of a chapter for its authors: every wording of its sections, and of what it is for, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F, OuterRef, QuerySet, Subquery

from chapters.models import Chapter, Release, SectionWording
from chapters.queries.changes import change_views
from chapters.queries.courses import view_of
from chapters.queries.shapes import ChangeView, CourseView

MOST = 20  # wordings on a page
# What a load counts, one and many; and what became of them.
ROWS = {
    "course": ("course", "courses"),
    "domain": ("domain", "domains"),
    "source": ("source", "sources"),
    "misconception": ("misconception", "misconceptions"),
    "chapter": ("chapter", "chapters"),
    "objective": ("objective", "objectives"),
    "section": ("section", "sections"),
    "checkpoint": ("checkpoint", "checkpoints"),
    "resource": ("resource", "resources"),
    "quiz": ("quiz", "quizzes"),
    "question": ("question", "questions"),
    "card": ("interview card", "interview cards"),
}
OUTCOMES = {"retired": "taken out", "draft": "kept back as a draft"}


@dataclass(frozen=True, slots=True)
class WordingView:
    """What a section said from one release on."""

    section_slug: str
    section_title: str  # in this wording
    gone: bool  # the section is no longer in the chapter
    number: int
    release: int
    made_at: datetime
    edit: str  # first, typo, substantive
    said_by_author: bool
    changes: tuple[ChangeView, ...]  # since the wording before


@dataclass(frozen=True, slots=True)
class ReleaseSteps:
    """What one load changed in a chapter."""

    number: int
    made_at: datetime
    purpose: tuple[ChangeView, ...]
    objectives: tuple[ChangeView, ...]
    wordings: tuple[WordingView, ...]  # of its sections, in their order


@dataclass(frozen=True, slots=True)
class ChapterHistory:
    """One page of a chapter's history."""

    course: CourseView
    slug: str
    title: str
    retired_at: datetime | None
    releases: tuple[ReleaseSteps, ...]  # newest first
    leaf: Page[Any]  # which part of them this is


@dataclass(frozen=True, slots=True)
class ReleaseLine:
    """One load of the course. ``what`` it did, in words; untouched rows are left out."""

    number: int
    loaded_at: datetime
    what: tuple[str, ...]


def chapter_history(course: str, chapter: str, leaf: str) -> ChapterHistory:
    """Wordings of a chapter's sections, newest first, 20 to a page, with what else the same loads changed (four
    queries, one more from the second page on). ``leaf``: number of the page as it was asked for; the nearest one that
    exists is given.

    A chapter that left the course still has its history. Raises Chapter.DoesNotExist.
    """
    row = Chapter.objects.select_related("course__release").get(
        course__slug=course, slug=chapter, course__release__isnull=False
    )
    before = SectionWording.objects.filter(section=OuterRef("section"), number=OuterRef("number") - 1)
    rows = (
        SectionWording.objects.filter(section__chapter=row)
        .select_related("section", "release")
        .defer("section__html", "section__paragraphs")
        .annotate(
            old_title=Subquery(before.values("title")),
            old_texts=Subquery(before.values("texts")),
        )
        .order_by("-release__number", F("section__position"), "-number")
    )
    found = Paginator(rows, MOST).get_page(leaf)
    return ChapterHistory(
        course=view_of(row.course),
        slug=row.slug,
        title=row.title,
        retired_at=row.retired_at,
        releases=_by_release(row, rows, found),
        leaf=found,
    )


def _by_release(
    chapter: Chapter, rows: QuerySet[SectionWording], found: Page[Any]
) -> tuple[ReleaseSteps, ...]:
    """The wordings of this page under their releases, and the releases of the same stretch that changed the aims."""
    wordings: dict[int, list[Any]] = {}
    for one in found:
        wordings.setdefault(one.release_id, []).append(one)
    loads = {one.release_id: one.release for one in found}
    loads |= {one.pk: one for one in _aimed_anew(chapter, rows, found)}
    return tuple(
        _steps(chapter, one, wordings.get(one.pk, ()))
        for one in sorted(loads.values(), key=lambda one: -one.number)
    )


def _aimed_anew(chapter: Chapter, rows: QuerySet[SectionWording], found: Page[Any]) -> QuerySet[Release]:
    """Releases that changed purpose or objectives, from the oldest wording of this page up to the page before."""
    releases = Release.objects.filter(course=chapter.course_id, report__aims__has_key=str(chapter.pk))
    if found.has_next():
        releases = releases.filter(number__gte=found[-1].release.number)
    if found.has_previous():
        newer = rows[found.start_index() - 2]
        releases = releases.filter(number__lt=newer.release.number)
    return releases


def _steps(chapter: Chapter, release: Release, wordings: Sequence[Any]) -> ReleaseSteps:
    aims = release.report.get("aims", {}).get(str(chapter.pk)) or [{}, {}]
    purpose, objectives = (
        change_views(*(("", one.get(name, [])) for one in aims)) for name in ("purpose", "objectives")
    )
    return ReleaseSteps(
        number=release.number,
        made_at=release.loaded_at,
        purpose=purpose,
        objectives=objectives,
        wordings=tuple(_wording_view(one) for one in wordings),
    )


def _wording_view(row: Any) -> WordingView:
    changes: Sequence[ChangeView] = ()
    if row.old_texts is not None:
        changes = change_views((row.old_title, row.old_texts), (row.title, row.texts))
    return WordingView(
        section_slug=row.section.slug,
        section_title=row.title,
        gone=row.section.retired_at is not None,
        number=row.number,
        release=row.release.number,
        made_at=row.made_at,
        edit=row.edit,
        said_by_author=row.said_by_author,
        changes=tuple(changes),
    )


def release_lines(course_pk: int, leaf: str) -> tuple[tuple[ReleaseLine, ...], Page[Any]]:
    """The loads of a course, newest first, 20 to a page (two queries)."""
    found = Paginator(Release.objects.filter(course_id=course_pk).order_by("-number"), MOST).get_page(leaf)
    return tuple(ReleaseLine(one.number, one.loaded_at, _what(one.report)) for one in found), found


def _what(report: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    """A load's report, line by line: "3 questions added"."""
    return tuple(
        f"{number} {ROWS[kind][number != 1]} {OUTCOMES.get(outcome, outcome)}"
        for kind, row in report.items()
        if kind in ROWS
        for outcome, number in row.items()
        if outcome != "untouched"
    )
