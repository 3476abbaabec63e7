import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse

from studyhub.accounts.models import User
from studyhub.accounts.templatetags.accounts import picture

from .conftest import PASSWORD

pytestmark = pytest.mark.django_db
SETTINGS = "/settings/"
VISITOR_PAGES = [
    "account_login",
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key_done",
    "account_email_verification_sent",
    "account_inactive",
]
MEMBER_PAGES = [
    "account_logout",
    "account_email",
    "account_change_password",
    "account_reauthenticate",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
    "mfa_reauthenticate",
    "usersessions_list",
    "settings",
]


def calm(body):
    """No inline script, style or handler, one h1, labels for all inputs, no duplicate ids."""
    assert not re.search(r"\sstyle=|\son[a-z]+=|<style", body)
    scripts = re.findall(r"<script\b([^>]*)>([^<]*)", body)
    assert all("src=" in attrs or 'type="application/json"' in attrs for attrs, _ in scripts)
    assert len(re.findall("<h1", body)) == 1
    ids = re.findall(r'\sid="([^"]*)"', body)
    assert len(ids) == len(set(ids))
    for field in re.findall(r"<(?:input|select)\b[^>]*>", body):
        if 'type="hidden"' not in field:
            label = re.search(r'\sid="([^"]*)"', field).group(1)
            assert f'for="{label}"' in body
    for described in re.findall(r'aria-describedby="([^"]*)"', body):
        assert set(described.split()) <= set(ids)
    assert "!" not in re.sub(r"<!--.*?-->|<!doctype[^>]*>", "", body.lower(), flags=re.S)


@pytest.mark.parametrize("name", VISITOR_PAGES)
def test_page_for_visitors_is_open_and_calm(client, name):
    page = client.get(reverse(name))
    assert page.status_code == 200
    calm(page.content.decode())


def test_password_link_that_is_not_valid(client):
    page = client.get(reverse("account_reset_password_from_key", args=["1", "set-password"]))
    assert (page.status_code, "not valid" in page.content.decode()) == (200, True)
    calm(page.content.decode())
    page = client.get(reverse("account_confirm_email", args=["nonsense"]))
    assert (page.status_code, "not valid" in page.content.decode()) == (200, True)
    calm(page.content.decode())


