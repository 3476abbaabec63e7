"""A link to a paragraph shows the paragraph: whatever sticks to the top of the window stands above it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.journeys.conftest import NewContext
from tests.journeys.visitor import CHAPTER, opened

WIDTHS = (360, 560, 768, 991, 992, 1440)
HIDDEN = """() => {
  const target = document.querySelector(":target").getBoundingClientRect();
  const bars = [...document.querySelectorAll(".bar, #rail")].filter(one => {
    const area = one.getBoundingClientRect();
    return getComputedStyle(one).position === "sticky" && area.width > innerWidth / 2 && area.bottom > 0;
  });
  return {top: target.top, least: Math.max(0, ...bars.map(one => one.getBoundingClientRect().bottom)),
    seen: target.top < innerHeight / 2, bars: bars.length};
}"""
NARROW = 44 * 16  # px: below, the bar scrolls away with the page
FOLDED = 62 * 16  # px: below, the rail is a line under the bar


@pytest.fixture
def page(new_context: NewContext) -> Page:
    """A page that scrolls at once."""
    return opened(new_context(reduced_motion="reduce"))


@pytest.mark.parametrize("width", WIDTHS)
def test_paragraph_link_shows_its_paragraph_below_every_bar(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for anchor in ("decode-floor", "number-formats"):
        page.goto(f"{CHAPTER}?back=/progress/#{anchor}")
        page.wait_for_function("() => scrollY > 200")
        told = page.evaluate(HIDDEN)
        assert told["bars"] == (2 if NARROW < width < FOLDED else 1)
        assert told["top"] >= told["least"]
        assert told["seen"]


def test_link_on_the_page_shows_its_section_below_every_bar(page: Page) -> None:
    page.set_viewport_size({"width": 768, "height": 800})
    page.goto(CHAPTER)
    page.locator("#rail summary").click()
    page.locator('#rail a[href="#number-formats"]').click()
    page.wait_for_function("() => scrollY > 200")
    told = page.evaluate(HIDDEN)
    assert told["top"] >= told["least"]


@pytest.mark.parametrize("width", [360, 560])
def test_figures_fit_a_telephone_and_their_labels_keep_clear(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(CHAPTER, wait_until="networkidle")
    wider = page.evaluate(
        """() => [...document.querySelectorAll("figure")].filter(one => one.scrollWidth > one.clientWidth)
          .map(one => one.id)"""
    )
    assert wider == []
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll("figure text")].map(
          one => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))"""
    )
    assert smallest > 9.5


def test_only_citations_next_to_each_other_have_a_comma(page: Page) -> None:
    page.goto(CHAPTER)
    found = page.evaluate(
        """() => [...document.querySelectorAll(".prose .cite")].filter(one => {
          const next = one.previousSibling;
          const comma = getComputedStyle(one, "::before").content.includes(",");
          return comma !== (!!next && next.nodeType === 1 && next.matches(".cite"));
        }).length"""
    )
    assert page.locator(".cite.more").count() > 0
    assert found == 0
