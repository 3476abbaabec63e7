"""Every page of the site, the list made from the resolver, looked at by axe, a ruler, a parser and a keyboard.

Proves trust.md goal 9. A new address without an entry in addressbook.py fails. Every run measures each page and state
as the person who sees most of it, light and narrow, dark and wide; ``make drill`` all seats, themes and widths.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, Page, Response

from studyhub import postgres
from tests.journeys import measures
from tests.journeys.addressbook import NOT_PAGES, PAGES, STATES, address, every, names, quick
from tests.journeys.house import House, opened_house
from tests.journeys.validity import flaws, title_of
from tests.journeys.visitor import COURSE, PATIENCE, WATCH, Faults

SEATS = ("visitor", "guest", "owner", "author", "admin")
WIDTHS = (320, 768, 1280)
THEMES = ("light", "dark")
HEIGHT = 900
SIGNS_OTHERS_OUT = "account_reset_password_from_key"  # a link from a letter, opened by somebody else
ASKED = "from tests.journeys.everybody import seated; print(seated())"

Sit = Callable[[str], tuple[Page, Faults]]


@pytest.fixture(scope="module")
def full_house() -> Iterator[House]:
    """A site of its own, in which everybody has left something."""
    with opened_house(House, "pages") as site:
        yield site


@pytest.fixture(scope="module")
def seats(full_house: House) -> dict[str, Any]:
    """Who sits there."""
    said = full_house.manage("shell", "-c", ASKED)
    assert said.returncode == 0, said.stderr
    found: dict[str, Any] = json.loads(said.stdout.strip().splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def sit(full_house: House, seats: dict[str, Any], chromium: Browser) -> Iterator[Sit]:
    """A page in the browser of a seat, one for the whole module, and what goes wrong in it."""
    made: dict[str, tuple[Page, Faults]] = {}

    def take(seat: str) -> tuple[Page, Faults]:
        if seat not in made:
            context = chromium.new_context(
                base_url=full_house.url, reduced_motion="reduce", viewport={"width": 1280, "height": HEIGHT}
            )
            context.add_init_script(WATCH)
            if key := seats["sessions"][seat]:
                context.add_cookies([{"name": "session", "value": key, "url": full_house.url}])
            page, faults = context.new_page(), Faults()
            page.set_default_timeout(PATIENCE)
            faults.of(page)
            made[seat] = page, faults
        made[seat][1].clear()
        return made[seat]

    yield take
    for page, _ in made.values():
        page.context.close()


def opened(page: Page, where: str) -> Response:
    """Open an address at its full width."""
    page.set_viewport_size({"width": 1280, "height": HEIGHT})
    page.emulate_media(color_scheme="light")
    answer = page.goto(where)
    assert answer is not None
    return answer


def cell(page: Page, width: int, theme: str) -> list[str]:
    """What is wrong at this width in this theme."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    found = measures.too_wide(page) + measures.too_small(page) + measures.by_axe(page)
    return [f"{width} {theme}: {one}" for one in found]


def test_every_address_is_in_the_book() -> None:
    assert set(PAGES) | set(NOT_PAGES) == names()
    assert not set(PAGES) & set(NOT_PAGES)


@pytest.mark.parametrize("name", NOT_PAGES)
def test_address_that_is_no_page_shows_none(name: str, sit: Sit, seats: dict[str, Any]) -> None:
    for seat in ("visitor", "owner", "admin"):
        answer = sit(seat)[0].request.get(address(name, seat, seats), max_redirects=0)
        assert answer.status != 200 or "<html" not in answer.text(), seat


@pytest.mark.parametrize("what", quick())
def test_page_is_sound(what: str, sit: Sit, seats: dict[str, Any]) -> None:
    seat, name, more = every()[what]
    page, faults = sit(seat)
    where = address(name, seat, seats, more)
    answer = opened(page, where)
    missing = what == "nothing there"
    assert answer.status == (404 if missing else 200)
    if what != SIGNS_OTHERS_OUT:  # its secret leaves the address
        assert page.url.removeprefix(page.context.pages[0].evaluate("() => location.origin")) == where
    found = flaws(answer.text()) + measures.moving(page) + measures.by_keyboard(page)
    found += measures.lost_in_forced_colours(page) + cell(page, 320, "light") + cell(page, 1280, "dark")
    found += [one for one in faults if not (missing and one.startswith("404: GET"))]
    assert found == []


