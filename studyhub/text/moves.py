"""Where words of a text are after it was edited: places are carried through the word diff, misspelt words too.

Places count characters (Unicode code points) of ``letters``. Plain Python.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import category

from studyhub.text.diffs import ALIKE, BY_PLACE, Step, word_steps

LIKE = 0.6  # likeness of two words, 0 to 1, from which one is the other, spelt anew
LEAST = 0.5  # share of the marked words that must still be there
HELD = 0.7  # share of the shorter paragraph's words from which one was made of the other
TELLING = 4  # letters of a word that says something by itself
ENOUGH = 3  # such words that tell a place in a paragraph that is otherwise new
NEVER = 10**9
MOST_PAIRS = 2_500  # product of two lengths in words above which no word is looked for that was spelt anew
LONGEST = 120  # letters above which two words are compared by their beginnings and ends only

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # written without blanks: each is a word
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+|[^\w\s]")
Span = tuple[int, int]  # first character, and the one after the last
Pair = tuple[Span, Span]  # a piece of the old text, and what it became


@dataclass(frozen=True, slots=True)
class Moved:
    """Where marked words stand now. ``kept``: the share of them that is still there, 0 to 1."""

    anchor: str
    start: int
    end: int
    kept: float


def moved(old: Mapping[str, str], new: Mapping[str, str], anchor: str, start: int, end: int) -> Moved | None:
    """Where the words from ``start`` to ``end`` of paragraph ``anchor`` stand in the new paragraphs.

    They reach from the first to the last marked word that is still there, with what was put between. A word is there
    when it is the same, or the same spelt anew: six tenths alike, in the same place. Looked for in the paragraph
    itself, then in one with the same text, then in those that are new, for paragraphs are split, joined and moved.
    None when less than half of the words are still there, or only in a paragraph that has nothing to do with this one.
    """
    text = old.get(anchor, "")
    if not text[start:end].strip():
        return None
    if new.get(anchor) == text:
        return Moved(anchor, start, end, 1.0)
    for other, now in new.items():
        if now == text:
            return Moved(other, start, end, 1.0)
    known = set(old.values())
    best: Moved | None = None
    for place in sorted((one for one, now in new.items() if now not in known), key=lambda one: one != anchor):
        alone = NEVER if place != anchor else ENOUGH if BY_PLACE.search(anchor) else 0
        found = _within(text, new[place], (start, end), alone)
        if found is not None and found[1] >= LEAST and (best is None or found[1] > best.kept):
            best = Moved(place, *found[0], found[1])
    return best


@lru_cache(maxsize=4096)
def _within(old: str, new: str, marked: Span, alone: int) -> tuple[Span, float] | None:
    """Where the marked words of one text stand in another, and the share of them that is there; None where none is.

    ``alone``: so many telling words are enough where the two paragraphs have nothing to do with each other.
    """
    akin = _akin(old, new)
    if not akin and alone == NEVER:
        return None
    found = [one for one in (_part(old, new, pair, marked) for pair in _pairs(old, new)) if one is not None]
    words = _words_in(old, marked)
    there = [one for one in words if any(a < one[1] and b > one[0] for (a, b), _ in found)]
    if not there or not (akin or sum(b - a >= TELLING for a, b in there) >= alone):
        return None
    return (found[0][1][0], found[-1][1][1]), len(there) / len(words)


@lru_cache(maxsize=4096)
def _akin(old: str, new: str) -> bool:
    """Whether a paragraph is another one reworded, or one of the two was made of the other by splitting or joining."""
    one, other = (Counter(text[a:b] for a, b in _spans(text)) for text in (old, new))
    common, shorter = (one & other).total(), min(one.total(), other.total())
    if 2 * common >= ALIKE * (one.total() + other.total()):
        return True
    return 0 < HELD * shorter <= common and HELD * shorter <= len(_pairs(old, new))


def _words_in(text: str, marked: Span) -> list[Span]:
    """The words that a mark touches; its signs where it has no word."""
    touched = [(a, b) for a, b in _spans(text) if a < marked[1] and b > marked[0]]
    return [(a, b) for a, b in touched if any(map(str.isalnum, text[a:b]))] or touched


def _part(old: str, new: str, pair: Pair, marked: Span) -> Pair | None:
    """What of a piece is marked, and what that became; None where nothing is or its letters are gone."""
    (a, b), (c, d) = pair
    first, last = max(a, marked[0]), min(b, marked[1])
    if first >= last:
        return None
    if (first, last) == (a, b):
        return pair
    there = [
        c + j1 + at - i1
        for tag, i1, i2, j1, _ in _letter_steps(old[a:b], new[c:d])
        for at in range(i1, i2)
        if tag == "equal" and first - a <= at < last - a
    ]
    if not there:
        return None
    return (first, last), _whole(new, (c if first == a else there[0], d if last == b else there[-1] + 1))


def _whole(text: str, span: Span) -> Span:
    """The span without half a letter: what joins the letter before goes with it."""
    start, end = span
    while start > 0 and _joins(text, start):
        start -= 1
    while end < len(text) and _joins(text, end):
        end += 1
    return start, end


def _joins(text: str, at: int) -> bool:
    """Whether a character belongs to the one before: an accent, a tone of skin, what a joiner joins."""
    return (
        category(text[at]) in {"Mn", "Mc", "Me", "Cf"}
        or "\U0001f3fb" <= text[at] <= "\U0001f3ff"
        or (at > 0 and text[at - 1] == "\u200d")
    )


@lru_cache(maxsize=512)
def _spans(text: str) -> tuple[Span, ...]:
    """Words and single signs."""
    found: list[Span] = []
    for one in _WORD.finditer(text):
        a, b = one.span()
        letter = text[a].isalnum() or text[a] == "_"
        before = found and found[-1][1] == a
        joined = before and (_joins(text, a) or (letter and a > 0 and _accented(text, found[-1], a)))
        if joined:
            found[-1] = (found[-1][0], b)
        else:
            found.append((a, b))
    return tuple(found)


def _accented(text: str, word: Span, at: int) -> bool:
    """Whether letters go on in a word that ends in an accent."""
    return text[word[0]].isalnum() and _joins(text, at - 1)


@lru_cache(maxsize=512)
def _pairs(old: str, new: str) -> tuple[Pair, ...]:
    """The words that stayed and those that were spelt anew, in order.

    A short word counts only beside another one: the same "of" in two texts says nothing.
    """
    before, after = _spans(old), _spans(new)
    one, other = [old[a:b] for a, b in before], [new[a:b] for a, b in after]
    found: dict[int, int] = {}
    pairs: list[Pair] = []
    for tag, i1, i2, j1, j2 in word_steps(one, other):
        if tag == "equal":
            found |= zip(range(i1, i2), range(j1, j2), strict=True)
        elif i2 - i1 != j2 - j1 and "".join(one[i1:i2]).lower() == "".join(other[j1:j2]).lower() != "":
            pairs.append(((before[i1][0], before[i2 - 1][1]), (after[j1][0], after[j2 - 1][1])))
        elif (i2 - i1) * (j2 - j1) <= MOST_PAIRS:
            found |= ((i1 + i, j1 + j) for i, j in _respelt(one[i1:i2], other[j1:j2]))
    edges = {(-1, -1), (len(one), len(other))}
    known = set(found.items()) | edges
    for i, j in found.items():
        if len(one[i]) >= TELLING or (i - 1, j - 1) in known or (i + 1, j + 1) in known:
            pairs.append((before[i], after[j]))
    return tuple(sorted(pairs))


def _respelt(before: list[str], after: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of words that became each other, in order, so that they are as much alike as can be."""
    best = [[0.0] * (len(after) + 1) for _ in range(len(before) + 1)]
    alike = [[_likeness(one, other) for other in after] for one in before]
    for i in range(len(before) - 1, -1, -1):
        for j in range(len(after) - 1, -1, -1):
            both = alike[i][j] + best[i + 1][j + 1] if alike[i][j] else 0.0
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(before) and j < len(after):
        if alike[i][j] and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


