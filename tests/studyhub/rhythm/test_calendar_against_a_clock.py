"""trust.md 2, row "clock jump, DST", and pass mark 22: study days against a clock on the wall, 10,000 cases in all.

The model knows no arithmetic of dates: it looks at what the local clock shows, minute by minute, and turns the page of
the calendar when that is 04:00 or later on a date it has not turned to yet.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studyhub.rhythm.calendar import study_day, study_day_begins

ZONES = {
    # With the year in which each did something odd.
    "America/New_York": 2026,
    "Australia/Lord_Howe": 2026,  # half an hour
    "Pacific/Apia": 2011,  # 30 December was left out
    "Asia/Kathmandu": 1986,  # from 5:30 to 5:45
    "Africa/Casablanca": 2026,  # an hour back for Ramadan
}
CASES = 2_000  # in each zone
MINUTE = timedelta(minutes=1)


def wall(zone: ZoneInfo, year: int) -> tuple[datetime, list[date]]:
    """The first moment and the study day of every minute of a year and a bit, by looking at the clock."""
    first = datetime(year - 1, 12, 30, tzinfo=UTC)
    page, days = date.min, []
    for number in range(370 * 24 * 60):
        shown = (first + number * MINUTE).astimezone(zone)
        if shown.hour >= 4 and shown.date() > page:
            page = shown.date()
        days.append(page)
    return first, days


@pytest.mark.parametrize(("name", "year"), ZONES.items(), ids=list(ZONES))
def test_study_day_is_what_a_clock_on_the_wall_says(name: str, year: int) -> None:
    zone = ZoneInfo(name)
    first, days = wall(zone, year)
    usual = st.integers(2 * 24 * 60, len(days) - 1)
    turns = [number for number in range(1, len(days)) if days[number] != days[number - 1]][2:]
    near = st.builds(lambda turn, off: turn + off, st.sampled_from(turns[:-1]), st.integers(-90, 90))

    @settings(max_examples=CASES, deadline=None, database=None)
    @given(st.one_of(usual, near), st.integers(0, 59_999_999))
    def agree(number: int, microseconds: int) -> None:
        moment = first + number * MINUTE + timedelta(microseconds=microseconds)
        assert study_day(moment, zone) == days[number]

    agree()
    assert [study_day_begins(days[turn], zone) for turn in turns] == [first + turn * MINUTE for turn in turns]


def test_day_after_the_one_before_a_left_out_date_is_the_one_behind_it() -> None:
    first, days = wall(ZoneInfo("Pacific/Apia"), 2011)
    seen = list(dict.fromkeys(days[2 * 24 * 60 :]))
    assert date(2011, 12, 30) not in seen
    assert seen[seen.index(date(2011, 12, 29)) + 1] == date(2011, 12, 31)
    assert first.year == 2010
