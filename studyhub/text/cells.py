"""Tables for spreadsheets as CSV, in which no cell that somebody typed is taken for a formula (trust.md 1.7).

A spreadsheet runs a cell that begins with one of a few signs. Which signs these are differs, and so does what is
skipped before them, so every one that is known is met, in wide and narrow forms, behind anything that cannot be seen.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from io import StringIO
from unicodedata import category, normalize

STARTS = frozenset("=+-@|%")
MARK = "'"  # what a spreadsheet takes for: this is text
Cell = str | int | float | None


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may take this text for something to run.

    True where the first sign that can be seen is one of ``STARTS`` in any width, and where a control character (tab
    and ends of lines among them) stands before it.
    """
    for sign in text:
        kind = category(sign)
        if kind == "Cc" or normalize("NFKC", sign)[:1] in STARTS:
            return True
        if kind[0] not in "ZC":
            return False
    return False


def guarded(value: Cell) -> str:
    """The cell as text: numbers as they are, None empty, text with an apostrophe before it where it needs one."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f"{MARK}{value}" if is_formula(value) else value
    if isinstance(value, float) and not math.isfinite(value):
        return MARK + str(value)
    return str(value)


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """The rows as CSV (RFC 4180): every cell guarded and in quotation marks, lines ending with CR LF.

    What no file can hold, halves of surrogate pairs, becomes a question mark.
    """
    out = StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(map(guarded, row) for row in rows)
    return out.getvalue().encode("utf-8", "replace").decode()
