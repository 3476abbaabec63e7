"""The part of a text to show for what was found in it, and the words in it that were looked for.

Postgres finds texts by the stems of words; here only their words are marked, for the few texts that are shown. What
matched stands between ``BEGIN`` and ``END``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

BEGIN, END = "\x02", "\x03"  # the loader lets neither into a text
LONGEST, RUN_UP = 320, 120  # characters of an extract, and of them before what matched
LETTER = r"[^\W_]"

Span = tuple[int, int]  # from a character to the one before another


@dataclass(frozen=True, slots=True)
class Word:
    """A word in a text, in lower case, and where it stands."""

    text: str
    span: Span


def likely_words(text: str, likely: re.Pattern[str]) -> list[Word]:
    """The words of ``text`` that ``likely`` finds, in their order."""
    low = text.lower()
    if len(low) != len(text):  # a capital that is two characters when small; its like are never looked for
        low = "".join(one if len(one.lower()) > 1 else one.lower() for one in text)
    return [Word(found[0], found.span()) for found in likely.finditer(low) if _begins(low, found.start())]


def _begins(text: str, at: int) -> bool:
    """Whether a word begins here, and neither within another nor behind the point of a number."""
    before, digit = text[max(0, at - 2) : at], text[at].isdigit()
    return not before[-1:].isalnum() and not (digit and before[-1:] == "." and before[:1].isdigit())


@lru_cache(maxsize=256)
def likely_for(stems: frozenset[str]) -> re.Pattern[str]:
    """What finds every word in lower case that may have one of these stems, and perhaps the end of a longer word.

    A stem of the English Snowball stemmer begins as its word does, but for its last letter (memory, memori). Stems with
    other signs in them (a-b, 3.5) are found as they stand. No look behind: a pattern that begins with letters is
    found many times as quickly.
    """
    ways = sorted(map(_way, stems), key=lambda one: (-len(one), one))
    return re.compile("|".join(ways) if ways else "(?!)")


def _way(stem: str) -> str:
    if stem.isdigit():
        return rf"{stem}(?!{LETTER}|\.\d)"
    if stem.isalnum():
        return rf"{re.escape(stem[: max(2, len(stem) - 1)])}{LETTER}*"
    return rf"{re.escape(stem)}(?!{LETTER})"


def extract_of(text: str, marked: Sequence[Span]) -> str:
    """The part of ``text`` in which most of what was looked for stands, of some 320 characters.

    Shorter texts stay whole; a part begins with a sentence where one begins near, and … says where the text goes on.
    """
    start, end = _window(text, [span[0] for span in marked])
    told, at = [], start
    for first, last in marked:
        if start <= first and last <= end:
            told += [text[at:first], BEGIN, text[first:last], END]
            at = last
    before, after = "… " if start else "", " …" if end < len(text) else ""
    return f"{before}{''.join(told)}{text[at:end]}{after}"


def _window(text: str, marks: Sequence[int]) -> Span:
    """The part to show, between words."""
    if len(text) <= LONGEST:
        return 0, len(text)
    best = max(marks, key=lambda here: sum(here <= one < here + LONGEST - RUN_UP for one in marks), default=0)
    start = 0
    if best > LONGEST - RUN_UP:
        sentence = max(text.rfind(sign, best - RUN_UP, best) for sign in (". ", "? ", ": "))
        start = sentence + 2 if sentence >= 0 else text.rfind(" ", 0, best - 20) + 1
    if len(text) <= start + LONGEST:
        return start, len(text)
    end = text.rfind(" ", start, start + LONGEST)
    return start, end if end > start else start + LONGEST
