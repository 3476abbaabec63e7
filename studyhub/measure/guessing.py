"""What is left of a share of right answers once lucky guesses are taken off."""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial

LARGEST = 20  # options; beyond, a guess has no chance worth counting


def chance(kind: str, options: int) -> float:
    """How likely somebody who knows nothing answers a question of this kind right, with so many options.

    Of a single choice 1/k; of a multiple choice one of the 2^k - 1 sets that are not empty; of an ordering 1/k!.
    A typed answer, and any kind not named here, has none: 0.
    """
    if options < 1 or options > LARGEST:
        return 0.0
    if kind == "single":
        return 1 / options
    if kind == "multiple":
        return 1 / ((1 << options) - 1)
    if kind == "order":
        return 1 / factorial(options)
    return 0.0


def known_share(right: int, chances: Iterable[tuple[float, int]]) -> float | None:
    """The share that was known, of answers of which ``right`` are right and ``chances`` are (chance, how many).

    Who knows a share K and guesses the rest is right K + (1 - K)c of the time, c being the mean chance over all the
    answers; so K = (p - c) / (1 - c), not below 0. None without answers, or where every guess is right.
    """
    pairs = [pair for pair in chances if pair[1]]
    n = sum(many for _, many in pairs)
    if not n:
        return None
    mean = sum(one * many for one, many in pairs) / n
    return max(0.0, (right / n - mean) / (1 - mean)) if mean < 1 else None
