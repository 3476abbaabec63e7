"""The lists of a chapter: objectives, checkpoint, resources."""

from __future__ import annotations

import re
from collections import Counter

from studyhub.packs.draft import CheckpointDraft, ObjectiveDraft, ResourceDraft
from studyhub.packs.formats.blocks import Block
from studyhub.packs.formats.items import list_items
from studyhub.packs.formats.limits import check_name
from studyhub.packs.formats.marks import check_id, slug_of, split_braces
from studyhub.packs.formats.prose import scheme_of
from studyhub.packs.formats.report import Report, shown

BOX = re.compile(r"\[[ xX]\][ \t]+(.*)", re.DOTALL)
MINUTES = re.compile(r"(\d{1,4}) ?(?:min|minutes)", re.ASCII)
CHECKED = re.compile(r"checked (\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)", re.ASCII)
KINDS = ("read", "watch")


class _Ids:
    """Hands out the ids of one list: checks them, and makes one where the author wrote none."""

    def __init__(self, what: str, report: Report) -> None:
        self.what = what
        self.report = report
        self.seen: dict[str, int] = {}
        self.counts: Counter[str] = Counter()

    def take(self, slug: str, text: str, line: int) -> str:
        """The id to use for an item: the author's, or one made from its text."""
        if not slug:
            made = self._free(slug_of(text))
            mend = (
                f'Run "course fix": it adds {{#{made}}} so what learners did stays linked when you reword it.'
            )
            self.report.add(line, "W100", f'{self.what} "{shown(text)}" has no id', mend)
            slug = made
        else:
            check_id(slug, line, self.report)
        if slug in self.seen:
            what = f'id "{shown(slug)}" is already used on line {self.seen[slug]}'
            self.report.add(line, "E101", what, "Give this one another id.")
        self.seen.setdefault(slug, line)
        return slug

    def make(self, text: str, line: int) -> str:
        """An id where the language has none (resources)."""
        slug = self._free(slug_of(text))
        self.seen[slug] = line
        return slug

    def _free(self, first: str) -> str:
        name = first
        while name in self.seen:
            self.counts[first] += 1
            name = f"{first}-{self.counts[first] + 1}"
        return name


def read_objectives(block: Block, report: Report) -> tuple[ObjectiveDraft, ...]:
    """The objectives; one without id gets one made from its text (W100)."""
    ids = _Ids("objective", report)
    found = []
    for text, line in list_items(block.lines, block.line, report):
        bare, slug, _ = _id_and_objectives(text)
        found.append(ObjectiveDraft(ids.take(slug, bare, line), bare, line))
    return tuple(found)


def read_checkpoints(block: Block, report: Report) -> tuple[CheckpointDraft, ...]:
    """The boxes of the checkpoint; an item without a box is reported (E112)."""
    ids = _Ids("checkpoint item", report)
    found = []
    for text, line in list_items(block.lines, block.line, report):
        box = BOX.fullmatch(text)
        if box is None:
            report.add(line, "E112", "a checkpoint item without a box", f'Write "- [ ] {shown(text)}".')
            continue
        bare, slug, objectives = _id_and_objectives(box.group(1))
        found.append(CheckpointDraft(ids.take(slug, bare, line), bare, objectives, line))
    return tuple(found)


def _id_and_objectives(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Text, id and objectives of ``… {#id, objectives: a, b}``; other braces are text."""
    bare, parts = split_braces(text)
    slug, objectives, listing = "", [], False
    for part in parts:
        key, colon, value = part.partition(":")
        if part.startswith("#"):
            slug, listing = part[1:].strip(), False
        elif colon and key.strip() in ("objectives", "objective"):
            objectives.append(value.strip())
            listing = True
        elif listing:
            objectives.append(part)
        else:
            return text, "", ()
    return (bare, slug, tuple(objectives)) if parts else (text, "", ())


def read_resources(block: Block, report: Report) -> tuple[ResourceDraft, ...]:
    """The resources: ``[Title](address) {read, publisher, 30 min, checked 2026-11}``."""
    ids = _Ids("resource", report)
    found = []
    for text, line in list_items(block.lines, block.line, report):
        bare, parts = split_braces(text)
        link = _one_link(bare)
        if link is None:
            report.add(
                line,
                "E113",
                "a resource that is not one link",
                "Write - [Title](https://…) {read, publisher}.",
            )
            continue
        title, url = link
        if scheme_of(url) not in ("", "http", "https"):
            report.add(
                line, "E113", f'"{shown(url)}" is not an address of a resource', "Link to https or http."
            )
            continue
        check_name("heading", title, line, report)
        check_name("address", url, line, report)
        found.append(_resource(ids.make(title, line), title, url, parts, line, report))
    return tuple(found)


def _one_link(text: str) -> tuple[str, str] | None:
    title, found, rest = text.partition("](")
    url, closed, after = rest.rpartition(")")
    if (
        not text.startswith("[")
        or not found
        or not closed
        or after.strip()
        or "](" in url
        or " " in url.strip()
    ):
        return None
    return (title[1:].strip(), url.strip()) if title[1:].strip() and url.strip() else None


def _resource(
    slug: str, title: str, url: str, parts: tuple[str, ...], line: int, report: Report
) -> ResourceDraft:
    kind, minutes, checked, others = "read", None, "", []
    for part in parts:
        time, date = MINUTES.fullmatch(part), CHECKED.fullmatch(part)
        if part in KINDS:
            kind = part
        elif time:
            minutes = int(time.group(1))
        elif date:
            checked = date.group(1)
        elif part.startswith("checked"):
            what = f'"{shown(part)}" is not a month or day of a check'
            report.add(line, "W103", what, 'Write "checked 2026-11" or "checked 2026-11-30".')
        else:
            others.append(part)
    if not any(part in KINDS for part in parts):
        what = f'resource "{shown(title)}" does not say whether to read or watch it'
        report.add(line, "W104", what, "Write {read, publisher, 30 min, checked 2026-11} after the link.")
    check_name("publisher", ", ".join(others), line, report)
    return ResourceDraft(slug, title, url, kind, ", ".join(others), minutes, checked, line)
