"""Looking something up: by keyboard, without a script, and back to the paragraph."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.test_pages import problems
from tests.journeys.visitor import (
    CHAPTER,
    COURSE,
    Faults,
    attempt_in,
    check,
    choose,
    focused,
    opened,
    position_of,
    show,
    start_quiz,
    tab_to,
)

SEARCH = f"{COURSE}search/"
# Whether what has the focus stands in the place that the address names, or after it.
AT_TARGET = """node => {
  const target = document.querySelector(":target");
  return target.contains(node) || !!(target.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING);
}"""


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
    page.keyboard.press("Tab")
    assert focused(page, AT_TARGET)
    assert faults == []


def test_objective_opens_at_itself_in_sight(page: Page, faults: Faults) -> None:
    page.goto(CHAPTER)
    objective = page.locator(".objectives li").nth(1)
    words = " ".join(objective.locator("span").first.inner_text().replace('"', "").split()[:6])
    page.goto(SEARCH)
    page.locator("#q").fill(f'"{words}"')
    page.keyboard.press("Enter")
    page.locator(".found a", has_text="Objective").first.click()
    page.wait_for_url(f"**{CHAPTER}#objective-*")
    expect(page.locator(":target")).to_be_in_viewport()
    assert page.evaluate("document.querySelector(':target').matches('.objectives li')")
    assert faults == []


@pytest.mark.parametrize("width", [360, 1440])
def test_hit_in_a_table_opens_at_the_table_lit_and_in_sight(page: Page, faults: Faults, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    page.goto(CHAPTER)
    table = page.locator(".prose > .scroll").first
    cells = [one.strip() for one in table.locator("tbody tr").first.locator("td").all_inner_texts()]
    anchor, plain = table.get_attribute("id"), table.evaluate("one => getComputedStyle(one).backgroundColor")
    page.goto(SEARCH)
    page.locator("#q").fill(" ".join(cells))
    page.keyboard.press("Enter")
    page.locator(f'.found a[href="{CHAPTER}#{anchor}"]').first.click()
    page.wait_for_url(f"**{CHAPTER}#{anchor}")
    expect(page.locator(":target")).to_be_in_viewport()
    assert page.locator(":target").evaluate("one => one.className") == "scroll"
    assert page.locator(":target").evaluate("one => getComputedStyle(one).backgroundColor") != plain
    assert faults == []


def test_question_page_has_the_search_and_its_key(page: Page, faults: Faults) -> None:
    attempt = start_quiz(page)
    show(page, attempt, 2)
    page.keyboard.press("/")
    page.wait_for_url(f"**{SEARCH}")
    expect(page.locator("#q")).to_be_focused()
    page.go_back()
    assert attempt_in(page) == attempt
    assert position_of(page) == 2
    page.get_by_role("link", name="Search").click()
    page.wait_for_url(f"**{SEARCH}")
    assert faults == []


def test_slash_in_a_field_is_typed(page: Page) -> None:
    page.goto(f"{SEARCH}?q=cache")
    page.locator("#q").focus()
    page.keyboard.press("End")
    page.keyboard.type("/s")
    expect(page.locator("#q")).to_have_value("cache/s")


def test_slip_is_mended_by_keyboard(page: Page, faults: Faults) -> None:
    page.goto(SEARCH)
    page.keyboard.type("quantizaton")
    page.keyboard.press("Enter")
    expect(page.locator(".tally")).to_contain_text("Did you mean quantization?")
    expect(page.locator(".found mark").first).to_be_visible()
    tab_to(page, ".tally a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=quantization")
    expect(page.locator("#q")).to_have_value("quantization")
    assert faults == []


@pytest.mark.parametrize("script", [True, False])
def test_nothing_found_says_what_to_do(new_context: NewContext, script: bool) -> None:
    page = opened(new_context(java_script_enabled=script))
    page.goto(SEARCH)
    page.locator("#q").fill("zzzqqq")
    page.keyboard.press("Enter")
    expect(page.locator(".empty")).to_contain_text("Nothing was found for “zzzqqq”")
    expect(page.locator("#q")).to_have_value("zzzqqq")
    page.get_by_role("link", name="the chapters of the course").click()
    page.wait_for_url(f"**{COURSE}")


def test_paragraph_opens_without_a_script(new_context: NewContext) -> None:
    page = opened(new_context(java_script_enabled=False))
    page.goto(f"{SEARCH}?q=PagedAttention")
    link = page.locator(f'.found a[href^="{CHAPTER}#"]').first
    anchor = str(link.get_attribute("href")).partition("#")[2]
    link.click()
    page.wait_for_url(f"**{CHAPTER}#*")
    expect(page.locator(f'[id="{anchor}"]')).to_be_in_viewport()
    page.keyboard.press("Tab")
    assert focused(page, AT_TARGET)


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


def test_answered_question_is_found_by_who_answered_it(
    page: Page, faults: Faults, new_context: NewContext
) -> None:
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
    stranger = opened(new_context())
    stranger.goto(f"{SEARCH}?q={quote(words)}")
    assert stranger.get_by_text("A question you have answered").count() == 0
    assert faults == []


@pytest.mark.parametrize(
    "query", ["", "?q=kv+cache", "?q=cahce+awq", "?q=quantization&page=2", "?q=zzzqqq", "?q=a%00b"]
)
def test_search_pages_have_nothing_for_axe_to_find(page: Page, query: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(SEARCH + query)
    assert problems(page) == ""
