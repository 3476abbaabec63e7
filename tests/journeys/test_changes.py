"""Changed since you read it: a typo passes in silence, a substantive edit asks for another reading and says why.

Marked words go along with both.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.house import ROOT, House
from tests.journeys.test_pages import problems
from tests.journeys.visitor import CHAPTER, COURSE, Faults, opened, tab_to

PACK = ROOT / "fixtures" / "packs" / "llm-inference"
WHOLE = "Real checkpoints keep embeddings,"
TYPO = "Real checkpoints keep embedings,"
SENTENCE = "The KV cache keeps one key and one value vector for every token, layer and KV head:"
OTHER = f"{SENTENCE[:-1]}, and nothing of what it keeps is ever thrown away or given back:"
SECTION = "#memory-arithmetic"
IN_RAIL = '#rail [data-for="memory-arithmetic"]'
READ = re.compile(r"\bread\b")
Load = Callable[..., None]
SELECT_WORDS = """words => {
  const text = document.createTreeWalker(document.querySelector("[data-mark]"), 4), range = document.createRange();
  while (text.nextNode() && !text.currentNode.data.includes(words)) {}
  const { currentNode: node } = text, at = node.data.indexOf(words);
  node.parentElement.scrollIntoView({block: "center"});
  range.setStart(node, at);
  range.setEnd(node, at + words.length);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


@pytest.fixture
def load(house: House, tmp_path: Path) -> Iterator[Load]:
    """Loads the course with some of its words put in place of others; at the end it says what it said before."""

    def edited(*words: tuple[str, str]) -> None:
        folder = tmp_path / "pack"
        shutil.copytree(PACK, folder, dirs_exist_ok=True)
        chapter = folder / "chapters" / "model-optimization.md"
        text = chapter.read_text(encoding="utf-8")
        for before, after in words:
            assert text.count(before) == 1, before
            text = text.replace(before, after)
        chapter.write_text(text, encoding="utf-8")
        done = house.manage("load_pack", str(folder))
        assert done.returncode == 0, done.stderr

    yield edited
    edited()


def open_with(page: Page, words: str) -> None:
    """Open the chapter once it says these words: each process looks for another release once a second."""
    for _ in range(100):
        page.goto(CHAPTER)
        if words in page.locator(SECTION).inner_text():
            return
    raise AssertionError(f"the chapter never says {words}")


def read(page: Page) -> None:
    """Say, by keyboard alone, that the section is read."""
    page.locator(f"{SECTION} .done button").focus()
    page.keyboard.press("Enter")
    expect(page.locator(IN_RAIL)).to_have_class(READ)


def news(page: Page) -> list[str]:
    """What the home page says is new."""
    page.goto("/")
    return page.get_by_role("region", name="What is new").locator("li a").all_inner_texts()


def test_typo_is_silent_and_another_meaning_asks_for_another_reading(
    new_context: NewContext, load: Load
) -> None:
    page = opened(new_context(reduced_motion="reduce"))
    faults = Faults()
    faults.of(page)
    page.goto(CHAPTER)
    read(page)
    note = page.locator(f"{SECTION} details.own")
    note.locator("summary").click()
    note.locator("textarea").fill("Two vectors, not one.")
    expect(note.locator("output")).to_contain_text("Kept ")

    load((WHOLE, TYPO))
    open_with(page, TYPO)
    expect(page.locator(IN_RAIL)).to_have_class(READ)
    expect(page.locator(f"{SECTION} .edits")).to_have_count(0)
    assert news(page) == []

    load((WHOLE, TYPO), (SENTENCE, OTHER))
    open_with(page, OTHER)
    assert news(page) == ["Read again: Memory arithmetic"]
    assert "overdue" not in page.locator("main").inner_text()
    assert problems(page) == ""
    tab_to(page, f'a[href$="{SECTION}"]:not(.go)')
    page.keyboard.press("Enter")
    expect(page.locator(IN_RAIL)).to_have_class(re.compile(r"\bchanged\b"))
    told = page.locator(f"{SECTION} .edits")
    expect(told).to_contain_text("Changed since you read it")
    tab_to(page, f"{SECTION} .edits li:last-child summary")
    page.keyboard.press("Enter")
    expect(told.locator("ins").filter(has_text="thrown away").first).to_be_visible()
    expect(note.locator("textarea")).to_have_value("Two vectors, not one.")
    page.evaluate("scrollTo(0, 0)")  # nothing lies half under what sticks
    assert problems(page) == ""

    read(page)
    expect(told).to_be_hidden()
    assert news(page) == []
    assert faults == []


def test_changes_are_told_and_read_again_without_script(new_context: NewContext, load: Load) -> None:
    page = opened(new_context(java_script_enabled=False))
    page.goto(CHAPTER)
    page.locator(f"{SECTION} .done button").click()
    load((SENTENCE, OTHER))
    open_with(page, OTHER)
    told = page.locator(f"{SECTION} .edits")
    told.locator("summary").first.click()
    expect(told.locator("ins").filter(has_text="thrown away")).to_be_visible()
    page.get_by_role("button", name="I have read the new wording").click()
    expect(page.locator(f"{SECTION} .edits")).to_have_count(0)
    expect(page.locator(IN_RAIL)).to_have_class(READ)
    assert news(page) == []


def test_mark_stands_when_a_typo_in_it_is_mended_and_is_listed_when_its_words_go(
    new_context: NewContext, load: Load
) -> None:
    page = opened(new_context(reduced_motion="reduce"))
    load((WHOLE, TYPO))
    open_with(page, TYPO)
    page.evaluate(SELECT_WORDS, "keep embedings")
    page.locator(".marker").click()
    expect(page.locator("mark.own")).to_have_text("keep embedings")

    load((SENTENCE, OTHER))
    open_with(page, OTHER)
    expect(page.locator("mark.own")).to_have_text("keep embeddings")
    marks = page.locator("#marks-memory-arithmetic")
    marks.locator("summary").click()
    expect(marks.locator("q")).to_have_text("keep embeddings")
    expect(marks).not_to_contain_text("no longer in the text")

    load((WHOLE, "Real files hold something else,"))
    open_with(page, "Real files hold")
    expect(page.locator("mark.own")).to_have_count(0)
    page.goto(f"{COURSE}notes/")
    expect(page.locator(".quotes li")).to_contain_text("keep embeddings")
    expect(page.locator(".quotes li")).to_contain_text("no longer in the text")
    expect(page.locator("main")).to_contain_text("Marking needs JavaScript; notes do not.")
    assert problems(page) == ""
    page.locator(".quotes button").click()
    expect(page.locator(".quotes li")).to_have_count(0)
