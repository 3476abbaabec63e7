"""Staying in control of one's account, in a real browser: sessions, second factor, passkeys, address, leaving.

Proves trust.md 1.12 and 1.19 from the outside: every way leads from the settings, and works.
"""

from __future__ import annotations

import json
import time
import zipfile
from contextlib import suppress

import pytest
from allauth.mfa.totp.internal.auth import hotp_value
from playwright.sync_api import BrowserContext, CDPSession, Error, Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.house import House
from tests.journeys.ledger import Ledger
from tests.journeys.test_pages import problems
from tests.journeys.visitor import CHAPTER, PASSWORD, Faults, opened, sign_in, sign_up

SETTINGS = "/settings/"
STEP = 30  # seconds a code of the app lives
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def from_settings(page: Page, link: str) -> None:
    """Follow a link of the settings page."""
    page.goto(SETTINGS)
    page.get_by_role("link", name=link, exact=True).click()


def prove(page: Page) -> None:
    """Type the password once more, as the page asks."""
    expect(page.get_by_role("heading", name="Is it you?")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()


def code_of(secret: str) -> str:
    """What the app shows now; waits where the code is about to change."""
    left = STEP - time.time() % STEP
    if left < 4:
        time.sleep(left + 0.2)
    return f"{hotp_value(secret, int(time.time()) // STEP):06d}"


def first_step(page: Page, email: str) -> None:
    """Give address and password where a second step follows."""
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Second step")).to_be_visible()


def second_step(page: Page, code: str) -> None:
    """Type a code into the second step."""
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Sign in", exact=True).click()


def expect_signed_in(page: Page, email: str) -> None:
    """The settings name the address of whoever is signed in."""
    page.goto(SETTINGS)
    expect(page.locator("main")).to_contain_text(f"Your address is {email}.")


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "plain"])
def test_browser_signed_out_from_elsewhere_is_out_at_once(new_context: NewContext, scripted: bool) -> None:
    email = f"sessions-{scripted}@example.org".lower()
    here = opened(new_context(java_script_enabled=scripted, reduced_motion="reduce"))
    there = opened(new_context(user_agent="Pocket browser 7"))
    sign_up(here, email)
    sign_in(there, email)
    expect_signed_in(there, email)

    from_settings(here, "Where you are signed in")
    row = here.locator(".rows li", has_text="Pocket browser 7")
    expect(row).to_contain_text("Another browser")
    if scripted:
        assert problems(here) == ""
    row.get_by_role("button", name="Sign out there").click()
    expect(here.locator("#message")).to_contain_text("That browser is signed out.")
    expect(here.locator(".rows li")).to_have_count(1)

    there.get_by_role("link", name="Password", exact=True).click()  # the very next thing it does
    expect(there.get_by_role("heading", name="Sign in")).to_be_visible()
    expect_signed_in(here, email)


def test_second_factor_is_asked_for_and_a_recovery_code_works_once(
    page: Page, faults: Faults, new_context: NewContext
) -> None:
    email = "app@example.org"
    sign_up(page, email)
    from_settings(page, "Two-factor sign-in")
    page.get_by_role("link", name="Set up an app").click()
    prove(page)
    secret = page.locator("code.secret").inner_text()
    page.get_by_label("Authenticator code").fill(code_of(secret))
    page.get_by_role("button", name="Turn it on").click()
    codes = page.locator("ul.codes code").all_inner_texts()
    assert len(codes) == len(set(codes)) == 10
    assert faults == []

    with_code = opened(new_context())
    first_step(with_code, email)
    with_code.goto(SETTINGS)  # not signed in before the second step
    expect(with_code.get_by_role("heading", name="You can study without an account")).to_be_visible()
    with_code.goto("/accounts/login/")  # goes on with the second step
    second_step(with_code, "000000")
    expect(with_code.locator(".error")).to_be_visible()
    second_step(with_code, code_of(secret))
    expect_signed_in(with_code, email)

    for first_time in (True, False):
        recovering = opened(new_context())
        first_step(recovering, email)
        second_step(recovering, codes[0])
        if first_time:
            expect_signed_in(recovering, email)
        else:
            expect(recovering.locator(".error")).to_be_visible()

    from_settings(page, "Two-factor sign-in")
    expect(page.locator("main")).to_contain_text("9 unused codes are left")
    page.get_by_role("link", name="Remove the app").click()
    page.get_by_role("button", name="Remove it").click()
    sign_in(opened(new_context()), email)  # no second step any more


@pytest.fixture
def at_localhost(house: House, new_context: NewContext) -> BrowserContext:
    """A browser at a name: keys belong to names, not to numbers."""
    return new_context(base_url=f"http://localhost:{house.port}")


