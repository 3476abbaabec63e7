"""Written, matched, ordered and completed answers on a phone, and what assistive technology is told of them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.kinds import CHECK, KINDS, LISTS, Asked, Side, answer, ask, field
from tests.journeys.ledger import Ledger
from tests.journeys.measures import AXE, RUN, TAGS, WIDER
from tests.journeys.test_pages import NARROWEST, THEMES
from tests.journeys.visitor import Faults, opened

NAMED = re.compile(
    r"""^\s*- '?(combobox|textbox|button|radio|checkbox|link)(?: "((?:[^"\\]|\\.)*)")?""", re.MULTILINE
)
OWN = {
    "number": r"Your answer( in .+)?",
    "short": r"Your answer",
    "match": r"\S.*",
    "order": r"Place of \S.*",
    "cloze": r"Gap \d(, .+)?",
}
# Targets that are less than 44 px high and have another one within the 44 px around their middle.
CRAMPED = """() => {
  const box = one => (one.matches("input[type=radio], input[type=checkbox]") ? one.closest("label") : one).getBoundingClientRect();
  const all = [...document.querySelectorAll("#question :is(a, button, select, summary, input:not([type=hidden]))")]
    .map(one => ({name: one.outerHTML.slice(0, 90), box: box(one)})).filter(one => one.box.width && one.box.height);
  const near = (one, other) => {
    const x = one.left + one.width / 2, y = one.top + one.height / 2;
    return other.left < x + 22 && other.right > x - 22 && other.top < y + 22 && other.bottom > y - 22;
  };
  return all.filter(one => one.box.height < 44 && all.some(other => other !== one && near(one.box, other.box)))
    .map(one => `${Math.round(one.box.height)} px: ${one.name}`);
}"""


@pytest.fixture
def page(new_context: NewContext) -> Page:
    """A phone, whose colours change at once."""
    return opened(
        new_context(
            viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce"
        )
    )


def expect_room(page: Page) -> None:
    """Everything can be hit with a thumb, and nothing makes the page scroll sideways."""
    assert page.evaluate(CRAMPED) == []
    assert page.evaluate(WIDER) == []
    page.set_viewport_size({"width": NARROWEST, "height": 740})
    assert page.evaluate(WIDER) == []
    page.set_viewport_size({"width": 360, "height": 740})


def give_by_taps(page: Page, question: Asked, side: Side) -> None:
    """Items are tapped in their order, lists and fields are filled after a tap."""
    for name, value in question.turns(side.values):
        if question.kind == "order":
            page.locator(f'li:has([id="{name}"]) [data-move=next]').tap()
            assert field(page, name).input_value() == value
            continue
        field(page, name).tap()
        if question.kind in LISTS:
            field(page, name).select_option(value)
        else:
            field(page, name).fill(value)


@pytest.mark.parametrize("kind", KINDS)
def test_answered_by_taps_on_a_phone(page: Page, ledger: Ledger, faults: Faults, kind: str) -> None:
    question = ask(page, ledger, kind)
    expect_room(page)
    give_by_taps(page, question, question.right)
    page.locator(CHECK).tap()
    expect(page.locator("#verdict")).to_contain_text("Right")
    assert [one[:2] for one in ledger.answers(question.attempt, question.place)] == [(1, "right")]
    expect_room(page)
    closed = page.locator(".opt details:not([open]) summary")
    while closed.count():
        closed.first.tap()
    expect_room(page)
    page.locator("[data-next]").tap()
    expect(page.locator("#question")).not_to_have_attribute("data-place", str(question.place))
    assert faults == []


def axe(page: Page) -> list[str]:
    """What axe finds on the page as it stands, in both themes."""
    found: list[str] = []
    page.evaluate(AXE)
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        found += [f"{theme}: {one}" for one in page.evaluate(RUN, TAGS)]
    return found


def names(page: Page) -> list[tuple[str, str]]:
    """Role and accessible name of every control of the question, as assistive technology gets them."""
    return NAMED.findall(page.locator("#question").aria_snapshot())


@pytest.mark.parametrize("kind", KINDS)
def test_every_control_has_a_name_of_its_own_and_axe_finds_nothing(
    page: Page, ledger: Ledger, kind: str
) -> None:
    question = ask(page, ledger, kind)
    given = [name for role, name in names(page) if role in {"combobox", "textbox"}]
    assert len(given) == len(question.fields)
    assert [name for name in given if not re.fullmatch(OWN[kind], name)] == []
    assert axe(page) == []
    every = names(page)
    assert [one for one in every if not one[1].strip()] == []
    assert len(set(every)) == len(every)
    page.locator(CHECK).tap()
    expect(page.locator("#error")).to_be_visible()
    assert axe(page) == []
    answer(page, question, question.wrong)
    assert axe(page) == []
    assert [one for one in names(page) if not one[1].strip()] == []
