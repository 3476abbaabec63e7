"""Certainty against outcomes."""

import pytest

from studyhub.measure.calibration import BANDS, Calibration, brier, judge, level, middle, overall
from studyhub.measure.intervals import Interval, wilson

RATINGS = [0.9, 0.8, 0.3, 0.6, 0.95, 0.5, 0.7, 0.2]
OUTCOMES = [1, 1, 0, 0, 1, 1, 1, 1]


def test_bands_meet_where_another_certainty_begins_to_pay():
    switch = [0.6666666666666666, 0.8]
    assert [BANDS[1].high, BANDS[2].high] == switch
    assert [BANDS[2].low, BANDS[3].low] == switch
    assert (BANDS[1].low, BANDS[3].high) == (0.0, 1.0)


def test_brier_of_the_known_answers():
    assert round(brier(zip(RATINGS, OUTCOMES, [1] * 8, strict=True)), 7) == 0.1853125
    assert brier([(0.5, 1, 3), (0.5, 0, 9)]) == 0.25
    assert brier([]) is None


def test_middle_of_a_band():
    assert [round(middle(one), 6) for one in (1, 2, 3)] == [0.333333, 0.733333, 0.9]


@pytest.mark.parametrize(
    ("certainty", "right", "n", "verdict"),
    [
        (3, 0, 0, "few"),
        (3, 0, 4, "few"),
        (3, 0, 5, "early"),
        (3, 0, 9, "early"),
        (3, 4, 10, "over"),  # up to 0.687
        (3, 5, 10, "over"),  # up to 0.763
        (3, 6, 10, "fits"),  # up to 0.832
        (2, 5, 10, "fits"),
        (1, 10, 10, "under"),  # from 0.722
        (1, 9, 10, "fits"),  # from 0.596
        (2, 40, 40, "under"),
        (3, 40, 40, "fits"),
        (1, 0, 40, "fits"),
    ],
)
def test_level_is_judged_only_where_its_interval_leaves_the_band(certainty, right, n, verdict):
    found = level(certainty, right, n)
    assert found == Calibration(n, right, BANDS[certainty], wilson(right, n), verdict)


def test_levels_together_say_what_they_said_on_average():
    found = overall({1: (1, 2), 3: (4, 8)})
    assert (found.n, found.right) == (10, 5)
    assert found.said == pytest.approx(Interval(0.64, (2 / 3 * 2 + 8) / 10))
    assert found.verdict == "fits"
    assert overall({3: (4, 10)}).verdict == "over"
    assert overall({}).verdict == "few"


@pytest.mark.parametrize(
    ("interval", "said", "n", "verdict"),
    [
        (wilson(18, 20), Interval(0.6, 0.6), 20, "under"),
        (wilson(18, 20), Interval(0.75, 0.75), 20, "fits"),
        (wilson(7, 10), Interval(0.9, 0.9), 10, "over"),
        (wilson(0, 5), Interval(0.9, 0.9), 5, "early"),
    ],
)
def test_single_ratings_are_judged_by_the_interval_of_the_outcome(interval, said, n, verdict):
    assert judge(interval, said, n) == verdict


def test_nothing_said_is_any_share_from_nothing():
    assert overall({}) == Calibration(0, 0, Interval(0.0, 1.0), Interval(0.0, 1.0), "few")


@pytest.mark.parametrize(
    ("interval", "said", "verdict"),
    [
        (Interval(0.5, 0.75), Interval(0.75, 1.0), "fits"),
        (Interval(0.75, 1.0), Interval(0.5, 0.75), "fits"),
        (Interval(0.5, 0.74), Interval(0.75, 1.0), "over"),
        (Interval(0.76, 1.0), Interval(0.5, 0.75), "under"),
    ],
)
def test_interval_that_touches_what_was_said_fits(interval, said, verdict):
    assert judge(interval, said, 10) == verdict