@lru_cache(maxsize=8192)
def _likeness(one: str, other: str) -> float:
    """How much two words are alike, 0.6 to 1, whatever their capitals; 0 where that is less.

    Twice the letters they share in order by the letters of both (Ratcliff and Obershelp, as difflib has it). A sign is
    like itself only.
    """
    if one == other:
        return 1.0
    if not (one[0].isalnum() and other[0].isalnum()):
        return 0.0
    same = sum(i2 - i1 for tag, i1, i2, _, _ in _letter_steps(one, other) if tag == "equal")
    ratio = 2 * same / (len(one) + len(other))
    return ratio if ratio >= LIKE else 0.0


def _letter_steps(one: str, other: str) -> list[Step]:
    """The steps from one word to another, letter by letter, whatever their capitals; of long ones only their ends."""
    before, after = _small(one), _small(other)
    if max(len(one), len(other)) <= LONGEST:
        return word_steps(before, after)
    most = min(len(one), len(other))
    head = next((n for n in range(most) if before[n] != after[n]), most)
    tail = next((n for n in range(most - head) if before[-1 - n] != after[-1 - n]), most - head)
    return [
        ("equal", 0, head, 0, head),
        ("replace", head, len(one) - tail, head, len(other) - tail),
        ("equal", len(one) - tail, len(one), len(other) - tail, len(other)),
    ]


def _small(word: str) -> list[str]:
    """The letters without their capitals, each still one."""
    return [small if len(small := letter.lower()) == 1 else letter for letter in word]