def with_key(page: Page) -> CDPSession:
    """Put a key into the page's browser, one that sees its owner."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable", {"enableUI": False})
    session.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
    return session


def test_passkey_is_made_and_signs_in_without_a_password(
    at_localhost: BrowserContext, ledger: Ledger
) -> None:
    email, page = "passkey@example.org", opened(at_localhost)
    watch = Faults()
    watch.of(page)
    sign_up(page, email)
    with_key(page)
    from_settings(page, "Passkeys and security keys")
    page.get_by_role("link", name="Add a key").click()
    prove(page)
    page.get_by_label("Name").fill("My phone")
    page.get_by_role("button", name="Add the key").click()
    expect(page.locator("ul.codes")).to_be_visible()  # the first factor brings recovery codes
    from_settings(page, "Passkeys and security keys")
    expect(page.locator(".rows li")).to_contain_text("My phone passkey")

    page.goto("/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.wait_for_url(lambda address: "/logout/" not in address)
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(lambda address: "/login/" not in address)
    expect_signed_in(page, email)
    from_settings(page, "Passkeys and security keys")
    expect(page.locator(".rows li")).to_contain_text("last used")
    page.get_by_role("link", name="Remove My phone").click()
    prove(page)
    page.get_by_role("button", name="Remove it").click()
    expect(page.locator(".rows li")).to_have_count(0)
    assert ledger.rows("SELECT count(*) FROM mfa_authenticator WHERE type = 'webauthn'") == [(0,)]
    assert watch == []


def test_passkey_at_a_number_says_in_words_what_it_needs(page: Page) -> None:
    sign_up(page, "number@example.org")
    with_key(page)
    from_settings(page, "Passkeys and security keys")
    page.get_by_role("link", name="Add a key").click()
    prove(page)
    page.get_by_label("Name").fill("My phone")
    page.get_by_role("button", name="Add the key").click()
    expect(page.locator("[data-passkey-status]")).to_contain_text(
        "Keys work on an https address or on localhost"
    )


def test_change_of_the_address_asks_for_the_password_and_goes_on_from_there(
    page: Page, faults: Faults, new_context: NewContext
) -> None:
    sign_up(page, "before@example.org")
    from_settings(page, "E-mail address")
    page.get_by_label("Email").fill("after@example.org")
    page.get_by_role("button", name="Change the address").click()
    prove(page)
    expect(page.locator("main")).to_contain_text("after@example.org")
    assert faults == []
    sign_in(opened(new_context()), "after@example.org")


def test_change_of_the_password_signs_every_other_browser_out(
    page: Page, faults: Faults, new_context: NewContext
) -> None:
    email = "words@example.org"
    sign_up(page, email)
    other = opened(new_context())
    sign_in(other, email)
    from_settings(page, "Password")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("nine loud herons")
    page.get_by_label("New password (again)").fill("nine loud herons")
    page.get_by_role("button", name="Change the password").click()
    expect_signed_in(page, email)
    other.goto(SETTINGS)
    expect(other.get_by_role("heading", name="You can study without an account")).to_be_visible()
    assert faults == []


def take_along(page: Page, email: str) -> None:
    """Download everything, and find oneself and the section read in it."""
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download everything").click()
    with zipfile.ZipFile(taken.value.path()) as parcel:
        assert json.loads(parcel.read("person.json"))[0]["email"] == email
        assert len(json.loads(parcel.read("sections-read.json"))) == 1


def test_account_takes_everything_along_and_leaves(
    page: Page, faults: Faults, ledger: Ledger, new_context: NewContext
) -> None:
    email = "leaving@example.org"
    sign_up(page, email)
    other = opened(new_context())
    sign_in(other, email)
    page.goto(CHAPTER)
    page.locator("form.done button").first.click()
    expect(page.locator("form.done .mark").first).to_contain_text("✓ Read")

    from_settings(page, "Delete your account")
    prove(page)
    page.emulate_media(reduced_motion="reduce")  # colours change at once
    assert problems(page) == ""
    take_along(page, email)

    assert [
        one for one in faults if "/settings/export/ net::ERR_ABORTED" not in one
    ] == []  # a download begins so
    faults.clear()
    page.get_by_label("Type the word “delete”").fill("yes")
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was deleted.")
    assert ledger.owned(email)["reads"] == 1
    page.get_by_label("Type the word “delete”").fill("delete")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Everything about you is deleted")).to_be_visible()
    assert ledger.rows("SELECT count(*) FROM accounts_user WHERE email = %s", email) == [(0,)]
    assert [one for one in faults if not one.startswith("422: POST")] == []

    with suppress(Error):  # there is no page to go back to, or one that shows nothing of it
        page.go_back()
    expect(page.locator("body")).not_to_contain_text(email)
    other.goto(CHAPTER)
    expect(other.locator("body")).not_to_contain_text(email)
    expect(other.get_by_role("link", name="Sign in")).to_be_visible()


def test_guest_leaves_without_script(new_context: NewContext, ledger: Ledger) -> None:
    page = opened(new_context(java_script_enabled=False))
    page.goto(CHAPTER)
    page.locator("form.done button").first.click()
    before = ledger.guests()
    from_settings(page, "Delete what is kept")
    page.get_by_label("Type the word “delete”").fill("delete")
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("heading", name="Everything about you is deleted")).to_be_visible()
    assert ledger.guests() == before - 1
    page.goto(SETTINGS)
    expect(page.locator("main")).to_contain_text("Nothing is kept about you yet.")
