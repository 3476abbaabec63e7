"""A question in each of its states: nothing for axe to find, no sideways scrolling, no fault in the console.

In both themes and all widths. All pages as they are when they are opened: test_every_page.py.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys import measures
from tests.journeys.conftest import NewContext
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import (
    Faults,
    check,
    choose,
    finish,
    opened,
    show,
    start_quiz,
)

THEMES = ("light", "dark")
WIDTHS = (360, 768, 1440)
NARROWEST = 320
HEIGHT = 900


def problems(page: Page) -> str:
    """What axe and the ruler find on the page as it stands, in every theme and width; a line each."""
    found: list[str] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found += [f"{width}: {one}" for one in measures.too_wide(page)]
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            found += [f"{width} {theme}: {one}" for one in measures.by_axe(page)]
    page.set_viewport_size({"width": NARROWEST, "height": HEIGHT})
    found += [f"{NARROWEST}: {one}" for one in measures.too_wide(page)]
    return "\n".join(found)


@pytest.fixture
def calm(new_context: NewContext) -> BrowserContext:
    """A browser whose colours change at once, so that contrast is measured on what comes to stand."""
    return new_context(reduced_motion="reduce")


@pytest.fixture
def page(calm: BrowserContext) -> Page:
    """A page of it."""
    return opened(calm)


def _number_form(page: Page, attempt: str, ledger: Ledger) -> None:
    show(page, attempt, ledger.positions(attempt, "number")[0])


def _choice_form(page: Page, attempt: str, ledger: Ledger) -> None:
    show(page, attempt, ledger.positions(attempt, "single")[0])
    choose(page, ledger.question(attempt, ledger.positions(attempt, "single")[0]).tokens[0])


def _multiple_form(page: Page, attempt: str, ledger: Ledger) -> None:
    show(page, attempt, ledger.positions(attempt, "multiple")[0])


def _error(page: Page, attempt: str, ledger: Ledger) -> None:
    _number_form(page, attempt, ledger)
    page.locator("#typed").fill("a lot")
    page.locator("#answer button.go:not(.quiet)").click()
    expect(page.locator("#error")).to_be_visible()


def _right(page: Page, attempt: str, ledger: Ledger) -> None:
    place = ledger.positions(attempt, "single")[0]
    show(page, attempt, place)
    choose(page, ledger.question(attempt, place).right[0])
    check(page)
    page.locator(".opt:has(details:not([open])) summary").first.click()


def _wrong(page: Page, attempt: str, ledger: Ledger) -> None:
    place = ledger.positions(attempt, "multiple")[0]
    show(page, attempt, place)
    choose(page, *ledger.question(attempt, place).wrong[:1])
    page.get_by_label("below 67 %").click()
    check(page)


def _number_feedback(page: Page, attempt: str, ledger: Ledger) -> None:
    place = ledger.positions(attempt, "number")[0]
    show(page, attempt, place)
    page.locator("#typed").fill(ledger.question(attempt, place).mistake)
    check(page)


def _map(page: Page, attempt: str, ledger: Ledger) -> None:
    _right(page, attempt, ledger)
    page.locator("details.map summary").click()


def _keys(page: Page, attempt: str, ledger: Ledger) -> None:
    _choice_form(page, attempt, ledger)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()


def _review(page: Page, attempt: str, ledger: Ledger) -> None:
    _wrong(page, attempt, ledger)
    finish(page)


Step = Callable[[Page, str, Ledger], None]
STATES: dict[str, Step] = {
    "choice": _choice_form,
    "multiple": _multiple_form,
    "number": _number_form,
    "error": _error,
    "right": _right,
    "wrong": _wrong,
    "number feedback": _number_feedback,
    "map open": _map,
    "list of keys": _keys,
    "review": _review,
}


@pytest.mark.parametrize("reach", STATES.values(), ids=STATES.keys())
def test_question_state_is_accessible_and_quiet(
    page: Page, faults: Faults, ledger: Ledger, reach: Step
) -> None:
    reach(page, start_quiz(page), ledger)
    assert problems(page) == ""
    assert [one for one in faults if not one.startswith("422: POST")] == []


def test_sign_up_with_a_poor_password_says_so_on_an_accessible_page(page: Page, faults: Faults) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("Email").fill("poor@example.org")
    page.get_by_label("Password").fill("password12")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("#id_password1_error")).to_be_visible()
    assert problems(page) == ""
    assert faults == []
