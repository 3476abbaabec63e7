"""The gaps of a cloze: ``{{c1::word|other form::hint}}`` in the stem or the text below it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quizzes.kinds.words import LONGEST
from studyhub.packs.formats.prose import visible_lines
from studyhub.packs.formats.report import Report, shown
from studyhub.text.marks import DISPLAY, MATHS

OPENS = re.compile(r"\{\{c\d{1,3}::")
GAP = re.compile(r"\{\{c(\d{1,3})::([^{}]{1,600})\}\}")
MOST = 20
FIRST = 0xE000  # private use: letters that no author's text needs, one for each gap
LETTERS = re.compile(f"[{chr(FIRST)}-{chr(FIRST + MOST)}]")
FOLLOWS = re.compile(r"[^.,;:!?()\[\]$\n]{1,100}")
AFTER = 4  # words
HIDDEN = (re.compile(DISPLAY), re.compile(MATHS), re.compile(r"\]\([^)]{0,2000}\)"))


@dataclass(frozen=True, slots=True)
class Gap:
    """``name`` as the author's list calls it ("c1"); ``line`` in the file."""

    name: str
    accepted: tuple[str, ...]
    hint: str
    line: int


@dataclass(frozen=True, slots=True)
class Gapped:
    """A stem and a body with a letter of its own in the place of each gap (see ``letter``), in reading order."""

    stem: str
    body: str
    gaps: tuple[Gap, ...]


def letter(number: int) -> str:
    """What stands for a gap, from 1, in the Markdown of a cloze."""
    return chr(FIRST + number - 1)


def cut_gaps(stem: str, body: str, lines: tuple[int, int], report: Report) -> Gapped:
    """Take the gaps out of both texts; ``lines`` are those of the stem and of the body's first line (E241 to E243).

    What is wrong with a gap is reported; at most 20 are taken.
    """
    gaps: list[Gap] = []
    texts = []
    for text, first in zip((stem, body), lines, strict=True):
        if len(OPENS.findall(text)) != len(GAP.findall(text)):
            mend = "Write {{c1::word}} or {{c1::word|other form::hint}}; no braces inside."
            at = next(at for at, line in enumerate(text.split("\n")) if OPENS.search(line))
            report.add(first + at, "E241", "a gap that cannot be read", mend)
        texts.append(_cut(LETTERS.sub("", text), first, gaps, report))
    if len(gaps) > MOST:
        report.add(gaps[MOST].line, "E246", f"more than {MOST} gaps", "Divide the question.")
    seen: dict[str, int] = {}
    for number, gap in enumerate(gaps[:MOST], start=1):
        _check(gap, seen, report)
        if not any(letter(number) in _open_text(text) for text in texts):
            mend = "Move it out of the code, the maths or the address; learners type into the page."
            report.add(gap.line, "E242", f"gap {gap.name} stands where nothing can be typed", mend)
    return Gapped(texts[0], texts[1], tuple(gaps[:MOST]))


def _cut(text: str, first: int, gaps: list[Gap], report: Report) -> str:
    line, seen = first, 0

    def taken(match: re.Match[str]) -> str:
        nonlocal line, seen
        line, seen = line + text.count("\n", seen, match.start()), match.start()
        words, _, hint = match.group(2).partition("::")
        accepted = tuple(" ".join(one.split()) for one in words.split("|") if one.strip())
        gaps.append(Gap(f"c{int(match.group(1))}", accepted, " ".join(hint.split()), line))
        return letter(min(len(gaps), MOST + 1))

    return GAP.sub(taken, text)


def words_after(number: int, *texts: str) -> str:
    """The first words behind gap ``number`` up to the next gap or the end of a clause, at most four: a noun or a unit
    that learners may type with what is missing.
    """
    for text in texts:
        _, found, rest = text.partition(letter(number))
        follows = FOLLOWS.match(LETTERS.split(rest)[0]) if found else None
        if follows:
            return " ".join(re.sub(r"[*`]", "", follows.group()).split()[:AFTER])
    return ""


def _check(gap: Gap, seen: dict[str, int], report: Report) -> None:
    if gap.name in seen:
        what = f"gap {gap.name} stands already on line {seen[gap.name]}"
        report.add(gap.line, "E243", what, "Give every gap a number of its own: c1, c2, …")
    seen.setdefault(gap.name, gap.line)
    if not gap.accepted:
        report.add(gap.line, "E222", f"gap {gap.name} has no answer", "Write {{c1::word}}.")
    for one in (*gap.accepted, gap.hint):
        if len(one) > LONGEST:
            what = f'"{shown(one, 40)}" is longer than {LONGEST} characters'
            report.add(gap.line, "E250", what, "Nobody types that much. Ask for a few words.")


def _open_text(text: str) -> str:
    """The text without code, maths and addresses."""
    plain = "\n".join(line for _, line in visible_lines(text.split("\n")))
    for pattern in HIDDEN:
        plain = pattern.sub("", plain)
    return plain
