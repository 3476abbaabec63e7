"""The home page: go on where you were, or begin."""

from __future__ import annotations

from django.db.models import Count, F, Q

from chapters.models import Chapter, SectionRead
from chapters.queries import QuizLink, courses, places_of, view_of
from quizzes.queries import open_attempts
from studyhub.accounts.models import User
from studyhub.desk.queries.shapes import CourseCard, HomePage


def home_page(learner: User | None) -> HomePage:
    """Every course with the learner's place and open attempts (five queries at most, whatever the history)."""
    loaded = courses()
    places = places_of(learner.pk) if learner else {}
    going_on = open_attempts(learner.pk) if learner else ()
    read = _sections_read(learner.pk) if learner else {}
    chapters: dict[int, list[Chapter]] = {}
    for chapter in (
        Chapter.objects.on_shelf()
        .defer("notes", "purpose_html")
        .annotate(
            size=Count("sections", filter=Q(sections__kind="section", sections__retired_at__isnull=True))
        )
        .order_by("number")
    ):
        chapters.setdefault(chapter.course_id, []).append(chapter)
    cards = []
    for course in loaded:
        mine = chapters.get(course.pk, [])
        first = mine[0] if mine else None
        cards.append(
            CourseCard(
                course=view_of(course),
                place=places.get(course.pk),
                first_chapter_slug=first.slug if first else "",
                first_chapter_title=first.title if first else "",
                sections=sum(one.size for one in mine),  # type: ignore[attr-defined]
                sections_read=read.get(course.pk, 0),
                open_attempts=tuple(one for one in going_on if one.course_slug == course.slug),
                quizzes=tuple(QuizLink(*link) for one in mine for link in one.practice),
            )
        )
    return HomePage(courses=tuple(cards), known=learner is not None)


def _sections_read(learner_id: int) -> dict[int, int]:
    """How many sections are read in their present wording, by course (one query)."""
    rows = (
        SectionRead.objects.of(learner_id)
        .filter(
            fingerprint=F("section__fingerprint"),
            section__kind="section",
            section__retired_at__isnull=True,
            section__chapter__retired_at__isnull=True,
        )
        .values_list("section__chapter__course_id")
        .annotate(n=Count("pk"))
    )
    return dict(rows)
