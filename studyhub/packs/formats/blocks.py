"""Lines into blocks: code fences, ``##`` headings and the settings under them. One pass each."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from studyhub.packs.formats.report import Report, guess, shown

FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
LONGEST = 40  # lines of settings under one heading
INDENTED = re.compile(r" {1,3}##[ \t]")
SETTING = re.compile(r"([A-Za-z][A-Za-z_-]{0,30}):(?:[ \t]+(.*))?", re.DOTALL)


def split_lines(text: str) -> list[str]:
    """Lines by line feed, carriage return or both; other separators are letters of the line."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@dataclass(frozen=True, slots=True)
class Fences:
    """Which lines belong to code; ``open_at`` is the index of a fence that is never closed, else -1."""

    inside: tuple[bool, ...]
    open_at: int


def fences(lines: Sequence[str]) -> Fences:
    """Find the code fences. The lines that open and close a fence count as code."""
    inside: list[bool] = []
    mark, open_at = "", -1
    for at, line in enumerate(lines):
        match = FENCE.match(line)
        run = match.group(1) if match else ""
        rest = line[match.end() :].strip() if match else ""
        if mark:
            inside.append(True)
            if run.startswith(mark) and not rest:
                mark, open_at = "", -1
        elif run and not (run[0] == "`" and "`" in rest):
            mark, open_at = run, at
            inside.append(True)
        else:
            inside.append(False)
    return Fences(tuple(inside), open_at)


@dataclass(frozen=True, slots=True)
class Block:
    """A ``##`` heading and the lines below it. The first block of a file may have no heading.

    ``line`` is the heading's line (for the first block: the line before its text), ``open_fence`` says that a
    code fence in it is never closed.
    """

    heading: str
    line: int
    lines: tuple[str, ...]
    fenced: tuple[bool, ...]
    open_fence: bool


def split_blocks(lines: Sequence[str], before: int, report: Report) -> list[Block]:
    """Cut ``lines`` at the ``##`` headings outside code. ``before``: number of file lines above them."""
    code = fences(lines)
    starts = [
        at
        for at, line in enumerate(lines)
        if line.startswith("##") and not code.inside[at] and line[2:3] != "#"
    ]
    for at in starts:
        if lines[at][2:3].strip():
            report.add(before + at + 1, "E118", 'no space after "##"', f'Write "## {shown(lines[at][2:])}".')
    for at, line in enumerate(lines):
        if line[:1] == " " and not code.inside[at] and INDENTED.match(line):
            report.add(before + at + 1, "E118", 'spaces in front of "##"', "Start the heading at the margin.")
    blocks = [_block(lines, code, -1, starts[0] if starts else len(lines), before)]
    for at, end in zip(starts, [*starts, len(lines)][1:], strict=True):
        blocks.append(_block(lines, code, at, end, before))
    return blocks


def _block(lines: Sequence[str], code: Fences, start: int, end: int, before: int) -> Block:
    heading = lines[start][2:].strip() if start >= 0 else ""
    return Block(
        heading=heading,
        line=before + start + 1,
        lines=tuple(lines[start + 1 : end]),
        fenced=code.inside[start + 1 : end],
        open_fence=start < code.open_at < end,
    )


def report_open_fence(block: Block, report: Report) -> None:
    """Report a fence of this block that is never closed, at the block's heading."""
    if block.open_fence:
        report.add(
            max(block.line, 1), "E105", "a code fence is opened and never closed", "Add ``` on its own line."
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a block; ``rest`` is the index in the block's lines where its text begins."""

    values: dict[str, str]
    lines: dict[str, int]
    rest: int

    def text(self, key: str) -> str:
        """The value of ``key``; "" when it is not given."""
        return self.values.get(key, "")

    def items(self, key: str) -> tuple[str, ...]:
        """The parts of the value between commas; brackets around them are allowed."""
        inner = self.text(key).removeprefix("[").removesuffix("]")
        return tuple(part.strip() for part in inner.split(",") if part.strip())


def take_settings(block: Block, known: Collection[str], report: Report, kind_of_text: str) -> Settings:
    """Read the ``key: value`` lines directly under the heading, up to an empty line (E103, E104, E107)."""
    values: dict[str, str] = {}
    places: dict[str, int] = {}
    for at, line in enumerate(block.lines):
        number = block.line + at + 1
        if not line.strip():
            return Settings(values, places, at + 1)
        match = SETTING.fullmatch(line.rstrip()) if at < LONGEST else None
        if match is None:
            mend = "Leave an empty line between the heading and the text."
            report.add(number, "E104", "text touches the heading", mend)
            return Settings(values, places, at)
        key, value = match.group(1), (match.group(2) or "").strip()
        if key not in known:
            report.add(number, "E103", f'unknown setting "{key}"', _unknown_setting(key, known, kind_of_text))
        elif key in values:
            report.add(number, "E107", f'setting "{key}" is given twice', "Keep one of the two.")
        else:
            values[key], places[key] = value, number
    return Settings(values, places, len(block.lines))


def _unknown_setting(key: str, known: Collection[str], kind_of_text: str) -> str:
    near = guess(key, known)
    start = f'Did you mean "{near}"?' if near else f"Known are: {', '.join(sorted(known))}."
    return f"{start} If this is {kind_of_text}, put an empty line above it."


def trimmed(lines: Sequence[str]) -> tuple[str, int]:
    """The lines as one text without empty lines around it, and how many lines were cut at the top."""
    top = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    return "\n".join(lines[top:]).rstrip(), top
