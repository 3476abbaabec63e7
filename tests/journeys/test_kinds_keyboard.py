"""Written, matched, ordered and completed answers by keyboard alone: from the start of the quiz to the next question."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.kinds import (
    KINDS,
    LISTS,
    OF_PARTS,
    Asked,
    Side,
    ask,
    asked,
    expect_refused,
    field,
    give,
    quiz_of,
    values_on,
)
from tests.journeys.ledger import Ledger
from tests.journeys.test_keyboard import expect_sound, walk
from tests.journeys.visitor import Faults, attempt_in, focused, opened, tab_to

PRECEDING = 2  # Node.DOCUMENT_POSITION_PRECEDING
# The field that the focus stands at: itself, or that of the item whose button it is on
FIELD = "node => node.id || (node.matches('[data-move]') && node.closest('li').querySelector('select').id)"


@pytest.fixture
def page(new_context: NewContext) -> Page:
    """A page that scrolls at once: a walk does not wait for gliding."""
    return opened(new_context(reduced_motion="reduce"))


def begin(page: Page, ledger: Ledger, kind: str) -> Asked:
    """Start the quiz and go to the first question of a kind through the map of questions, with keys only."""
    page.goto(quiz_of(kind))
    tab_to(page, "main form button.go")
    page.keyboard.press("Enter")
    page.wait_for_url("**/attempts/**")
    question = asked(ledger, attempt_in(page), kind)
    tab_to(page, "details.map > summary")
    page.keyboard.press("Enter")
    tab_to(page, f'.places a[href="?q={question.place}"]')
    page.keyboard.press("Enter")
    expect(page.locator("#question")).to_have_attribute("data-place", str(question.place))
    page.wait_for_load_state()
    return question


def pick(page: Page, value: str) -> None:
    """Bring the focused list to a value with the arrow keys."""
    here, there = page.evaluate(
        """value => { const one = document.activeElement;
        return [one.selectedIndex, [...one.options].findIndex(each => each.value === value)]; }""",
        value,
    )
    for _ in range(abs(there - here)):
        page.keyboard.press("ArrowDown" if there > here else "ArrowUp")


def give_by_keys(page: Page, question: Asked, side: Side) -> None:
    """Go to each field with Tab and fill it; the first one by the key printed beside it."""
    if question.kind != "number":  # digits of a number are typed from anywhere
        page.keyboard.press("t" if question.kind == "short" else digit_of(page, question.fields[0]))
        assert focused(page, FIELD) == question.fields[0]
    for name, value in question.turns(side.values):
        if question.kind != "number":
            reach(page, name)
        if question.kind in LISTS:
            pick(page, value)
        else:
            page.keyboard.type(value)


def digit_of(page: Page, name: str) -> str:
    """The key printed beside a field; a gap's is its number."""
    printed = page.locator(f'.opt:has([id="{name}"]) kbd')
    return printed.inner_text() if printed.count() else name.removeprefix("part-")


def reach(page: Page, name: str) -> None:
    """Press Tab, or Shift and Tab where the field stands before the focus, until the field has it."""
    where = "id => document.activeElement.compareDocumentPosition(document.getElementById(id))"
    back = page.evaluate(where, name) & PRECEDING
    for _ in range(40):
        if focused(page, "node => node.id") == name:
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"Tab does not lead to {name}")


def next_question(page: Page, question: Asked) -> None:
    """Enter goes on, and the next question is where the focus is."""
    page.keyboard.press("Enter")
    expect(page.locator("#stem")).to_be_focused()
    expect(page.locator("#question")).not_to_have_attribute("data-place", str(question.place))
    expect(page.locator("#say")).to_have_text("")


@pytest.mark.parametrize("kind", KINDS)
def test_from_start_to_feedback_to_next_question(
    page: Page, ledger: Ledger, faults: Faults, kind: str
) -> None:
    question = begin(page, ledger, kind)
    expect_sound(walk(page, 60), least=len(question.fields) + 6)
    page.reload()
    give_by_keys(page, question, question.wrong)
    assert values_on(page, question) == question.wrong.values
    page.keyboard.press("Enter")
    verdict = page.locator("#verdict")
    expect(verdict).to_be_focused()
    expect(page.locator("#say[aria-live=polite]")).to_have_text(" ".join(verdict.inner_text().split()))
    after = walk(page, 60)
    expect_sound(after, least=6)
    assert "<summary" in after[0].name  # what is said of the answer comes next
    assert [one[1] for one in ledger.answers(question.attempt, question.place)] == [question.missed]
    page.reload()
    next_question(page, question)
    assert faults == []


