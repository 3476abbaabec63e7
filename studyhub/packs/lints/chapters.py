"""What is wrong with the writing of chapters: unchecked resources, figures without conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from studyhub.packs.draft import ChapterDraft, Fault, PackDraft, SectionDraft
from studyhub.packs.formats.prose import Paragraph, paragraphs
from studyhub.packs.formats.report import shown

MEASURED = re.compile(
    r"(?<![\w.])\d[\d,.]{0,15}(?:[×x](?! ?[\d(])(?!\w)"
    r"| ?(?:ms\b|µs\b|μs\b|tok(?:ens?)?/s\b|tokens per second\b|req(?:uests?)?/s\b|%"
    r"|percentage points?\b|times (?:faster|slower|higher|lower|more|less)\b))"
)
DERIVED = re.compile(
    r"\[@|[=≈$÷]|\d ?[×·/] ?\d"
    r"|\b(?:suppose|assume|assuming|imagine|say|for example|hence|therefore|divid(?:e|ed|es)"
    r"|multipl(?:y|ied|ies)|arithmetic|comput(?:e|ed|es)|works? out|by chance|of the exam)\b",
    re.IGNORECASE,
)
CALLOUT = re.compile(r"[ ]{0,3}>[ \t]*\[!MISCONCEPTION\]", re.IGNORECASE)


def lint_chapters(pack: PackDraft) -> list[Fault]:
    """W408: a resource without the day of its last check. W409: a measured figure without its source."""
    faults: list[Fault] = []
    for chapter in pack.chapters:
        faults.extend(_resources(chapter))
        for section in chapter.sections:
            if section.kind == "section":
                faults.extend(_figures(chapter.path, section))
    return faults


def _resources(chapter: ChapterDraft) -> Iterator[Fault]:
    for resource in chapter.resources:
        if not resource.checked:
            what = f'resource "{shown(resource.title)}" does not say when it was last checked'
            yield Fault(chapter.path, resource.line, "W408", what, 'Add "checked 2026-11" in its braces.')


def _figures(path: str, section: SectionDraft) -> Iterator[Fault]:
    found = paragraphs(section.body_md.split("\n"))
    for at, paragraph in enumerate(found):
        if paragraph.kind in ("code", "heading") or CALLOUT.match(paragraph.text):
            continue
        number = MEASURED.search(paragraph.text)
        if number and not _explained(found, at):
            what = f'"{shown(number.group(0))}" stands without a source or a calculation'
            mend = "Cite where it was measured ([@source]) with its conditions, or show the arithmetic."
            line = section.body_line + paragraph.line + paragraph.text.count("\n", 0, number.start())
            yield Fault(path, line, "W409", what, mend)


def _explained(found: Sequence[Paragraph], at: int) -> bool:
    """A list, table or figure may be explained by the paragraph before or after it."""
    near = [found[at]]
    if found[at].kind in ("list", "table") or found[at].text.startswith("!["):
        near = list(found[max(at - 1, 0) : at + 2])
    return any(DERIVED.search(paragraph.text) for paragraph in near)
