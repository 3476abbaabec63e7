"""What a question's page looks like where room is short or there are no keys, and the list of keys on every page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.kinds import FORMS, ask
from tests.journeys.ledger import Ledger
from tests.journeys.measures import WIDER
from tests.journeys.visitor import CHAPTER, COURSE, focused, opened, start_quiz

CARD = f"{COURSE}cards/"
LONG = "electroencephalographically" * 3
# The theme's button stands in the line of the name.
ONE_LINE = """() => {
  const [name, theme] = [".bar .name", ".bar .theme"].map(one => document.querySelector(one).getBoundingClientRect());
  return theme.top < name.bottom && theme.bottom > name.top && theme.right <= innerWidth;
}"""
ROWS = """() => {
  const rows = new Map();
  document.querySelectorAll(".dots i").forEach(one => rows.set(one.offsetTop, (rows.get(one.offsetTop) || 0) + 1));
  return [...rows.values()];
}"""
SHOWN = "nodes => nodes.filter(one => one.checkVisibility() && one.offsetWidth).map(one => one.textContent)"


def card(page: Page) -> None:
    """Open an interview card."""
    page.goto(CARD)
    page.locator(".cards a").first.click()
    expect(page.locator("#words")).to_be_visible()


@pytest.fixture
def phone(new_context: NewContext) -> Page:
    """A page on a phone."""
    return opened(
        new_context(
            viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce"
        )
    )


def test_phone_shows_one_line_above_and_no_keys(phone: Page) -> None:
    def expect_fit() -> None:
        for width in (320, 360):
            phone.set_viewport_size({"width": width, "height": 740})
            assert phone.evaluate(ONE_LINE)
            assert phone.evaluate(WIDER) == []
        assert phone.locator(":is(.keys, .go, .rate, .ordering) kbd").evaluate_all(SHOWN) == []

    card(phone)
    expect_fit()
    phone.get_by_label("I have no answer yet").tap()
    phone.get_by_role("button", name="Compare").tap()
    expect(phone.locator("#compared")).to_be_visible()
    expect_fit()
    start_quiz(phone, FORMS)
    expect_fit()
    link = phone.get_by_role("link", name="This looks wrong").bounding_box()
    assert link
    assert link["height"] >= 44


@pytest.mark.parametrize("width", [320, 768, 1440])
def test_points_of_all_questions_stand_in_even_rows(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    start_quiz(page, FORMS)
    rows = page.evaluate(ROWS)
    assert sum(rows) > 20
    assert max(rows) - min(rows) <= len(rows)
    link = page.get_by_role("link", name="This looks wrong").bounding_box()
    assert link
    assert link["height"] >= 24


def test_gap_grows_with_its_words(page: Page, ledger: Ledger) -> None:
    page.set_viewport_size({"width": 320, "height": 740})
    ask(page, ledger, "cloze")
    gap = page.locator("input.gap").first
    cut = "node => node.scrollWidth > node.clientWidth"
    gap.fill("a rather longer phrase")
    assert gap.evaluate(cut) is False
    gap.fill(LONG)
    assert page.evaluate(WIDER) == []


@pytest.mark.parametrize(
    ("where", "keys"),
    [("chapter", ["/", "m", "?"]), ("card", ["t", "Ctrl", "n", "?"]), ("course", ["/", "?"])],
)
def test_question_mark_lists_the_keys_of_the_page(page: Page, where: str, keys: list[str]) -> None:
    if where == "card":
        card(page)
        page.locator("#words").fill("")
        page.keyboard.type("?")  # a word, not a key
        expect(page.locator("#words")).to_have_value("?")
        page.locator("#words").evaluate("node => node.blur()")
    else:
        page.goto(CHAPTER if where == "chapter" else COURSE)
    page.locator(".theme").focus()
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keys")
    expect(listed).to_be_visible()
    first = "rows => rows.map(row => row.querySelector('kbd').textContent)"
    assert listed.locator("li").evaluate_all(first) == keys
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)
    assert focused(page, "node => node.matches('.theme')")
