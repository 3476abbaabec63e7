"""A guest with progress signs in to an account with progress: both are kept, nothing is doubled."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import (
    CHAPTER,
    QUIZ,
    check,
    choose,
    opened,
    position_of,
    show,
    sign_in,
    sign_up,
    start_quiz,
)

EMAIL = "both@example.org"
OTHER_QUIZ = QUIZ.replace("inference-optimization", "model-optimization-practice")


def study(page: Page, ledger: Ledger, *, sections: list[str], boxes: list[str], singles: int) -> str:
    """Read, tick and answer the first single-choice questions rightly; gives the attempt's id."""
    page.goto(CHAPTER)
    for slug in sections:
        page.locator(f'[data-section="{slug}"] form.done button').click()
        expect(page.locator(f'[data-section="{slug}"] form.done .mark')).to_contain_text("✓ Read")
    for slug in boxes:
        page.locator(f'[data-checkpoint="{slug}"] input[type=checkbox]').click()
        expect(page.locator(f'[data-checkpoint="{slug}"] form time')).to_be_visible()
    attempt = start_quiz(page)
    for place in ledger.positions(attempt, "single")[:singles]:
        show(page, attempt, place)
        choose(page, ledger.question(attempt, position_of(page)).right[0])
        check(page)
    return attempt


def expect_both(page: Page) -> None:
    """What the account and the guest did stands side by side."""
    page.goto(CHAPTER)
    expect(page.locator("#rail li.read")).to_have_count(3)
    expect(page.locator("#checkpoints input:checked")).to_have_count(2)
    page.goto(QUIZ)
    expect(page.get_by_role("link", name=re.compile("^Go on, 3 of"))).to_be_visible()
    expect(page.locator("table.figures tbody tr")).to_have_count(1)  # the account's own, ended
    page.goto("/progress/")
    expect(page.locator("dl.facts div").first).to_contain_text("6")
    expect(page.get_by_role("region", name="Attempts").locator("tbody tr")).to_have_count(3)


def test_guest_progress_joins_the_account_and_nothing_is_doubled(
    page: Page, ledger: Ledger, new_context: NewContext
) -> None:
    sign_up(page, EMAIL)
    page.goto(CHAPTER)
    first, second, third = [
        str(one.get_attribute("data-section")) for one in page.locator("[data-section]").all()[:3]
    ]
    box, other_box = [
        str(one.get_attribute("data-checkpoint")) for one in page.locator("[data-checkpoint]").all()[:2]
    ]
    mine = study(page, ledger, sections=[first, second], boxes=[box], singles=2)
    elsewhere = opened(new_context())
    elsewhere.goto("/")
    theirs = study(elsewhere, ledger, sections=[second, third], boxes=[box, other_box], singles=3)
    finished = start_quiz(elsewhere, OTHER_QUIZ)
    show(elsewhere, finished, ledger.positions(finished, "single")[0])
    choose(elsewhere, ledger.question(finished, position_of(elsewhere)).wrong[0])
    check(elsewhere)
    guests = ledger.guests()

    sign_in(elsewhere, EMAIL)
    expect(elsewhere.locator("#message")).to_contain_text(
        "What you did in this browser is in your account now"
    )
    expect_both(elsewhere)
    assert ledger.guests() == guests - 1
    owned = ledger.owned(EMAIL)
    assert owned == {"reads": 3, "marks": 3, "places": 1, "attempts": 3, "answers": 6}
    assert [ledger.sums(one) for one in (mine, theirs, finished)] == [(2, 2, 2), (3, 3, 3), (1, 0, 1)]

    # The first browser, still signed in, sees the same; signing in once more changes nothing.
    page.goto("/progress/")
    expect(page.locator("dl.facts div").first).to_contain_text("6")
    again = opened(new_context())
    sign_in(again, EMAIL)
    assert ledger.owned(EMAIL) == owned
