from datetime import UTC, date, timedelta
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from studyhub.accounts.browser import GUEST, SINCE
from studyhub.accounts.models import Session, User

from .conftest import KEEP

pytestmark = pytest.mark.django_db


def test_reading_makes_no_guest_and_no_session(client):
    for address in ["/", KEEP, "/settings/", "/accounts/login/", "/accounts/signup/"]:
        client.get(address)
        client.head(address)
    assert User.objects.count() == 0
    assert Session.objects.count() == 0


def test_page_without_session_costs_no_query(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get(KEEP)


def test_page_that_does_not_ask_for_the_learner_costs_one_query(client, guest, django_assert_num_queries):
    with django_assert_num_queries(1):  # the session
        client.get("/test/bare/")


def test_guest_page_costs_one_query(client, guest, django_assert_num_queries):
    with django_assert_num_queries(1):  # the session with the guest
        client.get(KEEP)


def test_keeping_makes_one_guest_per_browser(client):
    first = client.post(KEEP).content
    assert client.post(KEEP).content == first == client.get(KEEP).content
    assert Client().post(KEEP).content != first
    assert User.objects.guests().count() == 2


def test_guest_session_lasts_30_days(client, guest):
    assert client.session.get_expiry_age() == 30 * 24 * 3600
    assert client.session[GUEST] == guest.pk


def test_guest_remains_anonymous_to_account_pages(client, guest):
    assert client.get("/accounts/login/").status_code == 200
    assert client.get("/accounts/email/").status_code == 302


def test_keeping_without_token_is_refused():
    client = Client(enforce_csrf_checks=True)
    assert client.post(KEEP).status_code == 403
    assert client.post("/settings/", {"time_zone": "UTC"}).status_code == 403
    assert client.post("/accounts/signup/", {"email": "a@example.org", "password1": "x"}).status_code == 403
    assert User.objects.count() == 0


def test_session_of_guest_changes_its_key_when_a_session_was_there(client):
    session = client.session
    session["planted"] = True
    session.save()
    before = session.session_key
    client.cookies["session"] = before
    client.post(KEEP)
    assert client.session.session_key != before
    assert not Session.objects.filter(session_key=before).exists()


def test_seen_on_is_written_once_a_day(client, guest, django_assert_num_queries):
    User.objects.filter(pk=guest.pk).update(seen_on=date(2026, 1, 1))
    client.post(KEEP)
    guest.refresh_from_db()
    assert guest.seen_on == timezone.now().astimezone(UTC).date()
    with django_assert_num_queries(1):  # the session with the guest
        client.post(KEEP)


@pytest.mark.parametrize(
    ("cookie", "zone"),
    [
        ("Asia/Kathmandu", "Asia/Kathmandu"),
        (quote("America/New_York", safe=""), "America/New_York"),
        ("Asia/Calcutta", "Asia/Calcutta"),
        ("Mars/Olympus", "UTC"),
        ("../../etc/passwd", "UTC"),
        ("", "UTC"),
        ("x" * 5000, "UTC"),
    ],
)
def test_zone_of_a_guest_comes_from_the_browser(client, cookie, zone):
    client.cookies["zone"] = cookie
    assert client.post(KEEP).content.decode().split() == [str(User.objects.get().pk), zone]
    assert client.get(KEEP).content.decode().split()[1] == zone


def test_zone_does_not_leak_into_the_next_request(client):
    client.cookies["zone"] = "Asia/Kathmandu"
    client.post(KEEP)
    assert Client().get(KEEP).content.decode() == "None UTC"


def test_zone_that_this_machine_does_not_know_is_shown_in_utc(client, guest):
    User.objects.filter(pk=guest.pk).update(time_zone="Mars/Olympus")
    assert client.get(KEEP).content.decode().split()[1] == "UTC"


def test_sign_in_ends_after_30_days(client, account, sign_in):
    sign_in(client)
    session = client.session
    session[SINCE] = (timezone.now() - timedelta(days=30, minutes=1)).timestamp()
    session.save()
    page = client.get("/settings/", follow=True)
    assert "signed out" in page.content.decode()
    assert client.get(KEEP).content.decode() == "None UTC"
    assert not Session.objects.filter(session_key=session.session_key).exists()


def test_sign_in_of_29_days_goes_on(client, account, sign_in):
    sign_in(client)
    session = client.session
    session[SINCE] = (timezone.now() - timedelta(days=29)).timestamp()
    session.save()
    assert client.get(KEEP).content.decode().split()[0] == str(account.pk)


def test_personal_pages_are_not_stored_and_public_ones_may_be(client, account, guest, sign_in):
    assert client.get(KEEP)["Cache-Control"] == "private, no-store"
    assert "Cache-Control" not in Client().get(KEEP)
    sign_in(client)
    for address in [KEEP, "/settings/", "/accounts/email/", "/accounts/2fa/"]:
        assert client.get(address)["Cache-Control"] == "private, no-store"


def test_guest_that_was_swept_is_nobody_and_becomes_a_new_one(client, guest):
    old = guest.pk
    guest.delete()
    assert client.get(KEEP).content.decode() == "None UTC"
    client.post(KEEP)
    assert User.objects.guests().get().pk != old


def test_closed_account_ends_its_sessions(client, account, sign_in):
    sign_in(client)
    User.objects.filter(pk=account.pk).update(is_active=False)
    assert client.get(KEEP).content.decode() == "None UTC"
