"""An interview card from front to rating: by mouse, by keyboard alone, without JavaScript; nothing typed is lost."""

from __future__ import annotations

import re

import pytest
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
    here = page.url.partition("#")[0]
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


def expect_focus(page: Page, anchor: str) -> None:
    """The focus is on the heading (or field) of what came, which is in the window."""
    expect(page.locator(f"#{anchor}")).to_be_focused()
    expect(page.locator(f"#{anchor}")).to_be_in_viewport()


def test_whole_card_by_its_keys(page: Page, faults: Faults) -> None:
    page.goto(f"{CARDS}?level=senior")
    tab_to(page, ".cards a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/cards/*/?level=senior")
    here = page.url
    page.keyboard.press("t")
    expect(page.locator("#words")).to_be_focused()
    page.keyboard.type("12 keys, u and n.")
    page.keyboard.press("Control+Enter")
    expect_focus(page, "compared")
    expect(page.locator(".words")).to_have_text("12 keys, u and n.")
    points = page.locator("fieldset.point")
    count, told = points.count(), page.locator("#count[role=status]")
    for key in "130":
        page.keyboard.press(key)
    expect(told).to_have_text(f"2 of {count} rated; the other {count - 2} stay open")
    assert [points.nth(n).locator(":checked").count() for n in range(4)] == [1, 1, 0, 0]
    expect(points.nth(3).locator("input").first).to_be_focused()
    page.keyboard.press("Enter")  # on a radio
    expect_focus(page, "outcome")
    expect(page.locator("#outcome")).to_have_text(f"1 of {count} points said, 1 missed, {count - 2} open")
    page.keyboard.press("u")
    expect_focus(page, "compared")
    expect(told).to_have_text(f"2 of {count} rated; the other {count - 2} stay open")
    page.keyboard.press("u")
    expect_focus(page, "words")
    tab_to(page, "[name=no_answer]")
    page.keyboard.press("p")  # the first card of the choice has none before it
    page.keyboard.press("n")
    expect(page).not_to_have_url(re.compile(re.escape(here)))
    page.keyboard.press("p")
    expect(page).to_have_url(here)
    assert faults == []


def test_open_points_are_rated_by_keys_another_day(page: Page, faults: Faults) -> None:
    first_card(page)
    page.get_by_label("I have no answer yet").check()
    page.keyboard.press("Enter")  # on a box that is ticked
    expect_focus(page, "compared")
    count = page.locator("fieldset.point").count()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect_focus(page, "outcome")
    page.reload()
    for _ in range(count - 1):
        page.keyboard.press("1")
    expect(page.locator("#count")).to_have_text(f"All {count} rated")
    expect(page.get_by_role("button", name="Keep these too")).to_be_focused()
    page.keyboard.press("Enter")
    expect_focus(page, "outcome")
    expect(page.locator("#outcome")).to_have_text(f"{count} of {count} points said")
    page.keyboard.press("a")
    expect_focus(page, "words")
    assert faults == []


def test_card_by_tab_and_arrows(page: Page) -> None:
    first_card(page)
    tab_to(page, "#words")
    page.keyboard.type("By Tab.")
    tab_to(page, "button.go")
    page.keyboard.press("Enter")
    expect_focus(page, "compared")
    points = page.locator("fieldset.point").count()
    for index in range(points):
        tab_to(page, f"input[name='{_name(page, index)}']")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
    assert page.locator("fieldset.point input[value=partly]:checked").count() == points
    tab_to(page, "form.back-of button.go")
    page.keyboard.press("Enter")
    expect_focus(page, "outcome")
    assert focused(page, "node => node.textContent") == f"0 of {points} points said, {points} partly"


def _name(page: Page, index: int) -> str:
    return str(page.locator("fieldset.point").nth(index).locator("input").first.get_attribute("name"))


@pytest.mark.parametrize("script", [True, False])
def test_refusals_lose_nothing_and_take_the_focus(new_context: NewContext, script: bool) -> None:
    page = opened(new_context(java_script_enabled=script))
    first_card(page)
    here = page.url
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("alert")).to_contain_text("tick that you have no answer yet")
    expect_focus(page, "words")
    second = opened(page.context)
    second.goto(here)
    page.get_by_label("In your own words first").fill(WORDS)
    page.get_by_role("button", name="Compare").click()
    expect_focus(page, "compared")
    page.get_by_role("button", name="Keep the ratings").click()
    expect(page.get_by_role("alert")).to_contain_text("No open point was rated, so nothing was kept.")
    expect_focus(page, "error")
    second.get_by_label("In your own words first").fill("late words")
    second.get_by_role("button", name="Compare").click()
    expect_focus(second, "error")
    expect(second.get_by_role("alert")).to_contain_text("What you typed since is not kept.")
    assert second.locator(".words").all_inner_texts() == [WORDS, "late words"]


