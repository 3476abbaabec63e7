"""One rule for firm and weak: from ten answers on, by the interval and not by the share."""

import pytest

from studyhub.measure import verdicts
from studyhub.measure.intervals import Interval, wilson
from studyhub.measure.verdicts import GOAL, verdict


@pytest.mark.parametrize(
    ("right", "n", "says"),
    [
        (0, 0, "none"),
        (2, 2, "few"),
        (3, 3, "early"),
        (0, 9, "early"),
        (9, 9, "early"),
        (5, 10, "weak"),
        (6, 10, "open"),
        (10, 10, "open"),
        (15, 15, "open"),
        (16, 16, "good"),
        (90, 100, "good"),
        (80, 100, "open"),
        (70, 100, "weak"),
    ],
)
def test_verdict_waits_for_ten_answers_and_goes_by_the_interval(right, n, says):
    assert verdict(right, n) == says


@pytest.mark.parametrize("n", [10, 16, 40, 300])
def test_verdict_never_falls_when_a_wrong_answer_becomes_right(n):
    order = ["weak", "open", "good"]
    found = [order.index(verdict(right, n)) for right in range(n + 1)]
    assert found == sorted(found)
    assert [order[one] == "good" for one in found] == [wilson(k, n).low >= GOAL for k in range(n + 1)]


def test_verdict_of_what_is_no_share_is_refused():
    with pytest.raises(ValueError, match="is no share"):
        verdict(11, 10)


@pytest.mark.parametrize(
    ("low", "high", "says"),
    [(0.8, 0.9, "good"), (0.7, 0.8, "open"), (0.79, 0.81, "open"), (0.7, 0.79, "weak")],
)
def test_end_that_reaches_the_goal_counts_as_beyond_it(monkeypatch, low, high, says):
    monkeypatch.setattr(verdicts, "wilson", lambda right, n: Interval(low, high))
    assert verdict(8, 10) == says
