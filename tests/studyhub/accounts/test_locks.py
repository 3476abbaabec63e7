"""What comes together with something slow: nothing is set back, and who gives way tries again."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from quizzes.actions import start_attempt
from quizzes.models import Attempt
from studyhub.accounts import actions
from studyhub.accounts.merging import MERGERS
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, question, shelve_quiz

OLD, NEW = "an old long password", "a new long password"


@pytest.mark.django_db
def test_saving_a_person_read_before_does_not_set_the_count_of_changes_back(learner):
    read_before = User.objects.get(pk=learner.pk)
    actions.note_change(learner_id=learner.pk)
    read_before.name = "Ada L."
    read_before.save()
    learner.refresh_from_db()
    assert (learner.name, learner.changes) == ("Ada L.", 1)


@pytest.mark.django_db
def test_password_change_keeps_what_else_happened_to_the_person(learner, monkeypatch):
    learner.set_password(OLD)
    learner.save()
    client = Client()
    assert client.login(email=learner.email, password=OLD)
    slow = User.set_password

    def meanwhile(self, raw):
        slow(self, raw)
        actions.note_change(learner_id=self.pk)
        User.objects.filter(pk=self.pk).update(is_admin=True, time_zone="Asia/Tokyo")

    monkeypatch.setattr(User, "set_password", meanwhile)
    sent = {"oldpassword": OLD, "password1": NEW, "password2": NEW}
    assert client.post("/accounts/password/change/", sent).status_code == 302
    learner.refresh_from_db()
    assert (learner.check_password(NEW), learner.is_admin, learner.time_zone) == (True, True, "Asia/Tokyo")
    assert learner.changes == 1


def waits_for_a_lock(pid):
    with connection.cursor() as cursor:
        cursor.execute("SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = %s", [pid])
        return cursor.fetchone() == (True,)


@pytest.mark.django_db(transaction=True)
def test_merge_that_meets_an_answer_in_a_deadlock_is_done_again(learner):
    guest = actions.make_guest(zone="UTC", at=timezone.now())
    attempt = start_attempt(learner_id=guest.pk, quiz=shelve_quiz(question("one")), fresh=False, at=AT)
    users_locked, merging = threading.Event(), []

    def locked(guest_id, into_id):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            merging.append(cursor.fetchone()[0])
        users_locked.set()

    def merge():
        try:
            return actions.merge_guest(guest=guest, into=learner, at=timezone.now())
        finally:
            connection.close()

    MERGERS.insert(0, locked)
    try:
        with (
            ThreadPoolExecutor(1) as pool,
            transaction.atomic(),
        ):  # an answer locks its attempt, then counts a change
            Attempt.objects.select_for_update().get(pk=attempt.pk)
            merged = pool.submit(merge)
            assert users_locked.wait(30)
            while not waits_for_a_lock(merging[0]):
                pass
            actions.note_change(learner_id=guest.pk)
    finally:
        MERGERS.remove(locked)
    assert merged.result(30)
    assert (len(merging), Attempt.objects.get().learner_id) == (2, learner.pk)
