"""trust.md 2, rows 1 to 3, and pass mark 3: 10,000 answers through a faulty line while everything is killed.

The same with 1,000 answers is in tests/journeys/test_once.py and runs with ``make test``.
"""

from __future__ import annotations

from collections import Counter

import pytest

from studyhub import postgres
from tests.drills.books import Books, faults_of_tables
from tests.drills.run import drill
from tests.journeys.house import House

pytestmark = pytest.mark.long

ANSWERS = 10_000


@pytest.mark.parametrize("seed", [1])
def test_every_answer_is_kept_exactly_once(site: House, seed: int) -> None:
    kills = Counter(postgres=9, server=8, worker=4)
    found = drill(site, answers=ANSWERS, kills=kills, seed=seed)
    print(found)
    assert found.books == Books(acked=ANSWERS, rows=ANSWERS)
    assert faults_of_tables(postgres.url(site.data)) == ""
    assert found.kills == kills
    assert found.line["doubled"] >= 800
    assert found.line["lost_after"] >= 700
    assert set(found.statuses) <= {200, 503}
    assert [one for one in found.line if one.startswith("status 5")] in ([], ["status 503"])
    assert max(found.recoveries) < 10
    acked, stored, too_many = found.naive
    assert (acked, stored) == (ANSWERS // 20, ANSWERS // 20)
    assert too_many > 0, "the control must double answers, or this drill shows nothing"
    assert found.seconds < 300
