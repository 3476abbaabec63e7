"""Front matter: everything is text, nothing is guessed, nothing grows."""

from __future__ import annotations

import pytest

from studyhub.packs.formats.front_matter import FrontMatter, read_front_matter
from studyhub.packs.formats.report import Report


def read(*lines: str) -> tuple[FrontMatter, list[tuple[int, str]]]:
    report = Report("x.md")
    matter = read_front_matter(["---", *lines, "---"], report)
    return matter, [(fault.line, fault.code) for fault in report.faults]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("no", "no"),
        ("010", "010"),
        ("1e3", "1e3"),
        ("2024-01-01", "2024-01-01"),
        ("~", "~"),
        ("10:30", "10:30"),
        ('"a: b"', "a: b"),
        ('"say \\"a\\""', 'say "a"'),
        ("'it''s'", "it's"),
        ("https://a.example/#b", "https://a.example/#b"),
        ("a # b", "a # b"),
        ("", ""),
    ],
)
def test_value_is_text(written: str, text: str) -> None:
    matter, faults = read(f"title: {written}")
    assert (matter.text("title"), faults) == (text, [])


@pytest.mark.parametrize(
    "line",
    [
        "title: a: b",
        "title: !tag b",
        "title: |",
        "title: {a: b}",
        "title: [a, [b]]",
        "title: [a",
        'title: "a',
        'title: "a" b"',
        "title",
        "- a",
        "title:a",
    ],
)
def test_more_than_text_is_refused(line: str) -> None:
    matter, faults = read("id: x", line)
    assert faults == [(3, "E005")]
    assert (matter.sound, matter.usable) == (False, True)


@pytest.mark.parametrize("line", ["title: *a", "title: &a b", "title: [*a]", "<<: *a", "title: [b, &a c]"])
def test_alias_ends_the_reading(line: str) -> None:
    matter, faults = read(line)
    assert faults == [(1, "E004")]
    assert not matter.usable


def test_list_and_map() -> None:
    matter, faults = read(
        "needs: [a, 'b']", "sources:", "  one: first", '  two: "second: b"', "  # a remark", "tags: c, d"
    )
    assert faults == []
    assert matter.items("needs") == ("a", "b")
    assert matter.items("tags") == ("c", "d")
    assert matter.pairs("sources") == {"one": "first", "two": "second: b"}
    assert matter.map_lines["sources", "two"] == 5


def test_first_of_two_counts() -> None:
    matter, faults = read("id: a", "id: b", "sources:", "  x: first", "  x: second")
    assert faults == [(3, "E003"), (6, "E003")]
    assert (matter.text("id"), matter.pairs("sources")) == ("a", {"x": "first"})
