"""Every page: nothing for axe to find, no sideways scrolling, no fault in the console, in both themes and all widths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import (
    CHAPTER,
    COURSE,
    QUIZ,
    Faults,
    check,
    choose,
    finish,
    opened,
    show,
    sign_up,
    start_quiz,
)

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
THEMES = ("light", "dark")
WIDTHS = (360, 768, 1440)
NARROWEST = 320
HEIGHT = 900

RUN = """async (tags) => {
  const found = await axe.run(document, {runOnly: {type: "tag", values: tags}, resultTypes: ["violations"]});
  return found.violations.map(one => `${one.id}: ${one.help}: ` + one.nodes.slice(0, 3).map(
    node => node.target.join(" ") + " " + node.any.concat(node.all, node.none).map(c => c.message).join("; ")).join(" | "));
}"""
WIDER = """() => {
  const limit = innerWidth;
  if (document.documentElement.scrollWidth <= limit) return [];
  return [...document.querySelectorAll("body *")].filter(one => one.getBoundingClientRect().right > limit + 1)
    .slice(0, 5).map(one => one.outerHTML.slice(0, 120));
}"""


def problems(page: Page) -> str:
    """What axe and the ruler find on the page as it stands, in every theme and width; a line each."""
    found: list[str] = []
    page.evaluate(AXE)  # the code itself, not a script element: the page's policy holds on
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found += [f"{width}: wider than the window: {one}" for one in page.evaluate(WIDER)]
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            found += [f"{width} {theme}: {one}" for one in page.evaluate(RUN, TAGS)]
    page.set_viewport_size({"width": NARROWEST, "height": HEIGHT})
    found += [f"{NARROWEST}: wider than the window: {one}" for one in page.evaluate(WIDER)]
    return "\n".join(found)


@pytest.fixture
def calm(new_context: NewContext) -> BrowserContext:
    """A browser whose colours change at once, so that contrast is measured on what comes to stand."""
    return new_context(reduced_motion="reduce")


@pytest.fixture
def page(calm: BrowserContext) -> Page:
    """A page of it."""
    return opened(calm)


PUBLIC = {
    "home": "/",
    "course": COURSE,
    "about": f"{COURSE}about/",
    "chapter": CHAPTER,
    "lab": f"{CHAPTER}lab/?back=/progress/",
    "quiz": QUIZ,
    "empty progress": "/progress/",
    "search": f"{COURSE}search/?q=kv+cahce",
    "search for nothing": f"{COURSE}search/?q=xyzzyx",
    "cards": f"{COURSE}cards/",
    "card": f"{COURSE}cards/quantizing-explained/",
    "no reports": "/reports/",
    "empty practice": f"{COURSE}mistakes/",
    "sign-up": "/accounts/signup/",
    "sign-in": "/accounts/login/",
    "reset": "/accounts/password/reset/",
    "reset sent": "/accounts/password/reset/done/",
}


@pytest.mark.parametrize("address", PUBLIC.values(), ids=PUBLIC.keys())
def test_public_page_is_accessible_and_quiet(page: Page, faults: Faults, address: str) -> None:
    page.goto(address)
    assert problems(page) == ""
    assert faults == []


PERSONAL = {
    "home": "/",
    "chapter from a question": f"{CHAPTER}?back=/progress/#decode-floor",
    "progress": "/progress/",
    "practice": f"{COURSE}mistakes/",
    "quiz": QUIZ,
    "settings": "/settings/",
    "notes": f"{COURSE}notes/",
    "reports": "/reports/",
    "two-factor": "/accounts/2fa/",
    "sessions": "/accounts/sessions/",
    "addresses": "/accounts/email/",
    "password": "/accounts/password/change/",
    "sign-out": "/accounts/logout/",
}


@pytest.fixture(scope="module")
def known(house: Any, chromium: Browser) -> Iterator[list[Any]]:
    """The cookies of somebody with an account who has read, ticked and answered."""
    context = chromium.new_context(base_url=house.url)
    page = opened(context)
    ledger = Ledger(house.data)
    sign_up(page, "pages@example.org")
    page.goto(CHAPTER)
    page.locator("form.done button").first.click()
    expect(page.locator("form.done .mark").first).to_contain_text("✓ Read")
    page.locator("[data-checkpoint] input[type=checkbox]").first.click()
    expect(page.locator("[data-checkpoint] form time").first).to_be_visible()
    for wanted in ("right", "wrong"):
        attempt = start_quiz(page)
        place = ledger.positions(attempt, "single")[0]
        show(page, attempt, place)
        choose(page, getattr(ledger.question(attempt, place), wanted)[0])
        check(page)
        if wanted == "right":
            finish(page)
    yield context.cookies()
    context.close()


@pytest.mark.parametrize("address", PERSONAL.values(), ids=PERSONAL.keys())
def test_personal_page_is_accessible_and_quiet(
    page: Page, faults: Faults, known: list[Any], address: str
) -> None:
    page.context.add_cookies(known)
    page.goto(address)
    assert problems(page) == ""
    assert faults == []


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


def test_missing_page_is_accessible_and_says_so(page: Page, faults: Faults) -> None:
    answer = page.goto("/c/llm-inference/no-such-chapter/")
    assert answer is not None
    assert answer.status == 404
    assert problems(page) == ""
    assert [one for one in faults if not one.startswith("404: GET")] == []


def test_form_without_its_token_is_refused_on_an_accessible_page(page: Page, faults: Faults) -> None:
    page.goto("/accounts/login/")
    page.context.clear_cookies()
    page.get_by_label("Email").fill("nobody@example.org")
    page.get_by_label("Password").fill("seven quiet herons")
    with page.expect_response("**/login/") as refused:
        page.get_by_role("button", name="Sign in", exact=True).click()
    assert refused.value.status == 403
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert problems(page) == ""
    assert [one for one in faults if not one.startswith("403: POST")] == []


def test_sign_up_with_a_poor_password_says_so_on_an_accessible_page(page: Page, faults: Faults) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("Email").fill("poor@example.org")
    page.get_by_label("Password").fill("password12")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("#id_password1_error")).to_be_visible()
    assert problems(page) == ""
    assert faults == []


def test_axe_would_find_a_fault(page: Page) -> None:
    page.goto("/")
    page.evaluate("() => { document.querySelector('h1').style.color = 'rgb(230, 230, 230)'; }")
    assert "color-contrast" in problems(page)
