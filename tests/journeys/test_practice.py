"""A question that was missed waits in practice, with and without a script, by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
from playwright.sync_api import Page, expect

from studyhub import postgres
from tests.journeys.conftest import NewContext
from tests.journeys.house import House
from tests.journeys.ledger import Ledger
from tests.journeys.test_cards import expect_sound
from tests.journeys.visitor import (
    COURSE,
    Faults,
    attempt_in,
    check,
    choose,
    focused,
    opened,
    show,
    start_quiz,
    tab_to,
)

MISTAKES = f"{COURSE}mistakes/"
Practise = Callable[[Page, Ledger], str]


def miss(page: Page, ledger: Ledger) -> tuple[str, str]:
    """Miss a single-choice question, sure of it; gives its slug and the beginning of its stem."""
    attempt = start_quiz(page)
    place = ledger.positions(attempt, "single")[0]
    show(page, attempt, place)
    question = ledger.question(attempt, place)
    stem = page.locator("#stem").inner_text()[:50]
    choose(page, question.wrong[0])
    page.get_by_label("above 80 %").check()
    check(page)
    return question.slug, stem


def evidence(ledger: Ledger) -> list[tuple[object, ...]]:
    return ledger.rows("SELECT * FROM chapters_objectiveevidence ORDER BY id")


@pytest.mark.parametrize("script", [True, False])
def test_missed_question_is_practised_and_rests_until_another_day(
    new_context: NewContext, ledger: Ledger, script: bool
) -> None:
    page = opened(new_context(java_script_enabled=script))
    slug, stem = miss(page, ledger)
    before = evidence(ledger)
    page.goto(MISTAKES)
    expect(page.get_by_role("region", name="What waits")).to_contain_text(stem)
    expect(page.get_by_role("region", name="What waits")).to_contain_text("you were sure (above 80 %)")
    page.get_by_role("button", name="Practise now").click()
    page.wait_for_url("**/attempts/**")
    attempt = attempt_in(page)
    question = ledger.question(attempt, 1)
    assert question.slug == slug
    choose(page, question.right[0])
    check(page)
    expect(page.locator("#verdict")).to_contain_text("Right")
    assert evidence(ledger) == before
    page.get_by_role("link", name="Leave, keep my place").click()
    page.wait_for_url(f"**{MISTAKES}")
    expect(page.get_by_role("region", name="Right today, once more on another day")).to_contain_text(stem)


def a_day_passes(house: House, attempt: str) -> None:
    """All that the learner of this attempt answered was a day earlier."""
    with psycopg.connect(postgres.url(house.data), autocommit=True) as connection:
        connection.execute(
            """UPDATE quizzes_response SET at = at - interval '1 day'
            WHERE learner_id = (SELECT learner_id FROM quizzes_attempt WHERE id = %s)""",
            [attempt],
        )


def practise_by_mouse(page: Page, ledger: Ledger) -> str:
    """Begin, answer right, leave."""
    page.get_by_role("button", name="Practise now").click()
    page.wait_for_url("**/attempts/**")
    attempt = attempt_in(page)
    choose(page, *ledger.question(attempt, 1).right)
    check(page)
    page.get_by_role("link", name="Leave, keep my place").click()
    return attempt


def practise_by_keys(page: Page, ledger: Ledger) -> str:
    """The same by keyboard alone."""
    tab_to(page, "main form button.go")
    page.keyboard.press("Enter")
    page.wait_for_url("**/attempts/**")
    attempt = attempt_in(page)
    question = ledger.question(attempt, 1)
    page.keyboard.press(question.digit(question.right[0]))
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_be_focused()
    expect(page.locator("#verdict")).to_contain_text("Right")
    tab_to(page, "a[href$='/quizzes/mistakes/']")
    page.keyboard.press("Enter")
    return attempt


@pytest.mark.parametrize(
    ("script", "practise"), [(True, practise_by_keys), (True, practise_by_mouse), (False, practise_by_mouse)]
)
def test_question_leaves_after_two_right_answers_on_two_study_days(
    new_context: NewContext, house: House, ledger: Ledger, script: bool, practise: Practise
) -> None:
    page = opened(new_context(java_script_enabled=script))
    _, stem = miss(page, ledger)
    page.goto(MISTAKES)
    first = practise(page, ledger)
    page.wait_for_url(f"**{MISTAKES}")
    expect(page.locator("main header")).to_contain_text("come back tomorrow")
    expect(page.get_by_role("button", name="Practise now")).to_have_count(0)
    a_day_passes(house, first)
    page.reload()
    expect(page.get_by_role("region", name="What waits")).to_contain_text("Right in practice on")
    second = practise(page, ledger)
    assert second != first
    page.wait_for_url(f"**{MISTAKES}")
    expect(page.get_by_role("region", name="What has left")).to_contain_text(stem)
    expect(page.locator("main header")).to_contain_text("No question waits.")
    expect(page.get_by_role("region", name="What waits")).to_have_count(0)


def test_every_state_of_the_page_is_accessible_in_every_width(
    new_context: NewContext, house: House, ledger: Ledger
) -> None:
    page = opened(new_context(reduced_motion="reduce"))
    page.goto(MISTAKES)
    expect_sound(page)  # nothing missed yet
    miss(page, ledger)
    page.goto(MISTAKES)
    expect_sound(page)
    page.get_by_role("button", name="Practise now").click()
    page.wait_for_url("**/attempts/**")
    page.goto(MISTAKES)
    expect(page.get_by_role("link", name="Go on")).to_be_visible()
    expect_sound(page)
    page.get_by_role("button", name="Begin anew").click()
    page.wait_for_url("**/attempts/**")
    choose(page, *ledger.question(attempt_in(page), 1).right)
    check(page)
    attempt = attempt_in(page)
    page.goto(MISTAKES)
    expect_sound(page)  # it rests
    a_day_passes(house, attempt)
    page.reload()
    practise_by_mouse(page, ledger)
    page.wait_for_url(f"**{MISTAKES}")
    expect_sound(page)  # it has left


def test_practice_begins_and_a_figure_explains_itself_by_keyboard(
    page: Page, faults: Faults, ledger: Ledger
) -> None:
    attempt = start_quiz(page)
    for place in ledger.positions(attempt, "single")[:3]:
        show(page, attempt, place)
        choose(page, ledger.question(attempt, place).wrong[0])
        check(page)
    page.goto("/progress/")
    tab_to(page, "dl.facts button.fig")
    page.keyboard.press("Enter")
    told = page.locator("[popover]:popover-open")
    expect(told).to_contain_text("0 of 3 first answers right, 0 %")
    expect(told).to_contain_text("95 % interval: 0 to 56 %")
    tab_to(page, "[popovertargetaction=hide]", 2)
    page.keyboard.press("Enter")
    expect(told).to_have_count(0)
    assert focused(page, "node => node.className").startswith("fig")
    tab_to(page, "details.same summary")
    page.keyboard.press("Enter")
    expect(page.locator("details.same[open] table").first).to_be_visible()
    tab_to(page, f"a[href='{MISTAKES}']", 200)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{MISTAKES}")
    tab_to(page, "main form button.go")
    page.keyboard.press("Enter")
    page.wait_for_url("**/attempts/**")
    expect(page.locator("#question h1")).to_contain_text("Question 1 of")
    assert faults == []
