"""A session is another one after each proof, and lives as long as it may.

Proves trust.md 1.12 (fixation, lives of a session, proof before what is at stake). What stays in the browser is for
tests/studyhub/web/test_guards.py.
"""

import time
from datetime import timedelta

import pytest
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, hotp_value
from allauth.usersessions.models import UserSession
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from studyhub.accounts.browser import SINCE
from studyhub.accounts.models import Session

from .conftest import KEEP, PASSWORD

pytestmark = pytest.mark.django_db
PLANTED = "a" * 32
AGAIN = "/accounts/reauthenticate/"
AT_STAKE = {
    "/settings/export/": {},
    "/settings/delete/": {"word": "delete"},
    "/accounts/email/": {"action_add": "", "email": "new@example.org"},
    "/accounts/2fa/totp/activate/": {"code": "000000"},
    "/accounts/2fa/webauthn/add/": {"credential": "{}"},
    "/accounts/2fa/recovery-codes/generate/": {},
}


@pytest.fixture(autouse=True)
def _nothing_tried():
    cache.clear()


def who(browser):
    return browser.get(KEEP).content.decode().split()[0]


def code_now(secret):
    return f"{hotp_value(secret, int(time.time()) // 30):06d}"


def test_planted_cookie_is_never_taken_over(account, sign_in, sign_up):
    for step in (sign_in, sign_up, lambda browser: browser.post(KEEP)):
        browser, thief = Client(), Client()
        browser.cookies["session"] = thief.cookies["session"] = PLANTED
        step(browser)
        assert browser.session.session_key != PLANTED
        assert who(browser) != "None"
        assert who(thief) == "None"
    assert not Session.objects.filter(session_key=PLANTED).exists()


def test_guest_session_that_was_planted_opens_no_account(account, guest, client, sign_in):
    victim = Client()
    victim.cookies["session"] = planted = client.session.session_key  # the attacker's own guest
    sign_in(victim)
    assert who(victim) == str(account.pk)
    assert victim.session.session_key != planted
    assert who(client) == "None"


def test_second_step_that_was_planted_opens_no_account(account, sign_in):
    secret = generate_totp_secret()
    TOTP.activate(account, secret)
    attacker, victim = Client(), Client()
    sign_in(victim)
    attacker.cookies["session"] = waiting = victim.session.session_key
    assert victim.post("/accounts/2fa/authenticate/", {"code": code_now(secret)}).status_code == 302
    assert victim.session.session_key != waiting
    assert (who(victim), who(attacker)) == (str(account.pk), "None")


@pytest.mark.parametrize("way", ["password", "code"])
def test_proof_given_again_changes_the_key_too(account, sign_in, way):
    browser, thief, secret = Client(), Client(), generate_totp_secret()
    sign_in(browser)
    thief.cookies["session"] = before = browser.session.session_key
    if way == "code":
        TOTP.activate(account, secret)
        answer = browser.post("/accounts/2fa/reauthenticate/", {"code": code_now(secret)})
    else:
        answer = browser.post(AGAIN, {"password": PASSWORD})
    assert answer.status_code == 302
    assert (who(browser), who(thief)) == (str(account.pk), "None")
    assert UserSession.objects.get().session_key == browser.session.session_key != before
    assert "This browser" in browser.get("/accounts/sessions/").content.decode()


def test_sign_in_lives_fourteen_days_after_the_last_change_and_thirty_in_all(account, sign_in):
    browser = Client()
    sign_in(browser)
    row = Session.objects.get()
    assert abs(row.expire_date - timezone.now() - timedelta(days=14)) < timedelta(minutes=1)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert who(browser) == "None"
    sign_in(browser)
    session = browser.session
    session[SINCE] = timezone.now().timestamp() - timedelta(days=30, seconds=5).total_seconds()
    session.save()
    assert who(browser) == "None"
    assert not Session.objects.filter(session_key=session.session_key).exists()


@pytest.mark.parametrize("address", AT_STAKE)
@pytest.mark.parametrize("minutes", [6, 60 * 24])
def test_what_is_at_stake_needs_a_proof_of_the_last_minutes(account, sign_in, address, minutes):
    browser = Client()
    EmailAddress.objects.create(user=account, email=account.email, primary=True, verified=True)
    sign_in(browser)
    session = browser.session
    for record in session[AUTHENTICATION_METHODS_SESSION_KEY]:
        record["at"] -= minutes * 60
    session.save()
    before = list(EmailAddress.objects.values())
    answer = browser.post(address, AT_STAKE[address])
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, AGAIN)
    assert list(EmailAddress.objects.values()) == before
    assert who(browser) == str(account.pk)
