"""“This looks wrong” and keys put right, from the learner's keyboard to the author's answer and back."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.house import House, free_port
from tests.journeys.ledger import Ledger
from tests.journeys.test_pages import problems
from tests.journeys.visitor import check, choose, finish, opened, show, sign_in, sign_up, start_quiz, tab_to
from tests.studyhub.packs import small
from tests.studyhub.packs.small import QUIZ_FILE, edit

TINY = "/c/tiny/quizzes/first/"


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder for the site and its small pack."""
    folder = Path(tempfile.mkdtemp(prefix="studyhub-disputes-"))
    folder.chmod(0o755)  # the database's own account must get through
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def house(place: Path) -> Iterator[House]:
    """A site of its own: other journeys must not see their course change under them."""
    site = House(place / "data", free_port())
    try:
        site.start()
        small.write(place / "tiny")
        load(site, place)
        yield site
    finally:
        site.stop()


def load(site: House, place: Path) -> str:
    """Load the small pack as it is now; gives what the command says."""
    done = site.manage("load_pack", str(place / "tiny"))
    assert done.returncode == 0, done.stderr
    return done.stdout


def author_in(house: House, page: Page, email: str) -> Page:
    """The page of somebody who is signed in as an author."""
    sign_up(page, email)
    assert house.manage("grant_role", email, "author").returncode == 0
    sign_in(page, email)
    return page


def press(page: Page, selector: str, key: str = "Enter") -> None:
    """Go to something by the keyboard alone and press a key on it."""
    tab_to(page, selector)
    page.keyboard.press(key)


def follow(page: Page, selector: str, address: str) -> None:
    """Go to a link or button by the keyboard alone, press Enter, and wait for the page it leads to."""
    press(page, selector)
    page.wait_for_url(address)


def waiting(ledger: Ledger) -> int:
    """How many reports and corrections wait for authors."""
    return int(
        ledger.rows(
            """SELECT (SELECT count(*) FROM quizzes_questionreport WHERE state = 'open')
            + (SELECT count(*) FROM quizzes_correction WHERE applied_at IS NULL)"""
        )[0][0]
    )


def expect_waiting(page: Page, number: int) -> None:
    """The menu counts what waits, and shows no number where nothing does."""
    shown = page.locator(".who > summary .num")
    expect(shown).to_have_text([f"{number} waiting for authors"] if number else [])


def seen_soon(page: Page, words: str, *, there: bool) -> bool:
    """Whether the question says, or no longer says, these words: each process looks once a second."""
    for _ in range(200):
        page.reload()
        if (words in page.locator("#question").inner_text()) is there:
            return True
    return False


def answered(page: Page, ledger: Ledger, slug: str, *, right: bool) -> tuple[str, int]:
    """Answer one question of the small quiz; gives the attempt and the question's place in it."""
    attempt = start_quiz(page, TINY)
    number = next(n for n in (1, 2, 3) if ledger.question(attempt, n).slug == slug)
    show(page, attempt, number)
    question = ledger.question(attempt, number)
    choose(page, (question.right if right else question.wrong)[0])
    check(page)
    return attempt, number


def decline(author: Page, words: str, answer: str) -> None:
    """Find the oldest report by the menu, forget the reason, then give it; by keyboard alone."""
    press(author, ".who > summary")
    follow(author, '.who a[href="/authors/reports/"]', "**/authors/reports/")
    follow(author, ".doubt-line a", "**/authors/reports/*/")
    expect(author.locator("blockquote")).to_contain_text(words)
    tab_to(author, "[name=state]")
    author.keyboard.press("Space")
    author.keyboard.press("ArrowDown")  # there is no newer version that it could be fixed in
    press(author, "button.go")
    expect(author.locator("#error")).to_contain_text("Say why it is declined")
    expect(author.locator("[name=state][value=declined]")).to_be_checked()
    tab_to(author, "#answer")
    author.keyboard.type(answer)
    press(author, "button.go")
    expect(author.locator(".messages")).to_contain_text("The reporter sees your answer.")


@pytest.mark.parametrize("script", [True, False])
def test_report_is_answered_and_the_question_is_disputed_until_then(
    house: House, new_context: NewContext, script: bool
) -> None:
    """Both sides by keyboard alone, with and without JavaScript."""
    learner, ledger = opened(new_context(java_script_enabled=script)), Ledger(house.data)
    attempt, number = answered(learner, ledger, "one", right=False)
    follow(learner, "a.doubt-link", "**/report/**")
    expect(learner.get_by_role("heading", level=1)).to_have_text("What looks wrong?")
    press(learner, "[name=reason]", "Space")
    tab_to(learner, "#text")
    learner.keyboard.type("The table says otherwise.")
    learner.keyboard.press("Tab")
    learner.keyboard.press("Enter")
    expect(learner.locator(".messages")).to_contain_text("Your report lies with the authors")
    assert seen_soon(learner, "Disputed since", there=True)

    author = author_in(
        house, opened(new_context(java_script_enabled=script)), f"author-{script}@example.org".lower()
    )
    number_of = waiting(ledger)
    expect_waiting(author, number_of)
    decline(author, "The table says otherwise.", "The table is about another width.")
    expect_waiting(author, number_of - 1)

    learner.goto("/reports/")
    expect(learner.locator(".doubt-line")).to_contain_text("The table is about another width.")
    marking = learner.get_by_role("button", name="Mark all answers as read")
    if not script:
        press(learner, "#new button")
    expect(marking).to_have_count(0)  # with script it was seen by being shown
    learner.goto("/")
    expect(learner.get_by_text("new answer")).to_have_count(0)
    learner.goto("/reports/")
    follow(learner, ".doubt-line h2 a", f"**/attempts/{attempt}/?q={number}")
    learner.goto(f"/attempts/{attempt}/?q={number}")
    assert seen_soon(learner, "Disputed since", there=False)


