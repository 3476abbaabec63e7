"""The colours that were chosen are remembered, and a chapter prints as a document."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys.visitor import CHAPTER, QUIZ, opened

LIGHTNESS = """() => {
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, one) => sum + one, 0) / 765;
}"""
SHOWN = """selector => [...document.querySelectorAll(selector)].filter(
  one => one.checkVisibility() && one.getClientRects().length > 0).length"""

GONE = (".bar", ".rail", ".foot", ".skip", ".notes", ".messages", "form.done", ".noprint", "nav", "button")


def lightness(page: Page) -> float:
    """Of the paper, between 0 (black) and 1 (white)."""
    return float(page.evaluate(LIGHTNESS))


def test_chosen_theme_holds_on_other_pages_and_in_other_tabs(page: Page, context: BrowserContext) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/")
    assert lightness(page) > 0.9
    switch = page.get_by_role("button", name="Change the colours")
    for _ in range(3):
        switch.click()
        if lightness(page) < 0.3:
            break
    assert lightness(page) < 0.3
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto(CHAPTER)
    assert lightness(page) < 0.3
    other = opened(context)
    other.emulate_media(color_scheme="light")
    other.goto(QUIZ)
    assert lightness(other) < 0.3
    other.get_by_role("button", name="Change the colours").click()
    assert lightness(other) > 0.9


def test_page_follows_the_system_until_somebody_chooses(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto("/")
    assert lightness(page) < 0.3
    page.emulate_media(color_scheme="light")
    assert lightness(page) > 0.9


def test_chapter_prints_as_a_document_with_its_sources_at_the_end(page: Page) -> None:
    page.goto(CHAPTER)
    page.locator("form.done button").first.click()
    expect(page.locator("form.done .mark").first).to_contain_text("✓ Read")
    cites = page.locator(".cite").count()
    assert cites > 10
    page.emulate_media(media="print", color_scheme="dark")
    for gone in GONE:
        assert page.evaluate(SHOWN, gone) == 0, gone
    assert page.evaluate(SHOWN, "main h1") == 1
    assert page.evaluate(SHOWN, "[data-section] h2") == page.locator("[data-section]").count()
    assert page.evaluate(SHOWN, "main figure svg") > 3
    assert page.evaluate(SHOWN, ".endnotes .sources li") == page.locator(".sources li").count() > 10
    assert page.evaluate(SHOWN, "[data-checkpoint]") == page.locator("[data-checkpoint]").count()
    assert lightness(page) > 0.9
    # Each citation in the text is the number of an endnote.
    missing = page.evaluate(
        """() => [...document.querySelectorAll("main .cite a")].filter(
          one => !document.querySelector(".endnotes " + one.hash)).map(one => one.hash)"""
    )
    assert missing == []


def test_chapter_prints_to_paper(page: Page) -> None:
    page.goto(CHAPTER)
    paper = page.pdf(format="A4")
    pages = len(re.findall(rb"/Type\s*/Page\b", paper))
    assert pages >= 5
