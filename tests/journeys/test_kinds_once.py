"""Written, matched, ordered and completed answers are recorded once, whatever tabs, Back and reloading do."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys.kinds import CHECK, KINDS, OF_PARTS, Asked, answer, ask, give, told
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import check, opened


def expect_first(page: Page, ledger: Ledger, question: Asked, shown: str) -> None:
    """The wrong answer, which came first, is the one stored; the page tells the same of it as it did then."""
    assert [one[:2] for one in ledger.answers(question.attempt, question.place)] == [(1, question.missed)]
    assert page.locator("#verdict").inner_text() == shown
    if question.kind in OF_PARTS:
        assert told(page)[:2] == ["wrong", "wrong"]
    else:
        expect(page.locator("#question")).to_contain_text(question.wrong.values[0])


@pytest.mark.parametrize("kind", KINDS)
def test_first_answer_stands_through_tabs_reload_and_back(
    page: Page, context: BrowserContext, ledger: Ledger, kind: str
) -> None:
    question = ask(page, ledger, kind)
    second = opened(context)
    second.goto(page.url)
    answer(page, question, question.wrong)
    shown = page.locator("#verdict").inner_text()
    give(second, question, question.right)
    second.locator(CHECK).click()
    expect(second.locator("#notice")).to_contain_text("answer is the recorded one")
    expect_first(second, ledger, question, shown)
    page.reload()
    expect_first(page, ledger, question, shown)
    page.locator("[data-next]").click()
    expect(page.locator("#question")).not_to_have_attribute("data-place", str(question.place))
    page.go_back()
    expect(page.locator("#question")).to_have_attribute("data-place", str(question.place))
    if page.locator("#answer").count():  # the browser may show the form as it was before the answer
        give(page, question, question.right)
        page.locator(CHECK).click()
        expect(page.locator("#notice")).to_contain_text("answer is the recorded one")
    expect_first(page, ledger, question, shown)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_filled_outlives_the_flag(page: Page, ledger: Ledger, kind: str) -> None:
    question = ask(page, ledger, kind)
    give(page, question, question.wrong)
    page.locator("#flag").click()
    expect(page.locator("#flag")).to_have_text("Take the flag off")
    check(page)
    assert [one[:2] for one in ledger.answers(question.attempt, question.place)] == [(1, question.missed)]
