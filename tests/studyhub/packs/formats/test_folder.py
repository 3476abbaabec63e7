"""Whole packs: what is refused, with which words, and what is read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from studyhub.packs.draft import Fault
from studyhub.packs.formats import read_pack
from studyhub.packs.formats.report import in_order
from studyhub.packs.lints import lint_pack

ROOT = Path(__file__).parents[4]
BROKEN = sorted((ROOT / "fixtures/packs").glob("broken-*"))
SHARED = ROOT.parent / "shared/formats"
NOT_BESIDE = (
    "the foreign course files (../shared/formats) lie beside the project where it is made, not in every clone"
)

COURSE = """---
kind: course
id: tea
title: Tea
---

## Domains

- Tea {#tea, 100%}
"""
CHAPTER = """---
kind: chapter
id: water
number: 1
title: Water
domain: tea
---

Water first.

## Heat {#heat}

Green leaves scald above 80 °C. {#scald}
"""


def listing(faults: list[Fault] | tuple[Fault, ...]) -> str:
    return "".join(f"{fault}\n" for fault in faults)


def codes(folder: Path) -> list[tuple[str, int, str]]:
    return [(fault.path, fault.line, fault.code) for fault in read_pack(folder).faults]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    for room in ("chapters", "quizzes", "cards", "media"):
        (tmp_path / room).mkdir()
    (tmp_path / "course.md").write_text(COURSE, encoding="utf-8")
    (tmp_path / "chapters/water.md").write_text(CHAPTER, encoding="utf-8")
    return tmp_path


def test_broken_packs_are_there() -> None:
    assert len(BROKEN) >= 6


@pytest.mark.parametrize("folder", BROKEN, ids=lambda folder: folder.name)
def test_broken_pack_gets_exactly_its_messages(folder: Path) -> None:
    pack = read_pack(folder)
    expected = (folder / "EXPECTED.txt").read_text(encoding="utf-8")
    assert listing(in_order([*pack.faults, *lint_pack(pack)])) == expected


def test_messages_of_the_shared_broken_files_are_the_same() -> None:
    folder = SHARED / "native/broken"
    if not folder.is_dir():
        pytest.skip(NOT_BESIDE)
    lines = (folder / "EXPECTED_MESSAGES.txt").read_text(encoding="utf-8").splitlines()
    expected = [line for line in lines if line.startswith("    ") or ".md:" in line]
    faults = [fault for fault in read_pack(folder).faults if fault.path != "course.md"]
    assert [f"broken/{line}" if line[0] != " " else line for line in listing(faults).splitlines()] == expected


def test_shared_examples_have_no_error() -> None:
    folder = SHARED / "native"
    if not folder.is_dir():
        pytest.skip(NOT_BESIDE)
    pack = read_pack(folder)
    assert [fault for fault in pack.faults if fault.code[0] == "E" and fault.path != "course.md"] == []
    assert [question.slug for question in pack.quizzes[0].questions] == [
        "outlier-scale",
        "no-retraining",
        "seven-b",
        "widths",
        "calib",
    ]
    assert [fault.line for fault in pack.faults if fault.code == "W220"] == []
    assert [fault.line for fault in pack.faults if fault.code == "W214"] == [31, 42, 46, 56]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("path_escape", {(3, "E012"), (6, "E310"), (7, "E312"), (8, "E312"), (9, "E314")}),
        ("yaml_bomb", {(1, "E004")}),
        ("yaml_types", {(6, "E003")}),
        ("xss", {(5, "W110"), (7, "W110"), (59, "W113")}),
    ],
)
def test_hostile_files_are_refused_by_line(pack: Path, name: str, expected: set[tuple[int, str]]) -> None:
    file = SHARED / f"evil/{name}.chapter.md"
    if not file.is_file():
        pytest.skip(NOT_BESIDE)
    shutil.copyfile(file, pack / "chapters/evil.md")
    found = {(line, code) for path, line, code in codes(pack) if path == "chapters/evil.md"}
    assert expected <= found


def test_shipped_course_has_no_fault_and_no_warning() -> None:
    folder = ROOT / "fixtures/packs/llm-inference"
    pack = read_pack(folder)
    assert listing(in_order([*pack.faults, *lint_pack(pack)])) == ""


def test_sound_pack_is_read(pack: Path) -> None:
    read = read_pack(pack)
    assert read.faults == ()
    assert read.course is not None
    assert [(chapter.slug, chapter.number) for chapter in read.chapters] == [("water", 1)]


def test_chapter_of_256_kb_is_read_and_one_byte_more_is_not(pack: Path) -> None:
    row = "word " * 200 + "\n\n"
    text = CHAPTER + "".join(f"## S {{#s{number}}}\n\n{row * 50}" for number in range(5))
    text += "\n" * (256 * 1024 - len(text.encode()))
    (pack / "chapters/water.md").write_text(text, encoding="utf-8")
    assert codes(pack) == []
    (pack / "chapters/water.md").write_text(text + "\n", encoding="utf-8")
    assert codes(pack) == [("chapters/water.md", 1, "E022")]


def test_link_is_not_followed(pack: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("outside") / "secret.md"
    secret.write_text(CHAPTER, encoding="utf-8")
    (pack / "chapters/linked.md").symlink_to(secret)
    (pack / "quizzes").rmdir()
    (pack / "quizzes").symlink_to(secret.parent)
    assert codes(pack) == [("chapters/linked.md", 1, "E023"), ("quizzes", 1, "E023")]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"\xff\xfek\x00", ("chapters/odd.md", 1, "E020")),
        (CHAPTER.encode() + b"caf\xe9", ("chapters/odd.md", 14, "E020")),
        (CHAPTER.encode() + b"a\0b", ("chapters/odd.md", 14, "E021")),
        (CHAPTER.encode() + b"x" * 20_001, ("chapters/odd.md", 14, "E022")),
    ],
)
def test_file_that_is_not_our_text_is_one_fault(
    pack: Path, raw: bytes, expected: tuple[str, int, str]
) -> None:
    (pack / "chapters/odd.md").write_bytes(raw)
    assert codes(pack) == [expected]


def test_byte_order_mark_and_other_line_ends_are_read(pack: Path) -> None:
    text = "\ufeff" + CHAPTER.replace("\n", "\r\n")
    (pack / "chapters/water.md").write_bytes(text.encode())
    read = read_pack(pack)
    assert read.faults == ()
    assert read.chapters[0].sections[0].body_md == "Green leaves scald above 80 °C. {#scald}"


def test_pipe_in_the_folder_does_not_hang(pack: Path) -> None:
    os.mkfifo(pack / "media/pipe.svg")
    assert codes(pack) == [("media/pipe.svg", 1, "E024")]


def test_missing_folder_is_a_fault(tmp_path: Path) -> None:
    assert codes(tmp_path / "nowhere") == [("course.md", 1, "E024")]


def test_files_beside_the_pack_are_left_alone(pack: Path) -> None:
    (pack / "README.md").write_text("about", encoding="utf-8")
    (pack / ".git").mkdir()
    (pack / ".git/config").write_text("x", encoding="utf-8")
    assert codes(pack) == []
