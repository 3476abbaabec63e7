"""What changed between two plain texts, word by word and paragraph by paragraph. Plain Python."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

SAME, GONE, NEW = "same", "gone", "new"
Piece = tuple[str, str]
Paragraphs = Sequence[tuple[str, str]]

MOST = 1_000_000  # product of two lengths in words above which a stretch is given as replaced whole
ALIKE = 0.4  # share of common words from which two paragraphs count as one that was reworded
BY_PLACE = re.compile(r"(?:-p|_)\d+$")  # ids that count paragraphs or blocks move when one is put in


@lru_cache(maxsize=512)
def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """The steps from ``old`` to ``new`` as (same | gone | new, words), white space folded.

    The same and gone pieces joined by blanks are ``old``, the same and new ones are ``new``; gone stands before
    new. A single short word that stayed between two changes is given as changed, so that it reads well. Two
    stretches whose lengths in words multiply to more than ``MOST`` are not compared word by word.
    """
    before, after = old.split(), new.split()
    pieces: list[Piece] = []
    for tag, i1, i2, j1, j2 in _smoothed(word_steps(before, after), before):
        if tag == "equal":
            pieces.append((SAME, " ".join(before[i1:i2])))
            continue
        if i1 < i2:
            pieces.append((GONE, " ".join(before[i1:i2])))
        if j1 < j2:
            pieces.append((NEW, " ".join(after[j1:j2])))
    return tuple(pieces)


Step = tuple[str, int, int, int, int]


def word_steps(before: Sequence[str], after: Sequence[str]) -> list[Step]:
    """Opcodes of difflib, found within what is left when equal beginnings and ends are put aside."""
    most = min(len(before), len(after))
    head = next((n for n in range(most) if before[n] != after[n]), most)
    most -= head
    tail = next((n for n in range(most) if before[-1 - n] != after[-1 - n]), most)
    a, b = before[head : len(before) - tail], after[head : len(after) - tail]
    steps: list[Step] = [("equal", 0, head, 0, head)] if head else []
    if len(a) * len(b) > MOST:
        steps.append(("replace", head, head + len(a), head, head + len(b)))
    else:
        found = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        steps += [(tag, i1 + head, i2 + head, j1 + head, j2 + head) for tag, i1, i2, j1, j2 in found]
    if tail:
        steps.append(("equal", len(before) - tail, len(before), len(after) - tail, len(after)))
    return steps


def _smoothed(steps: Sequence[Step], before: Sequence[str]) -> list[Step]:
    """Changes with only one short word between them become one change."""
    found: list[Step] = []
    for at, (tag, i1, i2, j1, j2) in enumerate(steps):
        short = tag == "equal" and i2 - i1 == 1 and len(before[i1]) <= 3 and 0 < at < len(steps) - 1
        changed = short or tag != "equal"
        if changed and found and found[-1][0] == "change":
            _, a1, _, b1, _ = found[-1]
            found[-1] = ("change", a1, i2, b1, j2)
        else:
            found.append(("change" if changed else "equal", i1, i2, j1, j2))
    return found


@dataclass(frozen=True, slots=True)
class Change:
    """One paragraph before and now; "" where it was put in or taken out.

    ``anchor`` is its own or that of the nearest paragraph above it, in the text as it is now; "" at the top.
    """

    anchor: str
    old: str
    new: str


def changed_paragraphs(old: Paragraphs, new: Paragraphs) -> tuple[Change, ...]:
    """The paragraphs whose words differ, in the order of ``new``; one that only moved is not among them.

    Both are (anchor or "", plain text). Paragraphs belong together by the author's anchor, else by likeness among
    neighbours; an anchor by place ("weights-p3") says nothing.
    """
    steps = SequenceMatcher(None, [text for _, text in old], [text for _, text in new], autojunk=False)
    gone, came = _left_over(steps.get_opcodes(), old, new)
    partner = _by_anchor(gone, came, old, new)
    regions = [one for one in steps.get_opcodes() if one[0] == "replace"]
    for _, i1, i2, j1, j2 in regions:
        taken = set(partner.values())
        _by_likeness(
            [i for i in range(i1, i2) if i in gone and i not in taken],
            [j for j in range(j1, j2) if j in came and j not in partner],
            (old, new),
            partner,
        )
    used = set(partner.values())
    changes = [
        (j, 1, Change(_above(new, j), old[partner[j]][1] if j in partner else "", new[j][1])) for j in came
    ]
    for i in sorted(gone - used):
        place = next((j2 for _, i1, i2, j1, j2 in steps.get_opcodes() if i1 <= i < i2), len(new))
        changes.append((place, 0, Change(_above(new, place - 1), old[i][1], "")))
    return tuple(change for _, _, change in sorted(changes, key=lambda one: one[:2]))


def _left_over(steps: Iterable[Step], old: Paragraphs, new: Paragraphs) -> tuple[set[int], set[int]]:
    """Indexes of what is only in the old and only in the new text; equal texts that moved are put aside."""
    gone: list[int] = []
    came: list[int] = []
    for tag, i1, i2, j1, j2 in steps:
        if tag != "equal":
            gone += range(i1, i2)
            came += range(j1, j2)
    moved = Counter(old[i][1] for i in gone) & Counter(new[j][1] for j in came)
    return _without(gone, old, moved), _without(came, new, moved)


def _without(indexes: Iterable[int], texts: Paragraphs, moved: Counter[str]) -> set[int]:
    rest, kept = Counter(moved), set()
    for index in indexes:
        if rest[texts[index][1]] > 0:
            rest[texts[index][1]] -= 1
        else:
            kept.add(index)
    return kept


def _by_anchor(gone: set[int], came: set[int], old: Paragraphs, new: Paragraphs) -> dict[int, int]:
    """Index in ``new`` → index in ``old`` of those that carry the same anchor of the author's."""
    named = {old[i][0]: i for i in gone if old[i][0] and not BY_PLACE.search(old[i][0])}
    return {j: named[new[j][0]] for j in came if new[j][0] in named}


def _by_likeness(
    gone: Sequence[int], came: Sequence[int], texts: tuple[Paragraphs, Paragraphs], partner: dict[int, int]
) -> None:
    """Add to ``partner`` the neighbours that share most words, in order, as far as they are alike at all."""
    words = {i: Counter(texts[0][i][1].split()) for i in gone}
    start = 0
    for j in came:
        mine = Counter(texts[1][j][1].split())
        best = max(
            ((_likeness(words[i], mine), -at) for at, i in enumerate(gone) if start <= at < start + 40),
            default=(0.0, 0),
        )
        if best[0] >= ALIKE:
            start = 1 - best[1]
            partner[j] = gone[start - 1]


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Common words as a share of both, 0 to 1 (Dice)."""
    return 2 * (one & other).total() / max(1, one.total() + other.total())


def _above(texts: Paragraphs, index: int) -> str:
    return next((texts[n][0] for n in range(min(index, len(texts) - 1), -1, -1) if texts[n][0]), "")
