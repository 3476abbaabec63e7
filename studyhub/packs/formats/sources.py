"""The ``sources:`` map: each a text that may end with its address."""

from __future__ import annotations

from studyhub.packs.draft import SourceDraft
from studyhub.packs.formats.front_matter import FrontMatter, pairs_of
from studyhub.packs.formats.report import Report


def read_sources(matter: FrontMatter, report: Report) -> tuple[SourceDraft, ...]:
    """The sources that a file declares, in its order."""
    found = []
    for slug, text in pairs_of(matter, "sources", report).items():
        words, address = _divide(text)
        found.append(SourceDraft(slug, words, address, matter.map_lines["sources", slug], report.path))
    return tuple(found)


def _divide(text: str) -> tuple[str, str]:
    before, _, last = text.rstrip(" .").rpartition(" ")
    address = last.strip("<>()")
    if address.startswith(("https://", "http://")):
        return before.rstrip(" ,;:"), address
    return text, ""
