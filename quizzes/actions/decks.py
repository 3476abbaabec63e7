"""Put the interview cards of a pack on the shelf, inside the loader's one transaction."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
WORD, SHORT = re.compile(r"\w+"), 3  # letters up to which a word tells nothing
AKIN = 0.3  # share of words in common from which a new point is taken for other words of one that left

# The words by which search finds the front, and by which it finds the back: signs are no letters, as in chapters.
INDEX = """
UPDATE quizzes_card AS card SET words = told.front, back_words = told.back FROM (
    SELECT id, to_tsvector('english', translate(front_text, %(signs)s, %(blanks)s)) AS front,
        to_tsvector('english', translate(coalesce((
            SELECT string_agg(point.value ->> 'text', chr(10) ORDER BY point.ordinality)
            FROM jsonb_array_elements(points) WITH ORDINALITY AS point WHERE NOT point.value ? 'gone'
        ), ''), %(signs)s, %(blanks)s)) AS back
    FROM quizzes_card WHERE course_id = %(course)s AND retired_at IS NULL
) AS told
WHERE card.id = told.id AND (card.words, card.back_words) IS DISTINCT FROM (told.front, told.back)
"""


# By card whose back somebody has opened: the points that somebody has rated.
RATED = """
SELECT said.card_id, coalesce(array_agg(DISTINCT one.key) FILTER (WHERE one.value <> 'null'), '{}')
FROM quizzes_cardtry AS said JOIN quizzes_card AS card ON card.id = said.card_id
LEFT JOIN LATERAL jsonb_each(said.ratings) AS one ON TRUE
WHERE card.course_id = %(course)s AND said.shown_at IS NOT NULL
GROUP BY said.card_id
"""
Entry = dict[str, Any]


@transaction.atomic
def put_cards(*, course: Course, goods: Sequence[CardGoods], tally: Tally, at: datetime) -> dict[str, Card]:
    """Make the cards of a course what the pack says, in its order; those that left are retired, never deleted.

    ``was`` renames an earlier card, so that answers stay with it. A point keeps its slug, and with it its ratings,
    by the author's id, equal text or likeness. What was rated in other words stays known with these words: see
    ``Card``. Returns the cards by slug.
    """
    _rename(course, goods)
    before = {row.slug: row for row in Card.objects.filter(course=course).defer("words", "back_words")}
    chapters = dict(Chapter.objects.filter(course=course).values_list("slug", "pk"))
    with connection.cursor() as cursor:
        cursor.execute(RATED, {"course": course.pk})
        rated = {pk: frozenset(slugs) for pk, slugs in cursor.fetchall()}
    wanted = []
    for one in goods:
        row = before.get(one.slug)
        earlier = Earlier(row, None if row is None else rated.get(row.pk), at)
        wanted.append((one.slug, _columns(one, chapters[one.chapter], earlier)))
    cards = shelve(Card, {"course": course}, wanted, tally, at)
    with connection.cursor() as cursor:
        cursor.execute(INDEX, {"course": course.pk, "signs": SIGNS, "blanks": BLANKS})
    return cards


@dataclass(frozen=True, slots=True)
class Earlier:
    """A card before a load: its row; the points that were rated, None where nobody has opened it; when it is loaded."""

    row: Card | None
    rated: frozenset[str] | None
    at: datetime

    @property
    def points(self) -> list[Entry]:
        """Every point it has or had, as stored."""
        return list(self.row.points) if self.row is not None else []


def _rename(course: Course, goods: Sequence[CardGoods]) -> None:
    known = set(Card.objects.filter(course=course).values_list("slug", flat=True))
    for one in goods:
        if one.was and one.slug not in known:
            Card.objects.filter(course=course, slug=one.was).update(slug=one.slug)


def _columns(goods: CardGoods, chapter_pk: int, earlier: Earlier) -> dict[str, Any]:
    points: list[Entry] = [
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
        | ({"id": point.slug} if point.slug not in ("", slug) else {})
        for slug, point in zip(match_points(goods.points, earlier.points), goods.points, strict=True)
    ]
    said = [goods.front_html, [[one["slug"], one["part"], one["html"]] for one in points]]
    fingerprint = hashlib.sha256(json.dumps(said).encode()).hexdigest()
    return {
        "chapter_id": chapter_pk,
        "deck": goods.deck,
        "deck_title": goods.deck_title,
        "level": goods.level,
        "topics": list(goods.topics),
        "objectives": list(goods.objectives),
        "front_html": goods.front_html,
        "front_text": goods.front_text,
        "points": _with_past(points, earlier, fingerprint),
        "read": goods.read,
        "fingerprint": fingerprint,
    }


def _with_past(points: list[Entry], earlier: Earlier, fingerprint: str) -> list[Entry]:
    """The points, each with its past, and after them those that are gone; nothing of cards that nobody opened."""
    if earlier.row is None or earlier.rated is None:
        return points
    before = {one["slug"]: one for one in earlier.points}
    here = {one["slug"] for one in points}
    same = fingerprint == earlier.row.fingerprint
    gone = {
        slug: _gone(one, earlier.at)
        for slug, one in before.items()
        if slug not in here and (same or slug in earlier.rated or "gone" not in one)
    }
    heirs = {} if same else _heirs(points, before)
    for one in points:
        slug = one["slug"]
        past = _worded(before.get(slug), one, earlier.at)
        was = [slug for slug in [*heirs.get(slug, []), *before.get(slug, {}).get("was", [])] if slug in gone]
        one.update(({"earlier": past} if past else {}) | ({"was": was} if was else {}))
    return [*points, *gone.values()]


def _gone(point: Entry, at: datetime) -> Entry:
    """What stays known of a point that the card has no longer."""
    kept = {name: point[name] for name in ("slug", "part", "html", "text", "belief")}
    past = {name: point[name] for name in ("id", "earlier", "was") if name in point}
    return kept | past | {"gone": point.get("gone", at.isoformat())}


def _worded(before: Entry | None, point: Entry, at: datetime) -> list[Entry]:
    """The wordings that a point of the same slug had, each with the moment until which it stood."""
    if before is None:
        return []
    past: list[Entry] = list(before.get("earlier", []))
    if before["text"] == point["text"]:
        return past
    return [
        *past,
        {"html": before["html"], "text": before["text"], "until": before.get("gone", at.isoformat())},
    ]


def _heirs(points: Sequence[Entry], before: Mapping[str, Entry]) -> dict[str, list[str]]:
    """For points that are new, the slugs of the one that each rewords: of the same part, with words in common."""
    here = {one["slug"] for one in points}
    left = {slug: one for slug, one in before.items() if slug not in here and "gone" not in one}
    pairs = [
        (_shared(one["text"], old["text"]), one["slug"], slug)
        for one in points
        if one["slug"] not in before
        for slug, old in left.items()
        if old["part"] == one["part"]
    ]
    found: dict[str, list[str]] = {}
    for share, slug, old_slug in sorted(pairs, reverse=True):
        if share >= AKIN and slug not in found and old_slug in left:
            found[slug] = [old_slug, *left.pop(old_slug).get("was", [])]
    return found


def _shared(one: str, other: str) -> float:
    """How much two texts have in common, from 0 to 1 (Dice's coefficient of their longer words and numbers)."""
    mine, theirs = _telling(one), _telling(other)
    return 2 * (mine & theirs).total() / max(1, mine.total() + theirs.total())


def _telling(text: str) -> Counter[str]:
    words = (word for word in WORD.findall(text.lower()) if len(word) > SHORT or word.isdigit())
    return Counter(words)


def match_points(points: Sequence[CardPointGoods], earlier: Sequence[Mapping[str, Any]]) -> list[str]:
    """A slug for each point: that of the earlier point with the author's id, else of one of the same part with equal
    text, else of one that is at least 0.8 alike, else the author's id, else a new one made from part and text. So a
    point that is given an id later stays the same point. Each earlier slug is given once.
    """
    by_id = {one.get("id", one["slug"]): one["slug"] for one in reversed(earlier)}  # gone points come last
    slugs = [by_id.get(one.slug, "") if one.slug else "" for one in points]
    named = {one.slug for one in points}
    free = {one["slug"]: one for one in earlier if one["slug"] not in slugs and one["slug"] not in named}
    for least in (1.0, ALIKE):
        for index, point in enumerate(points):
            if slugs[index]:
                continue
            near = [(_alike(point, one, least), slug) for slug, one in free.items()]
            best, slug = max(near, default=(0.0, ""))
            if best >= least:
                slugs[index] = slug
                del free[slug]
    taken = {slug for slug in slugs if slug} | named | {one["slug"] for one in earlier}
    for index, point in enumerate(points):
        if not slugs[index]:
            slugs[index] = _own_slug(point, slugs) or _new_slug(point, taken)
            taken.add(slugs[index])
    return slugs


def _own_slug(point: CardPointGoods, given: Sequence[str]) -> str:
    """The author's id, unless another point goes by it already."""
    return "" if point.slug in given else point.slug


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
