"""A person at a browser: the moves that several journeys share, and a watch over what must not happen."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, expect

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
COURSE = "/c/llm-inference/"
CHAPTER = f"{COURSE}model-optimization/"
QUIZ = f"{COURSE}quizzes/inference-optimization/"
PASSWORD = "seven quiet herons"
PATIENCE = 10_000  # milliseconds
WATCH = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`));
"""

# What was still under way when the page was left is given up by the browser itself.
OFTEN_CUT_OFF = {"font", "image", "other"}


class Faults(list[str]):
    """What went wrong in the pages of a context: script errors, policy violations, failed requests."""

    def of(self, page: Page) -> None:
        """Watch one page."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.append(f"script error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)

    def _console(self, message: ConsoleMessage) -> None:
        # What the browser says of an answer above 399 is judged by _answered, with its address.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.append(f"console: {message.text}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED" or request.resource_type not in OFTEN_CUT_OFF:
            self.append(f"no answer: {request.method} {request.url} {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.append(f"{response.status}: {response.request.method} {response.url}")


def opened(context: BrowserContext) -> Page:
    """A new page in a context, patient for a busy machine."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return page


def focused(page: Page, what: str = "node => node.outerHTML.slice(0, 200)") -> Any:
    """Something about the element that has the focus."""
    return page.evaluate(f"() => ({what})(document.activeElement)")


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Press Tab until the element has the focus; AssertionError when it never gets there."""
    for _ in range(most):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}; the focus is at {focused(page)}")


def attempt_in(page: Page) -> str:
    """The id of the attempt that the page shows."""
    found = re.search(r"/attempts/([0-9a-f-]{36})/", page.url)
    assert found, page.url
    return found[1]


def position_of(page: Page) -> int:
    """The number of the question that the page shows."""
    return int(page.locator("#question").get_attribute("data-place") or 0)


def start_quiz(page: Page, address: str = QUIZ) -> str:
    """Begin a quiz, or take it again; gives the attempt's id."""
    page.goto(address)
    page.locator("main form button.go").first.click()
    page.wait_for_url("**/attempts/**")
    return attempt_in(page)


def show(page: Page, attempt: str, position: int) -> None:
    """Open one question of an attempt."""
    page.goto(f"/attempts/{attempt}/?q={position}")


def choose(page: Page, *tokens: str) -> None:
    """Click options by their ids."""
    for token in tokens:
        page.locator(f'#answer [data-option="{token}"] input').click()


def check(page: Page) -> None:
    """Press Check and wait for the verdict."""
    page.locator("#answer button.go:not(.quiet)").click()
    expect(page.locator("#verdict")).to_be_visible()


def finish(page: Page) -> None:
    """End the attempt on the page and see its review."""
    page.locator("details.map summary").click()
    page.locator("form.finish button").click()
    page.wait_for_url("**/review/")


def sign_up(page: Page, email: str) -> None:
    """Make an account from wherever one is."""
    page.goto("/accounts/signup/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url(lambda address: "/signup/" not in address)


def sign_in(page: Page, email: str) -> None:
    """Sign in to an account that is there."""
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda address: "/login/" not in address)
