from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyhub.rhythm.calendar import known_zones, study_day, study_day_begins, zone_or_utc


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("Europe/Berlin", "2026-03-29T01:59:59", date(2026, 3, 28)),
        ("Europe/Berlin", "2026-03-29T02:00:00", date(2026, 3, 29)),
        ("Europe/Berlin", "2026-10-25T02:59:59", date(2026, 10, 24)),
        ("Europe/Berlin", "2026-10-25T03:00:00", date(2026, 10, 25)),
        ("America/New_York", "2026-03-08T07:59:59", date(2026, 3, 7)),
        ("America/New_York", "2026-03-08T08:00:00", date(2026, 3, 8)),
        ("America/New_York", "2026-11-01T08:59:59", date(2026, 10, 31)),
        ("America/New_York", "2026-11-01T09:00:00", date(2026, 11, 1)),
        ("Australia/Lord_Howe", "2026-10-03T16:59:59", date(2026, 10, 3)),
        ("Australia/Lord_Howe", "2026-10-03T17:00:00", date(2026, 10, 4)),
        ("Asia/Kathmandu", "2026-06-01T22:14:59", date(2026, 6, 1)),
        ("Asia/Kathmandu", "2026-06-01T22:15:00", date(2026, 6, 2)),
        ("Africa/Casablanca", "2025-03-01T03:59:59", date(2025, 2, 28)),  # Ramadan: one hour back
        ("Africa/Casablanca", "2025-03-01T04:00:00", date(2025, 3, 1)),
        ("Africa/Casablanca", "2025-06-01T02:59:59", date(2025, 5, 31)),
        ("Africa/Casablanca", "2025-06-01T03:00:00", date(2025, 6, 1)),
    ],
)
def test_study_day_begins_at_four_local(zone, moment, day):
    assert study_day(at(moment), ZoneInfo(zone)) == day


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", date(2026, 3, 28), 23),
        ("Europe/Berlin", date(2026, 10, 24), 25),
        ("America/New_York", date(2026, 3, 7), 23),
        ("America/New_York", date(2026, 10, 31), 25),
        ("Australia/Lord_Howe", date(2026, 10, 3), 23.5),
        ("Pacific/Apia", date(2011, 12, 29), 24),
        ("Pacific/Apia", date(2011, 12, 30), 0),
        ("Pacific/Apia", date(2011, 12, 31), 24),
        ("Asia/Kathmandu", date(2026, 6, 1), 24),
    ],
)
def test_study_day_length(zone, day, hours):
    begins, ends = (study_day_begins(one, ZoneInfo(zone)) for one in (day, day + timedelta(days=1)))
    assert ends - begins == timedelta(hours=hours)


def test_date_that_a_zone_left_out_is_no_study_day():
    apia = ZoneInfo("Pacific/Apia")
    assert study_day(at("2011-12-30T13:59:59"), apia) == date(2011, 12, 29)  # 03:59:59 on the 31st there
    assert study_day(at("2011-12-30T14:00:00"), apia) == date(2011, 12, 31)


def test_study_day_of_a_moment_without_offset_is_refused():
    with pytest.raises(ValueError, match="no time zone"):
        study_day(at("2026-01-01T00:00:00").replace(tzinfo=None), ZoneInfo("UTC"))


def test_study_day_does_not_depend_on_how_the_moment_is_written():
    moment = at("2026-03-29T01:59:59").astimezone(timezone(timedelta(hours=9)))
    assert study_day(moment, ZoneInfo("Europe/Berlin")) == date(2026, 3, 28)


ZONES = st.sampled_from(
    ["America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "Africa/Casablanca", "UTC"]
)
MOMENTS = st.integers(946_684_800, 2_145_916_800).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


@given(ZONES, MOMENTS)
def test_a_moment_lies_in_its_study_day(name, moment):
    zone = ZoneInfo(name)
    day = study_day(moment, zone)
    assert study_day_begins(day, zone) <= moment < study_day_begins(day + timedelta(days=1), zone)


@given(ZONES, MOMENTS, st.timedeltas(timedelta(0), timedelta(days=3)))
def test_study_days_never_go_back(name, moment, later):
    assert study_day(moment, ZoneInfo(name)) <= study_day(moment + later, ZoneInfo(name))


def test_old_spellings_are_known_and_odd_names_are_not():
    assert {"Asia/Calcutta", "Asia/Kathmandu", "UTC"} <= known_zones()
    assert not {"Factory", "localtime", "", "Mars/Olympus", "../etc/passwd"} & known_zones()


def test_unknown_zone_is_utc():
    assert zone_or_utc("Mars/Olympus") == ZoneInfo("UTC")
    assert zone_or_utc("Asia/Kathmandu") == ZoneInfo("Asia/Kathmandu")
