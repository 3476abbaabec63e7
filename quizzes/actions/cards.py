"""What a learner does with an interview card: own words, then the back, then a rating of each point.

Only one try of a card is open at a time. What was taken back keeps its row, marked as undone.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import connection, transaction
from django.db.models import QuerySet

from quizzes.models import Card, CardTry
from studyhub.accounts.actions import note_change

LONGEST_WORDS = 20_000  # characters
RATINGS = (0, 1, 2)  # missed, partly, said


class NothingSaid(Exception):
    """The back opens once the learner's words are there, or their word that they have no answer yet."""


class NotShown(Exception):
    """Points are rated once the back was opened; this card has no opened back that waits for ratings."""


class NothingRated(Exception):
    """No point was rated; nothing was kept."""


@transaction.atomic
def keep_words(*, learner_id: int, card: Card, words: str, at: datetime) -> bool:
    """Keep the learner's words on a card as typed, and say whether they were kept.

    Once the back was opened, the words stand: False, and nothing changes. Empty words on a card of which nothing is
    kept are not worth a row.
    """
    going_on = _open_try(learner_id, card.pk)
    if going_on is not None and going_on.shown_at is not None:
        return False
    if going_on is None:
        if not words.strip():
            return True
        going_on = CardTry(learner_id=learner_id, card=card, fingerprint=card.fingerprint, begun_at=at)
    going_on.words = words[:LONGEST_WORDS]
    going_on.save()
    note_change(learner_id=learner_id)
    return True


@transaction.atomic
def open_back(*, learner_id: int, card: Card, words: str, no_answer: bool, at: datetime) -> CardTry:
    """Open the back of a card; from then on the words stand as they are.

    A back that is open already stays as it was opened. Raises NothingSaid when there are no words and the learner
    does not say that there is no answer yet.
    """
    going_on = _open_try(learner_id, card.pk)
    if going_on is not None and going_on.shown_at is not None:
        return going_on
    if not words.strip() and not no_answer:
        raise NothingSaid
    if going_on is None:
        going_on = CardTry(learner_id=learner_id, card=card, begun_at=at)
    going_on.words = words[:LONGEST_WORDS]
    going_on.fingerprint = card.fingerprint
    going_on.shown_at = at
    going_on.save()
    note_change(learner_id=learner_id)
    return going_on


@transaction.atomic
def rate_card(*, learner_id: int, card: Card, ratings: Mapping[str, int], at: datetime) -> CardTry:
    """Keep ratings of points (2 said, 1 partly, 0 missed), by their slugs; ends the try.

    A point without a rating stays open: it counts as nothing until it is rated later, by the same action. A rating
    that is kept stands until the whole is undone; sending what is kept once more changes nothing. Raises NotShown,
    NothingRated.
    """
    given = {
        slug: ratings[slug]
        for slug in (str(point["slug"]) for point in card.points)
        if ratings.get(slug) in RATINGS
    }
    shown = _open_try(learner_id, card.pk) or _newest_try(learner_id, card.pk)
    if shown is None or shown.shown_at is None:
        raise NotShown
    if not given:
        raise NothingRated
    if shown.rated_at is None:
        shown.ratings = {str(point["slug"]): given.get(str(point["slug"])) for point in card.points}
        shown.fingerprint = card.fingerprint
        shown.rated_at = at
    else:
        added = {slug: rating for slug, rating in given.items() if shown.ratings.get(slug) is None}
        if not added and all(shown.ratings[slug] == rating for slug, rating in given.items()):
            return shown
        if not added:
            raise NotShown
        shown.ratings = {**shown.ratings, **added}
    shown.save(update_fields=["ratings", "fingerprint", "rated_at"])
    note_change(learner_id=learner_id)
    return shown


@transaction.atomic
def undo_card(*, learner_id: int, card: Card, try_id: int, at: datetime) -> bool:
    """Take the last step back, if ``try_id`` is still the newest try; say whether anything was taken back.

    A rating: the opened back waits for ratings again, and those that were given stay chosen. An opened back: the
    words can be changed again. Words of a new try on a card that was rated before: the rating counts again. The row
    is kept as undone each time.
    """
    _wait_for_each_other(learner_id, card.pk)
    standing = list(_standing(learner_id, card.pk)[:2])
    if not standing or standing[0].pk != try_id:
        return False
    last = standing[0]
    if last.shown_at is None and len(standing) == 1:
        return False
    last.undone_at = at
    last.save(update_fields=["undone_at"])
    if last.shown_at is not None:
        rated = last.rated_at is not None
        CardTry.objects.create(
            learner_id=learner_id,
            card=card,
            fingerprint=last.fingerprint,
            words=last.words,
            ratings=last.ratings if rated else {},
            begun_at=at,
            shown_at=last.shown_at if rated else None,
        )
    note_change(learner_id=learner_id)
    return True


@transaction.atomic(savepoint=False)
def merge_cards(guest_id: int, into_id: int) -> None:
    """Give a guest's answers to cards to an account. Where both have one open on the same card, the newer stays
    open and the other is kept as undone.
    """
    open_tries = CardTry.objects.filter(rated_at__isnull=True, undone_at__isnull=True)
    mine = {one.card_id: one for one in open_tries.of(into_id).select_for_update()}
    for one in open_tries.of(guest_id).select_for_update():
        other = mine.get(one.card_id)
        if other is not None:
            older, newer = sorted((one, other), key=lambda each: each.begun_at)
            older.undone_at = newer.begun_at
            older.save(update_fields=["undone_at"])
    if CardTry.objects.of(guest_id).update(learner_id=into_id):
        note_change(learner_id=into_id)


def _open_try(learner_id: int, card_pk: int) -> CardTry | None:
    """The learner's open try of a card, locked until commit."""
    _wait_for_each_other(learner_id, card_pk)
    mine = CardTry.objects.of(learner_id).filter(card_id=card_pk)
    return mine.filter(rated_at__isnull=True, undone_at__isnull=True).select_for_update().first()


def _newest_try(learner_id: int, card_pk: int) -> CardTry | None:
    """The learner's newest try of a card that was not taken back, locked until commit."""
    return _standing(learner_id, card_pk).first()


def _standing(learner_id: int, card_pk: int) -> QuerySet[CardTry]:
    """A learner's tries of a card that were not taken back, newest first, to be locked."""
    mine = CardTry.objects.of(learner_id).filter(card_id=card_pk, undone_at__isnull=True)
    return mine.select_for_update().order_by("-begun_at", "-pk")


def _wait_for_each_other(learner_id: int, card_pk: int) -> None:
    """What one learner does with one card happens one after the other, also where there is no row yet to lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [learner_id % 2**31, card_pk % 2**31])
