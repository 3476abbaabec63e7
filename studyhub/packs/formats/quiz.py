"""A quiz file: front matter, an introduction, and a question under every ``##`` heading."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from studyhub.packs.draft import Fault, MisconceptionDraft, QuizDraft, SourceDraft
from studyhub.packs.formats.blocks import report_open_fence, split_blocks, split_lines, trimmed
from studyhub.packs.formats.front_matter import FrontMatter, check_front_matter, pairs_of, read_front_matter
from studyhub.packs.formats.limits import check_size
from studyhub.packs.formats.marks import split_id
from studyhub.packs.formats.question import QuestionIds, QuestionRead, read_question
from studyhub.packs.formats.references import Reference, refer_prose
from studyhub.packs.formats.report import Report, in_order
from studyhub.packs.formats.sources import read_sources

KEYS = frozenset({"kind", "id", "title", "chapter", "misconceptions", "sources", "was"})
QUESTIONS = 5000


@dataclass(frozen=True, slots=True)
class QuizRead:
    """``ids`` are the ids of all questions in the file, of those that are left out too."""

    draft: QuizDraft | None
    faults: tuple[Fault, ...]
    references: tuple[Reference, ...] = ()
    ids: frozenset[str] = frozenset()
    sources: tuple[SourceDraft, ...] = ()
    slug: str = ""


def read_quiz_file(text: str, path: str, misconceptions: Collection[str]) -> QuizRead:
    """Read a quiz file with what it says about others. A faulty question costs no other."""
    report = Report(path)
    lines = split_lines(text.removeprefix("\ufeff"))
    matter = read_front_matter(lines, report)
    if not matter.usable:
        return QuizRead(None, tuple(in_order(report.faults)))
    check_front_matter(matter, "quiz", KEYS, report)
    own = pairs_of(matter, "misconceptions", report)
    sources = read_sources(matter, report)
    blocks = split_blocks(lines[matter.body :], matter.body, report)
    intro, _ = trimmed(blocks[0].lines)
    check_size(intro, matter.body + 1, report)
    report_open_fence(blocks[0], report)
    references = [*_refer_chapter(matter, path), *refer_prose(blocks[0].lines, matter.body, report)]
    if len(blocks) > QUESTIONS + 1:
        line = blocks[QUESTIONS + 1].line
        report.add(line, "E224", f"more than {QUESTIONS} questions in one file", "Divide the file.")
        del blocks[QUESTIONS + 1 :]
    if len(blocks) == 1 and matter.sound:
        report.add(1, "E200", "no question in this file", 'Add a heading "## … {#id}" with options below it.')
    ids = QuestionIds(frozenset(split_id(block.heading)[1] for block in blocks[1:]))
    known = {*misconceptions, *own}
    read = [read_question(block, ids, known, report) for block in blocks[1:] if not report.full()]
    for question in read:
        references.extend(question.references)
    draft = _draft(matter, intro, read, own, path) if matter.sound and _complete(matter, "quiz") else None
    faults = tuple(in_order(report.faults))
    return QuizRead(
        draft, faults, tuple(references), ids.written | ids.lines.keys(), sources, matter.text("id")
    )


def read_quiz(text: str, path: str, misconceptions: Collection[str]) -> tuple[QuizDraft | None, list[Fault]]:
    """Read one quiz by itself. ``misconceptions``: ids that the course declares.

    The draft is None when the front matter does not say what the file is. Author mistakes never raise.
    """
    read = read_quiz_file(text, path, misconceptions)
    return read.draft, list(read.faults)


def _complete(matter: FrontMatter, kind: str) -> bool:
    return matter.text("kind") == kind and bool(matter.text("id")) and bool(matter.text("title"))


def _refer_chapter(matter: FrontMatter, path: str) -> list[Reference]:
    return [Reference(path, matter.line("chapter"), "quiz-chapter", matter.text("chapter"))]


def _draft(
    matter: FrontMatter, intro: str, read: list[QuestionRead], own: dict[str, str], path: str
) -> QuizDraft:
    return QuizDraft(
        slug=matter.text("id"),
        title=matter.text("title"),
        chapter=matter.text("chapter"),
        intro_md=intro,
        questions=tuple(question.draft for question in read if question.draft),
        misconceptions=tuple(MisconceptionDraft(slug, text) for slug, text in own.items()),
        was=matter.text("was"),
        path=path,
    )
