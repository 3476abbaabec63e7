from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from studyhub.web.templatetags.studyhub import day, moment, percent


def test_day_has_the_year_when_it_is_another_one():
    today = timezone.localdate()
    assert day(today.replace(day=1, month=3)) == "1 Mar"
    assert day(date(2001, 11, 12)) == "12 Nov 2001"
    assert day(None) == ""


def test_day_and_moment_are_of_the_learners_zone():
    late = datetime(2001, 11, 12, 23, 30, tzinfo=UTC)
    with timezone.override("Asia/Kathmandu"):
        assert day(late) == "13 Nov 2001"
        assert moment(late) == "13 Nov 2001, 05:15"


def test_moment_of_today_is_the_clock_only():
    now = timezone.now()
    assert moment(now) == f"{timezone.localtime(now):%H:%M}"
    assert moment(now - timedelta(days=400)).count(",") == 1
    assert moment(None) == ""


@pytest.mark.parametrize(
    ("part", "whole", "said"), [(3, 4, "75 %"), (0, 5, "0 %"), (1, 3, "33 %"), (0, 0, ""), (2, None, "")]
)
def test_percent(part, whole, said):
    assert percent(part, whole) == said
