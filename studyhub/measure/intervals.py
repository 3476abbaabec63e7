"""Intervals for a share: how much a few answers leave open."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z95 = 1.959963984540054  # the 97.5 % point of the standard normal distribution


class Interval(NamedTuple):
    """Two shares between 0 and 1, ``low`` not above ``high``."""

    low: float
    high: float


def wilson(hits: int, n: int, z: float = Z95) -> Interval:
    """The Wilson score interval of a share, ``hits`` of ``n``, at 95 % unless ``z`` says otherwise.

    Of nothing it is the whole range from 0 to 1. Raises ValueError unless 0 <= hits <= n.
    Source: E. B. Wilson, Probable inference, JASA 22 (1927), 209-212.
    """
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} of {n} is no share")
    if n == 0:
        return Interval(0.0, 1.0)
    share, square = hits / n, z * z
    scale = 1 + square / n
    middle = (share + square / (2 * n)) / scale
    half = z * sqrt(share * (1 - share) / n + square / (4 * n * n)) / scale
    return Interval(
        0.0 if hits == 0 else max(0.0, middle - half), 1.0 if hits == n else min(1.0, middle + half)
    )
