"""Looking something up: by keyboard, without a script, and back to the paragraph."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.test_pages import problems
from tests.journeys.visitor import (
    CHAPTER,
    COURSE,
    Faults,
    check,
    choose,
    focused,
    opened,
    show,
    start_quiz,
    tab_to,
)

SEARCH = f"{COURSE}search/"


def test_slash_types_and_opens_the_paragraph(page: Page, faults: Faults) -> None:
    page.goto(CHAPTER)
    page.keyboard.press("/")
    page.wait_for_url(f"**{SEARCH}")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("paged/attention")
    expect(page.locator("#q")).to_have_value("paged/attention")
    page.locator("#q").fill("PagedAttention")
    page.keyboard.press("Enter")
    expect(page.locator(".found mark").first).to_be_visible()
    page.keyboard.press("/")
    assert focused(page, "node => node.id") == "q"
    tab_to(page, ".found a")
    target = focused(page, "node => node.hash")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{CHAPTER}#*")
    assert page.evaluate("document.querySelector(':target').id") == target[1:]
    assert faults == []


def test_search_without_a_script(new_context: NewContext) -> None:
    page = opened(new_context(java_script_enabled=False))
    page.goto(CHAPTER)
    page.get_by_role("link", name="Search").click()
    page.locator("#q").fill("quantizaton")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="quantization", exact=True).click()
    expect(page.locator("#q")).to_have_value("quantization")
    page.get_by_role("link", name="More results").click()
    expect(page.locator(".tally")).to_contain_text("21 to ")
    page.locator(".found a").first.click()
    expect(page.locator("main h1")).to_be_visible()


def test_answered_question_is_found_and_opens_with_its_feedback(page: Page, faults: Faults) -> None:
    attempt = start_quiz(page)
    stem = page.locator(".stem").inner_text()
    words = '"' + " ".join(stem.replace('"', "").split()[:4]) + '"'
    page.goto(SEARCH)
    page.locator("#q").fill(words)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=*")
    assert page.get_by_text("A question you have answered").count() == 0
    show(page, attempt, 1)
    if page.locator("#typed").count():
        page.locator("#typed").fill("1")
    else:
        choose(page, str(page.locator("#answer [data-option]").first.get_attribute("data-option")))
    check(page)
    page.goto(SEARCH)
    page.locator("#q").fill(words)
    page.keyboard.press("Enter")
    page.locator(".found li", has_text="A question you have answered").locator("a").first.click()
    expect(page.locator("#verdict")).to_be_visible()
    assert faults == []


@pytest.mark.parametrize(
    "query", ["", "?q=kv+cache", "?q=cahce+awq", "?q=quantization&page=2", "?q=zzzqqq", "?q=a%00b"]
)
def test_search_pages_have_nothing_for_axe_to_find(page: Page, query: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(SEARCH + query)
    assert problems(page) == ""
