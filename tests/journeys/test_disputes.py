"""“This looks wrong”, from the learner's keyboard to the author's answer and back; the same without JavaScript."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.house import ROOT
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import check, choose, opened, show, sign_in, sign_up, start_quiz, tab_to


def author_in(house: Any, context: Any, email: str) -> Page:
    """A page of somebody with the role of an author."""
    page = opened(context)
    sign_up(page, email)
    environment = {**os.environ, "STUDYHUB_DATA": str(house.data), "PORT": str(house.port)}
    command = [sys.executable, "manage.py", "grant_role", email, "author"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    sign_in(page, email)
    return page


def seen_soon(page: Page, *, there: bool) -> bool:
    """Whether the question says, or no longer says, that it is disputed: each process looks once a second."""
    for _ in range(200):
        page.reload()
        if ("Disputed since" in page.locator("#question").inner_text()) is there:
            return True
    return False


@pytest.mark.parametrize("script", [True, False])
def test_report_is_answered_and_the_question_is_disputed_until_then(
    house: Any, new_context: NewContext, script: bool
) -> None:
    learner = opened(new_context(java_script_enabled=script))
    attempt = start_quiz(learner)
    ledger = Ledger(house.data)
    place = next(n for n in range(1, 20) if ledger.question(attempt, n).kind == "single")
    show(learner, attempt, place)
    choose(learner, ledger.question(attempt, place).wrong[0])
    check(learner)
    tab_to(learner, "a.doubt-link")
    learner.keyboard.press("Enter")
    expect(learner.get_by_role("heading", level=1)).to_have_text("What looks wrong?")
    tab_to(learner, "[name=reason]")
    learner.keyboard.press("Space")
    tab_to(learner, "#text")
    learner.keyboard.type("The table says otherwise.")
    learner.keyboard.press("Tab")
    learner.keyboard.press("Enter")
    expect(learner.locator(".messages")).to_contain_text("Your report lies with the authors")
    assert seen_soon(learner, there=True)

    author = author_in(house, new_context(), f"author-{script}@example.org".lower())
    author.goto("/authors/reports/")
    author.locator(".doubt-line a").first.click()
    expect(author.locator("blockquote")).to_contain_text("The table says otherwise.")
    author.check("[name=state][value=declined]")
    author.click("button.go")
    expect(author.locator("#error")).to_contain_text("Say why it is declined")
    author.check("[name=state][value=declined]")
    author.fill("#answer", "The table is about another width.")
    author.click("button.go")

    learner.goto("/reports/")
    expect(learner.locator(".doubt-line")).to_contain_text("The table is about another width.")
    learner.goto(f"/attempts/{attempt}/?q={place}")
    assert seen_soon(learner, there=False)
