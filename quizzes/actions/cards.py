"""What a learner does with an interview card: own words, then the back, then a rating of each point.

Only one try of a card is open at a time. What was taken back keeps its row, marked as undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

from quizzes.models import Card, CardTry
from quizzes.queries.card_past import reworded
from studyhub.accounts.actions import note_change

LONGEST_WORDS = 20_000  # characters
RATINGS = (0, 1, 2)  # missed, partly, said


class NothingSaid(Exception):
    """The back opens once the learner's words are there, or their word that they have no answer yet."""


class NotShown(Exception):
    """Points are rated once the back was opened; this card has no opened back that waits for ratings."""


class NothingRated(Exception):
    """No point was rated; nothing was kept."""


class MovedOn(Exception):
    """What was sent belongs to another answer to the card, or to other words of it, than those that stand now."""


class WordsMoved(Exception):
    """Another page kept other words in the meantime; nothing was changed. ``words`` are those that are kept."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words


@dataclass(frozen=True, slots=True)
class Seen:
    """What a page showed of a card when words were sent from it; None for what is not known and not asked for."""

    after: int | None = None  # the newest try, 0 for none
    words: str | None = None  # the stamp of the words of the open try, "" for none


def stamp_of(words: str) -> str:
    """What names words without telling them: 16 letters, "" for no words."""
    return sha256(words.encode()).hexdigest()[:16] if words else ""


@transaction.atomic
def keep_words(*, learner_id: int, card: Card, words: str, at: datetime, seen: Seen = Seen()) -> bool:
    """Keep the learner's words on a card as typed, and say whether they were kept.

    Once the back was opened, the words stand: False, and nothing changes. Likewise where the card was rated since the
    learner saw it. Raises WordsMoved where other words are kept than those they saw, unless these go on from them.
    Empty words on a card of which nothing is kept are not worth a row.
    """
    going_on = _open_try(learner_id, card.pk)
    if going_on is not None and going_on.shown_at is not None:
        return False
    if going_on is None:
        if _newer(learner_id, card.pk, seen.after):
            return False
        if not words.strip():
            return True
        going_on = CardTry(learner_id=learner_id, card=card, fingerprint=card.fingerprint, begun_at=at)
    _refuse_unseen(going_on, words, seen)
    going_on.words = words[:LONGEST_WORDS]
    going_on.save()
    note_change(learner_id=learner_id)
    return True


@transaction.atomic
def open_back(
    *, learner_id: int, card: Card, words: str, no_answer: bool, at: datetime, seen: Seen = Seen()
) -> CardTry:
    """Open the back of a card; from then on the words stand as they are.

    A back that is open already stays as it was opened. Raises MovedOn where the card was rated since the learner saw
    it, NothingSaid when there are no words and the learner does not say that there is no answer yet, and WordsMoved as
    ``keep_words`` does.
    """
    going_on = _open_try(learner_id, card.pk)
    if going_on is not None and going_on.shown_at is not None:
        return going_on
    if going_on is None and _newer(learner_id, card.pk, seen.after):
        raise MovedOn
    if not words.strip() and not no_answer:
        raise NothingSaid
    if going_on is None:
        going_on = CardTry(learner_id=learner_id, card=card, begun_at=at)
    _refuse_unseen(going_on, words, seen)
    going_on.words = words[:LONGEST_WORDS]
    going_on.fingerprint = card.fingerprint
    going_on.shown_at = at
    going_on.save()
    note_change(learner_id=learner_id)
    return going_on


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a sheet of ratings was filled in on: the try, and the card's fingerprint ("" where that is not known)."""

    try_id: int
    wording: str = ""


