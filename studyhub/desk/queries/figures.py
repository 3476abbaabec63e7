"""A figure that explains itself: a share with the answers behind it, its interval, and what guesses account for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from quizzes.queries.progress import Sum
from studyhub.measure.calibration import Calibration, brier, level, middle, overall
from studyhub.measure.guessing import chance, known_share
from studyhub.measure.intervals import Interval, wilson
from studyhub.measure.verdicts import FEW, verdict

LEVELS = {1: "below 67 %", 2: "67–80 %", 3: "above 80 %"}
VERDICTS = {
    "few": "too few answers",
    "early": "no judgement below 10 answers",
    "over": "overconfident: you were right less often than you said",
    "under": "underconfident: you were right more often than you said",
    "fits": "fits what you said",
}


def whole(share: float) -> int:
    """A share as a whole number of percent."""
    return round(100 * share)


def along(share: float) -> str:
    """A share as a place along a chart of full width."""
    return f"{100 * share:.1f}%"


@dataclass(frozen=True)
class Figure:
    """First answers and how many of them were right; ``known`` without lucky guesses, None without answers."""

    n: int
    right: int
    known: float | None
    partly: int = 0  # partly right, which is not right

    @cached_property
    def interval(self) -> Interval:
        """The Wilson interval (95 %) of the share of right answers."""
        return wilson(self.right, self.n)

    @property
    def state(self) -> str:
        """none, few, early, weak, good or open (``studyhub.measure.verdicts``)."""
        return verdict(self.right, self.n)

    @property
    def told(self) -> bool:
        """Whether there are answers enough for a figure."""
        return self.n >= FEW

    @property
    def percent(self) -> int:
        """The share of right answers in percent."""
        return whole(self.right / self.n) if self.n else 0

    @property
    def low(self) -> int:
        """The lower end of the interval in percent."""
        return whole(self.interval.low)

    @property
    def high(self) -> int:
        """The upper end of the interval in percent."""
        return whole(self.interval.high)

    @property
    def known_percent(self) -> int:
        """The share that was known, in percent."""
        return whole(self.known or 0.0)

    @property
    def bar(self) -> tuple[str, str, str]:
        """Lower end, share and upper end as places along a chart."""
        return (
            along(self.interval.low),
            along(self.right / self.n if self.n else 0.0),
            along(self.interval.high),
        )

    @property
    def weakness(self) -> tuple[bool, float]:
        """Sorts the weakest first, by the lower end of the interval; what has too few answers comes last."""
        return not self.told, self.interval.low if self.told else 0.0


def figure_of(sums: Iterable[Sum]) -> Figure:
    """The figure of some sums of answers."""
    sums = list(sums)
    right = sum(one.right for one in sums)
    chances = [(chance(one.kind, one.options), one.n) for one in sums]
    partly = sum(one.partly for one in sums)
    return Figure(sum(one.n for one in sums), right, known_share(right, chances), partly)


@dataclass(frozen=True, slots=True)
class LevelFigure:
    """The answers given with one level of certainty, or with any."""

    label: str
    found: Calibration
    partly: int = 0  # of its answers, partly right

    @property
    def told(self) -> bool:
        """Whether there are answers enough for a figure."""
        return self.found.verdict != "few"

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return VERDICTS[self.found.verdict]

    @property
    def percent(self) -> int:
        """The share of right answers in percent."""
        return whole(self.found.right / self.found.n) if self.found.n else 0

    @property
    def low(self) -> int:
        """The lower end of the interval in percent."""
        return whole(self.found.interval.low)

    @property
    def high(self) -> int:
        """The upper end of the interval in percent."""
        return whole(self.found.interval.high)

    @property
    def said(self) -> tuple[int, int]:
        """What was said, from and to, in percent."""
        return whole(self.found.said.low), whole(self.found.said.high)

    @property
    def bar(self) -> tuple[str, str, str]:
        """Lower end, share and upper end as places along a chart."""
        share = self.found.right / self.found.n if self.found.n else 0.0
        return along(self.found.interval.low), along(share), along(self.found.interval.high)

    @property
    def band(self) -> tuple[str, str]:
        """Where what was said begins along a chart, and how wide it is."""
        return along(self.found.said.low), along(self.found.said.high - self.found.said.low)


@dataclass(frozen=True, slots=True)
class Certainty:
    """Certainty against outcomes: each level, all together, and the Brier score of the middles of the bands."""

    levels: tuple[LevelFigure, ...]
    overall: LevelFigure
    brier: float | None


def certainty_of(sums: Iterable[Sum]) -> Certainty:
    """Certainty against outcomes in some sums of answers; those without a certainty are left out."""
    counts = dict.fromkeys(LEVELS, (0, 0))
    halves = dict.fromkeys(LEVELS, 0)
    for part in sums:
        if part.certainty:
            right, n = counts[part.certainty]
            counts[part.certainty] = right + part.right, n + part.n
            halves[part.certainty] += part.partly
    cells = [(middle(one), 1, right) for one, (right, _) in counts.items()]
    cells += [(middle(one), 0, n - right) for one, (right, n) in counts.items()]
    levels = tuple(LevelFigure(LEVELS[one], level(one, *pair), halves[one]) for one, pair in counts.items())
    every = LevelFigure("all levels", overall(counts), sum(halves.values()))
    return Certainty(levels, every, brier(cells))
