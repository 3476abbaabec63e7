"""Chance, against values computed by hand or taken from tables."""

from __future__ import annotations

import math

import pytest

from studyhub.packs.lints.chance import at_least, chi_square, upper_gamma


@pytest.mark.parametrize(("count", "expected"), [(0, 1.0), (1, 1 - 0.75**4), (4, 0.25**4), (5, 0.0)])
def test_binomial_of_four_quarters(count: int, expected: float) -> None:
    assert at_least(count, [0.25] * 4) == pytest.approx(expected)


def test_unequal_chances() -> None:
    assert at_least(2, [0.5, 0.25]) == pytest.approx(0.125)


def test_normal_approximation_meets_the_exact_sum() -> None:
    exact = sum(math.comb(601, k) * 0.25**k * 0.75 ** (601 - k) for k in range(170, 602))
    assert at_least(170, [0.25] * 601) == pytest.approx(exact, abs=0.002)


@pytest.mark.parametrize(
    ("freedom", "statistic", "expected"),
    [(1, 3.841, 0.05), (2, 9.210, 0.01), (3, 7.815, 0.05), (4, 13.277, 0.01)],
)
def test_chi_square_table(freedom: int, statistic: float, expected: float) -> None:
    assert upper_gamma(freedom / 2, statistic / 2) == pytest.approx(expected, abs=1e-4)


def test_even_counts_are_no_surprise() -> None:
    assert chi_square((10, 10, 10, 10), (10, 10, 10, 10)) == 1.0
    assert chi_square((40, 0, 0, 0), (10, 10, 10, 10)) < 1e-20
    assert chi_square((), ()) == 1.0
