"""Trying at a door: how many tries are looked at when forty come together, and whom that shuts out.

Proves trust.md 1.13 (goal 13: exactly 5 of 40 at every door that asks for a secret) and the limits of 1.14 and 1.15.
Threads ask at the same moment; tries are counted in the database, as they are over several worker processes.
"""

import re
import threading
import time
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, hotp_value
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client

from studyhub.accounts import actions
from studyhub.accounts.models import User
from tests.quizzes.play import at_once

from .conftest import PASSWORD

pytestmark = pytest.mark.django_db
threads = pytest.mark.django_db(transaction=True)
TRIES, LIMIT = 40, 5
HTMX = {"HX-Request": "true", "HX-Target": "main"}
XHR = {"X-Requested-With": "XMLHttpRequest", "Accept": "application/json"}
LOGIN, AGAIN, CHANGE = "/accounts/login/", "/accounts/reauthenticate/", "/accounts/password/change/"
CODE, CODE_AGAIN = "/accounts/2fa/authenticate/", "/accounts/2fa/reauthenticate/"
NEW = "another quiet harbour"


@pytest.fixture(autouse=True)
def _nothing_tried():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def looked_at(monkeypatch):
    """What was compared with a secret, from whatever thread."""
    seen, lock = [], threading.Lock()

    def watch(kind, name):
        plain = getattr(kind, name)

        def watched(self, given):
            with lock:
                seen.append(given)
            return plain(self, given)

        monkeypatch.setattr(kind, name, watched)

    watch(User, "check_password")
    watch(TOTP, "validate_code")
    return seen


def put_on(monkeypatch, seconds, began):
    """Let the limits' clock show ``seconds`` after ``began``, and go on slowly: how busy the machine is does not count."""
    clock = SimpleNamespace(
        time=lambda: began + seconds + (time.time() - began) / 1000,
        monotonic=time.monotonic,
        sleep=time.sleep,
    )
    monkeypatch.setattr(ratelimit, "time", clock)


def with_cookies_of(browser):
    other = Client()
    other.cookies = browser.cookies.__class__(browser.cookies)
    return other


def asking(address, body, browser=None, **how):
    """One request in a browser of its own (with the session of ``browser``)."""

    def ask():
        one = with_cookies_of(browser) if browser else Client()
        return one.post(address, body, **how)

    return ask


def password_doors(account):
    """Every way to offer a password, as (address, form with a wrong one, form with the right one, signed in, how)."""
    sign_in = (
        {"login": account.email, "password": "not the password"},
        {"login": account.email, "password": PASSWORD},
    )
    again = {"password": "not the password"}, {"password": PASSWORD}
    change = {"password1": NEW, "password2": NEW}
    return {
        "form": (LOGIN, *sign_in, False, {}),
        "htmx": (LOGIN, *sign_in, False, {"headers": HTMX}),
        "script": (LOGIN, *sign_in, False, {"headers": XHR}),
        "again": (AGAIN, *again, True, {}),
        "again htmx": (AGAIN, *again, True, {"headers": HTMX}),
        "change": (CHANGE, {"oldpassword": "wrong", **change}, {"oldpassword": PASSWORD, **change}, True, {}),
    }


@threads
@pytest.mark.parametrize("door", ["form", "htmx", "script", "again", "again htmx", "change"])
def test_five_of_forty_passwords_are_looked_at(account, sign_in, looked_at, monkeypatch, door):
    address, wrong, right, inside, how = password_doors(account)[door]
    browser = Client()
    if inside:
        sign_in(browser)
    looked_at.clear()
    began = time.time()
    put_on(monkeypatch, 0, began)
    answers = at_once([asking(address, wrong, browser, **how)] * TRIES)
    assert len(looked_at) == LIMIT
    assert {answer.status_code for answer in answers} <= {200, 400, 429}
    later = asking(address, right, browser, **how)()  # the right one is not looked at either
    assert (later.status_code in {200, 400, 429}, len(looked_at)) == (True, LIMIT)
    put_on(monkeypatch, 299, began)
    asking(address, right, browser, **how)()
    assert len(looked_at) == LIMIT
    put_on(monkeypatch, 301 + 60, began)
    assert asking(address, right, browser, **how)().status_code in {200, 302}
    assert len(looked_at) == LIMIT + 1


