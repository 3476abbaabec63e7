"""A quiz on paper: it asks to be started first, and no question and no answer is cut by the end of a page."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.test_pages import problems
from tests.journeys.visitor import CHAPTER, QUIZ, Faults, check, choose, opened, start_quiz

# Elements of ``selector`` that a page may end within, or after, though they should stand together.
CUT = """(selector) => [...document.querySelectorAll(selector)].filter(
  (one) => getComputedStyle(one).breakInside !== "avoid").map((one) => one.outerHTML.slice(0, 80))"""
LEFT_ALONE = """(selector) => [...document.querySelectorAll(selector)].filter(
  (one) => getComputedStyle(one).breakAfter !== "avoid").map((one) => one.outerHTML.slice(0, 80))"""


def test_questions_are_printed_once_the_quiz_is_started(new_context: NewContext) -> None:
    page = opened(new_context(java_script_enabled=False))
    page.goto(f"{QUIZ}print/")
    expect(page.locator(".empty")).to_contain_text("Start this quiz first")
    page.get_by_role("link", name="Go to the quiz").click()
    page.get_by_role("button", name="Start").click()
    page.goto(f"{QUIZ}print/")
    assert page.locator(".questions > li").count() > 10


def test_page_that_asks_to_start_has_nothing_for_axe_to_find(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{QUIZ}print/")
    assert problems(page) == ""


def test_no_question_and_no_answer_is_cut_by_the_end_of_a_page(page: Page, faults: Faults) -> None:
    start_quiz(page)
    if page.locator("#typed").count():
        page.locator("#typed").fill("1")
    else:
        choose(page, str(page.locator("#answer [data-option]").first.get_attribute("data-option")))
    check(page)
    page.goto(f"{QUIZ}print/")
    page.emulate_media(media="print")
    assert page.locator(".answers article").count() == 1
    assert page.evaluate(CUT, ".questions > li, .boxes li, .answers article, .answers article li") == []
    assert page.evaluate(LEFT_ALONE, ".questions > li > :not(:last-child), .answers h3") == []
    assert faults == []


def test_no_figure_table_or_call_out_of_a_chapter_is_cut(page: Page) -> None:
    page.goto(CHAPTER)
    page.emulate_media(media="print")
    assert page.locator("figure").count() > 0
    assert page.evaluate(CUT, ".prose :is(figure, table, pre, .mis, .box)") == []
    assert page.evaluate(LEFT_ALONE, "h1, .prose :is(h2, h3)") == []
