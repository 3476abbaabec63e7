"""The page of a course: its domains, what of their chapters is read, and what is there to answer."""

from __future__ import annotations

from chapters.queries import course_page as chapters_of
from quizzes.queries.offered import Offer, offers_of
from studyhub.desk.queries.shapes import CoursePage, DomainLine


def course_page(slug: str, learner_id: int | None) -> CoursePage:
    """Domains with their chapters, quizzes and cards, and how far this learner is (five queries, four for strangers).

    Raises Course.DoesNotExist.
    """
    found, offers = chapters_of(slug, learner_id), offers_of(slug, learner_id)
    return CoursePage(
        course=found.course,
        intro_html=found.intro_html,
        place=found.place,
        domains=tuple(DomainLine(one, offers.get(one.chapter_slug, Offer())) for one in found.domains),
    )
