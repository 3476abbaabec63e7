"""The list of survivors with their reasons, docs/mutants.md, as it is read."""

from __future__ import annotations

import re
from typing import TypeAlias

Mark: TypeAlias = tuple[str, str, str, str]  # module, function, the line as it is, the line with the fault


def read(text: str) -> set[Mark]:
    """Every survivor that the document names.

    A heading ``### module`` holds entries; an entry is a line ``**function**: reason`` and a block of code behind it,
    in which every line ``+`` is a fault in the place of the line ``-`` above it. Raises ValueError for an entry
    without a reason or without a fault.
    """
    marks: set[Mark] = set()
    module = function = line = ""
    named = 0
    for row in text.splitlines():
        if found := re.fullmatch(r"### ([\w.]+)", row):
            module = found[1]
        elif found := re.fullmatch(r"\*\*(\w+)\*\*: (.*)", row):
            if named == 0 and function:
                raise ValueError(f"{module} {function} names no fault")
            function, named = found[1], 0
            if len(found[2].split()) < 3:
                raise ValueError(f"{module} {function} has no reason")
        elif row.startswith("- ") and module:
            line = plain(row[2:])
        elif row.startswith("+ ") and module:
            marks.add((module, function, line, plain(row[2:])))
            named += 1
    return marks


def plain(line: str) -> str:
    """A line of code as it is compared: without the space around it and runs of it inside."""
    return " ".join(line.split())
