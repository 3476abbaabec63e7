"""How likely a count is by chance: exact sums where they are small, no tables."""

from __future__ import annotations

import math
from collections.abc import Sequence

EXACT = 600  # questions; above it the normal approximation is used


def at_least(count: int, chances: Sequence[float]) -> float:
    """The probability of ``count`` or more hits when trial n hits with ``chances[n]`` (Poisson binomial).

    Exact dynamic programme up to 600 trials, then the normal approximation with continuity correction.
    """
    if count <= 0:
        return 1.0
    if len(chances) > EXACT:
        mean = sum(chances)
        spread = math.sqrt(sum(chance * (1 - chance) for chance in chances))
        return (
            0.5 * math.erfc((count - 0.5 - mean) / (spread * math.sqrt(2)))
            if spread
            else float(count <= mean)
        )
    hits = [1.0]
    for chance in chances:
        without = [weight * (1 - chance) for weight in hits] + [0.0]
        hits = [
            kept + before for kept, before in zip(without, [0.0, *(w * chance for w in hits)], strict=True)
        ]
    return min(1.0, math.fsum(hits[count:]))


def chi_square(observed: Sequence[float], expected: Sequence[float]) -> float:
    """The p-value of Pearson's test that ``observed`` follows ``expected`` (freedom: cells - 1)."""
    cells = [(seen, due) for seen, due in zip(observed, expected, strict=True) if due > 0]
    if len(cells) < 2:
        return 1.0
    statistic = sum((seen - due) ** 2 / due for seen, due in cells)
    return upper_gamma((len(cells) - 1) / 2, statistic / 2)


def upper_gamma(shape: float, value: float) -> float:
    """The regularised upper incomplete gamma function Q(shape, value), shape a multiple of one half.

    By recurrence from Q(1/2, x) = erfc(sqrt x) or Q(1, x) = exp(-x):
    Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1) (Abramowitz and Stegun 6.5.21).
    """
    if value <= 0:
        return 1.0
    half = shape % 1 != 0
    order = 0.5 if half else 1.0
    total = math.erfc(math.sqrt(value)) if half else math.exp(-value)
    while order < shape:
        total += math.exp(order * math.log(value) - value - math.lgamma(order + 1))
        order += 1
    return min(1.0, total)
