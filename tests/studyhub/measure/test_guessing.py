"""Guesses taken off a share of right answers."""

import pytest

from studyhub.measure.guessing import chance, known_share


@pytest.mark.parametrize(
    ("kind", "options", "found"),
    [
        ("single", 4, 0.25),
        ("single", 2, 0.5),
        ("multiple", 4, 1 / 15),
        ("order", 4, 1 / 24),
        ("number", 0, 0.0),
        ("short", 0, 0.0),
        ("match", 6, 0.0),
        ("single", 0, 0.0),
        ("multiple", 200, 0.0),
    ],
)
def test_chance_of_a_kind(kind, options, found):
    assert chance(kind, options) == found


@pytest.mark.parametrize(
    ("right", "chances", "found"),
    [
        (7, [(0.25, 10)], 0.6),  # (0.7 - 0.25) / 0.75
        (10, [(0.25, 10)], 1.0),
        (2, [(0.25, 10)], 0.0),  # less than chance
        (7, [(0.0, 10)], 0.7),
        (6, [(0.25, 5), (0.0, 5)], 0.542857),  # mean chance 0.125: (0.6 - 0.125) / 0.875
    ],
)
def test_share_without_guesses(right, chances, found):
    assert round(known_share(right, chances), 6) == found


@pytest.mark.parametrize("chances", [[], [(0.25, 0)], [(1.0, 4)]])
def test_share_of_nothing_is_none(chances):
    assert known_share(0, chances) is None


@pytest.mark.parametrize(("options", "found"), [(1, 1.0), (20, 0.05), (21, 0.0)])
def test_fewest_and_most_options_of_which_one_is_guessed(options, found):
    assert chance("single", options) == found