@transaction.atomic
def rate_card(
    *, learner_id: int, card: Card, ratings: Mapping[str, int], at: datetime, sheet: Sheet | None = None
) -> CardTry:
    """Keep ratings of points (2 said, 1 partly, 0 missed), by their slugs; ends the try.

    A point without a rating stays open: it counts as nothing until it is rated later, by the same action. A rating
    that is kept stands until the whole is undone, or until its point says something else; sending what is kept once
    more changes nothing. One row holds ratings of one wording of the card: those that come after another was loaded
    make a new row with the same words, in which earlier ratings go on, those of gone points too; the old row stays.
    Raises MovedOn where ``sheet`` is not what stands now (None asks for nothing), NotShown, NothingRated.
    """
    points = card.standing_points()
    given = {one["slug"]: ratings[one["slug"]] for one in points if ratings.get(one["slug"]) in RATINGS}
    newest = _open_try(learner_id, card.pk) or _newest_try(learner_id, card.pk)
    added = _added(newest, points, given) if newest is not None else {}
    if newest is not None and newest.rated_at is not None and not added and _holds(newest, given):
        return newest
    shown = _fitting(newest, card, sheet)
    if not given:
        raise NothingRated
    if not added:
        raise NotShown
    if shown.rated_at is None:
        every: dict[str, int | None] = {one["slug"]: given.get(one["slug"]) for one in points}
        shown.ratings = _carried(shown, points, given) | every
        shown.fingerprint = card.fingerprint
        shown.rated_at = at
    else:
        shown = _in_these_words(shown, card, at)
        shown.ratings = _carried(shown, points, added) | added
    shown.save()
    note_change(learner_id=learner_id)
    return shown


def _holds(shown: CardTry, given: Mapping[str, int]) -> bool:
    """Whether these ratings, if there are any, are those that are kept."""
    return bool(given) and all(shown.ratings.get(slug) == rating for slug, rating in given.items())


def _fitting(newest: CardTry | None, card: Card, sheet: Sheet | None) -> CardTry:
    """The newest try, if its back is open and the sheet was filled in on it. Raises MovedOn, NotShown."""
    if sheet is not None and (newest is None or sheet.try_id != newest.pk):
        raise MovedOn
    if newest is None or newest.shown_at is None:
        raise NotShown
    if sheet is not None and sheet.wording not in ("", card.fingerprint):
        raise MovedOn
    return newest


def _added(shown: CardTry, points: Iterable[Mapping[str, Any]], given: Mapping[str, int]) -> dict[str, int]:
    """What of the ratings is new: all of a try that was not rated yet, else points that were open or say something
    else since.
    """
    if shown.rated_at is None:
        return dict(given)
    other = {str(one["slug"]) for one in points if reworded(one, shown.rated_at)}
    return {
        slug: rating for slug, rating in given.items() if shown.ratings.get(slug) is None or slug in other
    }


def _carried(
    shown: CardTry, points: Iterable[Mapping[str, Any]], given: Mapping[str, int]
) -> dict[str, int | None]:
    """The ratings that go on: of a rated try all, of another one those of gone points. A point that is rated takes
    the place of the gone ones that it rewords.
    """
    here = {str(one["slug"]) for one in points}
    replaced = {str(slug) for one in points if one["slug"] in given for slug in one.get("was", ())}
    return {
        slug: rating
        for slug, rating in shown.ratings.items()
        if slug not in replaced and (shown.rated_at is not None or slug not in here)
    }


def _in_these_words(shown: CardTry, card: Card, at: datetime) -> CardTry:
    """The rated try itself where the card says what it said then, else a row of its own for the present wording."""
    if shown.fingerprint == card.fingerprint:
        return shown
    return CardTry(
        learner_id=shown.learner_id,
        card=card,
        fingerprint=card.fingerprint,
        words=shown.words,
        ratings=shown.ratings,
        begun_at=at,
        shown_at=shown.shown_at,
        rated_at=at,
    )


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


def _refuse_unseen(going_on: CardTry, words: str, seen: Seen) -> None:
    """Raise WordsMoved where the try has words that were not seen and that these do not go on from."""
    kept = going_on.words
    if seen.words is not None and seen.words != stamp_of(kept) and not words.startswith(kept):
        raise WordsMoved(kept)


def _newest_try(learner_id: int, card_pk: int) -> CardTry | None:
    """The learner's newest try of a card that was not taken back, locked until commit."""
    return _standing(learner_id, card_pk).first()


def _newer(learner_id: int, card_pk: int, after: int | None) -> bool:
    """Whether the newest try is another than the one the learner saw last; None for "not known" asks nothing."""
    if after is None:
        return False
    newest = _newest_try(learner_id, card_pk)
    return newest is not None and newest.pk != after


def _standing(learner_id: int, card_pk: int) -> QuerySet[CardTry]:
    """A learner's tries of a card that were not taken back, newest first, to be locked."""
    mine = CardTry.objects.of(learner_id).filter(card_id=card_pk, undone_at__isnull=True)
    return mine.select_for_update().order_by("-begun_at", "-pk")


def _wait_for_each_other(learner_id: int, card_pk: int) -> None:
    """What one learner does with one card happens one after the other, also where there is no row yet to lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [learner_id % 2**31, card_pk % 2**31])
