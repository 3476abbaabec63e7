"""Notes, marks, paper and export at a real browser: typing, selecting, keyboard, no script, axe."""

from __future__ import annotations

import zipfile

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.ledger import Ledger
from tests.journeys.test_pages import problems
from tests.journeys.visitor import CHAPTER, COURSE, QUIZ, Faults, focused, opened, start_quiz, tab_to

LAB = f"{CHAPTER}lab/"
NOTE = "#which-bound details.own:not(.marks)"
SELECT = """([anchor, from, to]) => {
  const box = document.getElementById(anchor), range = document.createRange();
  box.scrollIntoView({block: "center"});
  const text = document.createTreeWalker(box, 4);
  text.nextNode();
  range.setStart(text.currentNode, from);
  range.setEnd(text.currentNode, to);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  return range.toString();
}"""


def test_note_is_kept_while_typing_and_is_there_again(page: Page, faults: Faults) -> None:
    page.goto(CHAPTER)
    note = page.locator(NOTE)
    note.locator("summary").click()
    note.locator("textarea").press_sequentially("Ridge first.")
    expect(note.locator("output")).to_contain_text("Kept ")
    expect(note.locator("textarea")).to_be_focused()
    page.reload()
    expect(page.locator(NOTE).locator("textarea")).to_have_value("Ridge first.")
    page.locator("#rail").get_by_role("link", name="Your notes").click()
    expect(page.locator("main .wrote")).to_have_text("Ridge first.")
    assert faults == []


def test_failed_note_says_so_and_keeps_the_words(page: Page) -> None:
    page.goto(CHAPTER)
    page.route("**/note/", lambda route: route.abort())
    note = page.locator(NOTE)
    note.locator("summary").click()
    note.locator("textarea").press_sequentially("Lost?")
    expect(note.locator("output")).to_contain_text("Not kept")
    expect(note.locator("textarea")).to_have_value("Lost?")


def test_words_are_marked_by_button_and_key_and_taken_away(page: Page, faults: Faults) -> None:
    page.goto(CHAPTER)
    words = page.evaluate(SELECT, ["gb-gib", 2, 15])
    page.locator(".marker").click()
    expect(page.locator("#gb-gib mark.own")).to_have_text(words.strip())
    page.evaluate("document.activeElement.blur()")
    page.evaluate(SELECT, ["weight-bytes", 0, 7])
    page.keyboard.press("m")
    expect(page.locator("mark.own")).to_have_count(2)
    page.reload()
    expect(page.locator("mark.own")).to_have_count(2)
    marks = page.locator("#marks-memory-arithmetic")
    marks.locator("summary").click()
    marks.get_by_role("button").first.press("Enter")
    expect(page.locator("mark.own")).to_have_count(1)
    expect(page.locator("#marks-memory-arithmetic summary")).to_be_focused()
    assert faults == []


def test_note_and_mark_without_script(new_context: NewContext, page: Page) -> None:
    page.goto(CHAPTER)
    page.evaluate(SELECT, ["gb-gib", 2, 15])
    page.locator(".marker").click()
    expect(page.locator("#gb-gib mark.own")).to_be_visible()
    bare = opened(new_context(java_script_enabled=False, storage_state=page.context.storage_state()))
    bare.goto(CHAPTER)
    note = bare.locator(NOTE)
    note.locator("summary").click()
    note.locator("textarea").fill("By hand.")
    note.get_by_role("button", name="Keep").click()
    expect(bare.locator(NOTE).locator("textarea")).to_have_value("By hand.")
    bare.locator("#marks-memory-arithmetic summary").click()
    bare.locator("#marks-memory-arithmetic").get_by_role("button").click()
    expect(bare.locator("#marks-memory-arithmetic")).to_have_count(0)


