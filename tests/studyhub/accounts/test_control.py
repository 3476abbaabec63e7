"""Staying in control of one's account: whoever took a cookie loses it, and every change of the ways in is told.

Proves trust.md 1.12: a stolen cookie is dead after sign-out, a change of the password, deactivation, a change of role
and leaving; sessions are listed and ended; addresses change only for who proves themselves again.
"""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.usersessions.models import UserSession
from django.core import mail
from django.test import Client
from django.urls import reverse

from studyhub.accounts import actions
from studyhub.accounts.auditing import COMMAND
from studyhub.accounts.models import Session, User

from .conftest import KEEP, PASSWORD

pytestmark = pytest.mark.django_db
NEW = "another quiet harbour"
SESSIONS = "/accounts/sessions/"
ADDRESS = "/accounts/email/"


def with_cookie_of(client):
    """A thief's browser: nothing but the cookie."""
    thief = Client()
    thief.cookies["session"] = client.session.session_key
    return thief


def who(browser):
    """The id of whoever the site takes this browser for, or None."""
    said = browser.get(KEEP).content.decode().split()[0]
    return None if said == "None" else int(said)


def sign_out(client, account):
    client.post("/accounts/logout/")


def change_password(client, account):
    words = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert client.post("/accounts/password/change/", words).status_code == 302


def reset_password(client, account):
    other = Client()
    other.post("/accounts/password/reset/", {"email": account.email})
    link = (
        "/" + re.search(r"https?://\S+", mail.outbox[-1].body).group().partition("://")[2].partition("/")[2]
    )
    target = other.get(link, follow=True).redirect_chain[-1][0]
    assert other.post(target, {"password1": NEW, "password2": NEW}).status_code == 302


def deactivate(client, account):
    User.objects.filter(pk=account.pk).update(is_active=False)


def get_a_role(client, account):
    assert actions.grant_role(email=account.email, role="author", by=COMMAND, at=account.joined_at)


def leave(client, account):
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert client.post("/settings/delete/", {"word": "delete"})["Location"] == "/settings/deleted/"


def sign_out_from_elsewhere(client, account):
    here = Client()
    here.post("/accounts/login/", {"login": account.email, "password": PASSWORD})
    (there,) = UserSession.objects.exclude(session_key=here.session.session_key)
    assert here.post(reverse("end_session", args=[there.pk])).status_code == 303
    assert who(here) == account.pk


def sign_out_everywhere_else(client, account):
    here = Client()
    here.post("/accounts/login/", {"login": account.email, "password": PASSWORD})
    assert here.post(SESSIONS).status_code == 302
    assert who(here) == account.pk


WAYS = [
    sign_out,
    change_password,
    reset_password,
    deactivate,
    get_a_role,
    leave,
    sign_out_from_elsewhere,
    sign_out_everywhere_else,
]


@pytest.mark.parametrize("way", WAYS)
def test_stolen_cookie_is_dead_after(client, account, sign_in, way):
    sign_in(client)
    thief = with_cookie_of(client)
    assert who(thief) == account.pk
    way(client, account)
    assert who(thief) is None
    assert thief.get("/accounts/email/")["Location"].startswith("/accounts/login/")
    assert thief.post("/settings/export/").status_code == 404


def test_password_change_leaves_the_browser_that_made_it_with_another_key(client, account, sign_in):
    sign_in(client)
    before = client.session.session_key
    change_password(client, account)
    assert who(client) == account.pk
    assert client.session.session_key != before
    assert not Session.objects.filter(session_key=before).exists()


def test_session_of_somebody_else_cannot_be_ended(client, account, sign_in):
    actions.open_account(email="bob@example.org", password=PASSWORD, zone="UTC", at=account.joined_at)
    other = Client()
    sign_in(client)
    sign_in(other, email="bob@example.org")
    theirs = UserSession.objects.get(user__email="bob@example.org")
    missing = client.post(reverse("end_session", args=[theirs.pk + 99]))
    answer = client.post(reverse("end_session", args=[theirs.pk]))
    assert (answer.status_code, missing.status_code) == (404, 404)
    assert who(other) == theirs.user_id


