"""The learner's own pages: home and progress, composed from what lies below."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from chapters.queries import CourseView, DomainView, Place, QuizLink
from chapters.queries.changes import Reread
from quizzes.queries import AttemptLine, WrongLine
from quizzes.queries.offered import CardsOffer, Offer
from studyhub.desk.queries.figures import Certainty, Figure
from studyhub.desk.queries.news import News
from studyhub.desk.queries.waiting import Waiting


@dataclass(frozen=True, slots=True)
class CourseCard:
    """One course on the home page."""

    course: CourseView
    place: Place | None  # continue where you were
    first_chapter_slug: str
    first_chapter_title: str
    sections: int
    sections_read: int
    open_attempts: tuple[AttemptLine, ...]
    quizzes: tuple[QuizLink, ...]
    cards: CardsOffer  # interview cards, and which of them are open
    again: tuple[Reread, ...]  # read, and edited in substance since
    news: News
    waiting: Waiting  # mistakes to practise; none while a session of practice is going on

    @property
    def new(self) -> bool:
        """Whether there is anything to say under What is new."""
        return bool(self.again or self.news.answers or self.news.corrected)


@dataclass(frozen=True, slots=True)
class DomainLine:
    """A domain of the course page with what its chapter offers to answer."""

    domain: DomainView
    offer: Offer


@dataclass(frozen=True, slots=True)
class CoursePage:
    """One course, by its domains."""

    course: CourseView
    intro_html: str
    place: Place | None
    domains: tuple[DomainLine, ...]

    @property
    def heaviest(self) -> int:
        """The exam points of the heaviest domain."""
        return max((one.domain.weight for one in self.domains), default=0)


@dataclass(frozen=True, slots=True)
class HomePage:
    courses: tuple[CourseCard, ...]
    known: bool  # this browser has a learner (guest or account)


@dataclass(frozen=True, slots=True)
class ObjectiveProgress:
    slug: str
    html: str
    chapter_slug: str
    chapter_title: str
    sections: int  # that are about it
    sections_read: int
    figure: Figure


@dataclass(frozen=True, slots=True)
class ChapterProgress:
    slug: str
    title: str
    number: int
    sections: int
    sections_read: int
    checkpoints: int
    checkpoints_ticked: int
    figure: Figure
    objectives: tuple[ObjectiveProgress, ...]  # the weakest first


@dataclass(frozen=True, slots=True)
class DomainProgress:
    slug: str
    title: str
    weight: int  # exam points of 100
    sections: int
    sections_read: int
    figure: Figure
    chapters: tuple[ChapterProgress, ...]


@dataclass(frozen=True, slots=True)
class CourseProgress:
    course: CourseView
    figure: Figure  # of all first answers
    domains: tuple[DomainProgress, ...]  # the weakest first
    weak: tuple[ObjectiveProgress, ...]  # the weakest objectives with enough answers, at most 5
    certainty: Certainty
    attempts: tuple[AttemptLine, ...]  # newest first, at most 50, without practice
    wrong: tuple[WrongLine, ...]  # first answers that were not right, newest first, at most 10


@dataclass(frozen=True, slots=True)
class ProgressPage:
    courses: tuple[CourseProgress, ...]
    started_at: datetime | None
