"""Texts as words, for comparing them."""

from __future__ import annotations

import re

WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
NUMBER = re.compile(r"\d")
LONGEST = 400  # words that are compared


def words(text: str) -> tuple[str, ...]:
    """The words and numbers of ``text`` in small letters, at most 400."""
    found = []
    for match in WORD.finditer(text):
        found.append(match.group(0).lower())
        if len(found) == LONGEST:
            break
    return tuple(found)


def numbers(found: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the words that hold a digit."""
    return tuple(word for word in found if NUMBER.search(word))


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Shared words by all words, 0 to 1; two empty sets share nothing."""
    union = len(first | second)
    return len(first & second) / union if union else 0.0


def contains(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    """True when ``shorter`` stands in ``longer`` word for word."""
    return f" {' '.join(shorter)} " in f" {' '.join(longer)} "