def test_second_step_of_signing_in_is_sound(full_house: House, chromium: Browser) -> None:
    context = chromium.new_context(base_url=full_house.url, reduced_motion="reduce")
    context.add_init_script(WATCH)
    page, faults = context.new_page(), Faults()
    faults.of(page)
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill("learner@example.org")
    page.get_by_label("Password").fill("correct horse battery")
    with page.expect_navigation() as gone:
        page.get_by_role("button", name="Sign in", exact=True).click()
    assert page.url == f"{full_house.url}/accounts/2fa/authenticate/"
    assert judged(page, gone.value) == []
    assert faults == []
    context.close()


def test_titles_tell_pages_apart(sit: Sit, seats: dict[str, Any]) -> None:
    found = defaultdict(list)
    for name, seat in PAGES.items():
        if name != SIGNS_OTHERS_OUT:
            found[title_of(sit(seat)[0].request.get(address(name, seat, seats)).text())].append(name)
    assert [f"{title}: {pages}" for title, pages in found.items() if len(pages) > 1] == []
    assert len(found) > 45


def test_what_is_seen_from_every_seat_is_valid(sit: Sit, seats: dict[str, Any]) -> None:
    found = defaultdict(list)
    for name in PAGES:
        for seat in SEATS:
            if name != SIGNS_OTHERS_OUT:
                answer = sit(seat)[0].request.get(address(name, seat, seats))
                for flaw in flaws(answer.text()):
                    found[flaw].append(f"{name} {seat}")
    assert dict(found) == {}


@pytest.mark.long
@pytest.mark.parametrize("seat", SEATS)
def test_whole_grid(seat: str, sit: Sit, seats: dict[str, Any]) -> None:
    page, faults = sit(seat)
    found, cells = [], 0
    shown = {name: (seat, name, "") for name in PAGES} | {
        key: one for key, one in STATES.items() if one[0] == seat
    }
    for what, (_, name, more) in shown.items():
        if name == SIGNS_OTHERS_OUT and seat != "visitor":
            continue
        opened(page, address(name, seat, seats, more))
        for width in WIDTHS:
            for theme in THEMES:
                found += [f"{what} {one}" for one in cell(page, width, theme)]
                cells += 1
    assert found == []
    assert [one for one in faults if not one.startswith(("404: GET", "403: GET"))] == []
    assert cells > 280


@contextmanager
def spoilt(site: House, spoil: str, mend: str) -> Iterator[None]:
    """Something is wrong with the database, and right again afterwards."""
    with psycopg.connect(postgres.url(site.data), autocommit=not spoil.startswith("LOCK")) as connection:
        connection.execute(spoil)
        try:
            yield
        finally:
            connection.execute(mend)


def judged(page: Page, answer: Response) -> list[str]:
    """What is wrong with an error page, in every theme and at the narrowest and the widest."""
    found = flaws(answer.text()) + measures.moving(page) + measures.by_keyboard(page)
    found += measures.lost_in_forced_colours(page)
    return found + [one for width in (320, 1280) for theme in THEMES for one in cell(page, width, theme)]


@pytest.mark.parametrize(
    ("status", "spoil", "mend"),
    [
        (500, "ALTER TABLE chapters_course RENAME TO away", "ALTER TABLE away RENAME TO chapters_course"),
        (503, "LOCK TABLE chapters_course", "ROLLBACK"),
    ],
)
def test_page_of_a_failure_is_sound(full_house: House, sit: Sit, status: int, spoil: str, mend: str) -> None:
    page, faults = sit("owner")
    with spoilt(full_house, spoil, mend):
        time.sleep(1.2)  # what a process has just seen of a course it takes for granted for a second
        answer = opened(page, COURSE)
    assert answer.status == status
    assert judged(page, answer) == []
    assert [one for one in faults if not one.startswith(f"{status}: GET")] == []


