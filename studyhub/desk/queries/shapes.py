"""The learner's own pages: home and progress, composed from what lies below."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from chapters.queries import CourseView, ObjectiveView, Place, QuizLink
from quizzes.queries import AttemptLine, WrongLine


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


@dataclass(frozen=True, slots=True)
class HomePage:
    courses: tuple[CourseCard, ...]
    known: bool  # this browser has a learner (guest or account)


@dataclass(frozen=True, slots=True)
class ChapterProgress:
    slug: str
    title: str
    number: int
    domain_title: str
    weight: int
    sections: int
    sections_read: int
    checkpoints: int
    checkpoints_ticked: int
    objectives: tuple[ObjectiveView, ...]


@dataclass(frozen=True, slots=True)
class CourseProgress:
    course: CourseView
    chapters: tuple[ChapterProgress, ...]
    attempts: tuple[AttemptLine, ...]
    wrong: tuple[WrongLine, ...]  # first answers that were wrong, newest first, at most 50
    answered: int
    right: int


@dataclass(frozen=True, slots=True)
class ProgressPage:
    courses: tuple[CourseProgress, ...]
    started_at: datetime | None
