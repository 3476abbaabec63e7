"""Tab through reading and answering: the focus is always visible, never lost, and goes in the order of reading."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import (
    CHAPTER,
    QUIZ,
    Faults,
    focused,
    opened,
    position_of,
    show,
    start_quiz,
    tab_to,
)

WALK = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const box = one.closest("label, .opt") && one.matches("input") ? one.closest("label") : one;
  const area = box.getBoundingClientRect();
  const lit = [one, box, one.closest(".opt"), one.closest("label")].filter(Boolean).some(part => {
    const style = getComputedStyle(part);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  });
  const middle = document.elementFromPoint(
    Math.min(innerWidth - 1, Math.max(0, area.left + area.width / 2)),
    Math.min(innerHeight - 1, Math.max(0, area.top + Math.min(area.height, innerHeight) / 2)));
  const order = [...document.querySelectorAll("*")].indexOf(one);
  return {name: one.outerHTML.slice(0, 160), order, lit, tall: area.height, wide: area.width,
    inside: area.bottom > 0 && area.top < innerHeight && area.right > 0 && area.left < innerWidth,
    clear: !!middle && (box.contains(middle) || middle.contains(box))};
}"""


@pytest.fixture
def page(new_context: NewContext) -> Page:
    """A page that scrolls at once: a walk does not wait for gliding."""
    return opened(new_context(reduced_motion="reduce"))


@dataclass(frozen=True)
class Stop:
    """Where Tab came to rest."""

    name: str
    order: int  # place in the document
    lit: bool  # an outline of at least 2 px
    seen: bool  # in the window, with a size, nothing over it


def walk(page: Page, most: int) -> list[Stop]:
    """Press Tab until the focus leaves the page or has been round once; at most ``most`` stops."""
    stops: list[Stop] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        told = page.evaluate(WALK)
        if told is None:
            break
        seen = told["inside"] and told["clear"] and told["tall"] > 0 and told["wide"] > 0
        stop = Stop(told["name"], told["order"], told["lit"], seen)
        if stops and stop.order == stops[0].order:
            break
        stops.append(stop)
    return stops


def expect_sound(stops: list[Stop], least: int) -> None:
    """Enough stops, each visible and outlined, in the order of the document."""
    assert len(stops) >= least
    assert [stop.name for stop in stops if not stop.lit] == []
    assert [stop.name for stop in stops if not stop.seen] == []
    orders = [stop.order for stop in stops]
    assert orders == sorted(orders)


def test_skip_link_comes_first_and_leads_to_the_text(page: Page) -> None:
    page.goto(CHAPTER)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert focused(page, "node => !!node.closest('main')") is True


def test_tab_through_the_chapter_never_loses_the_focus(page: Page) -> None:
    page.goto(CHAPTER)
    expect_sound(walk(page, 70), least=60)


def test_line_back_to_the_question_hides_no_focus(page: Page) -> None:
    page.set_viewport_size({"width": 768, "height": 500})
    page.goto(f"{CHAPTER}?back=/progress/#method-resource")
    expect(page.locator(".back a")).to_be_in_viewport()
    expect_sound(walk(page, 25), least=25)


