"""A guest reads and answers, makes an account, loses the server, and finds everything in another browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.house import House
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import (
    CHAPTER,
    QUIZ,
    Faults,
    attempt_in,
    check,
    choose,
    focused,
    opened,
    position_of,
    sign_in,
    sign_up,
    tab_to,
)

ANSWERS = 6
READ = 2
TICKED = 2


def enter_chapter(page: Page) -> None:
    """Home, course, chapter, as a person goes."""
    page.goto("/")
    page.get_by_role("link", name="See the whole course").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("LLM inference")
    page.locator(f'main a[href="{CHAPTER}"]').first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Model Optimization")


def mark_sections(page: Page) -> list[str]:
    """Say of the first sections that they are read; gives their ids."""
    slugs: list[str] = [
        str(page.locator("[data-section]").nth(index).get_attribute("data-section")) for index in range(READ)
    ]
    for slug in slugs:
        section = page.locator(f'[data-section="{slug}"]')
        section.locator("form.done button").click()
        expect(section.locator("form.done .mark")).to_contain_text("✓ Read")
        expect(page.locator(f'#rail [data-for="{slug}"]')).to_have_class(re.compile(r"\bread\b"))
    return slugs


def tick_boxes(page: Page, scripted: bool) -> list[str]:
    """Tick the first checkpoints; gives their ids."""
    boxes = page.locator("[data-checkpoint]")
    slugs: list[str] = [str(boxes.nth(index).get_attribute("data-checkpoint")) for index in range(TICKED)]
    for slug in slugs:
        item = page.locator(f'[data-checkpoint="{slug}"]')
        item.locator("input[type=checkbox]").click()
        if not scripted:
            item.get_by_role("button", name="Save").click()
        expect(item.locator("form time")).to_be_visible()
        expect(item.locator("input[type=checkbox]")).to_be_checked()
    return slugs


def expect_reading(page: Page, read: list[str], ticked: list[str]) -> None:
    """The chapter shows what was read and ticked, and nothing else."""
    page.goto(CHAPTER)
    for slug in read:
        expect(page.locator(f'[data-section="{slug}"] form.done .mark')).to_contain_text("✓ Read")
    expect(page.locator("#rail li.read")).to_have_count(len(read))
    for slug in ticked:
        expect(page.locator(f'[data-checkpoint="{slug}"] input[type=checkbox]')).to_be_checked()
    expect(page.locator("#checkpoints input:checked")).to_have_count(len(ticked))


def expect_place(page: Page, section: str) -> None:
    """Home offers to go on reading in this section, and leads there."""
    page.goto("/")
    going_on = page.get_by_role("link", name="Continue reading")
    going_on.click()
    expect(page.locator(f'[data-section="{section}"]')).to_be_in_viewport()


def expect_attempt(page: Page, attempt: str, position: int) -> None:
    """The quiz offers to go on with this attempt, which opens at this question."""
    page.goto(QUIZ)
    page.get_by_role("link", name=re.compile(rf"^Go on, {ANSWERS} of \d+ answered")).click()
    assert attempt_in(page) == attempt
    assert position_of(page) == position
    expect(page.locator("#answer")).to_be_visible()


def read_on(page: Page, section: str) -> None:
    """Scroll to a section and rest there until the place is reported."""
    with page.expect_response("**/place/") as kept:
        page.locator(f'[data-section="{section}"] h2').evaluate(
            "title => scrollTo(0, title.getBoundingClientRect().top + scrollY - 100)"
        )
    assert kept.value.status == 204


def expect_feedback(page: Page, ledger: Ledger, attempt: str, chosen: tuple[str, ...]) -> None:
    """The chosen option explains itself first, the right one second, both open; the others are closed."""
    position = position_of(page)
    question = ledger.question(attempt, position)
    expect(page.locator("#verdict")).to_be_visible()
    shown = [str(one.get_attribute("data-option")) for one in page.locator(".opt[data-option]").all()]
    first = [token for token in shown if token in chosen]
    second = [token for token in shown if token in question.right and token not in chosen]
    rest = [token for token in shown if token not in chosen and token not in question.right]
    assert shown == first + second + rest
    assert sorted(shown) == sorted(question.tokens)
    for token in shown:
        why = page.locator(f'[data-rationale="{token}"]')
        expect(why).to_be_visible(visible=token not in rest)


def answer_by_keyboard(page: Page, ledger: Ledger, attempt: str, *, certain: bool) -> None:
    """Answer the question on the page without a mouse: the first one also takes back, flags and asks for help."""
    position = position_of(page)
    question = ledger.question(attempt, position)
    before = page.locator("#stem").inner_text()
    chosen: tuple[str, ...] = ()
    if question.kind == "number":
        tab_to(page, "#typed")
        page.keyboard.type(question.mistake if certain else question.number)
    else:
        chosen = question.right if question.kind == "multiple" else question.wrong[:1]
        for index, token in enumerate(chosen):
            digit = question.digit(token)
            page.keyboard.press(digit if index % 2 == 0 else "abcde"[int(digit) - 1])
            expect(page.locator(f'[data-option="{token}"] input')).to_be_checked()
    if certain:
        tab_to(page, "input[name=certainty]")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
        expect(page.locator("input[name=certainty][value='2']")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_be_focused()
    if chosen:
        expect_feedback(page, ledger, attempt, chosen)
    else:
        expect(page.locator("[data-rationale]").first).to_be_visible()
    assert page.locator("#stem").inner_text() == before


def try_keys(page: Page, ledger: Ledger, attempt: str) -> None:
    """On a choice question: flag, unflag, choose and take back, look at the list of keys."""
    question = ledger.question(attempt, position_of(page))
    page.keyboard.press("f")
    expect(page.locator("#flag")).to_have_text("Take the flag off")
    page.keyboard.press(question.digit(question.tokens[0]))
    expect(page.locator("#answer input:checked")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator("#answer input:checked")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def quiz_by_keyboard(page: Page, ledger: Ledger) -> str:
    """Six answers, a number and a multiple one among them; further numbers are skipped. Gives the attempt's id."""
    page.goto(QUIZ)
    tab_to(page, "main form button.go")
    page.keyboard.press("Enter")
    page.wait_for_url("**/attempts/**")
    attempt = attempt_in(page)
    kinds: list[str] = []
    while len(kinds) < ANSWERS:
        position = position_of(page)
        kind = ledger.question(attempt, position).kind
        left = ANSWERS - len(kinds)
        if kind in kinds and (kind == "number" or (left == 1 and "multiple" not in kinds)):
            page.keyboard.press("s")
        else:
            if kinds == ["number"]:
                try_keys(page, ledger, attempt)
            answer_by_keyboard(page, ledger, attempt, certain=len(kinds) == 1)
            kinds.append(kind)
            if len(kinds) == 3:
                look_up_paragraph(page)
            page.keyboard.press("Enter")
        expect(page.locator("#question")).not_to_have_attribute("data-place", str(position))
    assert {"number", "multiple", "single"} == set(kinds)
    return attempt