def test_own_session_is_ended_by_signing_out_and_not_from_the_list(client, account, sign_in):
    sign_in(client)
    own = UserSession.objects.get()
    assert client.post(reverse("end_session", args=[own.pk])).status_code == 404
    assert who(client) == account.pk
    assert "Sign out there" not in client.get(SESSIONS).content.decode()


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "main"}])
def test_ending_one_session_says_so_and_leaves_the_others(client, account, sign_in, headers):
    others = [Client(), Client()]
    for one in (client, *others):
        sign_in(one)
    page = client.get(SESSIONS).content.decode()
    assert (page.count("Sign out there"), page.count("Sign out everywhere else")) == (2 * 2, 1)
    first = UserSession.objects.get(session_key=others[0].session.session_key)
    answer = client.post(reverse("end_session", args=[first.pk]), headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, SESSIONS)
    assert "That browser is signed out." in client.get(SESSIONS).content.decode()
    assert [who(one) for one in others] == [None, account.pk]
    assert client.post(reverse("end_session", args=[first.pk])).status_code == 404


@pytest.mark.parametrize("method", ["get", "put", "delete"])
def test_sessions_are_ended_by_post_only(client, account, sign_in, method):
    sign_in(client)
    assert getattr(client, method)(reverse("end_session", args=[1])).status_code == 405


@pytest.fixture
def told(settings, account):
    """A site that sends letters, and an account whose address is confirmed."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False
    EmailAddress.objects.create(user=account, email=account.email, primary=True, verified=True)
    return account


def test_address_changes_after_proof_and_both_addresses_are_told(client, told, sign_in):
    sign_in(client)
    change = {"action_add": "", "email": "new@example.org"}
    asked = client.post(ADDRESS, change)
    assert asked["Location"].startswith("/accounts/reauthenticate/")
    assert client.post(asked["Location"], {"password": "wrong wrong wrong"}).status_code == 200
    assert EmailAddress.objects.count() == 1
    assert client.post(asked["Location"], {"password": PASSWORD}).status_code == 302
    told.refresh_from_db()
    assert told.email == "ada@example.org"  # the old one holds until the link is opened
    letter = mail.outbox[-1]
    assert letter.to == ["new@example.org"]
    link = re.search(r"https?://[^/]+(/\S+)", letter.body).group(1)
    client.post(link)
    told.refresh_from_db()
    assert told.email == "new@example.org"
    assert list(EmailAddress.objects.values_list("email", "verified", "primary")) == [
        ("new@example.org", True, True)
    ]
    letters = {one.to[0]: one for one in mail.outbox if "changed" in one.subject}
    old = letters["ada@example.org"]
    assert old.subject == "StudyHub: your address has changed"
    assert "from ada@example.org to new@example.org" in old.body
    assert "this address no longer opens the account" in old.body
    assert sign_in(Client(), email="ada@example.org").status_code == 200
    assert sign_in(Client(), email="new@example.org").status_code == 302


def test_link_to_a_new_address_that_a_thief_asked_for_needs_the_password(client, told, sign_in):
    sign_in(client)
    thief = with_cookie_of(client)
    for form in (
        {"action_add": "", "email": "thief@example.org"},
        {"action_primary": "", "email": told.email},
    ):
        answer = thief.post(ADDRESS, form)
        assert answer.status_code == 302
        assert EmailAddress.objects.count() == 1
    assert [one for one in mail.outbox if one.to == ["thief@example.org"]] == []


@pytest.mark.parametrize(
    "name",
    ["mfa_activate_totp", "mfa_deactivate_totp", "mfa_add_webauthn", "mfa_generate_recovery_codes"],
)
def test_ways_in_change_only_after_proof(client, account, sign_in, name):
    if name == "mfa_deactivate_totp":
        TOTP.activate(account, generate_totp_secret())
        client.force_login(account, "studyhub.accounts.backends.Backend")
    else:
        sign_in(client)
    for answer in (client.get(reverse(name)), client.post(reverse(name), {})):
        assert answer["Location"].startswith(("/accounts/reauthenticate/", "/accounts/2fa/reauthenticate/"))


def test_key_of_somebody_else_is_not_there(client, account, sign_in):
    other = actions.open_account(email="bob@example.org", password=PASSWORD, zone="UTC", at=account.joined_at)
    key = Authenticator.objects.create(user=other, type="webauthn", data={"name": "theirs", "credential": {}})
    sign_in(client)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    for name in ("mfa_remove_webauthn", "mfa_edit_webauthn"):
        assert client.get(reverse(name, args=[key.pk])).status_code == 404
        assert client.post(reverse(name, args=[key.pk]), {"name": "mine"}).status_code == 404
    assert Authenticator.objects.get().data["name"] == "theirs"


def test_password_change_is_told(client, told, sign_in):
    sign_in(client)
    change_password(client, told)
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["ada@example.org"], "StudyHub: your password has changed")
    assert "/accounts/password/reset/" in letter.body
    assert "127.0.0.1" in letter.body
