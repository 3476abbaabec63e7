"""A question set into the chapter leads to that question, whatever was begun or finished before."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.journeys.visitor import CHAPTER, QUIZ, finish, start_quiz


def follow(page: Page) -> str:
    """Follow the first embedded question; gives its stem as the chapter has it."""
    page.goto(CHAPTER)
    link = page.locator(".embed a").first
    stem = link.locator("span").inner_text()
    box = link.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    link.click()
    page.wait_for_url("**/quizzes/**")
    return stem


def expect_beginning(page: Page, stem: str, words: str) -> None:
    """The start page names the question, and its first button leads to it."""
    expect(page.locator(".begins .stem")).to_have_text(stem)
    button = page.locator("header .go").first
    expect(button).to_have_text(words)
    button.click()
    page.wait_for_url("**/attempts/**")
    expect(page.locator("#stem")).to_have_text(stem)


def test_embedded_question_is_where_the_quiz_begins(page: Page) -> None:
    expect_beginning(page, follow(page), "Begin with this question")
    page.goto("/")
    expect(page.get_by_role("link", name="Go on with Inference optimization")).to_be_visible()
    expect(page.locator(f'.lines a[href="{QUIZ}"]')).to_have_count(0)
    expect_beginning(page, follow(page), "Go on with this question")
    finish(page)
    expect_beginning(page, follow(page), "Begin with this question")


def test_unknown_question_is_not_named(page: Page) -> None:
    page.goto(f"{QUIZ}?at=no-such-question")
    expect(page.locator(".begins")).to_have_count(0)
    expect(page.locator("header .go")).to_have_text("Start")
    start_quiz(page, f"{QUIZ}?at=no-such-question")