@pytest.mark.parametrize("kind", OF_PARTS)
def test_digits_lead_to_what_they_stand_beside(page: Page, ledger: Ledger, kind: str) -> None:
    question = ask(page, ledger, kind)
    last = str(len(question.fields))
    expect(page.locator(".keys")).to_contain_text(f"1–{last} go to")
    page.keyboard.press(last)
    assert focused(page, FIELD) == question.fields[-1]
    page.locator("#flag").focus()
    give_by_keys(page, question, question.wrong)
    page.locator("#flag").focus()
    if kind in LISTS:  # items that moved are numbered as they stand now
        page.keyboard.press("1")
        assert focused(page, "node => node.closest('.opt').querySelector('kbd').textContent") == "1"
        page.locator("#flag").focus()
    for _ in range(99 if kind == "order" else 1):  # of an order one placing at a time
        page.keyboard.press("u")
        if set(values_on(page, question)) == {""}:
            break
    assert set(values_on(page, question)) == {""}
    page.locator("#flag").focus()
    give_by_keys(page, question, question.wrong)
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_be_focused()
    for digit in ("1", last):  # the first is wrong and open already
        page.keyboard.press(digit)
        assert focused(page, "node => node.querySelector('kbd').textContent") == digit
        assert focused(page, "node => node.parentElement.open") is True
    page.keyboard.press("Space")
    assert focused(page, "node => node.parentElement.open") is False
    next_question(page, question)


def test_item_moves_by_its_buttons_and_keeps_the_focus(page: Page, ledger: Ledger) -> None:
    question = ask(page, ledger, "order")
    count = len(question.fields)
    give(page, question, question.right)
    field(page, question.fields[0]).select_option("#1")
    tab_to(page, f'li:has([id="{question.fields[0]}"]) [data-move=down]')
    here = focused(page, "node => node.outerHTML")
    others = [one[0] for one in question.turns(values_on(page, question))[1:]]
    for place in range(2, count + 1):
        page.keyboard.press("Enter" if place % 2 else "Space")
        expect(page.locator("#say")).to_have_text(f"Place {place} of {count}")
        assert focused(page, "node => node.outerHTML") == here
    assert [one[0] for one in question.turns(values_on(page, question))] == [*others, question.fields[0]]
    page.keyboard.press("Enter")  # it is the last: nothing further
    assert field(page, question.fields[0]).input_value() == f"#{count}"


def test_enter_in_an_open_list_chooses_and_does_not_check(page: Page, ledger: Ledger) -> None:
    question = ask(page, ledger, "match")
    give(page, question, question.right)
    last = field(page, question.fields[-1])
    last.focus()
    page.keyboard.press("Alt+ArrowDown")
    page.wait_for_function("document.activeElement.matches(':open')")
    page.keyboard.press("Enter")
    page.wait_for_function("!document.activeElement.matches(':open')")
    expect(page.locator("#verdict")).to_have_count(0)
    assert ledger.answers(question.attempt, question.place) == []
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("Right")


@pytest.mark.parametrize("kind", KINDS)
def test_incomplete_answer_leads_to_the_first_missing_part(page: Page, ledger: Ledger, kind: str) -> None:
    question = ask(page, ledger, kind)
    missing = question.fields[1:3] or question.fields
    give(page, question, question.right, leave=missing)
    page.get_by_label("above 80 %").check()
    page.keyboard.press("Enter")
    page.wait_for_function(f"id => ({FIELD})(document.activeElement) === id", arg=missing[0])
    expect_refused(page, question, missing)
    expect(page.locator("#say")).to_have_text(page.locator("#error").inner_text())
    kept = zip(question.fields, question.right.values, strict=True)
    assert values_on(page, question) == tuple("" if name in missing else value for name, value in kept)
    expect(page.get_by_label("above 80 %")).to_be_checked()
    assert ledger.answers(question.attempt, question.place) == []
    give(page, question, question.right)
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("Right")
    expect(page.locator("#verdict")).to_contain_text("you were sure")
