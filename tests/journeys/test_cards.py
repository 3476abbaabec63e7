"""An interview card from front to rating: by mouse, by keyboard alone, without JavaScript; nothing typed is lost."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.test_pages import problems
from tests.journeys.visitor import COURSE, Faults, focused, opened, tab_to

CARDS = f"{COURSE}cards/"
WORDS = "Weights are read once for each token.\n\nSo bandwidth limits it."


def first_card(page: Page, query: str = "?level=senior") -> None:
    page.goto(CARDS + query)
    page.locator(".cards a").first.click()
    expect(page.get_by_label("In your own words first")).to_be_visible()


def rate_all(page: Page) -> int:
    """Miss the first point, say the others; gives how many there are."""
    points = page.locator("fieldset.point")
    for index in range(points.count()):
        points.nth(index).locator("label").nth(0 if index else 2).click()
    return points.count()


def test_words_back_rating_and_undo(page: Page, faults: Faults) -> None:
    first_card(page)
    page.get_by_label("In your own words first").fill(WORDS)
    expect(page.locator("#kept")).to_contain_text("Saved")
    page.reload()
    expect(page.get_by_label("In your own words first")).to_have_value(WORDS)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".words")).to_have_text(WORDS)
    count = rate_all(page)
    page.get_by_role("button", name="Keep the ratings").click()
    expect(page.get_by_role("heading", name=f"{count - 1} of {count} points said, 1 missed")).to_be_visible()
    way = page.locator(".ways a").first
    expect(way).to_have_attribute("href", re.compile(r"\?at=|\?back=.*#"))
    page.get_by_role("button", name="Undo: take the rating back").click()
    page.get_by_role("button", name="Undo: close the back and change my words").click()
    expect(page.get_by_label("In your own words first")).to_have_value(WORDS)
    page.get_by_role("link", name="Next card").click()
    expect(page).to_have_url(re.compile(r"\?level=senior$"))
    assert faults == []


def test_way_to_a_paragraph_leads_back_to_the_card(page: Page) -> None:
    first_card(page)
    page.get_by_label("I have no answer yet").check()
    page.get_by_role("button", name="Compare").click()
    for group in page.locator("fieldset.point").all():
        group.locator("label").nth(2).click()
    page.get_by_role("button", name="Keep the ratings").click()
    here = page.url
    page.locator('.ways a[href*="?back="]').first.click()
    expect(page.locator(":target")).to_be_visible()
    page.get_by_role("link", name="Back to").click()
    expect(page).to_have_url(here)


def test_last_words_are_sent_when_the_page_is_left_at_once(page: Page) -> None:
    first_card(page)
    here = page.url
    page.get_by_label("In your own words first").fill("typed and gone")
    for _ in range(20):  # what is sent when a page is left takes its own way
        page.goto(CARDS)
        if page.locator(".cards li.begun").count():
            break
        page.wait_for_timeout(100)
    page.goto(here)
    expect(page.get_by_label("In your own words first")).to_have_value("typed and gone")


def test_lost_connection_is_told_and_made_up_for(page: Page, new_context: NewContext) -> None:
    first_card(page)
    page.context.set_offline(True)
    page.get_by_label("In your own words first").fill("no line")
    expect(page.locator("#kept")).to_contain_text("Not kept yet")
    page.context.set_offline(False)
    expect(page.locator("#kept")).to_contain_text("Saved")


def test_keyboard_alone(page: Page) -> None:
    page.goto(CARDS)
    tab_to(page, ".cards a")
    page.keyboard.press("Enter")
    expect(page.locator("#words")).to_be_visible()
    tab_to(page, "#words")
    page.keyboard.type("By keys.")
    tab_to(page, "button.go")
    page.keyboard.press("Enter")
    expect(page.locator(".words")).to_have_text("By keys.")
    points = page.locator("fieldset.point").count()
    for index in range(points):
        tab_to(page, f"input[name='{_name(page, index)}']")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
    assert page.locator("fieldset.point input[value=partly]:checked").count() == points
    tab_to(page, "form.back-of button.go")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=f"0 of {points} points said, {points} partly")).to_be_visible()
    assert focused(page, "node => node.tagName") == "BODY"


def _name(page: Page, index: int) -> str:
    return str(page.locator("fieldset.point").nth(index).locator("input").first.get_attribute("name"))


def test_without_javascript(new_context: NewContext) -> None:
    page = opened(new_context(java_script_enabled=False))
    first_card(page)
    page.get_by_label("In your own words first").fill(WORDS)
    page.get_by_role("button", name="Save for later").click()
    expect(page.get_by_label("In your own words first")).to_have_value(WORDS)
    page.get_by_label("In your own words first").fill("")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("alert")).to_contain_text("tick that you have no answer yet")
    page.get_by_label("In your own words first").fill(WORDS)
    page.get_by_role("button", name="Compare").click()
    count = rate_all(page)
    page.get_by_role("button", name="Keep the ratings").click()
    expect(page.get_by_role("heading", name=f"{count - 1} of {count} points said, 1 missed")).to_be_visible()
    page.get_by_role("button", name="Undo: take the rating back").click()
    expect(page.get_by_role("button", name="Keep the ratings")).to_be_visible()


def test_every_state_is_accessible_in_every_width(new_context: NewContext) -> None:
    page = opened(new_context(reduced_motion="reduce"))
    page.goto(CARDS)
    assert problems(page) == ""
    page.goto(f"{CARDS}?level=architect&topic=nothing")
    assert problems(page) == ""
    first_card(page)
    assert problems(page) == ""
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert problems(page) == ""
    page.get_by_label("In your own words first").fill(WORDS)
    page.get_by_role("button", name="Compare").click()
    assert problems(page) == ""
    rate_all(page)
    page.get_by_role("button", name="Keep the ratings").click()
    expect(page.locator(".outcome")).to_be_visible()
    assert problems(page) == ""
