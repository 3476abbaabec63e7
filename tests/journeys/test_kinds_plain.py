"""Written, matched, ordered and completed answers without JavaScript: feedback, retry, review, and what is taken along."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.kinds import (
    CHECK,
    KINDS,
    LISTS,
    OF_PARTS,
    Asked,
    Side,
    answer,
    ask,
    expect_refused,
    give,
    told,
    values_on,
)
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import check, finish, opened

STORED = {"number": "typed", "short": "typed", "order": "options"}  # else "parts"


@pytest.fixture
def page(new_context: NewContext) -> Page:
    """A page without script."""
    return opened(new_context(java_script_enabled=False))


def taken_along(page: Page, folder: Path) -> list[dict[str, Any]]:
    """The answers in what the learner downloads."""
    page.goto("/settings/")
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download everything").click()
    target = folder / "all.zip"
    coming.value.save_as(target)
    with zipfile.ZipFile(target) as archive:
        name = next(name for name in archive.namelist() if name.endswith("answers.json"))
        found: list[dict[str, Any]] = json.loads(archive.read(name))
    return found


def expect_taken(row: dict[str, Any], question: Asked, side: Side, number: int) -> None:
    """A downloaded answer is the one that was given."""
    stored = row[STORED.get(question.kind, "parts")]
    assert ([stored] if isinstance(stored, str) else stored) == list(side.stored)
    assert (row["answer"], row["try"], row["position"]) == (side.said, number, question.place)


def expect_parts(page: Page, question: Asked, within: str = "#question") -> None:
    """The feedback on the wrong answer tells of each part, the typed words as they were typed."""
    if question.kind in OF_PARTS:
        states = told(page, within)
        assert len(states) == len(question.fields)
        assert states[:2] == ["wrong", "wrong"]
    if question.kind not in LISTS:
        expect(page.locator(within)).to_contain_text(question.wrong.values[0])


@pytest.mark.parametrize("kind", KINDS)
def test_answer_retry_review_and_download(page: Page, ledger: Ledger, tmp_path: Path, kind: str) -> None:
    question = ask(page, ledger, kind)
    answer(page, question, question.wrong)
    expect_parts(page, question)
    page.get_by_role("link", name="Try it again").click()
    assert "".join(values_on(page, question)) == ""
    answer(page, question, question.right)
    expect(page.locator("#verdict")).to_contain_text("Right")
    expect(page.locator("#verdict")).to_contain_text("stays the recorded one")
    assert set(told(page)) <= {"right"}
    page.locator("[data-next]").click()
    expect(page.locator("#question")).not_to_have_attribute("data-place", str(question.place))
    assert [one[:2] for one in ledger.answers(question.attempt, question.place)] == [
        (1, question.missed),
        (2, "right"),
    ]
    finish(page)
    expect(page.locator(f"#q{question.place}")).to_contain_text("2 tries, the first counts")
    expect_parts(page, question, f"#q{question.place}")
    first, second = taken_along(page, tmp_path)
    expect_taken(first, question, question.wrong, 1)
    expect_taken(second, question, question.right, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_incomplete_answer_is_refused_and_kept(page: Page, ledger: Ledger, kind: str) -> None:
    question = ask(page, ledger, kind)
    missing = question.fields[1:3] or question.fields
    give(page, question, question.right, leave=missing)
    page.locator(CHECK).click()
    expect(page.locator("#error")).to_contain_text("Nothing was recorded yet")
    expect_refused(page, question, missing)
    kept = [
        "" if name in missing else value
        for name, value in zip(question.fields, question.right.values, strict=True)
    ]
    assert list(values_on(page, question)) == kept
    assert ledger.answers(question.attempt, question.place) == []
    give(page, question, question.right)
    check(page)
    assert [one[:2] for one in ledger.answers(question.attempt, question.place)] == [(1, "right")]
