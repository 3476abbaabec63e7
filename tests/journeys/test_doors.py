"""The doors of a real site: tries are counted over all its workers, no page stays behind, none stands in a frame.

Proves trust.md 1.13 (over both worker processes, whatever X-Forwarded-For says), 1.12 (Back after signing out) and 1.10
from the outside.
"""

from __future__ import annotations

import re
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer

import psycopg
import pytest
from playwright.sync_api import Page, expect

from studyhub import postgres
from studyhub.web.serving import WORKERS
from tests.journeys.conftest import NewContext
from tests.journeys.house import House
from tests.journeys.visitor import CHAPTER, PASSWORD, opened, sign_up

TRIES, LIMIT = 40, 5
LOGIN = "/accounts/login/"
SHORT = 3.0  # seconds that signing out may take on a busy machine


@pytest.fixture
def _nothing_tried(house: House) -> Iterator[None]:
    """Other journeys sign in from the same network."""
    yield
    with psycopg.connect(postgres.url(house.data), autocommit=True) as connection:
        connection.execute("DELETE FROM web_cache")


def try_password(house: House, email: str, password: str, n: int) -> str:
    """What the sign-in page says to one try; each claims to come from another address."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    page = opener.open(f"{house.url}{LOGIN}", timeout=30).read().decode()
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page)
    assert token
    form = {"csrfmiddlewaretoken": token[1], "login": email, "password": password}
    asked = urllib.request.Request(
        f"{house.url}{LOGIN}",
        urllib.parse.urlencode(form).encode(),
        {"X-Forwarded-For": f"203.0.113.{n}", "Referer": f"{house.url}{LOGIN}"},
    )
    answer = opener.open(asked, timeout=30)
    body: str = answer.read().decode()
    if not answer.url.endswith(LOGIN):
        return "in"
    return "not looked at" if "Too many" in body else "wrong"


@pytest.mark.usefixtures("_nothing_tried")
def test_five_of_forty_passwords_are_looked_at_by_all_workers_together(house: House, page: Page) -> None:
    email = "tried@example.org"
    sign_up(page, email)
    with ThreadPoolExecutor(TRIES) as pool:
        said = list(pool.map(lambda n: try_password(house, email, "not the password", n), range(TRIES)))
    assert WORKERS == 2
    assert {word: said.count(word) for word in said} == {"wrong": LIMIT, "not looked at": TRIES - LIMIT}
    assert try_password(house, email, PASSWORD, 1) == "not looked at"
    page.goto("/settings/")  # who is in stays in
    expect(page.locator("main")).to_contain_text(email)


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "plain"])
def test_back_after_signing_out_shows_nothing(new_context: NewContext, scripted: bool) -> None:
    email = f"leaves-{scripted}@example.org".lower()
    page = opened(new_context(java_script_enabled=scripted))
    sign_up(page, email)
    seen = ["/settings/", CHAPTER, "/progress/", "/accounts/email/", "/accounts/sessions/"]
    for address in seen:
        page.goto(address)
    expect(page.locator("body")).to_contain_text("This browser")
    page.goto("/accounts/logout/")
    began = time.monotonic()
    page.locator("main").get_by_role("button", name="Sign out").click()
    expect(page.locator("body")).to_contain_text("Sign in")
    assert time.monotonic() - began < SHORT
    for _ in range(len(seen) + 2):
        page.go_back()
        page.wait_for_load_state()
        assert email not in page.content()
        assert "Sign out" not in page.locator("body").inner_text()


class Framing(BaseHTTPRequestHandler):
    """Another site, whose page shows an address in a frame."""

    def do_GET(self) -> None:
        """The address stands in the query."""
        address = urllib.parse.unquote(self.path.partition("?")[2])
        body = f'<!doctype html><title>trap</title><iframe id="f" width="900" height="600" src="{address}"></iframe>'
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def trap() -> Iterator[str]:
    """The address of another site, on another port of this machine."""
    server = HTTPServer(("127.0.0.1", 0), Framing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("address", [CHAPTER, LOGIN, "/there/is/nothing/"])
def test_page_in_a_frame_stays_blank(house: House, page: Page, trap: str, address: str) -> None:
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.goto(f"{trap}?{urllib.parse.quote(house.url + address)}")
    page.wait_for_load_state("networkidle")
    inside = page.frames[1]
    assert inside.url.startswith("chrome-error://")
    assert "StudyHub" not in inside.content()
    assert [one for one in told if "frame-ancestors 'none'" in one or "X-Frame-Options" in one] != []
