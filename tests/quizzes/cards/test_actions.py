"""Words, backs and ratings as they are kept; what becomes of a guest's; two at once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from quizzes.actions import (
    NothingRated,
    NothingSaid,
    NotShown,
    keep_words,
    merge_cards,
    open_back,
    rate_card,
    undo_card,
)
from quizzes.models import CardTry
from studyhub.accounts.actions import make_guest, merge_guest
from studyhub.accounts.merging import MERGERS
from tests.quizzes.cards.decks import card, point, rated, row, shelve_cards
from tests.quizzes.goods import AT
from tests.quizzes.play import at_once

pytestmark = pytest.mark.django_db
EARLIER, LATER = AT - timedelta(days=1), AT + timedelta(days=1)


@pytest.fixture
def one(db):
    shelve_cards(card("one"), card("two"))
    return row("one")


@pytest.fixture
def guest(db):
    return make_guest(zone="UTC", at=AT)


def say(person, found, words, at=AT):
    return keep_words(learner_id=person.pk, card=found, words=words, at=at)


def opened(person, found, words="mine", at=AT):
    return open_back(learner_id=person.pk, card=found, words=words, no_answer=not words, at=at)


def tries(person):
    rows = CardTry.objects.of(person.pk).order_by("begun_at", "pk")
    return [(each.words, bool(each.shown_at), bool(each.rated_at), bool(each.undone_at)) for each in rows]


def test_words_are_kept_as_typed_and_changed(one, learner):
    assert say(learner, one, "  a\n\n b ") is True
    assert say(learner, one, "", LATER) is True
    assert tries(learner) == [("", False, False, False)]
    assert CardTry.objects.get().begun_at == AT


def test_back_needs_words_or_the_word_that_there_are_none(one, learner):
    with pytest.raises(NothingSaid):
        open_back(learner_id=learner.pk, card=one, words="\n ", no_answer=False, at=AT)
    assert tries(learner) == []
    opened(learner, one, "")
    assert tries(learner) == [("", True, False, False)]


def test_back_that_is_open_stays_as_it_was_opened(one, learner):
    first = opened(learner, one, "first")
    assert opened(learner, one, "second", LATER) == first
    assert say(learner, one, "third") is False
    found = CardTry.objects.get()
    assert (found.words, found.shown_at, found.fingerprint) == ("first", AT, one.fingerprint)


def rate(person, found, at=AT, **values):
    ratings = {f"one-{part.replace('_', '-')}": value for part, value in values.items()}
    return rate_card(learner_id=person.pk, card=found, ratings=ratings, at=at)


def test_rating_needs_an_open_back_and_a_point(one, learner):
    full = {point["slug"]: 2 for point in one.points}
    with pytest.raises(NotShown):
        rate_card(learner_id=learner.pk, card=one, ratings=full, at=AT)
    say(learner, one, "mine")
    with pytest.raises(NotShown):
        rate_card(learner_id=learner.pk, card=one, ratings=full, at=AT)
    opened(learner, one)
    with pytest.raises(NothingRated):
        rate_card(learner_id=learner.pk, card=one, ratings={"nothing": 2, "one-short": 3}, at=AT)
    assert CardTry.objects.get().rated_at is None
    done = rate_card(learner_id=learner.pk, card=one, ratings={**full, "nothing": 2}, at=LATER)
    assert (done.ratings, done.rated_at) == (full, LATER)


def test_points_without_a_rating_stay_open_and_are_rated_later(one, learner):
    opened(learner, one)
    rate(learner, one, short=2, depth=0)
    assert CardTry.objects.get().ratings == {
        "one-short": 2,
        "one-depth": 0,
        "one-example": None,
        "one-mistakes": None,
        "one-follow-ups": None,
    }
    rate(learner, one, at=LATER, short=0, example=1)
    kept = CardTry.objects.get()
    told = [kept.ratings[point["slug"]] for point in one.points]
    assert (kept.rated_at, told) == (AT, [2, 0, 1, None, None])
    with pytest.raises(NothingRated):
        rate(learner, one)


def test_what_is_kept_is_not_changed_by_rating_once_more(one, learner):
    opened(learner, one)
    rate(learner, one, short=2)
    changes = type(learner).objects.get(pk=learner.pk).changes
    assert rate(learner, one, at=LATER, short=2).rated_at == AT  # the second of two clicks
    assert type(learner).objects.get(pk=learner.pk).changes == changes
    with pytest.raises(NotShown):
        rate(learner, one, short=1)
    assert CardTry.objects.get().ratings["one-short"] == 2


def test_point_that_is_new_to_a_rated_card_can_be_rated(one, learner):
    rated(learner.pk, "one", 2)
    shelve_cards(card("one", point("one short", slug="one-short"), point("New", slug="new")), card("two"))
    done = rate_card(learner_id=learner.pk, card=row("one"), ratings={"new": 0}, at=LATER)
    assert (done.ratings["one-short"], done.ratings["new"]) == (2, 0)


def test_undo_steps_back_and_keeps_every_row(one, learner):
    first = rated(learner.pk, "one", 2)
    assert undo_card(learner_id=learner.pk, card=one, try_id=first.pk, at=LATER) is True
    assert undo_card(learner_id=learner.pk, card=one, try_id=first.pk, at=LATER) is False
    second = CardTry.objects.get(undone_at__isnull=True)
    assert (second.shown_at, second.rated_at, second.ratings) == (AT, None, first.ratings)
    undo_card(learner_id=learner.pk, card=one, try_id=second.pk, at=LATER)
    assert tries(learner) == [
        ("Mine.", True, True, True),
        ("Mine.", True, False, True),
        ("Mine.", False, False, False),
    ]
    third = CardTry.objects.get(undone_at__isnull=True)
    assert third.ratings == {}
    assert undo_card(learner_id=learner.pk, card=one, try_id=third.pk, at=LATER) is False
    assert CardTry.objects.get(pk=first.pk).ratings == first.ratings


def test_undo_of_a_new_try_brings_the_rated_one_back(one, learner):
    rated(learner.pk, "one", 1)
    say(learner, one, "again", LATER)
    newest = CardTry.objects.get(rated_at__isnull=True)
    assert undo_card(learner_id=learner.pk, card=one, try_id=newest.pk, at=LATER) is True
    assert tries(learner) == [("Mine.", True, True, False), ("again", False, False, True)]


def test_try_of_another_learner_cannot_be_undone(one, learner, other):
    first = rated(learner.pk, "one", 1)
    assert undo_card(learner_id=other.pk, card=one, try_id=first.pk, at=LATER) is False
    assert CardTry.objects.get().undone_at is None


@pytest.mark.django_db(transaction=True)
def test_many_at_once_make_one_try_and_one_rating(learner):
    shelve_cards(card("one"))
    found = row("one")
    ratings = {point["slug"]: 2 for point in found.points}

    def rate_all():
        return rate_card(learner_id=learner.pk, card=found, ratings=ratings, at=AT).pk

    at_once([lambda: say(learner, found, "mine")] * 6)
    assert len(tries(learner)) == 1
    at_once([lambda: opened(learner, found)] * 6)
    assert len(tries(learner)) == 1
    pk = CardTry.objects.get().pk
    assert at_once([rate_all] * 6) == [pk] * 6
    assert CardTry.objects.get().ratings == ratings
    undone = at_once([lambda: undo_card(learner_id=learner.pk, card=found, try_id=pk, at=LATER)] * 6)
    assert sorted(undone) == [False] * 5 + [True]
    assert len(tries(learner)) == 2


def test_mover_is_registered():
    assert merge_cards in MERGERS


def test_guests_answers_go_to_the_account(one, guest, learner):
    rated(guest.pk, "one", 0)
    say(guest, row("two"), "begun")
    rated(learner.pk, "one", 2, at=EARLIER)
    assert merge_guest(guest=guest, into=learner, at=LATER)
    assert tries(learner) == [
        ("Mine.", True, True, False),
        ("Mine.", True, True, False),
        ("begun", False, False, False),
    ]


@pytest.mark.parametrize(("guest_at", "stays"), [(EARLIER, "account"), (LATER, "guest")])
def test_of_two_open_answers_the_newer_stays_open(one, guest, learner, guest_at, stays):
    say(guest, one, "guest", guest_at)
    opened(learner, one, "account", AT)
    assert merge_guest(guest=guest, into=learner, at=timezone.now())
    left = CardTry.objects.get(undone_at__isnull=True)
    taken = CardTry.objects.get(undone_at__isnull=False)
    assert (left.words, left.learner_id, taken.learner_id) == (stays, learner.pk, learner.pk)
    assert taken.undone_at == left.begun_at


def test_answers_of_strangers_stay_where_they_are(one, guest, learner, other):
    say(other, one, "theirs")
    assert merge_guest(guest=guest, into=learner, at=LATER)
    assert (tries(other), tries(learner)) == ([("theirs", False, False, False)], [])
