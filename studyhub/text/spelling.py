"""Which word of a course somebody meant who typed one that it does not have.

A word that is only rare, or right and not in the course, must stay as it is: what counts is how likely the slip is, not
how many letters two words share. Four of five slips are one letter too many, too few, another, or two neighbours
swapped (Damerau 1964), and hands and ears do not make any letter of any other: it is a neighbour on the keyboard, a
vowel for a vowel, or sounds alike. The end of a word says which form it is, and is no slip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from studyhub.text.plain import names

# Below so many letters so many slips. A word of up to three letters is one slip away from many others; in one of four
# only swapped neighbours tell, in one of five a vowel for a vowel makes another word too often.
SLIPS = ((4, 0.0), (12, 1.0), (99, 2.0))
SWAPS_ONLY, NO_VOWEL = 4, 5  # letters
LIKELY, UNLIKELY = 1.0, 2.0  # slips that another letter in the place of one counts for
FAR = 9.0  # slips: more than any word may have
ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")  # of a keyboard, each half a key to the right of the one above
SOUNDS = ("ckq", "csz", "gj", "iy")
VOWELS = "aeiouy"
ENDS = names(
    "a al able ably age ance ant ation e ed en ence ent er ers es ful ible ic ied ier ies ing ings ion ions ise ism ist"
    " ity ive ize less ly ment ness or ors ory ous r rs s d t y"
) | {""}
BEGINS = names("anti bi de dis im in inter mis multi non over pre re sub super un under")


def _pairs() -> frozenset[tuple[str, str]]:
    """Every two letters of which one is likely to be typed for the other."""
    found = {(one, other) for one in VOWELS for other in VOWELS}
    for row in ROWS:
        found.update(pairwise(row))
    for above, below in pairwise(ROWS):
        found.update(zip(above, below, strict=False))
        found.update(zip(above[1:], below, strict=False))
    return ALIKE | found | {(other, one) for one, other in found}


ALIKE = frozenset((one, other) for group in SOUNDS for one in group for other in group)
PAIRS = _pairs()


def likest(word: str, words: Sequence[str]) -> str:
    """The word that ``word`` most likely was to be, the more frequent of two; "" where none is likely.

    ``words`` are in small letters and begin with the most frequent one. A likely one begins with the same letter, with
    one that sounds like it or with the first two swapped, has the same digits in the same order, is no other form of
    the word, and lies within one slip of words of four to eleven letters and two of longer ones.
    """
    typed = word.lower()
    most = next(slips for length, slips in SLIPS if sum(map(str.isalpha, typed)) < length)
    best, least = "", most + 0.5
    for one in words if most else ():
        if one != typed and _may_be(typed, one, most) and not _other_form(typed, one):
            slips = distance(typed, one, most)
            if slips < least:
                best, least = one, slips
    return best


def _may_be(typed: str, one: str, most: float) -> bool:
    """A quick look before the slips are counted."""
    if abs(len(typed) - len(one)) > most + 1:  # and a hyphen
        return False
    if typed[0] != one[0] and (typed[0], one[0]) not in ALIKE and typed[1::-1] != one[:2]:
        return False
    return _digits(typed) == _digits(one) and (Counter(typed) - Counter(one)).total() <= most + 1


def _other_form(typed: str, one: str) -> bool:
    """Whether the two differ only before or behind the word: "scaled" and "scales", "usable" and "unusable"."""
    same = next(
        (at for at, (a, b) in enumerate(zip(typed, one, strict=False)) if a != b), min(map(len, (typed, one)))
    )
    if same >= 3 and typed[same:] in ENDS and one[same:] in ENDS:
        return True
    longer, shorter = sorted((typed, one), key=len, reverse=True)
    return longer.endswith(shorter) and longer.removesuffix(shorter) in BEGINS


def _digits(word: str) -> str:
    return "".join(letter for letter in word if letter.isdigit())


def distance(typed: str, meant: str, most: float = FAR) -> float:
    """The slips between two words: Damerau's distance with optimal alignment, hyphens apart (Boytsov 2011, 2.2.3).

    Another letter counts 1 where it is likely and 2 where it is not; more than ``most`` may be told as any number
    above it.
    """
    a, b = typed.replace("-", ""), meant.replace("-", "")
    slip = UNLIKELY if len(a) <= SWAPS_ONLY else 1.0
    before: list[float] = []
    row = [float(at) for at in range(len(b) + 1)]
    for i, letter in enumerate(a, start=1):
        last, before, row = before, row, [float(i)]
        for j, other in enumerate(b, start=1):
            change = 0.0 if letter == other else _change(letter, other, len(a))
            least = min(before[j] + slip, row[j - 1] + slip, before[j - 1] + change)
            if i > 1 and j > 1 and letter == b[j - 2] != other == a[i - 2]:
                least = min(least, last[j - 2] + 1)
            row.append(least)
        if min(*row, *(one + 1 for one in before)) > most:  # a swap steps over a row
            return FAR
    return row[-1]


def _change(letter: str, other: str, length: int) -> float:
    if length <= SWAPS_ONLY or (length <= NO_VOWEL and letter in VOWELS and other in VOWELS):
        return UNLIKELY
    return LIKELY if (letter, other) in PAIRS else UNLIKELY
