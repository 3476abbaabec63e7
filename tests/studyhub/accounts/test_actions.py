import threading
from datetime import UTC, date, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from studyhub.accounts import actions, merging
from studyhub.accounts.models import Cohort, Membership, User

from .conftest import KEEP

pytestmark = pytest.mark.django_db
AT = datetime(2026, 6, 30, 12, tzinfo=UTC)


def guest_seen(day, joined=AT):
    return User.objects.create(guest=True, seen_on=day, joined_at=joined)


def test_guest_has_no_address_and_is_seen_today():
    guest = actions.make_guest(zone="Asia/Kathmandu", at=AT)
    assert (guest.email, guest.guest) == (None, True)
    assert (guest.time_zone, guest.seen_on) == ("Asia/Kathmandu", AT.date())


def test_sweep_takes_guests_idle_for_more_than_30_days_only(account):
    long_ago, edge = date(2026, 5, 30), date(2026, 5, 31)
    guest_seen(long_ago)
    guest_seen(None, joined=AT - timedelta(days=31))
    stay = {guest_seen(edge).pk, guest_seen(AT.date()).pk, guest_seen(None, joined=AT).pk, account.pk}
    User.objects.filter(pk=account.pk).update(seen_on=date(2020, 1, 1))
    assert actions.sweep_guests(at=AT) == 2
    assert set(User.objects.values_list("pk", flat=True)) == stay
    assert actions.sweep_guests(at=AT) == 0


def test_sweep_takes_all_batches(monkeypatch):
    monkeypatch.setattr(actions, "_BATCH", 2)
    for _ in range(5):
        guest_seen(date(2026, 1, 1))
    assert actions.sweep_guests(at=AT) == 5
    assert User.objects.count() == 0


def test_sweep_command_says_how_many():
    guest_seen(date(2020, 1, 1))
    out = StringIO()
    call_command("sweep_guests", stdout=out)
    assert out.getvalue() == "1 idle guest removed.\n"


def test_merge_of_an_account_or_into_a_guest_is_refused(account):
    other = actions.open_account(email="other@example.org", password=None, zone="UTC", at=AT)
    guest = actions.make_guest(zone="UTC", at=AT)
    second = actions.make_guest(zone="UTC", at=AT)
    assert actions.merge_guest(guest=other, into=account, at=AT) is False
    assert actions.merge_guest(guest=guest, into=second, at=AT) is False
    assert actions.merge_guest(guest=guest, into=guest, at=AT) is False
    assert User.objects.count() == 4


def test_second_merge_changes_nothing(account):
    guest = actions.make_guest(zone="UTC", at=AT)
    again = User.objects.get(pk=guest.pk)
    assert actions.merge_guest(guest=guest, into=account, at=AT) is True
    assert actions.merge_guest(guest=again, into=account, at=AT) is False


def test_address_is_unique_whatever_its_capitals(account):
    with pytest.raises(actions.AddressTaken):
        actions.open_account(email="ADA@example.org", password=None, zone="UTC", at=AT)
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_merges_at_once_move_once(account):
    guest = actions.make_guest(zone="UTC", at=AT)
    cohort = Cohort.objects.create(course="course", title="t")
    Membership.objects.create(cohort=cohort, user=guest)
    moved, results, start = [], [], threading.Barrier(4)

    def move(guest_id, into_id):
        moved.append(Membership.objects.filter(user_id=guest_id).update(user_id=into_id))

    def merge():
        try:
            start.wait()
            results.append(actions.merge_guest(guest=guest, into=account, at=AT))
        finally:
            connection.close()

    merging.MERGERS.append(move)
    try:
        threads = [threading.Thread(target=merge) for _ in range(4)]
        [one.start() for one in threads]
        [one.join() for one in threads]
    finally:
        merging.MERGERS.remove(move)
    assert (sorted(results), moved) == ([False, False, False, True], [1])
    assert Membership.objects.get().user_id == account.pk


ENDED = "Every session of theirs has ended: the role holds from the next sign-in."


@pytest.mark.parametrize(("role", "field"), [("author", "is_author"), ("admin", "is_admin")])
def test_role_is_granted_and_taken_back(account, role, field, client, sign_in):
    sign_in(client)
    out = StringIO()
    call_command("grant_role", "ADA@example.org", role, stdout=out)
    account.refresh_from_db()
    assert getattr(account, field) is True
    assert client.get(KEEP).content.decode() == "None UTC"  # signed out everywhere
    call_command("grant_role", "ada@example.org", role, stdout=out)
    call_command("grant_role", "ada@example.org", role, "--revoke", stdout=out)
    account.refresh_from_db()
    assert getattr(account, field) is False
    assert [line.split(" is ")[1] for line in out.getvalue().splitlines()] == [
        f"now an {role}. {ENDED}",
        f"already an {role}.",
        f"no longer an {role}. {ENDED}",
    ]


def test_role_for_nobody_is_refused():
    actions.make_guest(zone="UTC", at=AT)
    for email in ["nobody@example.org", "", "guest 1"]:
        with pytest.raises(CommandError):
            call_command("grant_role", email, "author")
    with pytest.raises(CommandError):
        call_command("grant_role", "ada@example.org", "king")


def test_guests_of_other_browsers_are_not_touched_by_a_merge(account, client, sign_in):
    other = Client()
    other.post(KEEP)
    client.post(KEEP)
    sign_in(client)
    assert User.objects.guests().count() == 1
    assert other.get(KEEP).content.decode().split()[0] == str(User.objects.guests().get().pk)
    assert timezone.get_current_timezone_name() == "UTC"


def test_first_clicks_of_one_browser_make_one_guest(db):
    at = timezone.now()
    one = actions.make_guest(zone="UTC", at=at, token="a" * 32)
    assert actions.make_guest(zone="UTC", at=at, token="a" * 32).pk == one.pk
    assert actions.make_guest(zone="UTC", at=at, token="b" * 32).pk != one.pk
    assert actions.make_guest(zone="UTC", at=at).pk != one.pk
    later = at + actions.FIRST_CLICKS * 2
    assert actions.make_guest(zone="UTC", at=later, token="a" * 32).pk != one.pk


def test_account_of_a_former_guest_is_never_handed_out_as_a_guest(db):
    at = timezone.now()
    guest = actions.make_guest(zone="UTC", at=at, token="a" * 32)
    person = actions.open_account(
        email="ada@example.org", password=None, zone="UTC", at=at, guest_id=guest.pk
    )
    assert person.pk == guest.pk
    assert actions.make_guest(zone="UTC", at=at, token="a" * 32).pk != person.pk
