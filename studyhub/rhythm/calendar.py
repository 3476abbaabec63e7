"""Study days: a day begins at 04:00 on the learner's own clock, so that a late evening belongs to its day."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

DAY_BEGINS = time(4)
_NOT_PLACES = frozenset({"Factory", "localtime"})


def study_day_begins(day: date, zone: ZoneInfo) -> datetime:
    """The moment (UTC) at which study day ``day`` begins: 04:00 local.

    Where the clock shows 04:00 twice the first counts; where it skips 04:00, the moment it jumps over it.
    A date that a zone left out (Pacific/Apia 2011-12-30) begins with its follower and lasts no time at all.
    """
    return datetime.combine(day, DAY_BEGINS, tzinfo=zone).astimezone(UTC)


def study_day(at: datetime, zone: ZoneInfo) -> date:
    """The study day that moment ``at`` belongs to: the latest one that has begun.

    That is the local date, minus one before 04:00. It never goes back while time goes on.
    Raises ValueError when ``at`` has no offset: a moment without one names no day.
    """
    if at.utcoffset() is None:
        raise ValueError(f"{at!r} has no time zone")
    day = at.astimezone(zone).date()
    while study_day_begins(day, zone) > at:
        day -= timedelta(days=1)
    return day


@cache
def known_zones() -> frozenset[str]:
    """Every name of a time zone that a learner may have, old spellings such as Asia/Calcutta included."""
    return frozenset(zoneinfo.available_timezones()) - _NOT_PLACES


def zone_or_utc(name: str) -> ZoneInfo:
    """The zone of this name, or UTC where this machine does not know it."""
    return ZoneInfo(name) if name in known_zones() else ZoneInfo("UTC")
