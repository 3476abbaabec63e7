"""When a share of right answers is called firm or weak: one rule, wherever it is said."""

from __future__ import annotations

from studyhub.measure.intervals import wilson

FEW = 3  # answers, below which no share is shown
JUDGED = 10  # answers, below which nothing is judged
GOAL = 0.8  # share of right answers to get beyond


def verdict(right: int, n: int) -> str:
    """none, few (below 3 answers), early (below 10), then good, weak or open.

    Good where the lower end of the Wilson interval (95 %) reaches 80 %, weak where even the upper end stays below,
    open where the interval takes 80 % in. Raises ValueError unless 0 <= right <= n.
    """
    if n < JUDGED:
        return "none" if not n else "few" if n < FEW else "early"
    interval = wilson(right, n)
    if interval.high < GOAL:
        return "weak"
    return "good" if interval.low >= GOAL else "open"