def test_whole_card_without_javascript(new_context: NewContext) -> None:
    page = opened(new_context(java_script_enabled=False))
    first_card(page)
    page.get_by_label("In your own words first").fill(WORDS)
    page.get_by_role("button", name="Save for later").click()
    expect(page.get_by_label("In your own words first")).to_have_value(WORDS)
    page.get_by_role("button", name="Compare").click()
    expect_focus(page, "compared")
    expect(page.locator(".keys")).not_to_contain_text("undo", use_inner_text=True)
    points = page.locator("fieldset.point")
    count = points.count()
    points.first.locator("label").nth(2).click()
    page.get_by_role("button", name="Keep the ratings").click()
    expect_focus(page, "outcome")
    expect(page.locator(".outcome")).to_contain_text(f"1 of {count} rated; the other {count - 1} stay open")
    for point in points.all():
        point.locator("label").first.click()
    page.get_by_role("button", name="Keep these too").click()
    expect(page.get_by_role("heading", name=f"{count - 1} of {count} points said, 1 missed")).to_be_visible()
    page.get_by_role("button", name="Undo: take the rating back").click()
    expect_focus(page, "compared")
    expect(page.locator("fieldset.point :checked")).to_have_count(count)
    page.get_by_role("link", name="Next card").click()
    page.get_by_role("link", name="Previous card").click()
    page.get_by_role("button", name="Undo: close the back and change my words").click()
    expect(page.get_by_label("In your own words first")).to_have_value(WORDS)


def test_previous_next_and_undo_of_a_new_answer(page: Page, faults: Faults) -> None:
    first_card(page, "?level=beginner")
    expect(page.get_by_role("link", name="Previous card")).to_have_count(0)
    first = page.url
    page.get_by_role("link", name="Next card").click()
    page.get_by_role("link", name="Previous card").click()
    expect(page).to_have_url(first)
    page.get_by_label("In your own words first").fill("once")
    page.get_by_role("button", name="Compare").click()
    rate_all(page)
    page.get_by_role("button", name="Keep the ratings").click()
    told = page.locator("#outcome").inner_text()
    page.get_by_role("link", name="Answer it again").click()
    expect_focus(page, "words")
    page.keyboard.type("twice")
    expect(page.locator("#kept")).to_contain_text("Saved")
    page.goto(first)
    page.get_by_role("button", name="Undo: keep that answer").click()
    expect_focus(page, "outcome")
    assert page.locator("#outcome").inner_text() == told
    expect(page.locator(".words")).to_have_text("once")
    assert faults == []


@pytest.mark.parametrize("script", [True, False])
def test_filter_by_level_and_topic_holds_to_the_last_card(new_context: NewContext, script: bool) -> None:
    page = opened(new_context(java_script_enabled=script))
    page.goto(CARDS)
    page.get_by_role("list", name="Level").get_by_role("link", name="Senior").click()
    expect(page).to_have_url(re.compile(r"\?level=senior$"))
    topic = page.get_by_role("list", name="Topic").get_by_role("link").nth(1)
    count = int(topic.locator("span").inner_text())
    topic.click()
    expect(page).to_have_url(re.compile(r"\?level=senior&topic="))
    chosen = page.url.partition("?")[2]
    expect(page.locator(".cards li")).to_have_count(count)
    expect(page.locator("main section h2")).to_have_text(["Senior"])
    expect(page.locator(".chips [aria-current=true]")).to_have_count(2)
    page.locator(".cards a").first.click()
    for number in range(1, count):
        expect(page.locator("main header .label")).to_contain_text(f"card {number} of {count}")
        page.get_by_role("link", name="Next card").click()
    page.get_by_role("link", name="Back to the list").click()
    assert page.url.partition("?")[2] == chosen
    page.get_by_role("list", name="Topic").get_by_role("link", name="All").click()
    page.get_by_role("list", name="Level").get_by_role("link", name="All").click()
    expect(page).to_have_url(re.compile(f"{CARDS}$"))


# What a finger has to hit, lower than 44 px. A link whose ::after covers its line is as high as the line.
SMALL = """() => [...document.querySelectorAll("main :is(a, button, summary, textarea, label:has(input))")].filter(one => {
  const over = getComputedStyle(one, "::after").position === "absolute";
  return one.checkVisibility() && (over ? one.closest("li") : one).getBoundingClientRect().height < 44;
}).map(one => one.outerHTML.slice(0, 120))"""


def expect_sound(page: Page) -> None:
    """Nothing for axe or the ruler, and nothing too small for a finger."""
    assert problems(page) == ""
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(SMALL) == []


def test_every_state_is_accessible_in_every_width(new_context: NewContext) -> None:
    page = opened(new_context(reduced_motion="reduce"))
    page.goto(CARDS)
    expect_sound(page)
    page.goto(f"{CARDS}?level=architect&topic=nothing")
    expect_sound(page)
    first_card(page)
    expect_sound(page)
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect_sound(page)
    page.get_by_label("In your own words first").fill(WORDS)
    page.get_by_role("button", name="Compare").click()
    expect_sound(page)
    page.get_by_role("button", name="Keep the ratings").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect_sound(page)
    page.locator("fieldset.point label").nth(2).click()
    page.get_by_role("button", name="Keep the ratings").click()
    expect(page.locator(".outcome")).to_contain_text("stay open")
    expect_sound(page)
    rate_all(page)
    page.get_by_role("button", name="Keep these too").click()
    expect(page.locator(".outcome .open")).to_have_count(0)
    expect_sound(page)
