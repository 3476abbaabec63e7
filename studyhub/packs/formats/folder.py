"""A pack folder as a whole: every file read, then every mention of one file in another looked up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from studyhub.packs.draft import CourseDraft, Fault, MisconceptionDraft, PackDraft, SourceDraft
from studyhub.packs.formats.cards import DeckRead, look_up_cards, read_cards
from studyhub.packs.formats.chapter import ChapterRead, read_chapter
from studyhub.packs.formats.course import CourseRead, read_course
from studyhub.packs.formats.files import Found, check_media, find_files, read_text
from studyhub.packs.formats.lookup import Known, look_up
from studyhub.packs.formats.quiz import QuizRead, read_quiz_file
from studyhub.packs.formats.references import Reference
from studyhub.packs.formats.report import Report, in_order, shown

COURSE = "course.md"


@dataclass(slots=True)
class _Pack:
    folder: Path
    course: CourseRead | None = None
    chapters: dict[str, ChapterRead] = field(default_factory=dict)
    quizzes: dict[str, QuizRead] = field(default_factory=dict)
    decks: dict[str, DeckRead] = field(default_factory=dict)
    media: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def read_pack(folder: Path) -> PackDraft:
    """Read the pack in ``folder`` and report every fault at once, by path and line.

    Never raises for what an author wrote. The drafts are complete only when no fault has a code with E.
    """
    pack = _Pack(folder)
    report = Report(COURSE)
    files = find_files(folder, report)
    for found in (one for one in files if one.kind in ("course", "chapter", "media")):
        _read_file(found, pack, frozenset())
    misconceptions = _misconceptions(pack)
    for found in (one for one in files if one.kind in ("quiz", "cards")):
        _read_file(found, pack, frozenset(one.slug for one in misconceptions))
    if not any(one.kind == "course" for one in files) and not report.has_errors():
        mend = 'Write it with "kind: course", "id", "title" and "## Domains".'
        report.add(1, "E300", "the course has no course.md", mend)
    pack.faults.extend(report.faults)
    _check_once(pack)
    course = _course(pack, misconceptions)
    if course is not None:
        known = _known(pack, course)
        pack.faults.extend(look_up(_references(pack), known))
        questions = {read.slug: read.ids for read in pack.quizzes.values()}
        pack.faults.extend(look_up_cards(pack.decks, questions, known.misconceptions))
    return PackDraft(
        course=course,
        chapters=tuple(read.draft for read in pack.chapters.values() if read.draft),
        quizzes=tuple(read.draft for read in pack.quizzes.values() if read.draft),
        faults=tuple(in_order(pack.faults)),
        media=tuple(pack.media),
        decks=tuple(read.draft for read in pack.decks.values() if read.draft),
    )


def _read_file(found: Found, pack: _Pack, misconceptions: frozenset[str]) -> None:
    report = Report(found.path)
    if found.kind == "media":
        if check_media(pack.folder, found, report):
            pack.media.append(found.path)
    else:
        text = read_text(pack.folder, found, report)
        if text is not None:
            _read_one(text, found, pack, misconceptions)
    pack.faults.extend(report.faults)


def _read_one(text: str, found: Found, pack: _Pack, misconceptions: frozenset[str]) -> None:
    if found.kind == "course":
        pack.course = read_course(text, found.path)
        pack.faults.extend(pack.course.faults)
    elif found.kind == "chapter":
        pack.chapters[found.path] = read_chapter(text, found.path)
        pack.faults.extend(pack.chapters[found.path].faults)
    elif found.kind == "quiz":
        pack.quizzes[found.path] = read_quiz_file(text, found.path, misconceptions)
        pack.faults.extend(pack.quizzes[found.path].faults)
    else:
        pack.decks[found.path] = read_cards(text, found.path)
        pack.faults.extend(pack.decks[found.path].faults)


def _misconceptions(pack: _Pack) -> tuple[MisconceptionDraft, ...]:
    """Those of the course, then those that chapters add."""
    draft = pack.course.draft if pack.course else None
    found = {one.slug: one for one in (draft.misconceptions if draft else ())}
    for read in pack.chapters.values():
        for one in read.misconceptions:
            found.setdefault(one.slug, one)
    return tuple(found.values())


def _sources(pack: _Pack, course: CourseDraft) -> tuple[SourceDraft, ...]:
    """Those of the course, then those that other files add; the first text of an id counts (E318)."""
    found = {one.slug: one for one in course.sources}
    reads: Iterable[ChapterRead | QuizRead | DeckRead] = (
        *pack.chapters.values(),
        *pack.quizzes.values(),
        *pack.decks.values(),
    )
    for read in reads:
        for one in read.sources:
            first = found.setdefault(one.slug, one)
            if (first.text, first.url) != (one.text, one.url):
                what = f'source "{shown(one.slug)}" has another text in {first.path}'
                mend = "Delete one of the two, or give it another id."
                pack.faults.append(Fault(one.path, one.line, "E318", what, mend))
    return tuple(found.values())


def _course(pack: _Pack, misconceptions: tuple[MisconceptionDraft, ...]) -> CourseDraft | None:
    draft = pack.course.draft if pack.course else None
    return replace(draft, sources=_sources(pack, draft), misconceptions=misconceptions) if draft else None


def _check_once(pack: _Pack) -> None:
    """Ids of chapters and of quizzes, and chapter numbers, are given once."""
    chapters = {path: read.slug for path, read in pack.chapters.items()}
    quizzes = {path: read.slug for path, read in pack.quizzes.items()}
    numbers = {
        path: str(read.draft.number)
        for path, read in pack.chapters.items()
        if read.draft and read.draft.number
    }
    for what, values in (("chapter id", chapters), ("quiz id", quizzes), ("chapter number", numbers)):
        first: dict[str, str] = {}
        for path, value in values.items():
            if value and value in first:
                text = f'{what} "{shown(value)}" is already used in {first[value]}'
                pack.faults.append(Fault(path, 1, "E313", text, "Give one of the two files another."))
            first.setdefault(value, path)


def _references(pack: _Pack) -> list[Reference]:
    found = list(pack.course.references) if pack.course else []
    for chapter in pack.chapters.values():
        found.extend(chapter.references)
    for quiz in pack.quizzes.values():
        found.extend(quiz.references)
    for deck in pack.decks.values():
        found.extend(deck.references)
    return found


def _known(pack: _Pack, course: CourseDraft) -> Known:
    reads: Iterable[QuizRead | DeckRead] = (*pack.quizzes.values(), *pack.decks.values())
    drafts = [read.draft for read in reads]
    own_misconceptions = {one.slug for draft in drafts if draft for one in draft.misconceptions}
    return Known(
        domains=frozenset(domain.slug for domain in course.domains),
        sources=frozenset(source.slug for source in course.sources),
        misconceptions=frozenset(one.slug for one in course.misconceptions) | own_misconceptions,
        anchors={read.slug: read.anchors for read in pack.chapters.values() if read.slug},
        objectives={
            read.draft.slug: frozenset(one.slug for one in read.draft.objectives)
            for read in pack.chapters.values()
            if read.draft
        },
        chapter_paths={path: read.slug for path, read in pack.chapters.items()},
        quiz_paths={path: read.ids for path, read in pack.quizzes.items()},
        quiz_chapters={
            **{path: read.draft.chapter for path, read in pack.quizzes.items() if read.draft},
            **{path: read.chapter for path, read in pack.decks.items()},
        },
        media=frozenset(pack.media),
    )