def test_page_of_a_request_that_cannot_be_read_is_sound(sit: Sit) -> None:
    page, faults = sit("visitor")
    # A name that is not ours: no browser lets a page choose it, so it is put into the request on its way.
    page.route(
        "**/refused/", lambda one: one.fulfill(response=one.fetch(headers={"Host": "elsewhere.example"}))
    )
    answer = opened(page, "/refused/")
    assert answer.status == 400
    assert judged(page, answer) == []
    assert [one for one in faults if not one.startswith("400: GET")] == []


def test_page_of_a_form_without_its_token_is_sound(sit: Sit) -> None:
    page, faults = sit("visitor")
    opened(page, "/accounts/reset-nothing/")
    with page.expect_navigation() as gone:
        page.evaluate(
            """() => { const form = document.createElement("form"); form.method = "post";
            form.action = "/accounts/login/"; document.body.append(form); form.submit(); }"""
        )
    assert gone.value.status == 403
    assert judged(page, gone.value) == []
    assert [one for one in faults if not one.startswith(("403: POST", "404: GET"))] == []


@pytest.mark.parametrize(("status", "where"), [(404, "/no/such/page/"), (405, f"{COURSE}mistakes/start/")])
def test_page_of_a_refused_address_is_sound(sit: Sit, status: int, where: str) -> None:
    page, faults = sit("visitor")
    answer = opened(page, where)
    assert answer.status == status
    assert judged(page, answer) == []
    assert [one for one in faults if not one.startswith(f"{status}: GET")] == []


CONTROLS: dict[str, tuple[str, Callable[[Page], list[str]], str]] = {
    "pale words": ("document.querySelector('h1').style.color = 'rgb(230, 230, 230)'", measures.by_axe, "color-contrast"),
    "small targets": (
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<p><button style=\"all:unset;width:9px;height:9px\""
        " aria-label=\"a\"></button><button style=\"all:unset;width:9px;height:9px\" aria-label=\"b\"></button></p>')",
        measures.by_axe, "target-size",
    ),
    "low main act": ("document.querySelector('.go').style.cssText = 'min-height:0;height:20px;padding:0'", measures.too_small, "only 20"),
    "wide table": ("document.querySelector('h1').style.width = '2000px'", measures.too_wide, "wider"),
    "no ring": ("document.querySelector('.go').style.outline = 'none'", measures.by_keyboard, "no ring"),
    "a step skipped": ("document.querySelector('.bar .name').addEventListener('focus', e => e.target.nextElementSibling"
                       ".parentElement.querySelector('.tools a').focus())", measures.by_keyboard, "Tab goes"),
    "motion": ("document.querySelector('h1').style.transition = 'color 1s'", measures.moving, "moves"),
    "no border": ("document.querySelector('.go').style.border = '0'", measures.lost_in_forced_colours, "no border"),
}  # fmt: skip


@pytest.mark.parametrize("fault", CONTROLS)
def test_a_fault_put_in_is_found(fault: str, sit: Sit) -> None:
    script, measure, wanted = CONTROLS[fault]
    page, _ = sit("visitor")
    opened(page, "/")
    page.evaluate(f"() => {{ {script} }}")
    assert [one for one in measure(page) if wanted in one] != []


BAD = """<!doctype html><html><head><title>t</title></head><body><main><h1>a</h1><h3>b</h3><p id="x"><p id="x">
<label for="y">z</label><a href="#q">q</a><i aria-labelledby="w"></b></main></body></html>"""


def test_parser_finds_what_is_wrong() -> None:
    found = "\n".join(flaws(BAD))
    for wanted in (
        "parse error",
        "id 'x'",
        "label for 'y'",
        "#q",
        "'w'",
        "h3 after h1",
        "no language",
        "no header",
    ):
        assert wanted in found