def look_up_paragraph(page: Page) -> None:
    """Open a closed reason by its digit, follow the link to the paragraph, see it marked, come back to the same."""
    closed = page.locator(".opt:has(details:not([open]))").first
    digit, token = closed.get_attribute("data-digit"), closed.get_attribute("data-option")
    page.keyboard.press(str(digit))
    expect(page.locator(f'[data-rationale="{token}"]')).to_be_visible()
    verdict, position = page.locator("#verdict").inner_text(), position_of(page)
    page.locator("#verdict").focus()
    tab_to(page, "a.paragraph")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{CHAPTER}**")
    anchor = page.url.partition("#")[2]
    aim = page.locator(f'[id="{anchor}"]')
    expect(aim).to_be_in_viewport()
    assert is_marked(page, anchor)
    page.locator(".back a").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/attempts/*/?q={position}")
    assert position_of(page) == position
    assert page.locator("#verdict").inner_text() == verdict
    page.locator("#verdict").focus()


def is_marked(page: Page, anchor: str) -> bool:
    """Whether the paragraph looks other than it would without being the aim of the address."""
    return bool(
        page.evaluate(
            """id => {
              const aim = document.getElementById(id);
              const look = () => { const s = getComputedStyle(aim); return [s.backgroundColor, s.boxShadow, s.outline,
                s.borderInlineStartColor, s.borderInlineStartWidth].join("|"); };
              const lit = aim.matches(":target") ? look() : "";
              const twin = aim.cloneNode(true);
              twin.removeAttribute("id");
              aim.after(twin);
              const s = getComputedStyle(twin);
              const plain = [s.backgroundColor, s.boxShadow, s.outline, s.borderInlineStartColor,
                s.borderInlineStartWidth].join("|");
              twin.remove();
              return lit !== "" && lit !== plain;
            }""",
            anchor,
        )
    )


def test_guest_by_keyboard_finds_everything_after_sign_up_and_sigkill(
    house: House, ledger: Ledger, page: Page, faults: Faults, new_context: NewContext
) -> None:
    enter_chapter(page)
    read = mark_sections(page)
    ticked = tick_boxes(page, scripted=True)
    page.goto("/")
    expect_reading(page, read, ticked)
    read_on(page, "which-bound")
    expect_place(page, "which-bound")

    attempt = quiz_by_keyboard(page, ledger)
    here = position_of(page)
    skipped = ledger.positions(attempt, "number")[1] < here
    assert skipped
    sign_up(page, "keys@example.org")
    expect_reading(page, read, ticked)
    expect_attempt(page, attempt, here)
    assert faults == []
    before = ledger.owned("keys@example.org")
    assert before["answers"] == ANSWERS

    house.kill()
    house.start()
    other = opened(new_context())
    sign_in(other, "keys@example.org")
    expect_place(other, "which-bound")
    expect_reading(other, read, ticked)
    expect_attempt(other, attempt, here)
    assert ledger.owned("keys@example.org") == before
    assert ledger.sums(attempt)[::2] == (ANSWERS, ANSWERS)


def answer_plainly(page: Page, ledger: Ledger, attempt: str, *, certain: bool) -> None:
    """Answer the question on the page with the mouse, no script running."""
    question = ledger.question(attempt, position_of(page))
    chosen: tuple[str, ...] = ()
    if question.kind == "number":
        page.locator("#typed").fill(question.number)
    else:
        chosen = question.right if question.kind == "multiple" else question.wrong[:1]
        choose(page, *chosen)
    if certain:
        page.get_by_label("67–80 %").click()
    check(page)
    if chosen:
        expect_feedback(page, ledger, attempt, chosen)
        for closed in page.locator(".opt:has(details:not([open])) summary").all()[:1]:
            token = closed.locator("xpath=ancestor::li").get_attribute("data-option")
            closed.click()
            expect(page.locator(f'[data-rationale="{token}"]')).to_be_visible()


@pytest.fixture
def plain(new_context: NewContext) -> Page:
    """A page in a browser without script."""
    return opened(new_context(java_script_enabled=False))


def test_guest_without_script_finds_everything_after_sign_up_and_sigkill(
    house: House, ledger: Ledger, plain: Page, new_context: NewContext
) -> None:
    watch = Faults()
    watch.of(plain)
    enter_chapter(plain)
    read = mark_sections(plain)
    ticked = tick_boxes(plain, scripted=False)
    plain.goto("/")
    expect_reading(plain, read, ticked)
    expect_place(plain, read[-1])

    attempt = take_quiz_plainly(plain, ledger)
    sign_up(plain, "plain@example.org")
    expect_reading(plain, read, ticked)
    assert watch == []
    before = ledger.owned("plain@example.org")
    assert before["answers"] == ANSWERS

    house.kill()
    house.start()
    other = opened(new_context(java_script_enabled=False))
    sign_in(other, "plain@example.org")
    expect_place(other, read[-1])
    expect_reading(other, read, ticked)
    other.goto(QUIZ)
    other.get_by_role("link", name=re.compile(rf"^Go on, {ANSWERS} of")).click()
    assert attempt_in(other) == attempt
    expect(other.locator("#answer")).to_be_visible()
    assert ledger.owned("plain@example.org") == before


def take_quiz_plainly(page: Page, ledger: Ledger) -> str:
    """Some answers, a flag and a skip with the mouse alone; returns the attempt."""
    page.goto(QUIZ)
    page.get_by_role("button", name="Start").click()
    attempt = attempt_in(page)
    multiple = ledger.positions(attempt, "multiple")[0]
    for count in range(ANSWERS):
        if count == ANSWERS - 1:
            page.goto(f"/attempts/{attempt}/?q={multiple}")
        answer_plainly(page, ledger, attempt, certain=count == 1)
        if count == 1:
            follow_paragraph(page)
        here = page.url
        page.get_by_role("link", name="Next question").click()
        page.wait_for_url(lambda address, here=here: address != here)  # type: ignore[misc]
    page.get_by_role("button", name="Flag").click()
    expect(page.get_by_role("button", name="Take the flag off")).to_be_visible()
    here = position_of(page)
    page.get_by_role("button", name="Skip").click()
    assert position_of(page) == here + 1
    return attempt


def follow_paragraph(page: Page) -> None:
    """To the paragraph that settles it and back to the same verdict, by links."""
    verdict = page.locator("#verdict").inner_text()
    page.locator("a.paragraph").first.click()
    expect(page.locator(f'[id="{page.url.partition("#")[2]}"]')).to_be_in_viewport()
    page.get_by_role("link", name="Back to your question").click()
    assert page.locator("#verdict").inner_text() == verdict


def test_place_is_kept_from_the_page_on_which_the_visitor_became_a_guest(page: Page) -> None:
    page.goto(CHAPTER)
    mark_sections(page)
    read_on(page, "number-formats")
    expect_place(page, "number-formats")


def test_focus_is_never_lost_while_answering(page: Page, ledger: Ledger) -> None:
    page.goto(QUIZ)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/attempts/**")
    attempt = attempt_in(page)
    place = ledger.positions(attempt, "single")[0]
    page.goto(f"/attempts/{attempt}/?q={place}")
    question = ledger.question(attempt, place)
    page.keyboard.press(question.digit(question.right[0]))
    assert focused(page, "node => node.value") == question.right[0]
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#question")).not_to_have_attribute("data-place", str(place))
    expect(page.locator("#stem")).to_be_focused()
