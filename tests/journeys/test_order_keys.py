"""Items that are put in order: each has the place it was given or none, and Check sends no place that nobody gave.

The key beside an item is the one that leads to it, wherever it has been moved; one press of u takes one placing back.
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
DIGIT = "node => node.closest('li').querySelector('kbd').textContent"


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
    for at, item in reversed(list(enumerate(words))):
        page.keyboard.press("u")
        assert placed(page, question) == [str(one + 1) for one in range(at)] + [""] * (len(words) - at)
        assert (focused(page, MOVE), focused(page, ITEM)) == ("next", item)
        expect(page.locator("#say")).to_have_text(
            f"Taken back: {item.removeprefix('Place of ')} (now not placed)"
        )
    page.keyboard.press("u")  # nothing is left to take back
    assert set(placed(page, question)) == {""}
    assert (focused(page, MOVE), focused(page, ITEM)) == ("next", words[0])


def test_a_move_is_taken_back_to_where_all_stood(page: Page, ledger: Ledger) -> None:
    question = ask(page, ledger, "order")
    rest = [""] * (len(question.fields) - 3)
    for at in (0, 1, 2):
        press(page, question, at, "next")
    press(page, question, 2, "up")
    field(page, question.fields[0]).select_option("#3")
    press(page, question, 2, "up")  # it is the first: nothing to take back
    page.locator("#flag").click()  # the question is swapped; what can be taken back stays
    page.locator("#flag[value=off]").wait_for()
    assert placed(page, question) == ["3", "2", "1", *rest]
    for item, then, now in (
        (0, ["1", "3", "2"], "at place 1"),
        (2, ["1", "2", "3"], "at place 3"),
        (2, ["1", "2", ""], "not placed"),
    ):
        page.keyboard.press("u")
        assert placed(page, question) == [*then, *rest]
        assert focused(page, "node => node.closest('li').querySelector('select').id") == question.fields[item]
        expect(page.locator("#say")).to_contain_text(f"(now {now})")


def test_digits_go_from_item_to_item_and_give_no_place(page: Page, ledger: Ledger) -> None:
    question = ask(page, ledger, "order")
    for digit in ("2", "1", "3", "2", "1"):
        page.keyboard.press(digit)
        assert (focused(page, MOVE), focused(page, DIGIT)) == ("next", digit)
        assert set(placed(page, question)) == {""}
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    assert placed(page, question) == ["", "", "1", *[""] * (len(question.fields) - 3)]
    page.keyboard.press("1")  # it stands first now
    assert (focused(page, MOVE), focused(page, DIGIT)) == ("up", "1")
    page.keyboard.press("3")
    page.keyboard.press("Space")
    assert placed(page, question) == ["", "2", "1", *[""] * (len(question.fields) - 3)]
    page.locator(CHECK).click()
    expect(page.locator("li:not(.placed) [data-move=next]").first).to_be_focused()
    page.keyboard.press("u")
    assert placed(page, question) == ["", "", "1", *[""] * (len(question.fields) - 3)]


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
