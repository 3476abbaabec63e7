"""Order: items are brought into their one right order.

``body["options"]`` holds the items in the order of their words, which tells nothing; ``key["sequence"]`` names them
in the right order by their places there. The form sends the id of each item and behind it its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from quizzes.kinds.shapes import Answer, AnswerProblem, Body, Key, Mark, PartRemark, Pieces, Remark

NAME = "order"
NONE = ""  # no place yet
Option = Mapping[str, Any]


def place_value(place: int) -> str:
    """The value of the form for a place, from 1; no slug begins like it."""
    return f"#{place}"


def read(raw: Sequence[str], body: Body) -> Answer:
    """Every item with a place of its own; the answer is the items in that order. Raises AnswerProblem."""
    known = [str(one["slug"]) for one in body["options"]]
    items, places = raw[::2], raw[1::2]
    values = [place_value(at + 1) for at in range(len(known))]
    if sorted(items) != sorted(known) or set(places) - {*values, NONE} or len(raw) != 2 * len(known):
        raise AnswerProblem(
            "These are not the items of this question. Reload the page and order the ones shown."
        )
    if NONE in places:
        raise AnswerProblem("Give every item a place, then check. Nothing was recorded yet.")
    twice = sorted({one for one in places if places.count(one) > 1}, key=values.index)
    if twice:
        raise AnswerProblem(
            f"Place {twice[0][1:]} is given twice. Give every item a place of its own, then check."
        )
    at = dict(zip(places, items, strict=True))
    return Answer(options=tuple(at[value] for value in values))


def _sequence(body: Body, key: Key) -> list[Option]:
    """The items in the right order."""
    return [body["options"][at] for at in key["sequence"]]


def _rightly(answer: Answer, right: Sequence[Option]) -> list[bool]:
    """For each item in the right order: whether it follows the one it should follow, and the first begins."""
    slugs = [one["slug"] for one in right]
    follows = dict(pairwise(("", *answer.options)))
    return [follows.get(before) == slug for before, slug in pairwise(("", *slugs))]


def mark(answer: Answer, body: Body, key: Key) -> Mark:
    """The right order or nothing; with ``score: partial`` credit by adjacent pairs.

    Of the n − 1 neighbouring pairs of the right order, the share that stands side by side in the same order in the
    answer: an item that strays costs only the pairs it breaks, and the reversed order earns nothing.
    """
    right = _sequence(body, key)
    rightly = _rightly(answer, right)
    if all(rightly):
        return Mark("right", 1.0)
    pairs = rightly[1:]
    fraction = round(sum(pairs) / len(pairs), 6) if key["score"] == "partial" else 0.0
    beliefs = [key["options"][one["slug"]]["misconception"] for one in right]
    named = dict.fromkeys(one for one, well in zip(beliefs, rightly, strict=True) if one and not well)
    detail = f"{sum(pairs)} of {len(pairs)} neighbouring pairs right"
    return Mark("partly" if fraction else "wrong", fraction, detail, tuple(named))


def remarks(answer: Answer, body: Body, key: Key) -> tuple[Remark, ...]:
    """Nothing: items are told by ``parts``."""
    return ()


def parts(answer: Answer, body: Body, key: Key) -> tuple[PartRemark, ...]:
    """The items in the right order. One is right where it follows the item it should follow, as the credit counts.

    So an item may be wrong in its right place; what is wanted of it names the place and the item before, by its place.
    """
    right = _sequence(body, key)
    at = {slug: place for place, slug in enumerate(answer.options, start=1)}
    told = []
    for place, (item, well) in enumerate(zip(right, _rightly(answer, right), strict=True), start=1):
        about = key["options"][item["slug"]]
        told.append(
            PartRemark(
                title_html=item["html"],
                yours_html=f"place {at[item['slug']]}" if at else "",
                right=well,
                wanted_html=f"place {place}" + (f", right after {place - 1}" if place > 1 else ""),
                rationale_html=about["rationale"],
                misconception=about["belief"] if at and not well else "",
                read=about["read"],
            )
        )
    return tuple(told)


def said(answer: Answer, body: Body) -> str:
    """The items in the learner's order, numbered: "1. Heat; 2. Pour"."""
    words = {one["slug"]: str(one["text"]) for one in body["options"]}
    return "; ".join(f"{at}. {words.get(slug, '')}" for at, slug in enumerate(answer.options, start=1))


def pieces(body: Body) -> Pieces:
    """The items, no place, and every place. Always shuffled."""
    mixed = tuple(str(one["slug"]) for one in body["options"])
    return Pieces(mixed, (NONE, *(place_value(at + 1) for at in range(len(mixed)))))


def meaning(body: Body, key: Key) -> Any:
    """The score and the right order."""
    return [key["score"], [str(one["slug"]) for one in _sequence(body, key)]]
