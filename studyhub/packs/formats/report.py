"""Collecting faults: one place that knows how a fault is made, and how author text is quoted in it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from studyhub.packs.draft import Fault

QUOTED = 60  # characters of author text that a message repeats
GUESSABLE = 80  # longer words are not worth a guess
CHOICES = 1000  # known words that a guess looks through
MOST = 1000  # faults of one file that are listed


def shown(text: str, limit: int = QUOTED) -> str:
    """``text`` for one line of a terminal: white space folded, unprintable letters out, cut at ``limit``."""
    folded = " ".join(text[: limit * 4].split())
    clean = "".join(letter for letter in folded if letter.isprintable())
    return clean if len(clean) <= limit else clean[: limit - 1].rstrip() + "…"


def guess(word: str, known: Iterable[str]) -> str:
    """The known word nearest to ``word``, or "" when none is near."""
    if len(word) > GUESSABLE:
        return ""
    near = get_close_matches(word.lower(), list(known)[:CHOICES], n=1, cutoff=0.6)
    return near[0] if near else ""


def did_you_mean(word: str, known: Iterable[str], otherwise: str) -> str:
    """How to mend an unknown word: a guess, or ``otherwise`` when there is none."""
    near = guess(word, known)
    return f'Did you mean "{near}"?' if near else otherwise


class Report:
    """The faults of one file (or of one question in it) in the order they were found."""

    __slots__ = ("faults", "path")

    def __init__(self, path: str) -> None:
        """An empty report for the file at ``path``."""
        self.path = path
        self.faults: list[Fault] = []

    def add(self, line: int, code: str, what: str, mend: str) -> None:
        """Note one fault; ``line`` counts from 1 in the file."""
        self.take([Fault(self.path, line, code, what, mend)])

    def take(self, faults: Iterable[Fault]) -> None:
        """Note faults found elsewhere. After 1,000 one more says that the rest is not listed (E099)."""
        for fault in faults:
            if len(self.faults) > MOST:
                return
            self.faults.append(fault if len(self.faults) < MOST else self._last(fault.line))

    def _last(self, line: int) -> Fault:
        what = f"more than {MOST} faults in this file, the rest is not listed"
        return Fault(self.path, line, "E099", what, "Mend these first, then check again.")

    def full(self) -> bool:
        """True when no more faults are listed, so that looking for them is of no use."""
        return len(self.faults) > MOST

    def has_errors(self) -> bool:
        """True when one of the faults forbids loading."""
        return any(fault.code.startswith("E") for fault in self.faults)


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """The faults by path, line and code, each said once."""
    return sorted(set(faults), key=lambda fault: (fault.path, fault.line, fault.code, fault.what))
