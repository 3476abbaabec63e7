"""Wilson intervals, against published figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyhub.measure.intervals import Interval, wilson


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(7, 10, 0.396778, 0.892209), (0, 5, 0.0, 0.434482), (18, 20, 0.698966, 0.972134)],
)
def test_interval_is_the_published_one(hits, n, low, high):
    assert tuple(round(one, 6) for one in wilson(hits, n)) == (low, high)


def test_interval_of_nothing_is_everything():
    assert wilson(0, 0) == Interval(0.0, 1.0)


@pytest.mark.parametrize(("hits", "n"), [(3, 2), (-1, 2), (0, -1)])
def test_interval_of_what_is_no_share_is_refused(hits, n):
    with pytest.raises(ValueError, match="is no share"):
        wilson(hits, n)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_interval_holds_the_share_and_is_its_own_mirror(pair):
    hits, n = pair
    found, mirror = wilson(hits, n), wilson(n - hits, n)
    assert 0 <= found.low <= hits / n <= found.high <= 1
    assert found.low == pytest.approx(1 - mirror.high, abs=1e-12)


@given(st.integers(0, 50), st.integers(1, 50))
def test_interval_narrows_with_more_answers_of_the_same_share(hits, missed):
    few, many = wilson(hits, hits + missed), wilson(4 * hits, 4 * (hits + missed))
    assert many.high - many.low < few.high - few.low