def test_tab_through_the_folded_chapter_never_loses_the_focus(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(CHAPTER)
    expect_sound(walk(page, 30), least=25)


def test_tab_through_a_question_and_its_feedback_never_loses_the_focus(page: Page, ledger: Ledger) -> None:
    attempt = start_quiz(page)
    place = ledger.positions(attempt, "single")[0]
    show(page, attempt, place)
    expect_sound(walk(page, 60), least=8)
    show(page, attempt, place)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_be_focused()
    after = walk(page, 60)
    expect_sound(after, least=8)
    assert "<summary" in after[0].name  # the rationale of the chosen option is what comes next


def test_what_is_read_aloud_after_the_answer_is_the_verdict(page: Page, ledger: Ledger) -> None:
    attempt = start_quiz(page)
    show(page, attempt, ledger.positions(attempt, "single")[0])
    question = ledger.question(attempt, position_of(page))
    page.keyboard.press(question.digit(question.wrong[0]))
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_be_focused()
    assert focused(page, "node => node.tagName") == "H2"
    expect(page.locator("#say[aria-live=polite]")).to_contain_text("Not this one")
    page.keyboard.press("Enter")
    expect(page.locator("#stem")).to_be_focused()
    expect(page.locator("#say")).to_have_text("")


def test_enter_goes_on_after_a_digit_opened_another_reason(page: Page, ledger: Ledger) -> None:
    attempt = start_quiz(page)
    place = ledger.positions(attempt, "single")[0]
    show(page, attempt, place)
    question = ledger.question(attempt, place)
    page.keyboard.press(question.digit(question.right[0]))
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_be_focused()
    other = question.wrong[0]
    page.keyboard.press(question.digit(other))
    expect(page.locator(f'[data-rationale="{other}"]')).to_be_visible()
    page.keyboard.press("Space")
    expect(page.locator(f'[data-rationale="{other}"]')).not_to_be_visible()
    page.keyboard.press(question.digit(other))
    expect(page.locator(f'[data-rationale="{other}"]')).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#question")).not_to_have_attribute("data-place", str(place))


def test_enter_on_a_reason_reached_by_tab_opens_it(page: Page, ledger: Ledger) -> None:
    attempt = start_quiz(page)
    place = ledger.positions(attempt, "single")[0]
    show(page, attempt, place)
    page.keyboard.press(ledger.question(attempt, place).digit(ledger.question(attempt, place).right[0]))
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_be_focused()
    tab_to(page, ".opt details:not([open]) summary")
    page.keyboard.press("Enter")
    assert focused(page, "node => node.parentElement.open") is True
    assert position_of(page) == place


def test_number_is_typed_from_anywhere_on_the_page(page: Page, ledger: Ledger) -> None:
    attempt = start_quiz(page)
    place = ledger.positions(attempt, "number")[0]
    show(page, attempt, place)
    page.keyboard.type("-x")
    expect(page.locator("#typed")).to_have_value("-x")
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("is not a number")
    expect(page.locator("#typed")).to_be_focused()
    page.keyboard.type(ledger.question(attempt, place).number)
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("Right")


def test_styles_left_on_a_page_by_others_are_no_fault_when_going_on(page: Page, faults: Faults) -> None:
    show(page, start_quiz(page), 1)
    page.evaluate("() => document.querySelectorAll('main *').forEach(one => { one.style.color = 'red'; })")
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("#question")).not_to_have_attribute("data-place", "1")
    assert faults == []
    page.go_back()
    expect(page.locator("#question")).to_have_attribute("data-place", "1")


def test_marking_and_ticking_by_keyboard_keep_the_focus_where_it_was(page: Page) -> None:
    page.goto(CHAPTER)
    button = page.locator("form.done button").first
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("form.done .mark").first).to_contain_text("✓ Read")
    expect(button).to_be_focused()
    box = page.locator("#checkpoints input[type=checkbox]").first
    box.focus()
    page.keyboard.press("Space")
    expect(page.locator("#checkpoints form time").first).to_be_visible()
    expect(page.locator("#checkpoints input[type=checkbox]").first).to_be_focused()


def test_address_follows_the_question_on_the_page(page: Page, ledger: Ledger) -> None:
    page.goto(QUIZ)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/attempts/**")
    first = position_of(page)
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("#question")).not_to_have_attribute("data-place", str(first))
    shown = position_of(page)
    page.reload()
    assert position_of(page) == shown
    attempt = page.url.split("/")[4]
    question = ledger.question(attempt, shown)
    if question.kind == "number":
        page.locator("#typed").fill(question.number)
    else:
        page.locator("#answer .opt input").first.click()
    page.locator("#answer button.go:not(.quiet)").click()
    expect(page.locator("#verdict")).to_be_visible()
    page.reload()
    assert position_of(page) == shown
    expect(page.locator("#verdict")).to_be_visible()
