"""Whether people are right as often as they say: certainty in three bands against outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from studyhub.measure.intervals import Interval, wilson

# What each level of certainty says. The edges are where another level begins to pay under the marks 1/2/3 for right
# and 0/-2/-6 for wrong (A. R. Gardner-Medwin, certainty-based marking): p = 4p - 2 at 2/3, 4p - 2 = 9p - 6 at 4/5.
BANDS: Mapping[int, Interval] = {
    1: Interval(0.0, 2 / 3),
    2: Interval(2 / 3, 0.8),
    3: Interval(0.8, 1.0),
}
FEW = 5  # answers of a level, below which nothing is said of it
JUDGED = 10  # answers, below which nobody is called over- or underconfident


@dataclass(frozen=True, slots=True)
class Calibration:
    """Answers with a certainty against what came of them."""

    n: int
    right: int
    said: Interval  # what was said: one band, or the means of the lower and upper edges over several
    interval: Interval  # Wilson 95 % of the share that was right
    verdict: str  # few (below 5), early (below 10), over, under, fits


def level(certainty: int, right: int, n: int) -> Calibration:
    """The answers of one level, 1 to 3. Raises KeyError for another one, ValueError unless 0 <= right <= n."""
    return _judged(BANDS[certainty], right, n)


def overall(counts: Mapping[int, tuple[int, int]]) -> Calibration:
    """All levels together; ``counts``: (right, n) by level. Raises KeyError and ValueError as ``level``."""
    n = sum(many for _, many in counts.values())
    right = sum(hits for hits, _ in counts.values())
    if n == 0:
        return _judged(Interval(0.0, 1.0), 0, 0)
    low = sum(BANDS[one].low * many for one, (_, many) in counts.items()) / n
    high = sum(BANDS[one].high * many for one, (_, many) in counts.items()) / n
    return _judged(Interval(low, high), right, n)


def judge(interval: Interval, said: Interval, n: int) -> str:
    """``over`` where the whole interval of the outcome lies below what was said, ``under`` where it lies above.

    ``fits`` otherwise, and ``early`` below 10 answers: nobody is judged by them.
    """
    if n < JUDGED:
        return "early"
    if interval.high < said.low:
        return "over"
    return "under" if interval.low > said.high else "fits"


def _judged(said: Interval, right: int, n: int) -> Calibration:
    interval = wilson(right, n)
    return Calibration(n, right, said, interval, "few" if n < FEW else judge(interval, said, n))


def brier(cells: Iterable[tuple[float, int, int]]) -> float | None:
    """The mean squared distance between rating and outcome; ``cells``: (rating 0 to 1, outcome 0 or 1, how many).

    0 is perfect, always saying one half gives 0.25; None of nothing. Source: G. W. Brier, Verification of forecasts
    expressed in terms of probability, Monthly Weather Review 78 (1950), 1-3.
    """
    total, distance = 0, 0.0
    for rating, outcome, many in cells:
        total += many
        distance += many * (rating - outcome) ** 2
    return distance / total if total else None


def middle(certainty: int) -> float:
    """The middle of a level's band, where one number has to stand for it. Raises KeyError for another level."""
    band = BANDS[certainty]
    return (band.low + band.high) / 2
