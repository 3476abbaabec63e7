"""Put the interview cards of a pack on the shelf, inside the loader's one transaction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any

from django.db import connection, transaction

from chapters.actions import shelve
from chapters.draft import Tally
from chapters.models import Chapter, Course
from chapters.queries.passages import BLANKS, SIGNS
from quizzes.draft import CardGoods, CardPointGoods
from quizzes.models import Card

ALIKE = 0.8  # likeness from which a reworded point is taken for the same one

# The words by which search finds the front, and by which it finds the back: signs are no letters, as in chapters.
INDEX = """
UPDATE quizzes_card AS card SET words = told.front, back_words = told.back FROM (
    SELECT id, to_tsvector('english', translate(front_text, %(signs)s, %(blanks)s)) AS front,
        to_tsvector('english', translate(coalesce((
            SELECT string_agg(point.value ->> 'text', chr(10) ORDER BY point.ordinality)
            FROM jsonb_array_elements(points) WITH ORDINALITY AS point
        ), ''), %(signs)s, %(blanks)s)) AS back
    FROM quizzes_card WHERE course_id = %(course)s AND retired_at IS NULL
) AS told
WHERE card.id = told.id AND (card.words, card.back_words) IS DISTINCT FROM (told.front, told.back)
"""


@transaction.atomic
def put_cards(*, course: Course, goods: Sequence[CardGoods], tally: Tally, at: datetime) -> dict[str, Card]:
    """Make the cards of a course what the pack says, in its order; those that left are retired, never deleted.

    ``was`` renames an earlier card, so that answers stay with it. A point keeps its slug, and with it its ratings,
    by the author's id, equal text or likeness. Returns the cards by slug.
    """
    _rename(course, goods)
    before = {row.slug: row for row in Card.objects.filter(course=course).defer("words", "back_words")}
    chapters = dict(Chapter.objects.filter(course=course).values_list("slug", "pk"))
    wanted = [
        (one.slug, _columns(one, chapters[one.chapter], _points_of(before.get(one.slug)))) for one in goods
    ]
    cards = shelve(Card, {"course": course}, wanted, tally, at)
    with connection.cursor() as cursor:
        cursor.execute(INDEX, {"course": course.pk, "signs": SIGNS, "blanks": BLANKS})
    return cards


def _rename(course: Course, goods: Sequence[CardGoods]) -> None:
    known = set(Card.objects.filter(course=course).values_list("slug", flat=True))
    for one in goods:
        if one.was and one.slug not in known:
            Card.objects.filter(course=course, slug=one.was).update(slug=one.slug)


def _points_of(card: Card | None) -> list[Mapping[str, Any]]:
    return list(card.points) if card is not None else []


def _columns(goods: CardGoods, chapter_pk: int, earlier: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    points = [
        {
            "slug": slug,
            "part": point.part,
            "html": point.html,
            "text": point.text,
            "misconception": point.misconception,
            "belief": point.belief,
            "read": list(point.read),
            "questions": [list(place) for place in point.questions],
        }
        for slug, point in zip(match_points(goods.points, earlier), goods.points, strict=True)
    ]
    said = [goods.front_html, [[one["slug"], one["part"], one["html"]] for one in points]]
    return {
        "chapter_id": chapter_pk,
        "deck": goods.deck,
        "deck_title": goods.deck_title,
        "level": goods.level,
        "topics": list(goods.topics),
        "objectives": list(goods.objectives),
        "front_html": goods.front_html,
        "front_text": goods.front_text,
        "points": points,
        "read": goods.read,
        "fingerprint": hashlib.sha256(json.dumps(said).encode()).hexdigest(),
    }


def match_points(points: Sequence[CardPointGoods], earlier: Sequence[Mapping[str, Any]]) -> list[str]:
    """A slug for each point: the author's, else that of the earlier point of the same part with equal text, else
    of one that is at least 0.8 alike, else a new one made from part and text. Each earlier slug is given once.
    """
    slugs = [one.slug for one in points]
    free = {one["slug"]: one for one in earlier if one["slug"] not in slugs}
    for least in (1.0, ALIKE):
        for index, point in enumerate(points):
            if slugs[index]:
                continue
            near = [(_alike(point, one, least), slug) for slug, one in free.items()]
            best, slug = max(near, default=(0.0, ""))
            if best >= least:
                slugs[index] = slug
                del free[slug]
    taken = {slug for slug in slugs if slug} | set(free)
    for index, point in enumerate(points):
        if not slugs[index]:
            slugs[index] = _new_slug(point, taken)
            taken.add(slugs[index])
    return slugs


def _alike(point: CardPointGoods, earlier: Mapping[str, Any], least: float) -> float:
    if point.part != earlier["part"]:
        return 0.0
    if point.text == earlier["text"]:
        return 1.0
    if least == 1.0:
        return 0.0
    return SequenceMatcher(None, earlier["text"], point.text, autojunk=False).ratio()


def _new_slug(point: CardPointGoods, taken: set[str]) -> str:
    number, slug = 0, ""
    while not slug or slug in taken:
        slug = "p" + hashlib.sha256(f"{point.part}\n{point.text}\n{number}".encode()).hexdigest()[:10]
        number += 1
    return slug
