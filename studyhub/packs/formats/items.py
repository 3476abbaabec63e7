"""Plain lists: objectives, checkpoint items, resources, domains."""

from __future__ import annotations

from collections.abc import Sequence

from studyhub.packs.formats.answers import ITEM
from studyhub.packs.formats.report import Report, shown


def list_items(lines: Sequence[str], before: int, report: Report) -> list[tuple[str, int]]:
    """The items of a list with their lines in the file; ``before``: number of file lines above it.

    Indented lines belong to the item above. Smaller headings are passed over; other text is reported (W105).
    """
    found: list[tuple[list[str], int]] = []
    strayed = False
    for at, line in enumerate(lines):
        match = ITEM.fullmatch(line)
        bare = line.strip()
        if match:
            found.append(([match.group(1).strip()], before + at + 1))
        elif not bare or bare.startswith("#"):
            continue
        elif found and (line[0] in " \t" or lines[at - 1].strip()):
            found[-1][0].append(bare)
        elif not strayed:
            strayed = True
            what = f'text between the items is not shown: "{shown(bare, 40)}"'
            report.add(before + at + 1, "W105", what, "Make it a list item, or move it into a section.")
    return [(" ".join(pieces), number) for pieces, number in found]
