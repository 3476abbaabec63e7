"""A retry is marked as one, the review lists everything, and the progress page says what went wrong."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.journeys.ledger import Ledger, Question
from tests.journeys.visitor import Faults, check, choose, finish, show, start_quiz


def retry(page: Page, ledger: Ledger, attempt: str, place: int) -> Question:
    """Miss a single-choice question, then get it right; the second try says what it is."""
    show(page, attempt, place)
    question = ledger.question(attempt, place)
    choose(page, question.wrong[0])
    check(page)
    page.get_by_role("link", name="Try it again").click()
    expect(page.locator("#answer")).to_be_visible()
    expect(page.locator("#saved")).to_contain_text("another try, not recorded as the first")
    choose(page, question.right[0])
    check(page)
    expect(page.locator("#verdict")).to_contain_text("Right")
    expect(page.locator("#verdict")).to_contain_text("the first one, wrong, stays the recorded one")
    states = [(number, state) for number, state, _ in ledger.answers(attempt, place)]
    assert states == [(1, "wrong"), (2, "right")]
    return question


def test_retry_review_and_progress_tell_the_first_answer(page: Page, faults: Faults, ledger: Ledger) -> None:
    attempt = start_quiz(page)
    missed, hit = ledger.positions(attempt, "single")[:2]
    typed = ledger.positions(attempt, "number")[0]
    question = retry(page, ledger, attempt, missed)
    stem = page.locator("#stem").inner_text()
    show(page, attempt, hit)
    choose(page, ledger.question(attempt, hit).right[0])
    check(page)
    show(page, attempt, typed)
    page.locator("#typed").fill(ledger.question(attempt, typed).mistake)
    check(page)
    assert ledger.sums(attempt) == (3, 1, 3)

    finish(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 of")
    expect_every_question_explained(page, ledger, attempt)
    item = page.locator(f"#q{missed}")
    expect(item.locator(".verdict")).to_contain_text("Not this one")
    expect(item).to_contain_text("2 tries, the first counts")
    expect(item.locator(".opt.chosen")).to_have_attribute("data-option", question.wrong[0])
    expect_progress(page, stem)
    assert faults == []


def expect_progress(page: Page, stem: str) -> None:
    """Three answers, one right, one attempt; two went wrong, the one with this stem among them."""
    page.goto("/progress/")
    figures = page.locator("dl.facts dd")
    expect(figures).to_have_count(3)
    assert figures.first.inner_text() == "3"
    figures.nth(1).get_by_role("button").click()
    expect(page.locator("[popover]:popover-open")).to_contain_text("1 of 3 first answers right, 33 %")
    page.keyboard.press("Escape")
    expect(page.locator("[popover]:popover-open")).to_have_count(0)
    wrong = page.get_by_role("region", name="What went wrong").locator("li")
    expect(wrong).to_have_count(2)
    expect(wrong.filter(has_text=stem[:60])).to_have_count(1)
    answered = sum(
        int(cell) for cell in page.locator("tr[data-objective] td:nth-child(3)").all_text_contents()
    )
    assert answered >= 3


def expect_every_question_explained(page: Page, ledger: Ledger, attempt: str) -> None:
    """Every question is there with every option, and every option with a rationale that says something."""
    items = page.locator("article.item")
    listed = page.evaluate(
        """() => [...document.querySelectorAll("article.item")].map(item => ({
          position: Number(item.id.slice(1)),
          options: [...item.querySelectorAll("[data-option]")].map(one => one.dataset.option),
          reasons: [...item.querySelectorAll("[data-rationale]")].map(
            one => [one.dataset.rationale, one.textContent.trim().length]),
        }))"""
    )
    size = len(ledger.rows("SELECT 1 FROM quizzes_slot WHERE attempt_id = %s", attempt))
    expect(items).to_have_count(size)
    assert [one["position"] for one in listed] == list(range(1, size + 1))
    for one in listed:
        question = ledger.question(attempt, one["position"])
        reasons = [option for option, length in one["reasons"] if length > 20]
        if question.kind == "number":
            assert reasons, question.slug
        else:
            assert sorted(one["options"]) == sorted(question.tokens), question.slug
            assert sorted(reasons) == sorted(question.tokens), question.slug
