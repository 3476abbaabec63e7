"""Ready cards for tests, put on the shelf of the small course."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from chapters.draft import Tally
from chapters.models import Course
from quizzes.actions import open_back, put_cards, rate_card
from quizzes.draft import CardGoods, CardPointGoods
from quizzes.models import Card, CardTry
from tests.quizzes.goods import AT, quiz_goods, shelve_course

PARTS = ("short", "depth", "example", "mistakes", "follow-ups")
HERE = "/c/small-course/cards/"


def point(text: str, part: str = "short", **extra: Any) -> CardPointGoods:
    """One point of a card."""
    plain: dict[str, Any] = {
        "slug": "",
        "misconception": "",
        "belief": "",
        "read": (),
        "questions": (),
        "html": f"<p>{text}</p>",
    }
    return CardPointGoods(part=part, text=text, **{**plain, **extra})


def card(slug: str, *points: CardPointGoods, **extra: Any) -> CardGoods:
    """A card with a point in every part."""
    plain: dict[str, Any] = {
        "was": "",
        "deck": "deck",
        "deck_title": "Deck",
        "chapter": "small",
        "level": "beginner",
        "topics": ("weights",),
        "objectives": ("weigh",),
        "front_html": f"Why {slug}?",
        "front_text": f"Why {slug}?",
        "read": "small#here",
    }
    told = points or tuple(point(f"{slug} {part}", part, slug=f"{slug}-{part}") for part in PARTS)
    return CardGoods(slug=slug, points=told, **{**plain, **extra})


def shelve_cards(*goods: CardGoods, at: datetime = AT) -> tuple[Course, Tally]:
    """Put exactly these cards into the small course."""
    course = Course.objects.filter(slug="small-course").first() or shelve_course(quiz_goods())[0]
    tally = Tally()
    put_cards(course=course, goods=goods, tally=tally, at=at)
    return course, tally


def row(slug: str) -> Card:
    """The card on the shelf."""
    return Card.objects.get(course__slug="small-course", slug=slug)


def rated(learner_id: int, slug: str, *values: int, at: datetime = AT) -> CardTry:
    """A whole answer: words, back, and these ratings in order (the last one for all that follow)."""
    found = row(slug)
    open_back(learner_id=learner_id, card=found, words="Mine.", no_answer=False, at=at)
    slugs = [one["slug"] for one in found.points]
    every = [*values, *[values[-1]] * len(slugs)]
    return rate_card(learner_id=learner_id, card=found, ratings=dict(zip(slugs, every, strict=False)), at=at)


def sheet(slug: str = "") -> dict[str, int]:
    """What the form of a card's newest try says of itself; with a slug of this card, else of the newest of all."""
    rows = CardTry.objects.filter(undone_at=None, **({"card__slug": slug} if slug else {}))
    newest = rows.order_by("-begun_at", "-pk").first()
    return {"try": newest.pk if newest else 0}
