"""Exactly one recorded answer, whatever the hand, the tabs and the line do.

trust.md 2: double click, two tabs, lost response, retry, reorder, kills (with 1,000 answers here, with 10,000 in
tests/drills), offline; pass mark 3.
"""

from __future__ import annotations

from collections import Counter

import psycopg
import pytest
from playwright.sync_api import BrowserContext, Dialog, Page, Route, expect

from studyhub import postgres
from tests.drills.books import Books
from tests.drills.killing import kill_postgres
from tests.drills.run import drill
from tests.journeys.conftest import NewContext
from tests.journeys.house import House
from tests.journeys.ledger import Ledger, Question
from tests.journeys.visitor import (
    PATIENCE,
    check,
    choose,
    finish,
    opened,
    position_of,
    show,
    sign_in,
    sign_up,
    start_quiz,
)

CHECK = "#answer button.go:not(.quiet)"


@pytest.fixture
def attempt(page: Page, ledger: Ledger) -> str:
    """An attempt whose first choice question is on the page."""
    made = start_quiz(page)
    show(page, made, ledger.positions(made, "single")[0])
    return made


@pytest.fixture
def question(page: Page, attempt: str, ledger: Ledger) -> Question:
    """The question on the page."""
    return ledger.question(attempt, position_of(page))


def recorded(page: Page, ledger: Ledger, attempt: str) -> list[tuple[int, str, tuple[str, ...]]]:
    """The stored answers to the question on the page; the sums must say the same."""
    answered, _, stored = ledger.sums(attempt)
    assert answered == stored
    return ledger.answers(attempt, position_of(page))


def expect_chosen(page: Page, token: str) -> None:
    """The page shows this option as the answer."""
    expect(page.locator(".opt.chosen")).to_have_count(1)
    expect(page.locator(".opt.chosen")).to_have_attribute("data-option", token)


def test_double_click_on_check_records_one_answer(
    page: Page, attempt: str, question: Question, ledger: Ledger
) -> None:
    choose(page, question.right[0])
    page.locator(CHECK).dblclick()
    expect(page.locator("#verdict")).to_be_visible()
    page.reload()
    expect_chosen(page, question.right[0])
    assert recorded(page, ledger, attempt) == [(1, "right", (question.right[0],))]


def test_double_click_without_script_records_one_answer(
    page: Page, attempt: str, question: Question, ledger: Ledger
) -> None:
    # Two posts of one form, as an impatient hand sends them where no script holds the second back.
    fields = page.locator("#answer").evaluate("form => [...new FormData(form)]")
    form = {**dict(fields), "choice": question.right[0]}
    for _ in range(2):
        answer = page.request.post(f"/attempts/{attempt}/", form=form, headers={"Origin": page.url[:22]})
        assert answer.status == 200
    page.reload()
    expect_chosen(page, question.right[0])
    assert recorded(page, ledger, attempt) == [(1, "right", (question.right[0],))]


def test_second_tab_learns_what_the_first_one_recorded(
    page: Page, context: BrowserContext, attempt: str, question: Question, ledger: Ledger
) -> None:
    second = opened(context)
    second.goto(page.url)
    choose(page, question.wrong[0])
    choose(second, question.right[0])
    check(page)
    second.locator(CHECK).click()
    expect(second.locator("#notice")).to_be_visible()
    expect(second.locator("#notice")).to_contain_text("answer is the recorded one")
    expect_chosen(second, question.wrong[0])
    assert recorded(page, ledger, attempt) == [(1, "wrong", (question.wrong[0],))]
    place = position_of(page)
    finish(second)
    reviewed = second.locator(f"#q{place} .opt.chosen")
    expect(reviewed).to_have_count(1)
    expect(reviewed).to_have_attribute("data-option", question.wrong[0])


def test_back_after_the_answer_and_answering_again_keeps_the_first(
    page: Page, attempt: str, question: Question, ledger: Ledger
) -> None:
    place = position_of(page)
    choose(page, question.wrong[0])
    check(page)
    page.locator("[data-next]").click()
    expect(page.locator("#question")).not_to_have_attribute("data-place", str(place))
    page.go_back()
    expect(page.locator("#question")).to_have_attribute("data-place", str(place))
    if page.locator("#answer").count():  # the browser may show the form as it was before the answer
        choose(page, question.right[0])
        page.locator(CHECK).click()
        expect(page.locator("#notice")).to_contain_text("answer is the recorded one")
    expect_chosen(page, question.wrong[0])
    assert recorded(page, ledger, attempt) == [(1, "wrong", (question.wrong[0],))]


