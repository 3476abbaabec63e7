"""docs/asvs.md: every item of the checklist has its line, and every test that a line names is there (goal 21)."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.architecture.sources import ROOT

TEXT = (ROOT / "docs" / "asvs.md").read_text()
LINES = re.findall(r"^\| (V[\d.]+) \| ([^|]+) \| ([^|]+) \| (.+) \|$", TEXT, re.MULTILINE)
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(test_\w+)`", TEXT)))
STATES = {"held", "not applicable", "by choice", "open"}
CHECKLIST = """
1.1.2 1.2.1-1.2.4 1.2.10 1.3.1-1.3.7 1.5.1-1.5.2 2.1.3 2.2.1-2.2.3 2.3.1-2.3.4 2.4.1 3.2.1-3.2.2 3.3.1-3.3.4 3.4.1
3.4.3-3.4.6 3.5.1 3.5.3 3.7.2 5.1.1 5.2.1-5.2.3 5.3.1-5.3.2 5.4.1-5.4.2 6.1.1 6.2.1-6.2.12 6.3.1-6.3.3 6.4.1 6.4.3
6.5.1-6.5.5 7.1.1 7.2.1-7.2.4 7.3.1-7.3.2 7.4.1-7.4.5 7.5.1-7.5.2 8.1.1-8.1.2 8.2.1-8.2.3 8.3.1 8.4.1 13.2.4-13.2.5
13.4.1-13.4.5 14.1.1 14.2.1-14.2.4 14.3.1-14.3.3 15.1.2 15.2.2 15.3.1-15.3.5 15.3.7 16.2.1-16.2.5 16.3.1-16.3.4
16.4.1-16.4.2 16.5.1-16.5.3
"""


def checklist() -> list[str]:
    """Every item's number, ranges written out."""
    items = []
    for word in CHECKLIST.split():
        first, _, last = word.partition("-")
        stem, _, number = first.rpartition(".")
        until = int(last.rpartition(".")[2]) if last else int(number)
        items += [f"V{stem}.{n}" for n in range(int(number), until + 1)]
    return items


def test_every_item_has_one_line() -> None:
    items = [item for item, *_ in LINES]
    assert set(checklist()) - set(items) == set()
    assert items == sorted(set(items), key=lambda item: [int(one) for one in item[1:].split(".")])


def test_every_line_has_a_state_and_what_it_rests_on() -> None:
    wrong = [
        item
        for item, _, state, by in LINES
        if state not in STATES or (state == "held" and "::test_" not in by) or len(by) < 10
    ]
    assert wrong == []


def test_figures_in_the_text_are_those_of_the_lines() -> None:
    counts = Counter(state for _, _, state, _ in LINES)
    said = [int(one) for one in re.findall(r"(?:Items|tests/`\)|reason|Open): (\d+)", TEXT)]
    assert said == [len(LINES), *(counts[one] for one in ("held", "not applicable", "by choice", "open"))]


@pytest.mark.parametrize("path", sorted({path for path, _ in NAMED}))
def test_tests_that_are_named_are_there(path: str) -> None:
    there = set(re.findall(r"^def (test_\w+)", (ROOT / "tests" / path).read_text(), re.MULTILINE))
    assert [name for file, name in NAMED if file == path and name not in there] == []
