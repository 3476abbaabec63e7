"""Items that are put in order: the key beside an item is the one that leads to it, wherever it has been moved."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.journeys.kinds import ask
from tests.journeys.ledger import Ledger

NUMBERED = "rows => rows.map(row => [row.dataset.digit, row.querySelector('kbd').textContent])"
ITEM = "node => node.closest('li').querySelector('label').textContent"


def test_items_are_renumbered_when_one_moves(page: Page, ledger: Ledger) -> None:
    question = ask(page, ledger, "order")
    rows = page.locator(".ordering li")
    numbers = [[str(at), str(at)] for at in range(1, len(question.fields) + 1)]
    first = page.locator(f'[id="{question.fields[0]}"]')
    words = rows.nth(0).locator("label > span").text_content()
    for move in (lambda: rows.nth(0).locator("[data-move=down]").click(), lambda: first.select_option("#3")):
        move()
        assert rows.evaluate_all(NUMBERED) == numbers
    page.locator("#flag").focus()
    page.keyboard.press("3")
    focused = page.evaluate(f"({ITEM})(document.activeElement)")
    assert focused == f"3 {words}"


def test_numbers_survive_a_swap_of_the_question(page: Page, ledger: Ledger) -> None:
    question = ask(page, ledger, "order")
    rows = page.locator(".ordering li")
    numbers = [[str(at), str(at)] for at in range(1, len(question.fields) + 1)]
    rows.nth(0).locator("[data-move=down]").click()
    moved = rows.locator("label > span").all_text_contents()
    page.locator("#flag").click()
    page.locator("#flag[value=off]").wait_for()
    assert rows.locator("label > span").all_text_contents() == moved
    assert rows.evaluate_all(NUMBERED) == numbers