@pytest.fixture
def plain(page: Page, context: BrowserContext, attempt: str, new_context: NewContext) -> Page:
    """The same question and the same learner in a browser without script."""
    without = opened(new_context(java_script_enabled=False))
    without.context.add_cookies(context.cookies())  # type: ignore[arg-type]
    without.goto(page.url)
    return without


def test_back_without_script_and_answering_again_says_what_is_recorded(
    page: Page, plain: Page, attempt: str, question: Question, ledger: Ledger
) -> None:
    choose(plain, question.wrong[0])
    check(plain)
    plain.go_back()
    if plain.locator("#answer").count():
        choose(plain, question.right[0])
        plain.locator(CHECK).click()
        expect(plain.locator("#notice")).to_contain_text("answer is the recorded one")
    expect_chosen(plain, question.wrong[0])
    assert recorded(page, ledger, attempt) == [(1, "wrong", (question.wrong[0],))]


def test_lost_response_is_sent_again_and_recorded_once(
    page: Page, attempt: str, question: Question, ledger: Ledger
) -> None:
    lost: list[int] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            route.continue_()
            return
        lost.append(route.fetch(max_redirects=0).status)  # the server has it
        route.abort()  # the browser never hears of it

    page.route("**/attempts/**", lose)
    choose(page, question.right[0])
    page.locator(CHECK).click()
    expect(page.locator(".unsaved")).to_contain_text("Not saved yet")
    expect(page.locator("#verdict")).to_be_visible()
    assert lost == [200]
    expect(page.locator("#notice")).to_have_count(0)
    expect_chosen(page, question.right[0])
    assert recorded(page, ledger, attempt) == [(1, "right", (question.right[0],))]


def test_offline_answer_is_kept_and_saves_itself(
    page: Page, context: BrowserContext, attempt: str, question: Question, ledger: Ledger
) -> None:
    token = question.wrong[0]
    choose(page, token)
    page.get_by_label("above 80 %").click()
    context.set_offline(True)
    page.locator(CHECK).click()
    expect(page.locator(".unsaved")).to_be_visible()
    expect(page.locator(".unsaved")).to_contain_text("Not saved yet. Your answer is kept on this page")
    expect(page.locator(f'[data-option="{token}"] input')).to_be_checked()
    assert recorded(page, ledger, attempt) == []
    context.set_offline(False)
    expect(page.locator("#verdict")).to_be_visible(timeout=PATIENCE)
    expect_chosen(page, token)
    expect(page.locator("#verdict")).to_contain_text("you were sure")
    assert recorded(page, ledger, attempt) == [(1, "wrong", (token,))]


def test_choice_is_kept_while_flagging_and_when_nothing_was_chosen(
    page: Page, attempt: str, question: Question, ledger: Ledger
) -> None:
    page.locator(CHECK).click()
    expect(page.locator("#error")).to_be_focused()
    expect(page.locator("#error")).to_contain_text("Nothing was recorded yet")
    choose(page, question.right[0])
    page.keyboard.press("f")
    expect(page.locator("#flag")).to_have_text("Take the flag off")
    expect(page.locator(f'[data-option="{question.right[0]}"] input')).to_be_checked()
    assert recorded(page, ledger, attempt) == []
    check(page)
    assert recorded(page, ledger, attempt) == [(1, "right", (question.right[0],))]


def test_answer_outlives_the_end_of_the_session(page: Page, context: BrowserContext, ledger: Ledger) -> None:
    sign_up(page, "outlives@example.org")
    attempt = start_quiz(page)
    show(page, attempt, ledger.positions(attempt, "single")[0])
    token = ledger.question(attempt, position_of(page)).right[0]
    context.clear_cookies(name="session")
    choose(page, token)
    page.locator(CHECK).click()
    expect(page.locator(".unsaved")).to_contain_text("you are signed out here")
    expect(page.locator(f'[data-option="{token}"] input')).to_be_checked()
    assert recorded(page, ledger, attempt) == []

    with context.expect_page() as opening:
        page.get_by_role("link", name="Sign in in a new tab").click()
    sign_in(opening.value, "outlives@example.org")
    page.get_by_role("button", name="Send it now").click()
    expect(page.locator("#verdict")).to_be_visible(timeout=PATIENCE)
    expect_chosen(page, token)
    assert recorded(page, ledger, attempt) == [(1, "right", (token,))]


