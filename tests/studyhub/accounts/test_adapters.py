import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import (
    TOTP,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from studyhub.accounts import actions, merging
from studyhub.accounts.browser import SINCE
from studyhub.accounts.models import Cohort, Membership, Session, User
from studyhub.accounts.sessions import GUEST

from .conftest import KEEP, PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept(guest):
    """Something the guest kept, and the mover that knows it."""
    cohort = Cohort.objects.create(course="course", title="Kept by the guest")
    return Membership.objects.create(cohort=cohort, user=guest)


@pytest.fixture(autouse=True)
def _movers():
    def move(guest_id, into_id):
        Membership.objects.filter(user_id=guest_id).update(user_id=into_id)

    merging.MERGERS.append(move)
    yield
    merging.MERGERS.remove(move)


@pytest.fixture
def mandatory(settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def masked(page):
    """The page without what the visitor typed, the form token, and the number of the guest."""
    words = re.sub(r"[A-Za-z0-9]{64}", "TOKEN", page.content.decode())
    return re.sub(r"(ada|new|nobody)@example\.org|guest \d+", "X", words)


def link_in_letter(letter):
    return re.search(r"https?://\S+", letter.body).group().partition("://")[2].partition("/")[2]


def test_sign_up_turns_the_guest_into_the_account(client, guest, kept, sign_up):
    assert sign_up(client).status_code == 302
    person = User.objects.get()
    assert (person.pk, person.guest, person.email) == (guest.pk, False, "new@example.org")
    assert person.check_password(PASSWORD)
    assert Membership.objects.get().user_id == person.pk
    assert client.get(KEEP).content.decode().split()[0] == str(person.pk)
    assert GUEST not in client.session
    assert client.session.get_expiry_age() == 14 * 24 * 3600
    assert abs(client.session[SINCE] - timezone.now().timestamp()) < 60
    assert EmailAddress.objects.get().user_id == person.pk


def test_sign_up_without_guest_takes_the_zone_of_the_browser(client, sign_up):
    client.cookies["zone"] = "Asia/Kathmandu"
    sign_up(client, email="  NEW@Example.ORG ")
    person = User.objects.get()
    assert (person.email, person.time_zone, person.guest) == ("new@example.org", "Asia/Kathmandu", False)


def test_sign_up_page_tells_a_guest_that_all_comes_along(client, guest):
    assert "What you did in this browser comes along." in client.get("/accounts/signup/").content.decode()
    assert "comes along" not in Client().get("/accounts/signup/").content.decode()


def test_sign_up_with_a_bad_password_keeps_the_guest(client, guest, sign_up):
    page = sign_up(client, password="password12")
    assert page.status_code == 200
    assert 'aria-invalid="true"' in page.content.decode()
    assert User.objects.get().guest is True


def test_two_sign_ups_of_one_guest_leave_two_accounts(client, guest, sign_up):
    other = Client()
    other.cookies = client.cookies.__class__(client.cookies)
    key = client.session.session_key
    store = dict(Session.objects.get(session_key=key).get_decoded())
    sign_up(client, email="one@example.org")
    actions.open_account(
        email="two@example.org", password=PASSWORD, zone="UTC", guest_id=store[GUEST], at=timezone.now()
    )
    assert list(User.objects.order_by("pk").values_list("email", "guest")) == [
        ("one@example.org", False),
        ("two@example.org", False),
    ]


def test_sign_in_merges_the_guest(client, account, guest, kept, sign_in):
    page = sign_in(client)
    assert page.status_code == 302
    assert User.objects.get().pk == account.pk
    assert Membership.objects.get().user_id == account.pk
    assert GUEST not in client.session
    assert "What you did in this browser is in your account now." in client.get("/settings/").content.decode()


def test_sign_in_without_guest_says_nothing_of_merging(client, account, sign_in):
    sign_in(client)
    assert "in your account now" not in client.get("/settings/").content.decode()


def test_wrong_password_leaves_the_guest(client, account, guest, kept, sign_in):
    assert sign_in(client, password="wrong wrong wrong").status_code == 200
    assert Membership.objects.get().user_id == guest.pk
    assert client.get(KEEP).content.decode().split()[0] == str(guest.pk)


def test_failing_merge_leaves_guest_and_session(client, account, guest, kept, sign_in, monkeypatch):
    def fail(guest_id, into_id):
        raise RuntimeError("no")

    merging.MERGERS.append(fail)
    try:
        client.raise_request_exception = False
        assert sign_in(client).status_code == 500
    finally:
        merging.MERGERS.remove(fail)
    assert Membership.objects.get().user_id == guest.pk
    assert client.get(KEEP).content.decode().split()[0] == str(guest.pk)


def test_sign_in_with_second_step_merges_after_it(client, account, guest, kept, sign_in):
    secret = generate_totp_secret()
    TOTP.activate(account, secret)
    assert sign_in(client)["Location"] == reverse("mfa_authenticate")
    assert Membership.objects.get().user_id == guest.pk
    assert client.get(reverse("mfa_authenticate")).status_code == 200
    code = format(hotp_value(secret, next(yield_hotp_counters_from_time())), "06d")
    assert client.post(reverse("mfa_authenticate"), {"code": code}).status_code == 302
    assert Membership.objects.get().user_id == account.pk


def test_sign_up_with_confirmation_merges_at_sign_in(client, guest, kept, mandatory, sign_up, sign_in):
    page = sign_up(client)
    assert page["Location"] == reverse("account_email_verification_sent")
    assert "joins your account" in client.get(page["Location"]).content.decode()
    assert client.get(KEEP).content.decode().split()[0] == str(guest.pk)
    link = "/" + link_in_letter(mail.outbox[0])
    assert client.get(link).status_code == 200
    client.post(link)
    sign_in(client, email="new@example.org")
    person = User.objects.get()
    assert (person.email, Membership.objects.get().user_id) == ("new@example.org", person.pk)


def test_sign_up_with_a_known_address_looks_like_any_other(client, account, mandatory, sign_up):
    pages = []
    for email in ["ada@example.org", "new@example.org"]:
        browser = Client()
        browser.post(KEEP)
        page = sign_up(browser, email=email)
        body = masked(browser.get(page["Location"]))
        still_guest = browser.get(KEEP).content == browser.post(KEEP).content
        pages.append((page.status_code, page["Location"], body, still_guest))
    assert pages[0] == pages[1]
    assert [letter.to for letter in mail.outbox] == [["ada@example.org"], ["new@example.org"]]


def test_address_taken_in_the_same_moment_is_told_in_words(client, guest, account, sign_up, monkeypatch):
    monkeypatch.setattr(
        "allauth.account.internal.flows.manage_email.email_already_exists", lambda email, **_: (email, False)
    )
    page = sign_up(client, email="ada@example.org")
    assert (page.status_code, page["Location"]) == (302, reverse("account_login"))
    assert User.objects.get(pk=guest.pk).guest is True


def test_password_reset_looks_the_same_for_known_and_unknown(client, account, settings):
    settings.ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True
    answers = []
    for email in ["ada@example.org", "nobody@example.org"]:
        browser = Client()
        page = browser.post("/accounts/password/reset/", {"email": email})
        answers.append((page.status_code, page["Location"], masked(browser.get(page["Location"]))))
    assert answers[0] == answers[1]
    assert [letter.to for letter in mail.outbox] == [["ada@example.org"], ["nobody@example.org"]]


def test_links_in_letters_lead_home_whatever_the_request_says(client, account, settings):
    settings.SITE_URL = "https://study.example"
    client.post("/accounts/password/reset/", {"email": "ada@example.org"}, HTTP_HOST="localhost:666")
    (letter,) = mail.outbox
    assert re.findall(r"https?://[^/\s]+", letter.body) == ["https://study.example", "https://study.example"]
    assert "localhost" not in letter.body + letter.subject


def test_password_reset_works_once_and_ends_other_sessions(client, account, sign_in):
    elsewhere = Client()
    sign_in(elsewhere)
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    link = "/" + link_in_letter(mail.outbox[0])
    form = client.get(link, follow=True)
    target = form.redirect_chain[-1][0]
    words = {"password1": "another quiet harbour", "password2": "another quiet harbour"}
    assert client.post(target, words).status_code == 302
    assert elsewhere.get(KEEP).content.decode() == "None UTC"
    assert "not valid" in Client().get(link, follow=True).content.decode()
    assert sign_in(Client(), password="another quiet harbour").status_code == 302


def test_password_change_ends_other_sessions_and_keeps_this_one(client, account, sign_in):
    elsewhere = Client()
    sign_in(client)
    sign_in(elsewhere)
    words = {"oldpassword": PASSWORD} | dict.fromkeys(["password1", "password2"], "another quiet harbour")
    assert client.post("/accounts/password/change/", words).status_code == 302
    assert client.get(KEEP).content.decode().split()[0] == str(account.pk)
    assert elsewhere.get(KEEP).content.decode() == "None UTC"


def test_sign_out_clears_the_browser_and_kills_the_session(client, account, sign_in):
    sign_in(client)
    stolen = client.session.session_key
    page = client.post("/accounts/logout/")
    assert page["Clear-Site-Data"] == '"cache", "storage"'
    thief = Client()
    thief.cookies["session"] = stolen
    assert thief.get(KEEP).content.decode() == "None UTC"
    assert "Clear-Site-Data" not in client.get(KEEP)


def test_sign_out_needs_post(client, account, sign_in):
    sign_in(client)
    assert client.get("/accounts/logout/").status_code == 200
    assert client.get(KEEP).content.decode().split()[0] == str(account.pk)


def test_sign_in_changes_the_session_key(client, account, guest, sign_in):
    before = client.session.session_key
    sign_in(client)
    assert client.session.session_key != before
    assert not Session.objects.filter(session_key=before).exists()


ELSEWHERE = [
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "https://evil.example",
    "http://evil.example/",
    "https:evil.example",
    "https:/evil.example",
    "http:///evil.example",
    "\\\\evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\\/evil.example",
    "\t//evil.example",
    "/\t/evil.example",
    "\n//evil.example",
    " //evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "ftp://evil.example",
    "https://testserver@evil.example",
    "https://testserver:80@evil.example/",
    "//testserver.evil.example",
    "https://evil.example#testserver",
    "https://evil.example?testserver",
    "//evil%2eexample",
    "//ev\u0131l.example",
    "//xn--evl-sja.example",
    "https://127.0.0.1/",
    "http://localhost/",
    "http://[::1]/",
    "http://[",
    "mailto:ada@example.org",
]


@pytest.mark.parametrize("following", ELSEWHERE)
def test_next_never_leaves_the_house(client, account, sign_in, sign_up, following):
    for page in [
        sign_in(client, next=following),
        client.post("/accounts/logout/", {"next": following}),
        sign_up(client, next=following),
        client.get("/accounts/login/", {"next": following}),  # signed in already: sent on at once
    ]:
        assert (page.status_code, page["Location"]) == (302, "/")


def test_next_with_a_nul_is_refused_like_any_nul(client, account, sign_in):
    assert sign_in(client, next="\x00//evil.example").status_code == 400
    assert client.post("/accounts/logout/", {"next": "\x00//evil.example"}).status_code == 400


def test_next_within_the_house_is_followed(client, account, sign_in):
    assert sign_in(client, next="/settings/?a=1")["Location"] == "/settings/?a=1"


def test_wrong_passwords_are_counted_whatever_the_host(client, account, sign_in):
    words = {"login": "ada@example.org", "password": "wrong"}
    for port in range(1, 7):
        client.post("/accounts/login/", words, HTTP_HOST=f"localhost:{port}")
    page = sign_in(client)
    assert page.status_code == 200
    assert "Too many" in page.content.decode()
    assert client.get(KEEP).content.decode() == "None UTC"


def test_longer_than_a_guest_lives_nothing_is_merged(client, account, guest, kept, sign_in):
    actions.sweep_guests(at=timezone.now() + timedelta(days=32))
    sign_in(client)
    assert User.objects.get().pk == account.pk
    assert Membership.objects.count() == 0
