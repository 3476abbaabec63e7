"""Figures that explain themselves."""

import pytest

from quizzes.queries.progress import Sum
from studyhub.desk.queries.figures import certainty_of, figure_of


def single(right, n, certainty=None, options=4):
    return Sum("single", options, certainty, n, right)


@pytest.mark.parametrize(
    ("right", "n", "state"),
    [(0, 0, "none"), (2, 2, "few"), (3, 3, "early"), (0, 9, "early"), (3, 10, "weak"), (5, 10, "weak"),
     (6, 10, "open"), (10, 10, "open"), (15, 15, "open"), (16, 16, "good"), (30, 31, "good")],
)  # fmt: skip
def test_figure_is_judged_from_ten_answers_on_by_its_interval(right, n, state):
    found = figure_of([single(right, n)])
    assert (found.state, found.told) == (state, n >= 3)


def test_figure_of_the_published_numbers():
    found = figure_of([single(7, 10)])
    assert (found.percent, found.low, found.high, found.known_percent) == (70, 40, 89, 60)
    assert found.bar == ("39.7%", "70.0%", "89.2%")


def test_figure_takes_each_kind_s_own_chance_off():
    found = figure_of([single(4, 5), Sum("number", 0, None, 5, 2)])
    assert (found.n, found.right, round(found.known, 6)) == (10, 6, 0.542857)
    assert figure_of([Sum("number", 0, None, 10, 6)]).known == 0.6
    assert figure_of([single(1, 10)]).known == 0.0
    assert figure_of([]).known is None


def test_partly_right_is_counted_beside_and_is_not_right():
    sums = [Sum("match", 0, 1, 5, 2, 2), Sum("cloze", 0, 3, 4, 1, 3), Sum("order", 0, None, 1, 0, 1)]
    found, sure = figure_of(sums), certainty_of(sums)
    assert (found.n, found.right, found.partly, found.percent) == (10, 3, 6, 30)
    assert [one.partly for one in (*sure.levels, sure.overall)] == [2, 0, 3, 5]


def test_weakest_comes_first_and_what_is_not_told_last():
    counts = [(10, 10), (0, 0), (2, 2), (6, 10), (60, 100), (0, 3)]
    order = sorted(counts, key=lambda pair: figure_of([single(*pair)]).weakness)
    assert order == [(0, 3), (6, 10), (60, 100), (10, 10), (0, 0), (2, 2)]


def test_certainty_by_level_and_all_together():
    found = certainty_of(
        [single(4, 10, 3), single(2, 4, 1), single(3, 5, 2), single(9, 9), Sum("number", 0, 3, 2, 2)]
    )
    assert [(one.found.right, one.found.n, one.found.verdict) for one in found.levels] == [
        (2, 4, "few"),
        (3, 5, "early"),
        (6, 12, "over"),
    ]
    assert (found.overall.found.right, found.overall.found.n) == (11, 21)
    assert found.overall.said == (62, 89)
    assert found.brier == pytest.approx((10 / 9 + 1.16 / 0.9 + 4.92) / 21)


def test_certainty_of_nobody_is_nothing():
    found = certainty_of([single(3, 5)])
    assert (found.overall.found.n, found.brier, found.overall.told) == (0, None, False)
