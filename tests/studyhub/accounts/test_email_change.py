"""Another address for an account: after its link where the site sends letters, at once where it cannot.

Proves trust.md 1.12 and 1.20: nobody loses the way in by a change, two people never share an address, and each
change of addresses leaves its row.
"""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from studyhub.accounts import actions
from studyhub.accounts.models import AuditEvent

from .conftest import PASSWORD

pytestmark = pytest.mark.django_db
PAGE = "/accounts/email/"
OLD, NEW, TAKEN = "ada@example.org", "new@example.org", "bob@example.org"


@pytest.fixture
def letters(settings):
    """A site with a mail server."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True


@pytest.fixture
def silent(settings):
    """A site without one."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = False


@pytest.fixture
def bob(db):
    return actions.open_account(email=TAKEN, password=PASSWORD, zone="UTC", at=timezone.now())


@pytest.fixture
def proven(client, account, sign_in):
    """A browser in which the account has just shown its password; its address was confirmed."""
    EmailAddress.objects.create(user=account, email=OLD, primary=True, verified=True)
    sign_in(client)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


@pytest.fixture
def fresh(client, silent, sign_up):
    """A browser in which somebody has just opened an account on a site without letters."""
    sign_up(client, email=OLD)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def ask(client, email):
    answer = client.post(PAGE, {"action_add": "", "email": email}, follow=True)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))


def gets_in(email):
    browser = Client()
    browser.post("/accounts/login/", {"login": email, "password": PASSWORD})
    return "_auth_user_id" in browser.session


def rows():
    return list(EmailAddress.objects.order_by("pk").values_list("email", "verified", "primary"))


def audited():
    found = AuditEvent.objects.filter(act="addresses-changed").order_by("pk")
    return [(sorted(one.before), sorted(one.after)) for one in found]


def link():
    return re.search(r"https?://[^/]+(/\S+)", mail.outbox[-1].body).group(1)


@pytest.mark.parametrize("confirmed", [True, False])
def test_with_letters_the_old_address_holds_until_the_link(letters, proven, account, confirmed):
    EmailAddress.objects.update(verified=confirmed)  # False: opened before the site had a mail server
    words = ask(proven, "New@Example.org")
    account.refresh_from_db()
    assert account.email == OLD
    assert rows() == [(OLD, confirmed, True), (NEW, False, False)]
    assert f"You sign in with {OLD}." in words
    assert f"{NEW} counts once you have opened the link" in words
    assert f"A letter went to {NEW}." in words
    target = link()
    assert (gets_in(OLD), gets_in(NEW)) == (confirmed, False)
    Client().post(target)
    account.refresh_from_db()
    assert account.email == NEW
    assert rows() == [(NEW, True, True)]
    assert (gets_in(OLD), gets_in(NEW)) == (False, True)
    state = "confirmed" if confirmed else "waiting"
    both = sorted({state, "waiting", "primary"})
    assert audited() == [(sorted({state, "primary"}), both), (both, ["confirmed", "primary"])]
    assert [one.to for one in mail.outbox if "address has changed" in one.subject] == [[OLD]]


def test_with_letters_a_mistyped_address_is_replaced_by_the_next_one(letters, proven, account):
    ask(proven, "nwe@example.org")
    ask(proven, NEW)
    assert rows() == [(OLD, True, True), (NEW, False, False)]
    assert gets_in(OLD)
    proven.post(PAGE, {"action_remove": "", "email": NEW})
    account.refresh_from_db()
    assert (account.email, rows()) == (OLD, [(OLD, True, True)])


@pytest.mark.parametrize("verified", [True, False])
def test_with_letters_an_address_of_another_is_never_taken_over(letters, proven, account, bob, verified):
    EmailAddress.objects.create(user=bob, email=TAKEN, primary=True, verified=verified)
    ask(proven, TAKEN.upper())
    assert Client().post(link()).status_code < 500
    account.refresh_from_db()
    bob.refresh_from_db()
    assert (account.email, bob.email) == (OLD, TAKEN)
    assert gets_in(OLD)
    assert list(EmailAddress.objects.filter(user=account, primary=True).values_list("email")) == [(OLD,)]


def test_without_letters_the_new_address_is_taken_over_at_once(fresh):
    assert rows() == [(OLD, False, True)]
    assert "letter" not in ask(fresh, OLD)
    sent = len(mail.outbox)
    words = ask(fresh, "New@Example.org")
    assert f"Your address is now {NEW}." in words
    assert f"You sign in with {NEW}." in words
    assert "letter" not in words
    assert len(mail.outbox) == sent
    assert rows() == [(NEW, False, True)]
    assert (gets_in(OLD), gets_in(NEW)) == (False, True)
    assert audited()[-1:] == [(["primary", "waiting"], ["primary", "waiting"])]
    assert f"Your address is <strong>{NEW}</strong>." in fresh.get("/settings/").content.decode()


@pytest.mark.parametrize("email", [TAKEN, TAKEN.upper(), OLD, OLD.upper(), "no address"])
def test_without_letters_an_address_in_use_is_refused(fresh, bob, email):
    before = audited()
    words = ask(fresh, email)
    assert "Your address is now" not in words
    assert (rows(), audited()) == ([(OLD, False, True)], before)
    assert (gets_in(OLD), gets_in(TAKEN)) == (True, True)


def test_without_letters_an_address_taken_a_moment_ago_is_refused(fresh, bob, monkeypatch):
    monkeypatch.setattr("studyhub.accounts.proofs.filter_users_by_email", lambda email: [])
    words = ask(fresh, TAKEN)
    assert "This address belongs to another account. Nothing was changed." in words
    assert rows() == [(OLD, False, True)]
    assert (gets_in(OLD), gets_in(TAKEN)) == (True, True)


def test_without_letters_a_confirmed_address_goes_too(silent, proven):
    assert f"Your address is now {NEW}." in ask(proven, NEW)
    assert rows() == [(NEW, False, True)]
    assert (gets_in(OLD), gets_in(NEW)) == (False, True)


@pytest.mark.parametrize("site", ["letters", "silent"])
def test_the_password_is_asked_before(request, site, client, account, sign_in):
    EmailAddress.objects.create(user=account, email=OLD, primary=True, verified=True)
    request.getfixturevalue(site)
    sign_in(client)
    asked = client.post(PAGE, {"action_add": "", "email": NEW})
    assert asked["Location"].startswith("/accounts/reauthenticate/")
    assert rows() == [(OLD, True, True)]
