"""The home page: go on where you were, or begin; and what is new."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Count, Q

from chapters.models import Chapter
from chapters.queries import QuizLink, courses, places_of, view_of
from chapters.queries.changes import UNREAD, readings_of
from quizzes.queries import AttemptLine, open_attempts
from quizzes.queries.offered import CardsOffer, cards_of
from studyhub.accounts.models import User
from studyhub.desk.queries.news import NO_NEWS, news_of
from studyhub.desk.queries.shapes import CourseCard, HomePage
from studyhub.desk.queries.waiting import NOTHING, waiting_of
from studyhub.rhythm.calendar import zone_or_utc

PRACTICE = "mistakes"  # the slug that every course's practice has


def home_page(learner: User | None, at: datetime) -> HomePage:
    """Every course with the learner's place, open attempts and news as of ``at``.

    Eight queries at most, however many courses there are and however long the history is; three for strangers.
    """
    loaded, chapters = courses(), _chapters()
    places = places_of(learner.pk) if learner else {}
    going_on = open_attempts(learner.pk) if learner else ()
    readings = readings_of(learner.pk) if learner else {}
    news = news_of(learner.pk, at) if learner else {}
    waiting = waiting_of(learner.pk, zone_or_utc(learner.time_zone), at) if learner else {}
    offered = cards_of(learner.pk if learner else None)
    cards = []
    for course in loaded:
        mine = chapters.get(course.pk, [])
        first = mine[0] if mine else None
        read = readings.get(course.pk, UNREAD)
        going = _going(going_on, course.slug)
        cards.append(
            CourseCard(
                course=view_of(course),
                place=places.get(course.pk),
                first_chapter_slug=first.slug if first else "",
                first_chapter_title=first.title if first else "",
                sections=sum(one.size for one in mine),  # type: ignore[attr-defined]
                sections_read=read.read,
                open_attempts=going,
                quizzes=tuple(QuizLink(*link) for one in mine for link in one.practice),
                cards=offered.get(course.pk, CardsOffer()),
                again=read.again,
                news=news.get(course.pk, NO_NEWS),
                waiting=NOTHING if _practises(going) else waiting.get(course.pk, NOTHING),
            )
        )
    return HomePage(courses=tuple(cards), known=learner is not None)


def _chapters() -> dict[int, list[Chapter]]:
    """Chapters on the shelf in their order, each with the number of its sections, by course (one query)."""
    found: dict[int, list[Chapter]] = {}
    sections = Count("sections", filter=Q(sections__kind="section", sections__retired_at__isnull=True))
    rows = Chapter.objects.on_shelf().defer("notes", "purpose_html").annotate(size=sections)
    for chapter in rows.order_by("number"):
        found.setdefault(chapter.course_id, []).append(chapter)
    return found


def _going(attempts: Iterable[AttemptLine], course: str) -> tuple[AttemptLine, ...]:
    """The open attempts of a course; a session of practice that is answered through is over by itself."""
    mine = (one for one in attempts if one.course_slug == course)
    return tuple(one for one in mine if one.quiz_slug != PRACTICE or one.answered < one.of)


def _practises(attempts: Sequence[AttemptLine]) -> bool:
    """Whether a session of practice is going on."""
    return any(one.quiz_slug == PRACTICE for one in attempts)
