"""A part of a chapter with running text: a section, the mini-lab, the study rhythm."""

from __future__ import annotations

from studyhub.packs.draft import SectionDraft
from studyhub.packs.formats.blocks import Block, Settings, take_settings, trimmed
from studyhub.packs.formats.limits import check_name, check_size
from studyhub.packs.formats.marks import check_id, slug_of, split_id
from studyhub.packs.formats.report import Report, shown

SETTINGS = frozenset({"objectives", "minutes", "edit"})
EDITS = ("typo", "substantive")
LAB = "mini-lab"
RHYTHM = "study rhythm"


def read_section(block: Block, report: Report) -> SectionDraft:
    """Read one part. A missing id is made from the title (W100); "Mini-lab:" is taken off a lab's title."""
    title, slug = split_id(block.heading)
    kind = "lab" if title.lower().startswith(LAB) else "rhythm" if title.lower() == RHYTHM else "section"
    if kind == "lab":
        title = title[len(LAB) :].lstrip(" :") or title
    check_name("heading", title, block.line, report)
    if slug:
        check_id(slug, block.line, report)
    else:
        slug = slug_of(title)
        mend = f'Run "course fix": it adds {{#{slug}}} so links stay when you change the title.'
        report.add(block.line, "W100", f'section "{shown(title)}" has no id', mend)
    settings = take_settings(block, SETTINGS, report, "text of the section")
    rest = block.lines[settings.rest :]
    body, cut = trimmed(rest)
    check_size(body, block.line, report)
    return SectionDraft(
        slug=slug,
        title_md=title,
        kind=kind,
        body_md=body,
        objectives=settings.items("objectives"),
        minutes=minutes_of(settings, report),
        line=block.line,
        body_line=block.line + settings.rest + cut + 1,
        edit=_edit_of(settings, report),
    )


def _edit_of(settings: Settings, report: Report) -> str:
    """The author's word on the last edit, or ""; another word is reported (E108)."""
    text = settings.text("edit")
    if not text or text in EDITS:
        return text
    mend = 'Write "edit: typo" or "edit: substantive", or delete the line.'
    report.add(settings.lines["edit"], "E108", f'edit "{shown(text)}" is not known', mend)
    return ""


def minutes_of(settings: Settings, report: Report) -> int | None:
    """The minutes of a part, or None; a value that is not a whole number is reported (E108)."""
    text = settings.text("minutes")
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) <= 4:
        return int(text)
    what = f'minutes "{shown(text)}" is not a whole number'
    report.add(settings.lines["minutes"], "E108", what, 'Write e.g. "minutes: 8".')
    return None
