"""Card files: their front matter is checked, their cards are for a later version."""

from __future__ import annotations

from studyhub.packs.draft import Fault
from studyhub.packs.formats.blocks import split_lines
from studyhub.packs.formats.front_matter import check_front_matter, read_front_matter
from studyhub.packs.formats.report import Report, in_order

KEYS = frozenset({"kind", "id", "title", "chapter", "misconceptions", "sources", "was"})


def read_cards(text: str, path: str) -> tuple[Fault, ...]:
    """The faults of a card file. W220 says that its cards are left out."""
    report = Report(path)
    matter = read_front_matter(split_lines(text.removeprefix("\ufeff")), report)
    if matter.usable:
        check_front_matter(matter, "cards", KEYS, report)
        mend = "Keep the file: a later version loads it. Until then it is left out."
        report.add(1, "W220", "this version of StudyHub does not load cards yet", mend)
    return tuple(in_order(report.faults))