@threads
def test_two_doors_to_one_password_share_their_count(account, sign_in, looked_at):
    browser = Client()
    sign_in(browser)
    looked_at.clear()
    wrong = {"login": account.email, "password": "wrong"}
    acts = [asking(LOGIN, wrong), asking(AGAIN, {"password": "wrong"}, browser)] * (TRIES // 2)
    at_once(acts)
    assert len(looked_at) == LIMIT


@threads
def test_headers_about_where_one_is_multiply_nothing(account, looked_at):
    wrong = {"login": account.email, "password": "wrong"}
    names = ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Client-IP", "True-Client-IP"]
    at_once([asking(LOGIN, wrong, headers=dict.fromkeys(names, f"203.0.113.{n}")) for n in range(TRIES)])
    assert len(looked_at) == LIMIT


def test_behind_a_proxy_only_what_the_proxy_says_counts(account, looked_at, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    wrong = {"login": account.email, "password": "wrong"}
    for n in range(8):
        asking(LOGIN, wrong, headers={"X-Forwarded-For": f"203.0.113.{n}, 198.51.100.7"})()
    assert len(looked_at) == LIMIT


def test_addresses_of_one_ipv6_network_count_as_one(account, looked_at):
    for n in range(8):
        asking(LOGIN, {"login": account.email, "password": "wrong"}, REMOTE_ADDR=f"2001:db8:1:1::{n}")()
    assert len(looked_at) == LIMIT


@pytest.mark.parametrize("spelling", ["ADA@example.org", " ada@example.org ", "Ada@Example.Org"])
def test_spelling_of_the_address_multiplies_nothing(account, looked_at, spelling):
    for _ in range(LIMIT):
        asking(LOGIN, {"login": account.email, "password": "wrong"})()
    asking(LOGIN, {"login": spelling, "password": "wrong"})()
    assert len(looked_at) == LIMIT


def test_right_passwords_are_not_counted(account, sign_in, looked_at):
    for _ in range(LIMIT + 1):
        assert sign_in(Client()).status_code == 302
    for _ in range(LIMIT - 1):
        sign_in(Client(), password="wrong")
    assert sign_in(Client()).status_code == 302


def test_tries_are_remembered_whatever_else_is_counted(account, sign_in, looked_at):
    for _ in range(LIMIT):
        sign_in(Client(), password="wrong")
    with connection.cursor() as cursor:  # a stranger tried many addresses
        cursor.execute(
            "INSERT INTO web_cache SELECT ':1:zzz' || n, 'gAROLg==', now() + interval '1 hour' "
            "FROM generate_series(1, 2000) AS n"
        )
    cache.set("more", 1)
    assert sign_in(Client()).status_code == 200
    assert len(looked_at) == LIMIT


# Who is shut out


def stranger_tries(account, networks):
    for n in range(networks):
        for _ in range(LIMIT + 1):
            asking(LOGIN, {"login": account.email, "password": "wrong"}, REMOTE_ADDR=f"198.51.{100 + n}.7")()


def test_stranger_elsewhere_shuts_nobody_out(account, sign_in):
    stranger_tries(account, networks=1)
    assert sign_in(Client()).status_code == 302


def test_many_strangers_are_counted_together_and_a_letter_leads_round(account, sign_in, looked_at):
    stranger_tries(account, networks=11)
    assert len(looked_at) == 50
    assert sign_in(Client()).status_code == 200
    assert len(looked_at) == 50
    client = Client()
    client.post("/accounts/password/reset/", {"email": account.email})
    link = re.search(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)[1]
    target = client.get(link, follow=True).redirect_chain[-1][0]
    assert client.post(target, {"password1": NEW, "password2": NEW}).status_code == 302
    assert sign_in(Client(), password=NEW).status_code == 302


def test_passkey_leads_round_too(account, sign_in, monkeypatch):
    stranger_tries(account, networks=11)
    key = Authenticator.objects.create(user=account, type="webauthn", data={"name": "key", "credential": {}})
    spoken = SimpleNamespace(
        response=SimpleNamespace(authenticator_data=SimpleNamespace(is_user_verified=lambda: True))
    )
    stub = SimpleNamespace(
        parse_authentication_response=lambda credential: spoken,
        extract_user_from_response=lambda credential: account,
        complete_authentication=lambda user, credential: key,
    )
    monkeypatch.setattr("allauth.mfa.webauthn.forms.auth", stub)
    client = Client()
    client.get(LOGIN)
    assert client.post("/accounts/2fa/webauthn/login/", {"credential": '{"id": "x"}'})["Location"] == "/"
    assert client.get("/accounts/email/").status_code == 200


# The second step


def code_now(secret, steps=0):
    return f"{hotp_value(secret, int(time.time()) // 30 + steps):06d}"


@pytest.fixture
def second(account):
    """The secret of the account's app; it has recovery codes too."""
    secret = generate_totp_secret()
    TOTP.activate(account, secret)
    RecoveryCodes.activate(account)
    return secret


def at_second_step(account, sign_in):
    browser = Client()
    assert sign_in(browser)["Location"] == CODE
    return browser


def inside(account, sign_in):
    browser = Client()
    browser.force_login(account, "studyhub.accounts.backends.Backend")
    return browser


@threads
@pytest.mark.parametrize(
    "case", [(way, recovery) for way in ("second step", "again") for recovery in (False, True)]
)
def test_five_of_forty_codes_are_looked_at(account, second, sign_in, looked_at, monkeypatch, case):
    way, recovery = case
    address = CODE if way == "second step" else CODE_AGAIN
    browser = at_second_step(account, sign_in) if way == "second step" else inside(account, sign_in)
    wrong = {"code": "11111111" if recovery else "000000"}
    looked_at.clear()
    answers = at_once([asking(address, wrong, browser)] * TRIES)
    assert len(looked_at) == LIMIT
    assert {answer.status_code for answer in answers} <= {200, 429}
    unused = RecoveryCodes(Authenticator.objects.get(type="recovery_codes")).get_unused_codes()[0]
    assert asking(address, {"code": unused if recovery else code_now(second)}, browser)().status_code in {
        200,
        429,
    }
    assert len(looked_at) == LIMIT
    put_on(monkeypatch, 301 + 60, time.time())
    assert asking(address, {"code": unused if recovery else code_now(second)}, browser)().status_code == 302


@threads
@pytest.mark.parametrize("recovery", [False, True], ids=["app", "recovery"])
def test_one_code_lets_one_in_of_forty(account, second, sign_in, settings, recovery):
    settings.ACCOUNT_RATE_LIMITS = False
    browsers = [at_second_step(account, sign_in) for _ in range(8)]
    unused = RecoveryCodes(Authenticator.objects.get(type="recovery_codes")).get_unused_codes()[0]
    code = unused if recovery else code_now(second)
    answers = at_once([asking(CODE, {"code": code}, browsers[n % 8]) for n in range(TRIES)])
    assert [
        answer["Location"] for answer in answers if answer.status_code == 302 and answer["Location"] == "/"
    ] == ["/"]


# Doors that ask for no secret of a person


@threads
def test_five_letters_an_hour_go_to_one_address(account):
    answers = at_once([asking("/accounts/password/reset/", {"email": account.email})] * TRIES)
    assert len(mail.outbox) == LIMIT
    assert {answer.status_code for answer in answers} == {302, 429}


@threads
def test_forty_sign_ups_with_one_address_make_one_account(monkeypatch):
    # Who waits for the count longer than a second is told to wait (429), and here forty wait for one another.
    monkeypatch.setattr(ratelimit, "CACHE_LOCK_WAIT_TIMEOUT", 60)
    answers = at_once(
        [asking("/accounts/signup/", {"email": "new@example.org", "password1": PASSWORD})] * TRIES
    )
    assert {answer.status_code for answer in answers} <= {200, 302}
    assert User.objects.filter(email="new@example.org").count() == 1
    assert EmailAddress.objects.filter(email="new@example.org").count() == 1


@threads
@pytest.mark.parametrize("known", [True, False])
def test_forty_sign_ups_send_one_letter(account, settings, known):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    email = account.email if known else "new@example.org"
    at_once([asking("/accounts/signup/", {"email": email, "password1": PASSWORD})] * TRIES)
    assert [letter.to for letter in mail.outbox] == [[email]]


@pytest.mark.parametrize(
    ("address", "body", "most"),
    [
        ("/accounts/signup/", {"email": "x"}, 60),
        ("/accounts/password/reset/key/1-set-password/", {"password1": NEW, "password2": NEW}, 20),
        ("/accounts/2fa/webauthn/login/", {"credential": '{"id": "AA"}'}, 30),
    ],
)
def test_door_is_shut_for_a_network_after_so_many_tries(address, body, most):
    said = [asking(address, body)().status_code for _ in range(most + 3)]
    assert (said.count(429), said[most:]) == (3, [429] * 3)
    assert not User.objects.exists()


NO_CREDENTIAL = [
    '{"id": "AA"}', '{"rawId": 1}', "[]", "[1]", "null", "1", '"x"', "no json", "[" * 100_000, "{}",
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": []}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response":'
    ' {"authenticatorData": "AA", "clientDataJSON": "AA", "signature": "AA", "userHandle": "AA"}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {"attestationObject": "AA", "clientDataJSON": "e30"}}',
]  # fmt: skip


@pytest.mark.parametrize(
    ("address", "way"),
    [("/accounts/2fa/webauthn/login/", None), (CODE, "second"), ("/accounts/2fa/webauthn/reauthenticate/", "in"),
     ("/accounts/2fa/webauthn/add/", "proven")],
)  # fmt: skip
def test_what_no_key_says_is_refused_and_fails_nowhere(account, sign_in, settings, address, way):
    settings.ACCOUNT_RATE_LIMITS = settings.MFA_RATE_LIMITS = False
    Authenticator.objects.create(user=account, type="totp", data={"secret": generate_totp_secret()})
    browser = Client()
    if way == "second":
        sign_in(browser)
    elif way:
        browser = inside(account, sign_in)
    if way == "proven":
        Authenticator.objects.all().delete()
        browser.post(AGAIN, {"password": PASSWORD})
    browser.get(address)
    for words in NO_CREDENTIAL:
        answer = browser.post(address, {"credential": words, "name": "key"})
        assert (answer.status_code, answer.headers.get("Location", LOGIN)) in {
            (200, LOGIN),
            (302, LOGIN),
            (302, AGAIN),
        }, words
    assert not Authenticator.objects.filter(type="webauthn").exists()


def test_link_in_a_letter_cannot_be_guessed(account, client):
    for key in ("a-" + "0" * 32, "set-password", "cu1234-" + "f" * 32, "", "é", "a" * 2000):
        for page in (client.get, client.post):
            answer = page(f"/accounts/password/reset/key/{account.pk}-{key or 'x'}/", follow=True)
            assert "not valid" in answer.content.decode()
        assert client.post(f"/accounts/confirm-email/{key or 'x'}/").status_code == 404
    assert account.check_password(PASSWORD)


def test_neighbour_is_not_shut_out_by_who_mistypes(account, sign_in):
    actions.open_account(email="bob@example.org", password=PASSWORD, zone="UTC", at=account.joined_at)
    for _ in range(LIMIT + 2):
        sign_in(Client(), password="wrong")
    assert sign_in(Client(), email="bob@example.org").status_code == 302
