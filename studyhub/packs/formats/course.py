"""``course.md``: what the course is, its domains with weights, its sources and misconceptions."""

from __future__ import annotations

from dataclasses import dataclass

from studyhub.packs.draft import CourseDraft, DomainDraft, Fault, MisconceptionDraft, SourceDraft
from studyhub.packs.formats.blocks import Block, report_open_fence, split_blocks, split_lines, trimmed
from studyhub.packs.formats.front_matter import FrontMatter, check_front_matter, pairs_of, read_front_matter
from studyhub.packs.formats.items import list_items
from studyhub.packs.formats.limits import check_name, check_size
from studyhub.packs.formats.marks import check_id, split_braces
from studyhub.packs.formats.references import Reference, refer_prose
from studyhub.packs.formats.report import Report, in_order, shown
from studyhub.packs.formats.sources import read_sources

KEYS = frozenset(
    {"kind", "id", "title", "exam", "licence", "notice", "language", "sources", "misconceptions", "was"}
)
WHOLE = 100  # exam points


@dataclass(frozen=True, slots=True)
class CourseRead:
    """``draft`` is None when the front matter does not say what the file is."""

    draft: CourseDraft | None
    faults: tuple[Fault, ...]
    references: tuple[Reference, ...] = ()


def read_course(text: str, path: str) -> CourseRead:
    """Read course.md. Never raises for what an author wrote."""
    report = Report(path)
    lines = split_lines(text.removeprefix("\ufeff"))
    matter = read_front_matter(lines, report)
    if not matter.usable:
        return CourseRead(None, tuple(in_order(report.faults)))
    check_front_matter(matter, "course", KEYS, report)
    misconceptions = pairs_of(matter, "misconceptions", report)
    sources = read_sources(matter, report)
    blocks = split_blocks(lines[matter.body :], matter.body, report)
    intro, _ = trimmed(blocks[0].lines)
    check_size(intro, matter.body + 1, report)
    domains: list[DomainDraft] = []
    references: list[Reference] = []
    for block in blocks:
        report_open_fence(block, report)
        references.extend(refer_prose(block.lines, block.line, report))
        if block.heading.lower() == "domains":
            domains.extend(_domains(block, report))
        elif block is not blocks[0]:
            what = f'heading "{shown(block.heading)}" is not known in course.md'
            report.add(block.line, "E116", what, 'Only "## Domains" stands here; other text goes above it.')
    if not domains and matter.sound:
        report.add(1, "E301", "the course has no domains", 'Add "## Domains" and lines "- Title {#id, 20%}".')
    draft = None
    if matter.sound and matter.text("kind") == "course" and matter.text("id") and matter.text("title"):
        pairs = tuple(MisconceptionDraft(slug, text) for slug, text in misconceptions.items())
        draft = _draft(matter, intro, domains, sources, pairs, path)
    return CourseRead(draft, tuple(in_order(report.faults)), tuple(references))


def _draft(
    matter: FrontMatter,
    intro: str,
    domains: list[DomainDraft],
    sources: tuple[SourceDraft, ...],
    misconceptions: tuple[MisconceptionDraft, ...],
    path: str,
) -> CourseDraft:
    return CourseDraft(
        slug=matter.text("id"),
        title=matter.text("title"),
        exam=matter.text("exam"),
        licence=matter.text("licence"),
        notice=matter.text("notice"),
        language=matter.text("language") or "en",
        intro_md=intro,
        domains=tuple(domains),
        sources=sources,
        misconceptions=misconceptions,
        path=path,
    )


def _domains(block: Block, whole: Report) -> list[DomainDraft]:
    report = Report(whole.path)
    domains: list[DomainDraft] = []
    seen: dict[str, int] = {}
    for text, line in list_items(block.lines, block.line, report):
        title, parts = split_braces(text)
        slug = next((part[1:].strip() for part in parts if part.startswith("#")), "")
        weight = next((part[:-1].strip() for part in parts if part.endswith("%")), "")
        if not slug or not (weight.isascii() and weight.isdigit() and len(weight) <= 3):
            mend = 'Write "- Title {#id, 20%}" with a whole number of per cent.'
            report.add(line, "E117", f'domain "{shown(title)}" has no id or no weight', mend)
            continue
        check_id(slug, line, report)
        check_name("title", title, line, report)
        if slug in seen:
            report.add(
                line, "E101", f'id "{shown(slug)}" is already used on line {seen[slug]}', "Use another id."
            )
            continue
        seen[slug] = line
        domains.append(DomainDraft(slug, title, int(weight), line))
    total = sum(domain.weight for domain in domains)
    if domains and total != WHOLE and not report.has_errors():
        what = f"the weights of the domains sum to {total}"
        report.add(
            block.line, "E301", what, "They are exam points of 100: change them so that they sum to 100."
        )
    whole.take(report.faults)
    return domains
