"""A chapter file: front matter, a purpose, and parts under ``##`` headings, some of them known by name."""

from __future__ import annotations

from dataclasses import dataclass, field

from studyhub.packs.draft import (
    ChapterDraft,
    CheckpointDraft,
    Fault,
    MisconceptionDraft,
    ObjectiveDraft,
    ResourceDraft,
    SectionDraft,
    SourceDraft,
)
from studyhub.packs.formats.blocks import Block, report_open_fence, split_blocks, split_lines, trimmed
from studyhub.packs.formats.front_matter import (
    FrontMatter,
    check_front_matter,
    pairs_of,
    read_front_matter,
    whole_number,
)
from studyhub.packs.formats.limits import check_size
from studyhub.packs.formats.marks import split_id
from studyhub.packs.formats.parts import read_checkpoints, read_objectives, read_resources
from studyhub.packs.formats.prose import find_anchors
from studyhub.packs.formats.references import Reference, refer_prose
from studyhub.packs.formats.report import Report, in_order, shown
from studyhub.packs.formats.sections import read_section
from studyhub.packs.formats.sources import read_sources

NAMES = "kind id number title domain minutes needs weight sources misconceptions was"
KEYS = frozenset(NAMES.split())
# Addresses below a course that are not chapters.
TAKEN = frozenset({"about", "quizzes", "cards", "search", "history", "mistakes", "notes"})
LISTS = ("objectives", "checkpoint", "resources")


@dataclass(frozen=True, slots=True)
class ChapterRead:
    """``anchors`` are all ids in the text that a link may name, those of sections included."""

    draft: ChapterDraft | None
    faults: tuple[Fault, ...]
    references: tuple[Reference, ...] = ()
    anchors: frozenset[str] = frozenset()
    sources: tuple[SourceDraft, ...] = ()
    misconceptions: tuple[MisconceptionDraft, ...] = ()
    slug: str = ""


@dataclass(slots=True)
class _Parts:
    """What has been read of a chapter so far."""

    purpose: str = ""
    objectives: tuple[ObjectiveDraft, ...] = ()
    checkpoints: tuple[CheckpointDraft, ...] = ()
    resources: tuple[ResourceDraft, ...] = ()
    sections: list[SectionDraft] = field(default_factory=list)
    anchors: dict[str, int] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    headings: dict[str, int] = field(default_factory=dict)


def read_chapter(text: str, path: str) -> ChapterRead:
    """Read a chapter with what it says about others. Never raises for what an author wrote."""
    report = Report(path)
    lines = split_lines(text.removeprefix("\ufeff"))
    matter = read_front_matter(lines, report)
    if not matter.usable:
        return ChapterRead(None, tuple(in_order(report.faults)))
    check_front_matter(matter, "chapter", KEYS, report)
    if matter.text("id") in TAKEN:
        what = f'the site has a page of its own at "{matter.text("id")}"'
        report.add(matter.line("id"), "E016", what, "Give the chapter another id.")
    sources = read_sources(matter, report)
    pairs = pairs_of(matter, "misconceptions", report)
    parts = _Parts(references=_refer(matter, path))
    blocks = split_blocks(lines[matter.body :], matter.body, report)
    parts.purpose, _ = trimmed(blocks[0].lines)
    check_size(parts.purpose, matter.body + 1, report)
    _read_prose(blocks[0], parts, report)
    for block in blocks[1:]:
        _read_block(block, parts, report)
    _check_objectives(parts, report)
    draft = _draft(matter, parts, report)
    return ChapterRead(
        draft=draft,
        faults=tuple(in_order(report.faults)),
        references=tuple(parts.references),
        anchors=frozenset(parts.anchors),
        sources=sources,
        misconceptions=tuple(MisconceptionDraft(slug, words) for slug, words in pairs.items()),
        slug=matter.text("id"),
    )


def _refer(matter: FrontMatter, path: str) -> list[Reference]:
    line = matter.line("needs")
    found = [Reference(path, line, "chapter", slug) for slug in matter.items("needs")]
    return [*found, Reference(path, matter.line("domain"), "domain", matter.text("domain"))]


def _read_block(block: Block, parts: _Parts, report: Report) -> None:
    name = split_id(block.heading)[0].lower()
    if name in LISTS:
        _read_list(name, block, parts, report)
        _read_prose(block, parts, report, anchors=False)
        return
    section = read_section(block, report)
    _add_anchor(section.slug, block.line, parts, report)
    parts.sections.append(section)
    for slug in section.objectives:
        parts.references.append(Reference(report.path, block.line, "own-objective", slug))
    _read_prose(block, parts, report)


def _read_list(name: str, block: Block, parts: _Parts, report: Report) -> None:
    if name in parts.headings:
        what = f'heading "{shown(block.heading)}" is already on line {parts.headings[name]}'
        report.add(block.line, "E114", what, "Put both lists under one heading.")
        return
    parts.headings[name] = block.line
    if name == "objectives":
        parts.objectives = read_objectives(block, report)
    elif name == "checkpoint":
        parts.checkpoints = read_checkpoints(block, report)
    else:
        parts.resources = read_resources(block, report)


def _read_prose(block: Block, parts: _Parts, report: Report, *, anchors: bool = True) -> None:
    report_open_fence(block, report)
    parts.references.extend(refer_prose(block.lines, block.line, report))
    if not anchors:
        return
    for anchor in find_anchors(block.lines):
        line = block.line + anchor.line + 1
        _add_anchor(anchor.slug, line, parts, report)
        if not anchor.closing:
            mend = "Move it to the end of the paragraph, and leave an empty line below."
            report.add(line, "E115", f'anchor "{shown(anchor.slug)}" does not end a paragraph', mend)
        if anchor.callout == "misconception":
            parts.references.append(Reference(report.path, line, "callout", anchor.slug))


def _add_anchor(slug: str, line: int, parts: _Parts, report: Report) -> None:
    if slug in parts.anchors:
        what = f'id "{shown(slug)}" is already used on line {parts.anchors[slug]}'
        report.add(line, "E101", what, "Give this one another id; anchors are unique in a chapter.")
    parts.anchors.setdefault(slug, line)


def _check_objectives(parts: _Parts, report: Report) -> None:
    """What names an objective of its own chapter must find it there."""
    known = {objective.slug for objective in parts.objectives}
    named = [
        (reference.value, reference.line)
        for reference in parts.references
        if reference.kind == "own-objective"
    ]
    named += [(slug, item.line) for item in parts.checkpoints for slug in item.objectives]
    for slug, line in named:
        if slug not in known:
            mend = "Name an id of the list under ## Objectives."
            report.add(line, "E305", f'objective "{shown(slug)}" is not in this chapter', mend)


def _draft(matter: FrontMatter, parts: _Parts, report: Report) -> ChapterDraft | None:
    number = whole_number(matter, "number", report)
    minutes = whole_number(matter, "minutes", report)
    if number is None and not matter.text("number") and matter.sound:
        report.add(
            1, "W102", '"number" is missing', 'Add "number: 4" to the front matter; it orders the chapters.'
        )
    if (
        not matter.sound
        or matter.text("kind") != "chapter"
        or not matter.text("id")
        or not matter.text("title")
    ):
        return None
    return ChapterDraft(
        slug=matter.text("id"),
        number=number or 0,
        title=matter.text("title"),
        domain=matter.text("domain"),
        minutes=minutes,
        needs=matter.items("needs"),
        purpose_md=parts.purpose,
        objectives=parts.objectives,
        sections=tuple(parts.sections),
        checkpoints=parts.checkpoints,
        resources=parts.resources,
        was=matter.text("was"),
        path=report.path,
    )
