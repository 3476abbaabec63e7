"""Every change of the ways into an account leaves one row, without a secret or an address (trust.md 1.20)."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.webauthn.internal import auth as webauthn
from django.core import mail
from django.test import Client
from django.urls import reverse

from studyhub.accounts.models import AuditEvent
from studyhub.accounts.urls import CHANGE_WAYS_IN
from tests.studyhub.web.addresses import patterns

from .conftest import PASSWORD

pytestmark = pytest.mark.django_db
NEW = "another quiet harbour"


@pytest.fixture
def told(settings, account):
    """A site that sends letters, and an account whose address is confirmed."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False
    EmailAddress.objects.create(user=account, email=account.email, primary=True, verified=True)
    return account


@pytest.fixture
def proven(client, told, sign_in):
    """A browser in which the account has just shown its password."""
    sign_in(client)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def new_rows(act):
    """(act, before, after) of what came in while ``act`` ran."""
    last = AuditEvent.objects.count()
    answer = act()
    rows = list(AuditEvent.objects.order_by("pk"))[last:]
    assert {one.actor_id for one in rows} <= {one.object_id for one in rows}
    request = answer.headers.get("X-Request-ID", "")
    assert {(one.ip, one.request_id) for one in rows} <= {("127.0.0.1", request)}
    return [(one.act, one.before, one.after) for one in rows]


def link_in_letter():
    return "/" + re.search(r"https?://[^/]+/(\S+)", mail.outbox[-1].body)[1]


def ids(**wanted):
    return list(Authenticator.objects.filter(**wanted).order_by("pk").values_list("pk", flat=True))


def test_changed_password(proven):
    words = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    wrong = {**words, "oldpassword": "not this one at all"}
    assert new_rows(lambda: proven.post("/accounts/password/change/", wrong)) == []
    assert new_rows(lambda: proven.post("/accounts/password/change/", words)) == [
        ("password-changed", {}, {})
    ]


def test_password_set_by_letter(client, told):
    client.post("/accounts/password/reset/", {"email": told.email})
    target = client.get(link_in_letter(), follow=True).redirect_chain[-1][0]
    words = {"password1": NEW, "password2": NEW}
    assert new_rows(lambda: client.post(target, words)) == [("password-changed", {}, {})]
    assert new_rows(lambda: client.post(target, words)) == []


def test_address_asked_for_confirmed_and_put_in_place_of_the_old_one(proven):
    old = EmailAddress.objects.get().pk
    change = {"action_add": "", "email": "new@example.org"}
    asked = new_rows(lambda: proven.post("/accounts/email/", change))
    new = EmailAddress.objects.exclude(pk=old).get().pk
    before, waiting = (
        {"confirmed": [old], "primary": [old]},
        {"confirmed": [old], "primary": [old], "waiting": [new]},
    )
    assert asked == [("addresses-changed", before, waiting)]
    link = link_in_letter()
    confirmed = new_rows(lambda: Client().post(link))
    assert confirmed == [("addresses-changed", waiting, {"confirmed": [new], "primary": [new]})]
    assert new_rows(lambda: Client().post(link)) == []


def test_address_taken_out(proven, told):
    spare = EmailAddress.objects.create(user=told, email="spare@example.org")
    (row,) = new_rows(lambda: proven.post("/accounts/email/", {"action_remove": "", "email": spare.email}))
    assert row[0] == "addresses-changed"
    assert (row[1]["waiting"], "waiting" in row[2]) == ([spare.pk], False)


def test_authenticator_app_on_codes_anew_and_off(proven, monkeypatch):
    monkeypatch.setattr(totp, "validate_totp_code", lambda *_: True)
    page = reverse("mfa_activate_totp")
    proven.get(page)
    on = new_rows(lambda: proven.post(page, {"code": "123456"}))
    apps, codes = ids(type="totp"), ids(type="recovery_codes")
    assert on == [("factors-changed", {}, {"totp": apps, "recovery_codes": codes})]
    anew = new_rows(lambda: proven.post(reverse("mfa_generate_recovery_codes")))
    others = ids(type="recovery_codes")
    assert others != codes
    assert anew == [
        ("factors-changed", {"totp": apps, "recovery_codes": codes}, {"totp": apps, "recovery_codes": others})
    ]
    off = new_rows(lambda: proven.post(reverse("mfa_deactivate_totp")))
    assert off == [("factors-changed", {"totp": apps, "recovery_codes": others}, {})]


def test_passkey_added_and_taken_out(proven, told, monkeypatch):
    """The browser's part of a passkey is tried in tests/journeys/test_account.py."""
    for name, made in {"begin_registration": {"publicKey": {}}, "parse_registration_response": None}.items():
        monkeypatch.setattr(webauthn, name, lambda *_, made=made: made)
    monkeypatch.setattr(webauthn, "complete_registration", lambda *_: None)
    page = reverse("mfa_add_webauthn")
    proven.get(page)
    added = new_rows(lambda: proven.post(page, {"name": "My key\n\x1b[31m", "credential": '{"id": "a"}'}))
    keys, codes = ids(type="webauthn"), ids(type="recovery_codes")
    assert added == [("factors-changed", {}, {"webauthn": keys, "recovery_codes": codes})]
    taken = new_rows(lambda: proven.post(reverse("mfa_remove_webauthn", args=keys)))
    assert taken == [("factors-changed", {"webauthn": keys, "recovery_codes": codes}, {})]


def test_what_changes_nothing_leaves_no_row(proven, told):
    RecoveryCodes.activate(told)
    for name in sorted(CHANGE_WAYS_IN):
        address = reverse(name, args=[7] if name == "mfa_remove_webauthn" else [])
        assert new_rows(lambda: proven.get(address)) == [], name  # noqa: B023
    assert new_rows(lambda: proven.post(reverse("mfa_activate_totp"), {"code": "x"})) == []
    assert new_rows(lambda: proven.post(reverse("mfa_add_webauthn"), {"credential": "x"})) == []
    assert (
        new_rows(lambda: Client().post("/accounts/email/", {"action_add": "", "email": "a@example.org"}))
        == []
    )


def test_every_name_of_a_page_that_is_watched_is_one_of_the_site():
    assert {name for name, _ in patterns()} >= CHANGE_WAYS_IN


SAFE = {  # pages of allauth under 2fa/ that write no factor
    "mfa_authenticate": "signs in, which stands in the list of sign-ins",
    "mfa_reauthenticate": "proves who asks",
    "mfa_reauthenticate_webauthn": "proves who asks",
    "mfa_login_webauthn": "signs in",
    "mfa_index": "a list",
    "mfa_list_webauthn": "a list",
    "mfa_view_recovery_codes": "shows the codes again",
    "mfa_download_recovery_codes": "shows the codes again",
    "mfa_edit_webauthn": "gives a key another name",
}


def test_every_page_of_second_factors_is_watched_or_has_a_reason():
    names = {name for name, _ in patterns() if name.startswith("mfa_")}
    assert names == set(SAFE) | {name for name in CHANGE_WAYS_IN if name.startswith("mfa_")}
