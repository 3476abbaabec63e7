"""Courses: the list, one course's page, its sources."""

from __future__ import annotations

import time
from collections.abc import Hashable

from django.conf import settings
from django.db.models import Count, F, OuterRef, Q, Subquery

from chapters.models import Chapter, Course, Domain, Place, SectionRead, Source
from chapters.queries.shapes import CoursePage, CourseView, DomainView, NoteView
from chapters.queries.shapes import Place as PlaceView
from chapters.queries.sheets import course_view

LOOKED: list[tuple[float, Hashable]] = []  # what was on the shelf a moment ago, in this process


def shelf_mark() -> Hashable:
    """What stays equal as long as no course is loaded anew (one query; none within READY_SECONDS of the last look)."""
    now = time.monotonic()
    if settings.READY_SECONDS and LOOKED and now < LOOKED[0][0]:
        return LOOKED[0][1]
    rows = Course.objects.filter(release__isnull=False).order_by("pk")
    mark = tuple(rows.values_list("release_id", "release__fingerprint"))
    LOOKED[:] = [(now + settings.READY_SECONDS, mark)] if settings.READY_SECONDS else []
    return mark


def courses() -> list[Course]:
    """Courses that were loaded, by title, with their release (one query)."""
    return list(Course.objects.filter(release__isnull=False).select_related("release").order_by("title"))


def course_named(slug: str) -> tuple[Course, CourseView]:
    """One loaded course (one query). Raises Course.DoesNotExist."""
    course = Course.objects.select_related("release").get(slug=slug, release__isnull=False)
    return course, view_of(course)


def view_of(course: Course) -> CourseView:
    """What pages say of a loaded course (with its release selected)."""
    release = course.release
    assert release is not None
    release.course = course
    return course_view(release)


def course_page(slug: str, learner_id: int | None) -> CoursePage:
    """The course's domains with its chapters and how much of them is read (three queries).

    Raises Course.DoesNotExist.
    """
    course, view = course_named(slug)
    read = SectionRead.objects.of(learner_id or 0).filter(
        section__chapter=OuterRef("pk"),
        section__kind="section",
        section__retired_at__isnull=True,
        fingerprint=F("section__fingerprint"),
    )
    chapters = {
        row.domain_id: row
        for row in Chapter.objects.on_shelf()
        .filter(course=course)
        .defer("notes", "purpose_html")
        .annotate(
            size=Count("sections", filter=Q(sections__kind="section", sections__retired_at__isnull=True)),
            sections_read=Subquery(
                read.order_by().values("learner_id").annotate(n=Count("pk")).values("n"),
            ),
        )
        .order_by("-number")
    }
    domains = Domain.objects.filter(course=course, retired_at__isnull=True).order_by("position")
    places = places_of(learner_id) if learner_id else {}
    return CoursePage(
        course=view,
        intro_html=course.intro_html,
        domains=tuple(_domain_view(n, one, chapters.get(one.pk)) for n, one in enumerate(domains, start=1)),
        place=places.get(course.pk),
    )


def _domain_view(number: int, domain: Domain, chapter: Chapter | None) -> DomainView:
    return DomainView(
        number=number,
        title=domain.title,
        weight=domain.weight,
        chapter_slug=chapter.slug if chapter else "",
        chapter_title=chapter.title if chapter else "",
        chapter_minutes=chapter.minutes if chapter else 0,
        sections=getattr(chapter, "size", 0) if chapter else 0,
        sections_read=(getattr(chapter, "sections_read", 0) or 0) if chapter else 0,
    )


def places_of(learner_id: int) -> dict[int, PlaceView]:
    """Where the learner was last, by course (one query)."""
    rows = (
        Place.objects.of(learner_id)
        .filter(section__retired_at__isnull=True, chapter__retired_at__isnull=True)
        .select_related("chapter", "section")
        .defer("section__html", "chapter__notes", "section__paragraphs")
        .order_by("at")
    )
    return {
        row.chapter.course_id: PlaceView(
            row.chapter.slug, row.chapter.title, row.section.slug, row.section.title, row.anchor, row.at
        )
        for row in rows
    }


def course_sources(course: Course) -> tuple[NoteView, ...]:
    """All sources of a course (one query)."""
    rows = Source.objects.filter(course=course, retired_at__isnull=True).order_by("position")
    return tuple(NoteView(n, row.slug, row.html) for n, row in enumerate(rows, start=1))
