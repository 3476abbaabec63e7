"""What becomes of ratings when an author rewords a card's points or takes them out: none of them is lost.

A rating is of the words that stood when it was given. A point of the same slug says the same in other words, so its
rating stands and is told with the old words. A point that took the place of a gone one has no rating yet; what the
gone one was rated is told beside it. What went without a successor is listed as former.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from quizzes.models import Card
from quizzes.queries.card_shapes import Before, FormerView

Entry = Mapping[str, Any]
Ratings = Mapping[str, int | None]
PARTS: Mapping[str, tuple[str, tuple[str, str, str]]] = {
    "short": ("Short answer", ("said", "partly", "missed")),
    "depth": ("In depth", ("said", "partly", "missed")),
    "example": ("Example", ("said", "partly", "missed")),
    "mistakes": ("Common mistakes", ("avoided", "partly", "made it")),
    "follow-ups": ("Follow-ups", ("could answer", "partly", "could not")),
}


def reworded(point: Entry, rated_at: datetime | None) -> Entry | None:
    """The words of a point when it was rated, if they were others than now: {html, text, until}."""
    if rated_at is None:
        return None
    past = (one for one in point.get("earlier", ()) if datetime.fromisoformat(one["until"]) > rated_at)
    seen: Entry | None = next(past, None)
    return seen if seen is not None and seen["text"] != point["text"] else None


def before_of(
    point: Entry, ratings: Ratings, rated_at: datetime | None, gone: Mapping[str, Entry]
) -> Before | None:
    """What a point was rated in other words; None where it was not, or was rated anew."""
    word = word_of(point["part"])
    rating = ratings.get(point["slug"])
    if rating is not None:
        seen = reworded(point, rated_at)
        return None if seen is None else Before(rating, word[rating], seen["html"], stands=True)
    for slug in point.get("was", ()):
        rating = ratings.get(slug)
        if rating is not None:
            return Before(rating, word[rating], gone[slug]["html"] if slug in gone else "", stands=False)
    return None


def former_of(card: Card, ratings: Ratings) -> tuple[FormerView, ...]:
    """The rated points that the card has no longer and no other point took the place of.

    Of what was rated before words of gone points were kept, only the rating is known.
    """
    points, gone = card.standing_points(), card.gone_points()
    known = {str(one["slug"]) for one in points} | {
        str(slug) for one in points for slug in one.get("was", ())
    }
    return tuple(
        _former(gone.get(slug), rating)
        for slug, rating in ratings.items()
        if slug not in known and rating is not None
    )


def _former(point: Entry | None, rating: int) -> FormerView:
    if point is None:
        return FormerView("", "", rating, word_of("")[rating])
    return FormerView(PARTS[point["part"]][0], point["html"], rating, word_of(point["part"])[rating])


def word_of(part: str) -> Mapping[int, str]:
    """The words for ratings in a part: 2 said, 1 partly, 0 missed, as they are called there."""
    said = PARTS[part][1] if part in PARTS else PARTS["short"][1]
    return dict(zip((2, 1, 0), said, strict=True))


def missed_before(ratings: Ratings, here: Collection[str]) -> int:
    """How many points were missed that are not among ``here``, the card's points now."""
    return sum(rating == 0 and slug not in here for slug, rating in ratings.items())


def told_points(points: Iterable[Entry], ratings: Ratings, rated_at: datetime | None) -> list[dict[str, Any]]:
    """Ratings with the words that were rated, for people to take along, in the order of the card.

    ``now`` is stands, reworded (the rating stands, the words are others now) or gone; of points that were gone before
    their words were kept, part and text are empty.
    """
    every = {str(one["slug"]): one for one in points}
    order = [*(slug for slug in every if slug in ratings), *(slug for slug in ratings if slug not in every)]
    return [_told(slug, every.get(slug), ratings[slug], rated_at) for slug in order]


def _told(slug: str, point: Entry | None, rating: int | None, rated_at: datetime | None) -> dict[str, Any]:
    part = point["part"] if point else ""
    seen = reworded(point, rated_at) if point else None
    now = "gone" if point is None or "gone" in point else "reworded" if seen else "stands"
    return {
        "point": slug,
        "part": PARTS[part][0] if part else "",
        "text": seen["text"] if seen else point["text"] if point else "",
        "rating": "open" if rating is None else word_of(part)[rating],
        "now": now,
    }
