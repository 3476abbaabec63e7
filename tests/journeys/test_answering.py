"""The question page when the line, the server or an old form token stands in the way, and while flagging."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.journeys.conftest import NewContext
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import (
    PATIENCE,
    check,
    choose,
    focused,
    opened,
    position_of,
    show,
    sign_in,
    sign_up,
    start_quiz,
    tab_to,
)

CHECK = "#answer button.go:not(.quiet)"
NO_LINE = "No connection to the server. Nothing is lost. Try it again in a moment."
BUSY = "The server is busy. Nothing is lost. Try it again in a moment."
SIGNED_OUT = "You are signed out here. Sign in, then try it again. Sign in in a new tab"
REFUSALS = {
    0: NO_LINE,
    400: "The server refused this (400). Reload the page, then try it again.",
    403: SIGNED_OUT,
    404: SIGNED_OUT,
    429: BUSY,
    500: "The server failed (500). Nothing is lost. Try it again in a moment.",
    503: BUSY,
}
# Each frame's place of the page, from the press to a while after the swap.
SCROLLS = """selector => new Promise(done => {
  const seen = [Math.round(scrollY)];
  const until = performance.now() + 1000;
  const look = () => {
    const now = Math.round(scrollY);
    if (now !== seen.at(-1)) seen.push(now);
    if (performance.now() < until) requestAnimationFrame(look); else done(seen);
  };
  requestAnimationFrame(look);
  document.querySelector(selector).click();
})"""
BOXES = "nodes => nodes.map(node => node.getBoundingClientRect()).map(box => [box.top, box.bottom])"


@pytest.fixture
def attempt(page: Page, ledger: Ledger) -> str:
    """An attempt whose first choice question is on the page."""
    made = start_quiz(page)
    show(page, made, ledger.positions(made, "single")[0])
    return made


def answer(page: Page, ledger: Ledger, attempt: str) -> str:
    """Answer the choice question on the page wrongly; gives the option's id."""
    token = ledger.question(attempt, position_of(page)).wrong[0]
    choose(page, token)
    check(page)
    expect(page.locator("#verdict")).to_be_focused()  # the swap has settled
    return token


def refuse(page: Page, code: int, what: str = "**/attempts/**") -> list[str]:
    """Let each request of the page's script fail so (0: no line); gives the methods, growing."""
    seen: list[str] = []

    def fail(route: Route) -> None:
        if "hx-request" not in route.request.headers:
            route.continue_()
            return
        seen.append(route.request.method)
        if code:
            route.fulfill(status=code, body="")
        else:
            route.abort("internetdisconnected")

    page.route(what, fail)
    return seen


def age_the_token(page: Page) -> None:
    """Do to this browser what signing up in another tab does: the form token of the page is an old one now."""
    page.context.clear_cookies(name="csrf")
    assert page.request.get("/accounts/login/").status == 200


@pytest.mark.parametrize("code", REFUSALS)
@pytest.mark.parametrize("selector", ["#skip", "#flag"])
def test_failed_skip_or_flag_says_why_in_a_visible_line(
    page: Page, attempt: str, selector: str, code: int
) -> None:
    place = position_of(page)
    seen = refuse(page, code)
    page.locator(selector).focus()
    page.keyboard.press("Enter")
    line = page.locator("#trouble[role=alert]")
    expect(line).to_be_in_viewport()
    expect(line).to_have_text(REFUSALS[code])
    expect(page.locator(selector)).to_be_focused()
    assert position_of(page) == place
    assert len(seen) == (2 if code == 403 else 1)
    page.unroute_all()
    page.keyboard.press("Enter")
    expect(line).to_have_count(0)
    if selector == "#flag":
        expect(page.locator("#flag")).to_have_text("Take the flag off")
    else:
        expect(page.locator("#question")).not_to_have_attribute("data-place", str(place))


