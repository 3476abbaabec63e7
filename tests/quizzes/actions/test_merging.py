"""A guest who signs in to an account that exists: nothing is lost, nothing counts twice."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db.models import F
from django.test import Client

from chapters.actions import keep_place, mark_checkpoint, mark_section
from chapters.models import Checkpoint, CheckpointMark, ObjectiveEvidence, Place, Section, SectionRead
from quizzes.actions import AlreadyAnswered, finish_attempt, start_attempt
from quizzes.models import Attempt, RejectedResponse, Response
from studyhub.accounts.actions import make_guest, merge_guest
from studyhub.accounts.merging import MERGERS
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, question, quiz_goods, shelve_course, shelve_quiz, typed
from tests.quizzes.play import form, send, slot_of

pytestmark = pytest.mark.django_db
EARLIER, LATER = AT - timedelta(days=1), AT + timedelta(days=1)


@pytest.fixture
def quiz(db):
    return shelve_quiz(question("one", objectives=("weigh", "measure")), typed("two", objectives=("choose",)))


@pytest.fixture
def guest(db):
    return make_guest(zone="UTC", at=AT)


def start(person, quiz, at=AT, fresh=False):
    return start_attempt(learner_id=person.pk, quiz=quiz, fresh=fresh, at=at)


def merge(guest, learner):
    assert merge_guest(guest=guest, into=learner, at=LATER) is True
    assert not User.objects.filter(pk=guest.pk).exists()


def sec(slug):
    return Section.objects.get(chapter__course__slug="small-course", slug=slug)


def box(slug):
    return Checkpoint.objects.get(chapter__course__slug="small-course", slug=slug)


def evidence(person):
    return {row.objective.slug: (row.answered, row.right) for row in ObjectiveEvidence.objects.of(person.pk)}


def test_movers_are_registered_once():
    assert len(MERGERS) == len(set(MERGERS)) >= 2


def test_guests_attempt_goes_on_in_the_account(quiz, guest, learner):
    attempt = start(guest, quiz)
    key = uuid4()
    recorded = send(attempt, 1, key=key)
    merge(guest, learner)
    attempt.refresh_from_db()
    assert (attempt.learner_id, attempt.number, attempt.answered) == (learner.pk, 1, 1)
    assert start(learner, quiz).pk == attempt.pk
    assert send(attempt, 1, key=key) == recorded  # the retry of a lost answer still finds it
    send(attempt, 2)
    assert evidence(learner) == {"weigh": (1, 1), "measure": (1, 1), "choose": (1, 1)}


def test_attempts_of_both_sides_are_kept_and_numbered(quiz, guest, learner):
    mine = start(learner, quiz, EARLIER)
    finish_attempt(attempt_id=mine.pk, learner_id=learner.pk, at=EARLIER)
    for at in (AT, LATER):
        attempt = start(guest, quiz, at, fresh=True)
        send(attempt, 1)
    merge(guest, learner)
    numbers = Attempt.objects.of(learner.pk).order_by("number").values_list("number", "started_at")
    assert list(numbers) == [(1, EARLIER), (2, AT), (3, LATER)]
    assert set(Response.objects.values_list("learner", flat=True)) == {learner.pk}


@pytest.mark.parametrize("guest_first", [True, False])
def test_open_attempts_on_both_sides_keep_every_answer(quiz, guest, learner, guest_first):
    mine = start(learner, quiz, LATER if guest_first else EARLIER)
    theirs = start(guest, quiz, AT)
    send(mine, 1, right=False, at=LATER)
    send(theirs, 1, at=AT)
    send(theirs, 2, at=AT)
    merge(guest, learner)
    mine.refresh_from_db()
    assert Attempt.objects.of(learner.pk).open().get().pk == theirs.pk
    assert mine.finished_at == LATER  # where it was left
    assert not Attempt.objects.filter(finished_at__lt=F("started_at")).exists()
    assert sorted(Attempt.objects.of(learner.pk).values_list("answered", "right")) == [(1, 0), (2, 2)]
    assert evidence(learner) == {"weigh": (2, 1), "measure": (2, 1), "choose": (1, 1)}
    assert Response.objects.count() == 3


def test_open_attempts_on_other_quizzes_all_stay_open(quiz, guest, learner):
    course, _ = shelve_course(quiz_goods(question("three"), slug="other-quiz"))
    other = quiz.__class__.objects.get(course=course, slug="other-quiz")
    start(learner, quiz)
    start(guest, other)
    merge(guest, learner)
    assert Attempt.objects.of(learner.pk).open().count() == 2


def test_answers_kept_aside_come_along(quiz, guest, learner):
    attempt = start(guest, quiz)
    send(attempt, 1)
    assert send(attempt, 1) == AlreadyAnswered("answered")
    merge(guest, learner)
    assert list(RejectedResponse.objects.values_list("learner", flat=True)) == [learner.pk]


def test_reading_and_ticks_come_along(quiz, guest, learner):
    mark_section(learner_id=guest.pk, section=sec("here"), read=True, at=AT)
    mark_checkpoint(learner_id=guest.pk, checkpoint=box("one"), ticked=True, at=AT)
    mark_section(learner_id=learner.pk, section=sec("there"), read=True, at=EARLIER)
    mark_checkpoint(learner_id=learner.pk, checkpoint=box("two"), ticked=True, at=EARLIER)
    merge(guest, learner)
    assert set(SectionRead.objects.values_list("learner", "section__slug")) == {
        (learner.pk, "here"),
        (learner.pk, "there"),
    }
    assert set(CheckpointMark.objects.values_list("learner", "checkpoint__slug")) == {
        (learner.pk, "one"),
        (learner.pk, "two"),
    }
    assert Place.objects.get().section.slug == "here"


@pytest.mark.parametrize(("guest_at", "kept"), [(LATER, "guest"), (EARLIER, "account")])
def test_newer_place_and_reading_win(quiz, guest, learner, guest_at, kept):
    for person, at, anchor in ((guest, guest_at, "guest"), (learner, AT, "account")):
        mark_section(learner_id=person.pk, section=sec("here"), read=True, at=at)
        keep_place(learner_id=person.pk, section=sec("there"), anchor=anchor, at=at)
    merge(guest, learner)
    assert (Place.objects.get().anchor, Place.objects.get().learner_id) == (kept, learner.pk)
    assert SectionRead.objects.get().at == max(AT, guest_at) == max(SectionRead.objects.get().at, AT)


def test_evidence_of_both_sides_adds_up(quiz, guest, learner):
    send(start(learner, quiz), 1, right=False, at=EARLIER)
    send(start(guest, quiz), 1, at=AT)
    merge(guest, learner)
    assert evidence(learner) == {"weigh": (2, 1), "measure": (2, 1)}
    assert {row.last_at for row in ObjectiveEvidence.objects.all()} == {AT}


def test_nothing_of_the_guest_is_left_and_nothing_of_strangers_moves(quiz, guest, learner, other):
    for person in (guest, other):
        send(start(person, quiz), 1)
        mark_section(learner_id=person.pk, section=sec("here"), read=True, at=AT)
    merge(guest, learner)
    for model in (Attempt, Response, SectionRead, Place, ObjectiveEvidence):
        owners = sorted(set(model.objects.values_list("learner", flat=True)))
        assert owners == sorted([learner.pk, other.pk]), model


def test_signing_in_brings_along_what_this_browser_did(quiz, learner):
    browser = Client()
    begun = browser.post("/c/small-course/quizzes/small-quiz/start/")
    attempt = Attempt.objects.get()
    browser.post(begun["Location"], form(slot_of(attempt, 1)))
    browser.post("/c/small-course/small/read/", {"section": "here", "state": "read"})
    signed = browser.post(
        "/accounts/login/", {"login": "ada@example.org", "password": "correct horse battery"}
    )
    assert signed.status_code == 302
    assert (Attempt.objects.get().learner_id, SectionRead.objects.get().learner_id) == (
        learner.pk,
        learner.pk,
    )
    assert browser.get(begun["Location"]).status_code == 200
    assert User.objects.guests().count() == 0