@pytest.mark.parametrize(
    ("address", "section"), [(CHAPTER, "memory-arithmetic"), (LAB, "lab-granularity")], ids=["chapter", "lab"]
)
def test_note_and_mark_by_keyboard_alone(page: Page, faults: Faults, address: str, section: str) -> None:
    page.goto(f"{address}#{section}")
    own = f'[data-section="{section}"]'
    tab_to(page, f"{own} details.own:not(.marks) summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Ridge first.")
    page.keyboard.press("Tab")
    assert focused(page, "node => node.textContent") == "Keep"
    page.keyboard.press("Enter")
    expect(page.locator(f"#note-{section}")).to_contain_text("Kept ")
    page.evaluate("document.activeElement.blur()")
    anchor = page.locator(f"{own} .prose p[id]").first.get_attribute("id")
    words = page.evaluate(SELECT, [anchor, 0, 9])
    page.keyboard.press("m")
    expect(page.locator("mark.own")).to_have_text(words.strip())
    expect(page.locator(f"#marks-{section} summary")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert focused(page, "node => node.textContent").startswith("Remove the mark: ")
    page.keyboard.press("Enter")
    expect(page.locator("mark.own")).to_have_count(0)
    page.reload()
    expect(page.locator(f"{own} textarea")).to_have_value("Ridge first.")
    assert faults == []


def test_note_on_the_lab_without_script_is_kept_and_listed(new_context: NewContext) -> None:
    page = opened(new_context(java_script_enabled=False))
    page.goto(LAB)
    note = page.locator("details.own:not(.marks)")
    note.locator("summary").click()
    note.locator("textarea").fill("Seed 4.")
    note.get_by_role("button", name="Keep").click()
    page.wait_for_url("**/lab/#note-*")
    expect(page.locator("details.own textarea")).to_have_value("Seed 4.")
    page.get_by_role("link", name="Your notes").click()
    expect(page.locator("main .wrote")).to_have_text("Seed 4.")
    page.locator("main article h3 a").click()
    page.wait_for_url("**/lab/#*")


def test_reading_place_is_not_taken_from_the_lab(page: Page, ledger: Ledger) -> None:
    before = len(ledger.rows("SELECT 1 FROM chapters_place"))
    page.goto(LAB)
    note = page.locator("details.own:not(.marks)")
    note.locator("summary").click()
    note.locator("textarea").fill("Seed 4.")
    expect(note.locator("output")).to_contain_text("Kept ")
    page.mouse.wheel(0, 600)
    page.goto(COURSE)
    assert len(ledger.rows("SELECT 1 FROM chapters_place")) == before


@pytest.mark.parametrize("address", [f"{COURSE}notes/", f"{QUIZ}print/", CHAPTER, LAB])
def test_pages_of_notes_and_paper_are_sound(new_context: NewContext, address: str) -> None:
    page = opened(new_context(reduced_motion="reduce"))
    start_quiz(page)
    page.goto(CHAPTER)
    page.evaluate(SELECT, ["gb-gib", 2, 15])
    page.locator(".marker").click()
    expect(page.locator("#gb-gib mark.own")).to_be_visible()
    note = page.locator(NOTE)
    note.locator("summary").click()
    note.locator("textarea").fill("Ridge first.")
    note.get_by_role("button", name="Keep").click()
    expect(note.locator("output")).to_contain_text("Kept ")
    page.goto(address)
    for details in page.locator("main details").all()[:20]:
        details.evaluate("one => { one.open = true; }")
    assert problems(page) == ""


def test_paper_has_no_bars_and_answers_begin_a_page(page: Page) -> None:
    start_quiz(page)
    page.goto(f"{QUIZ}print/")
    page.emulate_media(media="print")
    expect(page.locator("header.bar")).to_be_hidden()
    expect(page.locator(".tickbox").first).to_be_visible()
    assert page.locator("section.answers").evaluate("one => getComputedStyle(one).breakBefore") == "page"
    page.goto(CHAPTER)
    for hidden in (".bar", "#rail", "form.done", "details.own", ".pilcrow"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator(".endnotes")).to_be_visible()
    for address, title in ((CHAPTER, "Model Optimization"), (f"{QUIZ}print/", "Inference optimization")):
        page.goto(address)
        expect(page.locator(".colophon")).to_be_visible()
        expect(page.locator(".colophon")).to_contain_text(f"{title}. LLM inference")
        expect(page.locator(".colophon")).to_contain_text("CC BY 4.0")
    page.emulate_media(media="screen")
    expect(page.locator(".colophon")).to_be_hidden()


def test_everything_is_downloaded_as_a_zip(page: Page) -> None:
    start_quiz(page)
    page.goto("/settings/")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download everything").click()
    with zipfile.ZipFile(download.value.path()) as parcel:
        assert "attempts.json" in parcel.namelist()
