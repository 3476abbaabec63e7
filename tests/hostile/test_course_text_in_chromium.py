"""Hostile course text in a browser, each wall alone: first without the policy, then without the sanitiser.

Proves trust.md 1.6 (goal 4, judge 2: 0 executions): ``scripts()`` on pages of the site with its own scripts and
htmx, all events fired at every element. The control, without either wall, shows that the watch sees scripts run.
"""

from __future__ import annotations

import pytest
from django.test import Client

from chapters.models import Course
from studyhub.text.press import Job, press
from studyhub.text.sheet import NOTHING
from tests.conftest import COURSE
from tests.hostile.strings import PAGES, batches
from tests.hostile.watched import watched

HERE = "zq-here-zq"


@pytest.fixture
def frame(course: Course) -> str:
    """A page of the site with a gap where course text stands."""
    Course.objects.filter(pk=course.pk).update(intro_html=HERE)
    page = Client().get(f"/c/{COURSE}/").content.decode()
    assert page.count(HERE) == 1
    return page


def runs(frame: str, number: int, every: int) -> int:
    """Look at all scripts on ``number`` pages, sanitised, and at every so many raw; how many of these ran unguarded."""
    dealt = batches(number=number)
    made = press([Job(str(at), "\n\n".join(one), NOTHING) for at, one in enumerate(dealt)], seconds=120.0)
    clean = {f"/clean/{at}/": frame.replace(HERE, one.html) for at, one in enumerate(made)}
    raw = {f"/raw/{at}/": frame.replace(HERE, "\n".join(one)) for at, one in enumerate(dealt[::every])}
    with watched() as chromium:
        alone = chromium.look(clean, "told")
        guarded = chromium.look(raw, "on")
        bare = chromium.look(raw, "off")
    assert len(alone) == number
    assert {path: one for path, one in alone.items() if one.ran or one.tried} == {}
    assert min(one.fired for one in alone.values()) > 1_000
    assert {path: one.ran for path, one in guarded.items() if one.ran} == {}
    return len([one for one in bare.values() if one.ran])


@pytest.mark.browser
def test_scripts_run_only_where_neither_sanitiser_nor_policy_stands(frame: str) -> None:
    assert runs(frame, 30, every=3) >= 8


@pytest.mark.browser
@pytest.mark.long
def test_fifty_of_sixty_pages_run_without_both_and_none_with_one(frame: str) -> None:
    assert runs(frame, PAGES, every=1) >= 50
