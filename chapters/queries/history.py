"""The history of a chapter for its authors: every wording of its sections, and the step from the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F, OuterRef, Subquery

from chapters.models import Chapter, Release, SectionWording
from chapters.queries.changes import change_views
from chapters.queries.courses import view_of
from chapters.queries.shapes import ChangeView, CourseView

MOST = 20  # wordings on a page


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
class ChapterHistory:
    """One page of a chapter's history."""

    course: CourseView
    slug: str
    title: str
    retired_at: datetime | None
    wordings: tuple[WordingView, ...]  # newest first
    leaf: Page[Any]  # which part of them this is


@dataclass(frozen=True, slots=True)
class ReleaseLine:
    """One load of the course. ``what``: (kind of row, (outcome, how many), …), untouched ones left out."""

    number: int
    loaded_at: datetime
    what: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]


def chapter_history(course: str, chapter: str, leaf: str) -> ChapterHistory:
    """Wordings of a chapter's sections, newest first, 20 to a page (three queries). ``leaf``: number of the page as
    it was asked for; the nearest one that exists is given.

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
        wordings=tuple(_wording_view(one) for one in found),
        leaf=found,
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


def _what(report: dict[str, dict[str, int]]) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    told = (
        (kind, tuple((name, n) for name, n in row.items() if name != "untouched"))
        for kind, row in report.items()
    )
    return tuple((kind, outcomes) for kind, outcomes in told if outcomes)
