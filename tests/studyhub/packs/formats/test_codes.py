"""Every code that the checker can say is explained, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[4]


def test_every_code_is_explained_once() -> None:
    spoken = set()
    for file in (ROOT / "studyhub/packs").rglob("*.py"):
        spoken.update(re.findall(r'"([EW]\d{3})"', file.read_text(encoding="utf-8")))
    rows = re.findall(
        r"^\| \**([EW]\d{3})\** \|", (ROOT / "docs/checker.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) == len(set(rows))
    assert {*rows, "E099"} == spoken
