"""trust.md 2 and pass mark 4: 40 parallel starts and 40 parallel ends against 40 answers, 100 repeats of each."""

from __future__ import annotations

import random

import pytest

from studyhub import postgres
from tests.drills.learners import Learner, Tally
from tests.drills.plain_http import Browser
from tests.drills.races import ends, expect_one_end, expect_one_start, starts
from tests.drills.run import apart
from tests.journeys.house import House
from tests.journeys.ledger import Ledger

pytestmark = pytest.mark.long

REPEATS = 100


def newcomer(site: House, seed: int) -> Learner:
    """A guest to be."""
    return Learner(Browser(site.port), site.port, postgres.url(site.data), Tally(0), random.Random(seed))


def test_exactly_one_wins_every_time(site: House) -> None:
    ledger, aside = Ledger(site.data), 0
    for seed in range(REPEATS):
        one = newcomer(site, seed)
        apart(one.begin())
        expect_one_start(one, ledger, apart(starts(one)))
        aside += expect_one_end(ledger, apart(ends(newcomer(site, seed))))
    assert aside > REPEATS, "answers and ends must have met"
