"""How long things may be: texts, and the names that pages and tables have room for."""

from __future__ import annotations

from studyhub.packs.formats.report import Report

TEXT = 64 * 1024  # bytes of one text
NAMES = {
    "title": 200,
    "exam": 200,
    "licence": 80,
    "language": 12,
    "heading": 300,
    "address": 500,
    "publisher": 200,
}
CHARACTER = 4  # bytes at most


def check_size(text: str, line: int, report: Report) -> None:
    """Report a text of more than 64 kB (E221)."""
    if len(text) * CHARACTER > TEXT and len(text.encode("utf-8", "replace")) > TEXT:
        report.add(line, "E221", "a text is longer than 64 kB", "Shorten it or divide it.")


def check_name(kind: str, text: str, line: int, report: Report) -> None:
    """Report a title, address … that is longer than there is room for (E015)."""
    if len(text) > NAMES[kind]:
        report.add(line, "E015", f"{kind} is longer than {NAMES[kind]} characters", "Shorten it.")