def test_words_that_find_no_room_are_kept_in_the_form(house: House, new_context: NewContext) -> None:
    learner = opened(new_context())
    attempt, number = answered(learner, Ledger(house.data), "two", right=True)
    learner.goto(f"/attempts/{attempt}/report/?q={number}")
    learner.check("[name=reason][value=other]")
    learner.fill("#text", "x" * 2001)
    learner.click("button.go")
    expect(learner.locator("#error")).to_contain_text("Write at most 2,000 characters; this is 2,001.")
    expect(learner.locator("#text")).to_have_value("x" * 2001)
    expect(learner.locator("[name=reason][value=other]")).to_be_checked()


@dataclass
class Corrected:
    """A key that was put right after somebody had answered."""

    learner: Page
    author: Page
    attempt: str
    number: int


@pytest.fixture
def corrected(house: House, place: Path, new_context: NewContext) -> Iterator[Corrected]:
    """The right option of a question becomes another; the pack is put back afterwards."""
    learner = opened(new_context())
    attempt, number = answered(learner, Ledger(house.data), "one", right=True)
    edit(place / "tiny", QUIZ_FILE, "- [x] A number of sixteen", "- [ ] A number of sixteen")
    edit(place / "tiny", QUIZ_FILE, "- [ ] A word of", "- [x] A word of")
    said = load(house, place)
    assert "first#one" in said
    assert f"{house.url}/authors/corrections/" in said
    number_of = Ledger(house.data).rows("SELECT count(*) FROM accounts_user")[0][0]
    author = author_in(house, opened(new_context()), f"author-{number_of}@example.org")
    yield Corrected(learner, author, attempt, number)
    edit(place / "tiny", QUIZ_FILE, "- [x] A word of", "- [ ] A word of")
    edit(place / "tiny", QUIZ_FILE, "- [ ] A number of sixteen", "- [x] A number of sixteen")
    load(house, place)


def test_key_fix_is_previewed_applied_seen_and_undone(corrected: Corrected) -> None:
    learner, author = corrected.learner, corrected.author
    author.goto("/")
    press(author, ".who > summary")
    follow(author, '.who a[href="/authors/corrections/"]', "**/authors/corrections/")
    follow(author, ".doubt-line a", "**/authors/corrections/*/")
    expect(author.get_by_role("heading", level=1)).to_have_text("Who would move")
    moves = author.locator("section table tbody tr")
    expected = moves.count()
    assert expected >= 1
    learner.goto(f"/attempts/{corrected.attempt}/?q={corrected.number}")
    expect(learner.locator("#verdict")).to_contain_text("Right")
    press(author, "button.go")
    expect(author.locator(".messages")).to_contain_text("Answers marked anew:")
    expect(author.get_by_role("heading", level=1)).to_have_text("Who moved")
    expect(moves).to_have_count(expected)

    assert seen_soon(learner, "Corrected on", there=True)
    notice = learner.locator("#question .corrected")
    expect(notice).to_contain_text("Your first answer counted as right before; it counts as wrong now.")
    notice.locator("summary").click()
    before, now = (notice.locator("section").nth(n) for n in (0, 1))
    expect(before).to_contain_text("A number of sixteen bits")
    expect(before).to_contain_text("It stops holding for packed ones.")
    expect(now).to_contain_text("A word of the language")
    expect(now).to_contain_text("A word has several.")

    press(author, "form:has([name=act][value=undo]) button")
    expect(author.locator(".messages")).to_contain_text("Undone.")
    expect(author.get_by_role("heading", level=2).first).to_contain_text("undone")
    expect(moves).to_have_count(expected * 2)  # what it moved, and what it would move again
    assert seen_soon(learner, "Corrected on", there=False)
    expect(learner.locator("#verdict")).to_contain_text("Right")
    finish(learner)
    expect(learner.locator("main")).to_contain_text("1 of 3 right")


def test_pages_of_authors_and_reporters_are_accessible_in_every_width(
    house: House, chromium: Browser, corrected: Corrected
) -> None:
    learner, author = corrected.learner, corrected.author
    for page in (learner, author):
        page.emulate_media(reduced_motion="reduce")
    report = f"/attempts/{corrected.attempt}/report/?q={corrected.number}"
    learner.goto(report)
    learner.check("[name=reason][value=key]")
    learner.fill("#text", f"See table 4: {'long' * 40} " * 3)
    learner.click("button.go")
    found = {name: _looked_at(learner, name) for name in (report, "/reports/", _review(corrected))}
    author.goto("/authors/reports/")
    newest = author.locator(".doubt-line a").last.get_attribute("href") or ""
    author.goto("/authors/corrections/")
    correction = author.locator(".doubt-line a").first.get_attribute("href") or ""
    pages = [
        "/authors/reports/",
        newest,
        "/authors/corrections/",
        correction,
        "/c/tiny/quizzes/first/one/history/",
        "/c/tiny/scales/history/",
        "/c/llm-inference/model-optimization/history/",
        "/c/tiny/history/?quiz=first",
    ]
    found |= {name: _looked_at(author, name) for name in pages}
    author.goto(correction)
    author.click("section button.go")
    found["applied"] = _looked_at(author, correction)
    author.click("form:has([name=act][value=undo]) button")
    found["undone"] = _looked_at(author, correction)
    assert {name: told for name, told in found.items() if told} == {}


def _review(corrected: Corrected) -> str:
    return f"/attempts/{corrected.attempt}/review/"


def _looked_at(page: Page, address: str) -> str:
    page.goto(address)
    return problems(page)