@pytest.mark.parametrize("code", REFUSALS)
@pytest.mark.parametrize("selector", ["[data-next]", "#flag"])
def test_failed_next_or_flag_after_the_answer_says_why_in_a_visible_line(
    page: Page, attempt: str, ledger: Ledger, selector: str, code: int
) -> None:
    answer(page, ledger, attempt)
    place = position_of(page)
    refuse(page, code)
    page.locator(selector).click()
    line = page.locator("#trouble[role=alert]")
    expect(line).to_be_in_viewport()
    expect(line).to_have_text(REFUSALS[code])
    assert position_of(page) == place
    page.unroute_all()
    page.locator(selector).click()
    expect(line).to_have_count(0)
    if selector == "#flag":
        expect(page.locator("#flag")).to_have_text("Take the flag off")
    else:
        expect(page.locator("#question")).not_to_have_attribute("data-place", str(place))


def test_old_token_is_renewed_and_the_answer_sent_again_by_itself(
    page: Page, attempt: str, ledger: Ledger
) -> None:
    statuses: list[int] = []
    page.on(
        "response",
        lambda one: statuses.append(one.status) if one.request.method == "POST" else None,
    )
    token = ledger.question(attempt, position_of(page)).right[0]
    age_the_token(page)
    choose(page, token)
    check(page)
    assert statuses == [403, 200]
    assert ledger.answers(attempt, position_of(page)) == [(1, "right", (token,))]
    expect(page.locator(".unsaved")).to_have_count(0)


def test_old_token_is_renewed_for_skip_and_flag(page: Page, attempt: str, ledger: Ledger) -> None:
    place = position_of(page)
    age_the_token(page)
    page.locator("#flag").click()
    expect(page.locator("#flag")).to_have_text("Take the flag off")
    expect(page.locator("#flag")).to_be_focused()
    age_the_token(page)
    page.locator("#skip").click()
    expect(page.locator("#question")).not_to_have_attribute("data-place", str(place))
    show(page, attempt, place)
    answer(page, ledger, attempt)
    age_the_token(page)
    page.locator("#flag").click()
    expect(page.locator("#flag")).to_have_text("Flag")
    expect(page.locator("#trouble")).to_have_count(0)


def test_answer_refused_twice_says_signed_out(page: Page, attempt: str, ledger: Ledger) -> None:
    seen = refuse(page, 403)
    choose(page, ledger.question(attempt, position_of(page)).right[0])
    page.locator(CHECK).click()
    expect(page.locator(".unsaved")).to_contain_text("you are signed out here")
    expect(page.get_by_role("link", name="Sign in in a new tab")).to_be_visible()
    assert seen == ["POST", "POST"]
    page.unroute_all()
    page.get_by_role("button", name="Send it now").click()
    expect(page.locator("#verdict")).to_be_visible()


def test_answer_is_kept_when_an_account_is_made_in_another_tab(
    page: Page, context: BrowserContext, attempt: str, ledger: Ledger
) -> None:
    sign_up(opened(context), "othertab@example.org")
    token = answer(page, ledger, attempt)
    assert ledger.answers(attempt, position_of(page)) == [(1, "wrong", (token,))]


def test_flag_after_the_session_ended_leads_to_signing_in(page: Page, context: BrowserContext) -> None:
    sign_up(page, "flagless@example.org")
    start_quiz(page)
    context.clear_cookies(name="session")
    page.locator("#flag").click()
    expect(page.locator("#trouble")).to_have_text(SIGNED_OUT)
    with context.expect_page() as opening:
        page.get_by_role("link", name="Sign in in a new tab").click()
    sign_in(opening.value, "flagless@example.org")
    page.locator("#flag").click()
    expect(page.locator("#flag")).to_have_text("Take the flag off", timeout=PATIENCE)
    expect(page.locator("#trouble")).to_have_count(0)


@pytest.mark.parametrize("answered", [False, True])
def test_flag_keeps_the_focus_and_says_what_it_did(
    page: Page, attempt: str, ledger: Ledger, answered: bool
) -> None:
    if answered:
        answer(page, ledger, attempt)
    tab_to(page, "#flag")
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_have_text("Flagged")
    expect(page.locator("#flag[value=off]")).to_be_focused()
    page.locator("#flag").click()
    expect(page.locator("#say")).to_have_text("Flag taken off")
    expect(page.locator("#flag[value=on]")).to_be_focused()


