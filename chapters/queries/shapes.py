"""What the pages about courses and chapters show, read in as few queries as there are tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class CourseView:
    slug: str
    title: str
    exam: str
    licence: str
    notice: str
    revision: str  # short fingerprint of the loaded pack
    loaded_at: datetime


@dataclass(frozen=True, slots=True)
class DomainView:
    number: int
    title: str
    weight: int  # exam points of 100
    chapter_slug: str  # "" while the domain has no chapter
    chapter_title: str
    chapter_minutes: int
    sections: int  # number of sections of the chapter
    sections_read: int  # by this learner


@dataclass(frozen=True, slots=True)
class QuizLink:
    slug: str
    title: str
    questions: int


@dataclass(frozen=True, slots=True)
class CoursePage:
    course: CourseView
    intro_html: str
    domains: tuple[DomainView, ...]
    place: Place | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where this learner was last."""

    chapter_slug: str
    chapter_title: str
    section_slug: str
    section_title: str
    anchor: str  # paragraph id, or the section's
    at: datetime


@dataclass(frozen=True, slots=True)
class ObjectiveView:
    slug: str
    html: str
    answered: int  # first answers to questions with this objective
    right: int
    state: str  # none, few, early, weak, good or open (studyhub.measure.verdicts)


@dataclass(frozen=True, slots=True)
class NoteView:
    number: int
    slug: str
    html: str  # text and address of the source


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One paragraph (or title) that says something else than before."""

    anchor: str  # its own, or of the nearest one above; "" for the section itself
    words: str  # the first words of it
    what: str  # title, reworded, new, gone
    diff: tuple[tuple[str, str], ...]  # (same | gone | new, words); empty where the old words are not known


@dataclass(frozen=True, slots=True)
class SectionView:
    number: int
    slug: str
    title: str  # plain text
    title_html: str
    html: str  # static prose: insert with {% shelf section.html %}
    minutes: int | None
    state: str  # unread, read, changed
    read_on: date | None
    notes: tuple[NoteView, ...]  # sources cited in this section
    changes: tuple[ChangeView, ...] = ()  # since it was read, when the state is changed


@dataclass(frozen=True, slots=True)
class CheckpointView:
    slug: str
    html: str
    ticked: bool
    since: datetime | None  # of the present tick
    history: tuple[tuple[str, datetime], ...]  # ("ticked" | "cleared", moment), newest first
    evidence: str  # "", "quiz says: not yet", "quizzes agree"


@dataclass(frozen=True, slots=True)
class ResourceView:
    slug: str
    title: str
    url: str
    kind: str  # read, watch
    publisher: str
    minutes: int | None
    checked: str  # "2026-11"


@dataclass(frozen=True, slots=True)
class LabView:
    slug: str
    title: str
    title_html: str
    html: str
    minutes: int | None
    notes: tuple[NoteView, ...]


@dataclass(frozen=True, slots=True)
class ChapterPage:
    course: CourseView
    slug: str
    number: int
    of: int  # number of domains
    title: str
    minutes: int
    domain_title: str
    weight: int
    weights: tuple[tuple[int, bool], ...]  # of every domain, and whether it is this chapter's
    heaviest: bool
    purpose_html: str
    objectives: tuple[ObjectiveView, ...]
    sections: tuple[SectionView, ...]
    rhythm_title: str
    rhythm_html: str  # "" when the chapter has none
    lab: LabView | None
    checkpoints: tuple[CheckpointView, ...]
    resources: tuple[ResourceView, ...]
    quizzes: tuple[QuizLink, ...]
    sources: tuple[NoteView, ...]  # all notes of the chapter, by number
    place: Place | None

    @property
    def domain_number(self) -> int:
        """The place of this chapter's domain among those of the exam, from 1."""
        return next((n for n, (_, mine) in enumerate(self.weights, start=1) if mine), 0)

    @property
    def ticked(self) -> int:
        """How many checkpoints are ticked."""
        return sum(1 for one in self.checkpoints if one.ticked)

    @property
    def read(self) -> int:
        """How many sections are read in their present wording."""
        return sum(1 for one in self.sections if one.state == "read")
