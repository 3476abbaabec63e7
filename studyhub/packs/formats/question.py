"""One question: its settings, its options with their marks and rationales, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from quizzes.kinds.words import LONGEST, folded
from studyhub.packs.draft import OptionDraft, PartDraft, QuestionDraft, TypedDraft
from studyhub.packs.formats.answers import Answers, Item, read_answers
from studyhub.packs.formats.blocks import Block, Settings, report_open_fence, take_settings, trimmed
from studyhub.packs.formats.kinds import LATER, LOADED, PARTED, kind_of
from studyhub.packs.formats.limits import check_size
from studyhub.packs.formats.marks import OptionMarks, check_id, is_id, option_marks, slug_of, split_id
from studyhub.packs.formats.numbers import read_number
from studyhub.packs.formats.references import Reference, refer_prose, refer_read
from studyhub.packs.formats.report import Report, did_you_mean, shown
from studyhub.packs.formats.several import Place, read_several

NAMES = (
    "type objectives difficulty source read facet points score shuffle unit tags hints case minutes level was"
)
SETTINGS = frozenset(NAMES.split())
CHOICES: Mapping[str, tuple[str, ...]] = {
    "difficulty": ("1", "2", "3", "4", "5"),
    "facet": ("method", "trade-off", "failure"),
    "score": ("all", "partial"),
    "shuffle": ("yes", "no"),
    "case": ("any", "exact", "strict"),
}
ID_LISTS = ("objectives", "source")
MUCH_LONGER = 1.6  # times the longest wrong option
LONGER_BY = 25  # characters
POINTS = 100


@dataclass(frozen=True, slots=True)
class QuestionRead:
    """``draft`` is None when the question is left out (a fault, or a kind of a later version)."""

    draft: QuestionDraft | None
    slug: str  # its id, "" when it has none
    references: tuple[Reference, ...]


@dataclass(slots=True)
class QuestionIds:
    """The ids of one file. ``lines`` maps those met so far to their lines; ``written`` are all in the file."""

    written: frozenset[str]
    lines: dict[str, int] = field(default_factory=dict)

    def free(self, stem: str) -> str:
        """An id made from the stem that no other question has."""
        first = slug_of(stem)
        slug, number = first, 1
        while slug in self.lines or slug in self.written:
            number += 1
            slug = f"{first}-{number}"
        return slug


@dataclass(slots=True)
class _Read:
    """A question on its way from lines to a draft."""

    name: str
    block: Block
    settings: Settings
    answers: Answers
    marks: list[OptionMarks]
    stem: str
    body: str
    body_line: int
    parts: tuple[PartDraft, ...] = ()
    decoys: tuple[str, ...] = ()


def read_question(
    block: Block, ids: QuestionIds, misconceptions: Collection[str], report: Report
) -> QuestionRead:
    """Read the question under one heading; its id is added to ``ids``."""
    own = Report(report.path)
    stem, slug = split_id(block.heading)
    _check_slug(slug, stem, block.line, ids, own)
    settings = take_settings(block, SETTINGS, own, "question text")
    _check_settings(settings, own)
    report_open_fence(block, own)
    rest, fenced = block.lines[settings.rest :], block.fenced[settings.rest :]
    before = block.line + settings.rest
    answers = read_answers(rest, fenced, before, own)
    body, cut = trimmed(answers.body)
    marks = [option_marks(item.words(), item.line, own) for item in answers.items]
    name = slug or stem
    read = _Read(name, block, settings, answers, marks, stem, body, before + cut + 1)
    if not stem:
        own.add(
            block.line, "E109", "a question without text", "Write the question into its heading: ## … {#id}."
        )
    kind = kind_of(name, settings, f"{stem}\n{body}", answers, block.line, own)
    if kind in PARTED:
        _take_several(read, kind, Place(rest, fenced, before, block.line), misconceptions, own)
    elif kind:
        _check_marks(read, kind, misconceptions, own)
    references = [
        *refer_prose([stem], block.line - 1, own),
        *refer_prose(rest, before, own),
        *_refer(read, own),
    ]
    draft = None
    if kind in LOADED and not own.has_errors():
        draft = _draft(read, kind, slug or ids.free(stem))
        ids.lines.setdefault(draft.slug, block.line)
    if kind in LATER and slug and not own.has_errors():
        what = f'this version of StudyHub does not load questions of type "{kind}" yet'
        own.add(block.line, "W220", what, "Keep it: a later version loads it. Until then it is left out.")
    report.take(own.faults)
    return QuestionRead(draft, slug, tuple(references))


def _take_several(
    read: _Read, kind: str, place: Place, misconceptions: Collection[str], report: Report
) -> None:
    """Read it again as a question of parts: these have no brackets."""
    several = read_several(kind, read.stem, place, misconceptions, report)
    read.answers, read.marks, read.stem = several.answers, [], several.stem
    read.body, read.body_line = several.body, place.before + several.body_cut + 1
    read.parts, read.decoys = several.parts, several.decoys
    check_size(read.body, place.heading, report)
    check_size("\n".join(read.answers.explanation), place.heading, report)


def _check_slug(slug: str, stem: str, line: int, ids: QuestionIds, report: Report) -> None:
    if not slug:
        mend = f'Run "course fix": it adds {{#{slug_of(stem)}}} so answers stay linked when you reword it.'
        report.add(line, "W100", f'question "{shown(stem)}" has no id', mend)
        return
    check_id(slug, line, report)
    if slug in ids.lines:
        mend = 'Give this one another id; if it is a copy, delete the {#…} and let "course fix" write one.'
        report.add(line, "E101", f'id "{shown(slug)}" is already used on line {ids.lines[slug]}', mend)
    ids.lines.setdefault(slug, line)


def _check_settings(settings: Settings, report: Report) -> None:
    for key, known in CHOICES.items():
        value = settings.text(key)
        if key in settings.values and value not in known:
            mend = did_you_mean(value, known, f"Use one of: {', '.join(known)}.")
            report.add(settings.lines[key], "E108", f'{key} "{shown(value)}" is not known', mend)
    points = settings.text("points")
    if "points" in settings.values and not (
        re.fullmatch(r"[1-9]\d{0,2}", points, re.ASCII) and int(points) <= POINTS
    ):
        what = f'points "{shown(points)}" is not a whole number from 1 to {POINTS}'
        report.add(settings.lines["points"], "E108", what, 'Write e.g. "points: 1".')
    for key in ID_LISTS:
        for slug in settings.items(key):
            if not is_id(slug):
                check_id(slug, settings.lines[key], report)
    if settings.text("was"):
        check_id(settings.text("was"), settings.lines["was"], report)


def _check_marks(read: _Read, kind: str, misconceptions: Collection[str], report: Report) -> None:
    _check_same(read, kind, report)
    for item, mark in zip(read.answers.items, read.marks, strict=True):
        if not mark.text:
            report.add(item.line, "E222", "an option without text", "Write its text after the brackets.")
        _check_misconception(mark.misconception, item, misconceptions, report)
        if kind == "number" and read_number(mark.text) is None:
            mend = "Write 3.5, 3.5 ± 0.1, 3.5 ± 2% or 3..4 (point as decimal mark)."
            report.add(item.line, "E213", f'"{shown(mark.text)}" is not a number', mend)
        if kind == "short" and len(" ".join(mark.text.split())) > LONGEST:
            what = f'"{shown(mark.text, 40)}" is longer than {LONGEST} characters'
            report.add(item.line, "E250", what, "Nobody types that much. Ask for a few words.")
        for text in (mark.text, item.why()):
            check_size(text, item.line, report)
    check_size(read.body, read.block.line, report)
    check_size("\n".join(read.answers.explanation), read.block.line, report)
    _check_rationales(read, report)
    if kind == "single":
        _check_length(read, report)


def _check_same(read: _Read, kind: str, report: Report) -> None:
    exact = kind != "short" or read.settings.text("case") in ("exact", "strict")
    seen: dict[str, int] = {}
    slugs: dict[str, int] = {}
    for item, mark in zip(read.answers.items, read.marks, strict=True):
        text = folded(mark.text) if not exact else " ".join(mark.text.split())
        if text and text in seen:
            report.add(item.line, "E210", f"same option as on line {seen[text]}", "Change or delete one.")
        seen.setdefault(text, item.line)
        if mark.slug and mark.slug in slugs:
            what = f'id "{shown(mark.slug)}" is already used on line {slugs[mark.slug]}'
            report.add(item.line, "E101", what, "Give this option another id.")
        slugs.setdefault(mark.slug, item.line)


def _check_misconception(slug: str, item: Item, known: Collection[str], report: Report) -> None:
    if not slug:
        return
    if item.mark in "x=":
        mend = "Delete {mis: …} here, or mark the option wrong."
        report.add(item.line, "E211", "a misconception on a right answer", mend)
    if slug not in known:
        mend = did_you_mean(
            slug, known, "Add it under misconceptions: in the front matter of this file or of the course."
        )
        report.add(item.line, "E212", f'misconception "{shown(slug)}" is not declared', mend)


def _check_rationales(read: _Read, report: Report) -> None:
    """W214: the code of a question that stays a draft."""
    items = read.answers.items
    missing = [at for at, item in enumerate(items) if not item.why()]
    if items and len(missing) == len(items):
        mend = 'Add "  > …" under the options that learners pick wrongly.'
        report.add(read.block.line, "W214", "no option says why", mend)
        return
    for at in missing:
        word = "option" if items[at].mark in "x " else "answer"
        mend = 'Add "  > …" under it: what it does, why it holds or misses here, and when that would change.'
        report.add(items[at].line, "W214", f'{word} "{shown(read.marks[at].text)}" has no rationale', mend)


def _check_length(read: _Read, report: Report) -> None:
    pairs = list(zip(read.answers.items, read.marks, strict=True))
    right = next((item, len(mark.text)) for item, mark in pairs if item.mark == "x")
    wrong = max((len(mark.text) for item, mark in pairs if item.mark == " "), default=0)
    if wrong and right[1] > wrong * MUCH_LONGER and right[1] >= wrong + LONGER_BY:
        mend = "Learners can guess by length; shorten it or make the others as precise."
        report.add(right[0].line, "W215", "the right option is much longer than the others", mend)


def _refer(read: _Read, report: Report) -> list[Reference]:
    settings, path = read.settings, report.path
    found = refer_read(settings.text("read"), settings.lines.get("read", 0), report)
    for key, kind in (("objectives", "objective"), ("source", "source")):
        line = settings.lines.get(key, 0)
        found.extend(Reference(path, line, kind, slug) for slug in settings.items(key) if is_id(slug))
    for item, mark in zip(read.answers.items, read.marks, strict=False):  # parts have no marks here
        found.extend(refer_read(mark.read, item.line, report))
    for part in read.parts:
        found.extend(refer_read(part.read, part.line, report))
    return found


def _draft(read: _Read, kind: str, slug: str) -> QuestionDraft:
    settings, answers = read.settings, read.answers
    pairs = list(zip(answers.items, read.marks, strict=False))
    difficulty = settings.text("difficulty")
    return QuestionDraft(
        slug=slug,
        kind=kind,
        stem_md=read.stem,
        body_md=read.body,
        options=tuple(_option(item, mark) for item, mark in pairs if item.mark in "x "),
        typed=tuple(_typed(item, mark) for item, mark in pairs if item.mark in "=!"),
        explanation_md=trimmed(answers.explanation)[0],
        objectives=settings.items("objectives"),
        difficulty=int(difficulty) if difficulty else None,
        facet=settings.text("facet"),
        sources=settings.items("source"),
        read=settings.text("read"),
        points=int(settings.text("points") or 1),
        score=settings.text("score") or "all",
        shuffle=settings.text("shuffle") != "no",
        unit=settings.text("unit"),
        tags=settings.items("tags"),
        was=settings.text("was"),
        draft=not all(part.rationale_md for part in read.parts)
        or not all(item.why() for item in answers.items),
        line=read.block.line,
        body_line=read.body_line,
        parts=read.parts,
        decoys=read.decoys,
        exact=settings.text("case") in ("exact", "strict"),
        strict=settings.text("case") == "strict",
    )


def _option(item: Item, mark: OptionMarks) -> OptionDraft:
    return OptionDraft(
        slug=mark.slug,
        text_md=mark.text,
        right=item.mark == "x",
        rationale_md=item.why(),
        misconception=mark.misconception,
        read=mark.read,
        weight=mark.weight,
        line=item.line,
    )


def _typed(item: Item, mark: OptionMarks) -> TypedDraft:
    return TypedDraft(
        text=mark.text,
        accepted=item.mark == "=",
        rationale_md=item.why(),
        misconception=mark.misconception,
        read=mark.read,
        weight=mark.weight,
        line=item.line,
    )
