"""Two pages of one interview card, and where the question stands when its back opens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.test_cards import expect_focus, first_card
from tests.journeys.test_pages import problems
from tests.journeys.visitor import COURSE, opened


def left(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"]


@pytest.mark.parametrize("width", [360, 768, 1024, 1440])
def test_question_stays_where_it_was_when_the_back_opens(new_context: NewContext, width: int) -> None:
    page = opened(new_context(viewport={"width": width, "height": 900}))
    first_card(page)
    before = left(page, "main h1"), left(page, "#words")
    page.get_by_label("I have no answer yet").check()
    page.get_by_role("button", name="Compare").click()
    expect_focus(page, "compared")
    assert (left(page, "main h1"), left(page, ".back-of")) == before
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("script", [True, False])
def test_ratings_of_an_older_page_are_shown_again_and_kept_on_the_second_word(
    new_context: NewContext, script: bool
) -> None:
    page = opened(new_context(java_script_enabled=script, reduced_motion="reduce"))
    first_card(page)
    here = page.url
    page.get_by_label("In your own words first").fill("first words")
    page.get_by_role("button", name="Compare").click()
    expect_focus(page, "compared")
    older = opened(page.context)
    older.goto(here)
    page.locator("fieldset.point").first.locator("label").first.click()
    page.get_by_role("button", name="Keep the ratings").click()
    page.get_by_role("link", name="Answer it again").click()
    page.get_by_label("In your own words first").fill("second words")
    page.get_by_role("button", name="Compare").click()
    expect_focus(page, "compared")
    points = older.locator("fieldset.point")
    points.nth(1).locator("label").nth(2).click()
    older.get_by_role("button", name="Keep the ratings").click()
    expect(older.get_by_role("alert")).to_contain_text("None of these ratings is kept yet.")
    expect_focus(older, "error")
    expect(older.locator(".mine .words")).to_have_text("second words")
    expect(points.locator(":checked")).to_have_count(1)
    expect(points.nth(1).locator("input").nth(2)).to_be_checked()
    assert not script or problems(older) == ""
    older.get_by_role("button", name="Keep the ratings").click()
    expect_focus(older, "outcome")
    expect(older.locator("#outcome")).to_contain_text("0 of ")
    expect(older.locator("#outcome")).to_contain_text("1 missed")


def test_course_today_and_rail_lead_to_the_cards(page: Page) -> None:
    first_card(page)
    front = page.locator("main h1").inner_text()
    page.get_by_label("I have no answer yet").check()
    page.get_by_role("button", name="Compare").click()
    expect_focus(page, "compared")
    page.goto("/")
    expect(page.get_by_role("listitem").filter(has_text=front)).to_contain_text("opened, not rated")
    page.get_by_role("link", name=front).click()
    expect(page.locator("#compared")).to_be_visible()
    page.goto(COURSE)
    expect(page.locator(".offer").get_by_text(re.compile(r"^1 of \d+ cards compared$"))).to_be_visible()
    page.locator(".offer").get_by_role("link", name="Quiz:").first.click()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    page.go_back()
    page.locator(".domains .has h3 a").first.click()
    page.locator("#rail").get_by_role("link", name="Interview cards").click()
    expect(page.get_by_role("heading", name="Interview cards")).to_be_visible()