@pytest.mark.parametrize("name", MEMBER_PAGES)
def test_page_for_members_is_theirs_and_calm(client, account, sign_in, name):
    if name not in {"settings", "account_logout"}:
        assert client.get(reverse(name))["Location"].startswith("/accounts/login/")
    sign_in(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    if name == "mfa_reauthenticate":
        TOTP.activate(account, generate_totp_secret())
    page = client.get(reverse(name))
    assert page.status_code == 200
    calm(page.content.decode())


def test_picture_for_the_app_is_in_the_page(client, account, sign_in):
    sign_in(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    body = client.get(reverse("mfa_activate_totp")).content.decode()
    assert re.search(
        r'<svg class="qr" role="img" aria-label="[^"]+" [^>]*><path d="M[^"]{500,}"/></svg>', body
    )
    assert "data:image" not in body


def test_picture_takes_over_dots_only():
    assert picture('<svg viewBox="0 0 9 9"><path d="M4,4H5V5z"/></svg>').count("M4,4H5V5z") == 1
    assert picture('<svg viewBox="0 0 9 9" onload="x"><script>x</script></svg>') == ""


def test_pages_of_an_account_with_everything(client, account, sign_in):
    sign_in(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    TOTP.activate(account, generate_totp_secret())
    RecoveryCodes.activate(account)
    key = Authenticator.objects.create(
        user=account, type="webauthn", data={"name": "my key", "credential": {"clientExtensionResults": {}}}
    )
    for address in [
        reverse("mfa_index"),
        reverse("mfa_deactivate_totp"),
        reverse("mfa_view_recovery_codes"),
        reverse("mfa_generate_recovery_codes"),
        reverse("mfa_list_webauthn"),
        reverse("mfa_edit_webauthn", args=[key.pk]),
        reverse("mfa_remove_webauthn", args=[key.pk]),
    ]:
        page = client.get(address)
        assert page.status_code == 200, address
        calm(page.content.decode())
    assert client.get(reverse("mfa_download_recovery_codes")).status_code == 200


def test_guest_reads_what_is_kept_and_is_offered_an_account(client, guest):
    body = client.get(SETTINGS).content.decode()
    assert "You are a guest" in body
    assert 'href="/accounts/signup/"' in body
    assert "/accounts/email/" not in body
    calm(body)


def test_visitor_gets_no_form_and_no_guest(client):
    body = client.get(SETTINGS).content.decode()
    assert "Nothing is kept about you yet" in body
    assert "<form" not in re.search(r"<main.*</main>", body, re.S).group()
    assert client.post(SETTINGS, {"name": "x", "time_zone": "UTC"}).status_code == 303
    assert User.objects.count() == 0


def test_name_and_zone_are_saved(client, guest):
    page = client.post(SETTINGS, {"name": " Ada ", "time_zone": "Asia/Kathmandu"})
    assert (page.status_code, page["Location"]) == (303, SETTINGS)
    guest.refresh_from_db()
    assert (guest.name, guest.time_zone) == ("Ada", "Asia/Kathmandu")
    body = client.get(SETTINGS).content.decode()
    assert '<option value="Asia/Kathmandu" selected>' in body
    assert "Saved." in body


@pytest.mark.parametrize(
    "words",
    [
        {"name": "", "time_zone": "Mars/Olympus"},
        {"name": "", "time_zone": ""},
        {"name": ""},
        {"name": "x" * 121, "time_zone": "UTC"},
        {"name": "", "time_zone": "Factory"},
        {"name": "", "time_zone": "x" * 65},
    ],
)
def test_settings_that_cannot_be_are_refused_in_words(client, guest, words):
    before = User.objects.values().get()
    page = client.post(SETTINGS, words)
    assert page.status_code == 422
    body = page.content.decode()
    assert 'aria-invalid="true"' in body
    calm(body)
    assert User.objects.values().get() == before


def test_settings_change_nothing_else(client, account, sign_in):
    sign_in(client)
    before = User.objects.values().get()
    hostile = {field.name: "1" for field in User._meta.fields} | {"name": "Ada", "time_zone": "UTC"}
    client.post(SETTINGS, hostile)
    after = User.objects.values().get()
    assert {key for key in after if after[key] != before[key]} == {"name", "time_zone"}


def test_names_are_text(client, guest):
    client.post(SETTINGS, {"name": '"><script>alert(1)</script>', "time_zone": "UTC"})
    assert "<script>alert" not in client.get(SETTINGS).content.decode()


def test_errors_of_forms_are_calm(client, account, sign_in):
    for address, words in [
        ("/accounts/login/", {"login": "ada@example.org", "password": "wrong"}),
        ("/accounts/login/", {}),
        ("/accounts/signup/", {"email": "x", "password1": "x"}),
        ("/accounts/signup/", {"email": "ada@example.org", "password1": PASSWORD}),
        ("/accounts/password/reset/", {"email": "x"}),
    ]:
        page = client.post(address, words)
        assert page.status_code == 200
        assert 'class="error"' in page.content.decode()
        calm(page.content.decode())
    sign_in(client)
    page = client.post("/accounts/password/change/", {"oldpassword": "x", "password1": "x", "password2": "y"})
    calm(page.content.decode())


def test_too_many_tries_get_a_page(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/m/ip"}
    client.post("/accounts/signup/", {})
    page = client.post("/accounts/signup/", {})
    assert page.status_code == 429
    calm(page.content.decode())


def test_signing_out_elsewhere(client, account, sign_in):
    other = Client()
    sign_in(other)
    sign_in(client)
    body = client.get("/accounts/sessions/").content.decode()
    assert body.count("Another browser") == 1
    client.post("/accounts/sessions/")
    assert other.get("/accounts/email/").status_code == 302
    assert client.get("/accounts/email/").status_code == 200
