"""The table of a match: rows on the left, what fits them on the right; an empty left cell makes a decoy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from quizzes.kinds.words import folded
from studyhub.packs.formats.report import Report, shown

RULE = re.compile(r"[|:\- \t]{3,400}")
BAR = re.compile(r"(?<!\\)\|")
MOST = 20  # rows, and choices
WRITE = (
    "Write a table of two columns with a heading: | Format | Bits |, below it |---|---|, then | FP32 | 32 |."
)


@dataclass(slots=True)
class Table:
    """``start`` and ``end``: indexes of its first line and of the line behind it."""

    start: int
    end: int
    rows: list[tuple[str, str, int]] = field(default_factory=list)  # left, right, line in the file
    decoys: list[tuple[str, int]] = field(default_factory=list)


def find_table(lines: Sequence[str], fenced: Sequence[bool]) -> tuple[int, int] | None:
    """Where the last table stands: a table above it belongs to the text."""
    end = next((at for at in range(len(lines) - 1, -1, -1) if _bar(lines, fenced, at)), None)
    if end is None:
        return None
    start = end
    while start > 0 and _bar(lines, fenced, start - 1):
        start -= 1
    return start, end + 1


def _bar(lines: Sequence[str], fenced: Sequence[bool], at: int) -> bool:
    return not fenced[at] and lines[at].startswith("|")


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    parts = BAR.split(inner)
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return [" ".join(part.replace("\\|", "|").split()) for part in parts]


def read_table(lines: Sequence[str], place: tuple[int, int], before: int, report: Report) -> Table:
    """Read the rows of the table at ``place``; ``before``: number of file lines above (E210, E244, E246)."""
    start, end = place
    table = Table(start, end)
    if end - start < 3 or not RULE.fullmatch(lines[start + 1].strip()):
        report.add(before + start + 1, "E244", "a table without a heading and rows", WRITE)
        return table
    for at in range(start + 2, end):
        _row(_cells(lines[at]), before + at + 1, table, report)
    _check(table, before + start + 1, report)
    return table


def _row(cells: list[str], line: int, table: Table, report: Report) -> None:
    if len(cells) == 2 and any(cells):
        left, right = cells
        if left and right:
            table.rows.append((left, right, line))
        elif right:
            table.decoys.append((right, line))
        else:
            mend = "Fill the right cell; a decoy has an empty left one."
            report.add(line, "E244", f'row "{shown(left)}" has nothing to match', mend)
    elif any(cells):
        mend = "Leave two cells; write \\| for a bar inside a cell."
        report.add(line, "E244", f"a row with {len(cells)} cells", mend)


def _check(table: Table, line: int, report: Report) -> None:
    seen: dict[str, int] = {}
    for left, _, at in table.rows:
        name = folded(left)
        if name in seen:
            report.add(at, "E210", f"same row as on line {seen[name]}", "Change or delete one.")
        seen.setdefault(name, at)
    known = {folded(right, exact=True): at for _, right, at in table.rows}
    for decoy, at in table.decoys:
        name = folded(decoy, exact=True)
        if name in known:
            report.add(at, "E210", f"same choice as on line {known[name]}", "A decoy must fit no row.")
        known.setdefault(name, at)
    if len(table.rows) < 2 or len(known) < 2:
        report.add(line, "E244", "a match needs two rows and two choices", WRITE)
    if len(table.rows) > MOST or len(known) > MOST:
        report.add(line, "E246", f"more than {MOST} rows or choices", "Divide the question.")
