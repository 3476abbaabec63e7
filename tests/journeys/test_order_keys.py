"""Items that are put in order: each has the place it was given or none, and Check sends no place that nobody gave.

The key beside an item is the one that leads to it, wherever it has been moved.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.kinds import CHECK, Asked, ask, expect_refused, field, values_on
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import check, focused

NUMBERED = "rows => rows.map(row => [row.dataset.digit, row.querySelector('kbd').textContent])"
ITEM = "node => node.closest('li').querySelector('label > span').textContent"
MOVE = "node => node.dataset.move"


def press(page: Page, question: Asked, item: int, move: str) -> None:
    """Press a button of an item: next, up or down."""
    page.locator(f'li:has([id="{question.fields[item]}"]) [data-move={move}]').click()


def placed(page: Page, question: Asked) -> list[str]:
    """The place of each item, "" for none, as a list of numbers; the page shows them in that order."""
    values = values_on(page, question)
    shown = page.locator(".ordering select").evaluate_all("all => all.map(one => one.value)")
    assert shown == sorted(values, key=lambda one: (not one, one))
    return [one.removeprefix("#") for one in values]


def test_no_item_has_a_place_that_nobody_gave(page: Page, ledger: Ledger) -> None:
    question = ask(page, ledger, "order")
    count = len(question.fields)
    assert placed(page, question) == [""] * count
    press(page, question, 2, "next")
    expect(page.locator("#say")).to_have_text(f"Place 1 of {count}")
    assert placed(page, question) == ["", "", "1", *[""] * (count - 3)]
    press(page, question, 0, "next")
    press(page, question, 0, "up")
    press(page, question, 0, "up")  # it is the first: nothing further
    assert placed(page, question) == ["1", "", "2", *[""] * (count - 3)]
    page.locator(CHECK).click()
    expect(page.locator("#error")).to_contain_text("Give every item a place")
    expect_refused(page, question, [one for at, one in enumerate(question.fields) if at not in {0, 2}])
    assert placed(page, question) == ["1", "", "2", *[""] * (count - 3)]
    assert ledger.answers(question.attempt, question.place) == []
    for at in (1, *range(3, count)):
        press(page, question, at, "next")
    check(page)
    assert len(ledger.answers(question.attempt, question.place)) == 1


@pytest.mark.parametrize(
    ("given", "item", "place", "then"),
    [
        ({}, 0, "3", ["3", "", ""]),  # a place of its own, and nobody else's
        ({0: "3"}, 1, "3", ["2", "3", ""]),  # who has it makes room: downwards where nothing is free above
        ({0: "1", 1: "2"}, 2, "1", ["2", "3", "1"]),
        ({0: "1", 1: "3"}, 2, "1", ["2", "3", "1"]),  # up to the first free one and no further
        ({0: "1", 1: "2", 2: "3"}, 0, "3", ["3", "1", "2"]),
        ({0: "1", 1: "2", 2: "3"}, 2, "1", ["2", "3", "1"]),
        ({0: "1", 1: "2", 2: "3"}, 1, "", ["1", "", "3"]),  # taken back
    ],
)
def test_who_has_the_place_makes_room(
    page: Page, ledger: Ledger, given: dict[int, str], item: int, place: str, then: list[str]
) -> None:
    question = ask(page, ledger, "order")
    rest = question.fields[3:]  # as if they were not there: they stand at the end
    for at, name in enumerate(rest, start=4):
        field(page, name).select_option(f"#{at}")
    for at, one in given.items():
        field(page, question.fields[at]).select_option(f"#{one}")
    field(page, question.fields[item]).select_option(f"#{place}" if place else "")
    expect(page.locator("#say")).to_have_text(
        f"Place {place} of {len(question.fields)}" if place else "Not placed"
    )
    assert placed(page, question) == [*then, *(str(at + 4) for at in range(len(rest)))]


def test_placing_leads_from_item_to_item_by_keys_alone(page: Page, ledger: Ledger) -> None:
    question = ask(page, ledger, "order")
    words = page.locator(".ordering label > span").all_text_contents()
    page.locator("[data-move=next]").first.focus()
    for at, item in enumerate(words):
        assert (focused(page, MOVE), focused(page, ITEM)) == ("next", item)
        assert (
            focused(page, "node => node.textContent") == f"Put at {at + 1}: {item.removeprefix('Place of ')}"
        )
        page.keyboard.press("Enter")
    assert (focused(page, MOVE), focused(page, ITEM)) == ("up", words[-1])  # not yet Check
    assert ledger.answers(question.attempt, question.place) == []
    page.keyboard.press("u")
    assert set(placed(page, question)) == {""}
    expect(page.locator("[data-move=next]:visible")).to_have_count(len(words))


def test_items_are_renumbered_when_one_moves(page: Page, ledger: Ledger) -> None:
    question = ask(page, ledger, "order")
    rows = page.locator(".ordering li")
    numbers = [[str(at), str(at)] for at in range(1, len(question.fields) + 1)]
    words = rows.nth(0).locator("label > span").text_content()
    for at in (1, 2, 0):
        press(page, question, at, "next")
        assert rows.evaluate_all(NUMBERED) == numbers
    page.locator("#flag").focus()
    page.keyboard.press("3")
    assert focused(page, ITEM) == words


def test_places_and_numbers_survive_a_swap_of_the_question(page: Page, ledger: Ledger) -> None:
    question = ask(page, ledger, "order")
    rows = page.locator(".ordering li")
    numbers = [[str(at), str(at)] for at in range(1, len(question.fields) + 1)]
    press(page, question, 1, "next")
    press(page, question, 0, "next")
    before = placed(page, question), rows.locator("label > span").all_text_contents()
    page.locator("#flag").click()
    page.locator("#flag[value=off]").wait_for()
    assert (placed(page, question), rows.locator("label > span").all_text_contents()) == before
    assert rows.evaluate_all(NUMBERED) == numbers
    assert page.locator(".ordering .placed").count() == 2