def test_first_clicks_of_a_newcomer_are_all_kept(new_context: NewContext, ledger: Ledger) -> None:
    page = opened(new_context())
    page.goto("/c/llm-inference/model-optimization/")
    page.route("**/tick/", lambda route: (page.wait_for_timeout(150), route.continue_()))
    boxes = page.locator("#checkpoints input[type=checkbox]")
    page.evaluate(
        "document.querySelectorAll('#checkpoints input[type=checkbox]').forEach((box) => box.click())"
    )
    page.wait_for_load_state("networkidle")
    page.reload()
    expect(page.locator("#checkpoints input:checked")).to_have_count(boxes.count())


def test_thousand_answers_are_kept_exactly_once_while_everything_is_killed(house: House) -> None:
    kills = Counter(postgres=2, server=1, worker=1)
    found = drill(house, answers=1_000, kills=kills, seed=20_261_201)
    assert found.books == Books(acked=1_000, rows=1_000)
    assert found.kills == kills
    assert set(found.statuses) <= {200, 503}
    assert {one for one in found.line if one.startswith("status 5")} <= {"status 503"}
    assert min(found.line["doubled"], found.line["lost_after"], found.line["lost_before"]) > 10
    acked, stored, too_many = found.naive
    assert (acked, stored) == (100, 100)
    assert too_many > 0, "the control must double answers, or this test shows nothing"


def test_offline_page_cannot_be_left_by_accident_and_keeps_the_order(
    page: Page, context: BrowserContext, attempt: str, ledger: Ledger
) -> None:
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    places = ledger.positions(attempt, "single")[:3]
    for number, place in enumerate(places):
        show(page, attempt, place)
        context.set_offline(number == 1)
        choose(page, ledger.question(attempt, place).right[0])
        page.locator(CHECK).click()
        if number == 1:
            expect(page.locator(".unsaved")).to_contain_text("Not saved yet")
            page.evaluate("location.reload()")
            page.wait_for_function("navigator.onLine === false")
            expect(page.locator(".unsaved")).to_be_visible()
            assert asked == ["beforeunload"]
            context.set_offline(False)
        expect(page.locator("#verdict")).to_be_focused(timeout=PATIENCE)
    kept = ledger.rows(
        "SELECT s.position, r.number, r.state FROM quizzes_response r JOIN quizzes_slot s ON s.id = r.slot_id "
        "WHERE s.attempt_id = %s ORDER BY r.at",
        attempt,
    )
    assert kept == [(place, 1, "right") for place in places]
    page.reload()
    assert asked == ["beforeunload"], "what is saved may be left"


def test_answer_that_met_a_locked_row_saves_itself(
    page: Page, attempt: str, question: Question, ledger: Ledger, house: House
) -> None:
    with psycopg.connect(postgres.url(house.data)) as other:
        other.execute("SELECT FROM quizzes_attempt WHERE id = %s FOR UPDATE", [attempt])
        choose(page, question.right[0])
        with page.expect_response(lambda answer: answer.request.method == "POST") as met:
            page.locator(CHECK).click()
        assert (met.value.status, met.value.headers["retry-after"]) == (503, "2")
        expect(page.locator(".unsaved")).to_contain_text("Not saved yet")
    expect(page.locator("#verdict")).to_be_visible(timeout=PATIENCE)
    assert recorded(page, ledger, attempt) == [(1, "right", (question.right[0],))]


def test_answer_that_met_a_dead_database_saves_itself(
    page: Page, attempt: str, question: Question, ledger: Ledger, house: House
) -> None:
    choose(page, question.wrong[0])
    kill_postgres(house)
    page.locator(CHECK).click()
    expect(page.locator(".unsaved")).to_contain_text("Not saved yet")
    expect(page.locator("#verdict")).to_be_visible(timeout=3 * PATIENCE)
    assert recorded(page, ledger, attempt) == [(1, "wrong", (question.wrong[0],))]
