"""What a pack says, before it is put on the shelves: frozen values that formats produce and actions load.

Text fields named ``*_md`` are Markdown as the author wrote it; nothing here is rendered.
``line`` is the 1-based line in the file at ``path`` (relative to the pack's folder).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong, where, and how to mend it. Codes that start with E stop a load, W do not (except W214)."""

    path: str
    line: int
    code: str
    what: str
    mend: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.code} {self.what}\n    {self.mend}"


@dataclass(frozen=True, slots=True)
class DomainDraft:
    slug: str
    title: str
    weight: int  # exam points of 100
    line: int = 1


@dataclass(frozen=True, slots=True)
class SourceDraft:
    slug: str
    text: str  # without the address
    url: str  # "" when the source has none
    line: int = 1
    path: str = "course.md"  # a chapter or quiz may declare sources of its own


@dataclass(frozen=True, slots=True)
class MisconceptionDraft:
    slug: str
    text: str


@dataclass(frozen=True, slots=True)
class CourseDraft:
    slug: str
    title: str
    exam: str
    licence: str
    notice: str
    language: str
    intro_md: str
    domains: tuple[DomainDraft, ...]
    sources: tuple[SourceDraft, ...]
    misconceptions: tuple[MisconceptionDraft, ...]
    path: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class ObjectiveDraft:
    slug: str
    text_md: str
    line: int


@dataclass(frozen=True, slots=True)
class SectionDraft:
    """A part of a chapter under one ``##`` heading. ``kind``: section, lab or rhythm."""

    slug: str
    title_md: str
    kind: str
    body_md: str
    objectives: tuple[str, ...]
    minutes: int | None
    line: int
    body_line: int  # line of the body's first line in the file
    edit: str = ""  # what the author says of the last edit: typo, substantive or nothing


@dataclass(frozen=True, slots=True)
class CheckpointDraft:
    slug: str
    text_md: str
    objectives: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class ResourceDraft:
    slug: str
    title: str
    url: str
    kind: str  # read or watch
    publisher: str
    minutes: int | None
    checked: str  # "2026-11" or "2026-11-30"; "" when not given
    line: int


@dataclass(frozen=True, slots=True)
class ChapterDraft:
    slug: str
    number: int
    title: str
    domain: str
    minutes: int | None
    needs: tuple[str, ...]
    purpose_md: str
    objectives: tuple[ObjectiveDraft, ...]
    sections: tuple[SectionDraft, ...]  # in the file's order, lab and rhythm among them
    checkpoints: tuple[CheckpointDraft, ...]
    resources: tuple[ResourceDraft, ...]
    was: str
    path: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class OptionDraft:
    """``slug`` is the author's {#optid} or ""; ``weight`` a fraction of the points (0.5 for {50%}) or None."""

    slug: str
    text_md: str
    right: bool
    rationale_md: str
    misconception: str  # its id or ""
    read: str  # "chapter#anchor" or ""
    weight: float | None
    line: int


@dataclass(frozen=True, slots=True)
class TypedDraft:
    """An accepted answer ([=]) or an expected mistake ([!]). ``text`` as typed by the author, e.g. "3.5 ± 0.1"."""

    text: str
    accepted: bool
    rationale_md: str
    misconception: str
    read: str
    weight: float | None
    line: int


@dataclass(frozen=True, slots=True)
class PartDraft:
    """A row of a match, an item of an order or a gap of a cloze, in the author's order.

    ``answers``: the right cell of a row, what a gap accepts, nothing for an item. A gap's text is its name ("c1").
    """

    slug: str  # the author's {#id} or ""
    text_md: str
    answers: tuple[str, ...]
    hint: str  # of a gap, or ""
    rationale_md: str
    misconception: str  # that a wrong answer to this part speaks of; its id or ""
    read: str  # "chapter#anchor" or ""
    line: int


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """``kind``: a name of ``quizzes.kinds``. ``draft`` is true when an option or part has no rationale (not published).

    In the stem and body of a cloze the gaps are single letters of the private use area (``formats.gaps``): what they
    accept stands in ``parts`` only.
    """

    slug: str
    kind: str
    stem_md: str  # the heading
    body_md: str  # what follows it before the options; "" when nothing does
    options: tuple[OptionDraft, ...]
    typed: tuple[TypedDraft, ...]
    explanation_md: str
    objectives: tuple[str, ...]
    difficulty: int | None
    facet: str
    sources: tuple[str, ...]
    read: str  # "chapter#anchor" or ""
    points: int
    score: str  # all or partial
    shuffle: bool
    unit: str
    tags: tuple[str, ...]
    was: str
    draft: bool
    line: int
    body_line: int
    parts: tuple[PartDraft, ...] = ()  # of match, order and cloze
    decoys: tuple[str, ...] = ()  # choices of a match that fit no row
    exact: bool = False  # whether case counts in typed words
    strict: bool = False  # whether every sign counts in them too


@dataclass(frozen=True, slots=True)
class QuizDraft:
    slug: str
    title: str
    chapter: str
    intro_md: str
    questions: tuple[QuestionDraft, ...]
    misconceptions: tuple[MisconceptionDraft, ...]
    was: str
    path: str
    line: int = 1


# Interview cards.

CARD_LEVELS = ("beginner", "practitioner", "senior", "architect")


@dataclass(frozen=True, slots=True)
class CardPointDraft:
    """One idea of a card's back. ``part``: short, depth, example, mistakes or follow-ups.

    ``questions`` as the author names them: "question-id" or "quiz-id#question-id".
    """

    part: str
    slug: str  # the author's {#id} or ""
    text_md: str
    misconception: str  # its id or ""
    read: tuple[str, ...]  # "chapter#anchor" each
    questions: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class CardDraft:
    slug: str
    front_md: str
    level: str  # one of CARD_LEVELS
    tags: tuple[str, ...]
    objectives: tuple[str, ...]
    read: str  # "chapter#anchor" or ""
    points: tuple[CardPointDraft, ...]
    was: str
    line: int


@dataclass(frozen=True, slots=True)
class DeckDraft:
    """One file of cards."""

    slug: str
    title: str
    chapter: str
    intro_md: str
    cards: tuple[CardDraft, ...]
    misconceptions: tuple[MisconceptionDraft, ...]
    was: str
    path: str
    line: int = 1


# The whole pack.


@dataclass(frozen=True, slots=True)
class PackDraft:
    """A whole pack as read, with every fault found on the way."""

    course: CourseDraft | None
    chapters: tuple[ChapterDraft, ...]
    quizzes: tuple[QuizDraft, ...]
    faults: tuple[Fault, ...]
    media: tuple[str, ...] = field(default=())  # paths relative to the pack's folder, e.g. "media/floor.svg"
    decks: tuple[DeckDraft, ...] = field(default=())