def test_flag_key_leaves_the_focus_where_it_was(page: Page, attempt: str, ledger: Ledger) -> None:
    page.get_by_label("above 80 %").focus()
    page.keyboard.press("f")
    expect(page.locator("#say")).to_have_text("Flagged")
    expect(page.get_by_label("above 80 %")).to_be_focused()
    answer(page, ledger, attempt)
    tab_to(page, ".opt details:not([open]) summary")
    page.keyboard.press("Enter")
    there = focused(page)
    page.keyboard.press("f")
    expect(page.locator("#say")).to_have_text("Flag taken off")
    assert focused(page) == there
    assert focused(page, "node => node.parentElement.open") is True


def test_answer_that_waits_for_the_line_follows_a_flag_that_got_through(
    page: Page, attempt: str, ledger: Ledger
) -> None:
    token = ledger.question(attempt, position_of(page)).right[0]
    refuse(page, 503, f"**/attempts/{attempt}/?q=*")
    choose(page, token)
    page.locator(CHECK).click()
    expect(page.locator(".unsaved")).to_contain_text("Not saved yet")
    page.unroute_all()
    page.locator("#flag").click()
    expect(page.locator("#verdict")).to_be_visible()
    expect(page.locator("#flag")).to_have_text("Take the flag off")
    assert ledger.answers(attempt, position_of(page)) == [(1, "right", (token,))]


def test_map_of_questions_stays_open_through_flag_and_answer(
    page: Page, attempt: str, ledger: Ledger
) -> None:
    page.locator("details.map summary").click()
    page.keyboard.press("f")
    expect(page.locator("#say")).to_have_text("Flagged")
    expect(page.locator("details.map")).to_have_attribute("open", "")
    answer(page, ledger, attempt)
    expect(page.locator("details.map")).to_have_attribute("open", "")
    page.keyboard.press("Enter")
    expect(page.locator("#stem")).to_be_focused()
    expect(page.locator("details.map")).not_to_have_attribute("open", "")


def test_next_question_is_there_at_once_without_a_glide(page: Page, attempt: str, ledger: Ledger) -> None:
    page.set_viewport_size({"width": 360, "height": 500})
    answer(page, ledger, attempt)
    page.locator("[data-next]").scroll_into_view_if_needed()
    seen: list[int] = page.evaluate(SCROLLS, "[data-next]")
    assert seen[0] > 300
    assert seen[1:] == [0]


def test_buttons_stay_in_one_row_on_a_phone(new_context: NewContext, ledger: Ledger) -> None:
    page = opened(new_context(viewport={"width": 360, "height": 740}))
    attempt = start_quiz(page)
    show(page, attempt, ledger.positions(attempt, "single")[0])
    page.locator("#flag").click()
    expect(page.locator("#flag")).to_have_text("Take the flag off")
    expect_one_row(page)
    answer(page, ledger, attempt)
    expect_one_row(page)


def expect_one_row(page: Page) -> None:
    """The buttons overlap in height, and nothing makes the page scroll sideways."""
    boxes: list[list[float]] = page.locator(".row.next :is(a, button)").evaluate_all(BOXES)
    assert len(boxes) == 3
    assert max(top for top, _ in boxes) < min(bottom for _, bottom in boxes)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth") is True


def test_number_of_an_unseen_question_stands_in_the_middle_of_its_cell(page: Page, attempt: str) -> None:
    page.locator("details.map summary").click()
    off = page.locator(".places a.unseen").last.evaluate(
        """node => {
          const range = document.createRange();
          range.selectNode(node.firstChild);
          const text = range.getBoundingClientRect(), cell = node.getBoundingClientRect();
          return Math.abs((text.top + text.bottom) - (cell.top + cell.bottom)) / 2;
        }"""
    )
    assert off < 1.5
