"""Keys of one version for the answers to another: what both must have in common, and the key in the other's terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quizzes.kinds import match, order
from quizzes.kinds.shapes import Body, Key

COMPARED = ("exact", "strict")  # how words are compared: said in the body, and part of what a key means


def shape_of(kind: str, body: Body) -> tuple[Any, ...]:
    """What two versions of a kind must have in common for the key of one to mark answers to the other: options by
    slug, rows in their order, the number of gaps, the unit.
    """
    slugs, rows = _slugs(body.get("options", ())), body["rows"] if kind == match.NAME else 0
    return slugs[:rows], sorted(slugs[rows:]), len(body.get("gaps", ())), body.get("unit", "")


def fitted(kind: str, body: Body, of: Body, key: Key) -> tuple[Body, Key]:
    """``body`` as its answers are to be marked by the ``key`` of another version, whose body is ``of``.

    Keys that name options by their place name those of ``body`` then, and words are compared as the other version
    says. The shapes of both must be equal.
    """
    if kind == match.NAME:
        places = _places(match.choices_of(of), match.choices_of(body))
        return body, {**key, "pairs": [places[at] for at in key["pairs"]]}
    if kind == order.NAME:
        places = _places(of["options"], body["options"])
        return body, {**key, "sequence": [places[at] for at in key["sequence"]]}
    how = {name: bool(of.get(name)) for name in COMPARED if bool(of.get(name)) is not bool(body.get(name))}
    return ({**body, **how} if how else body), key


def _places(of: Sequence[Any], to: Sequence[Any]) -> list[int]:
    """For each option of one list its place in another."""
    slugs = _slugs(to)
    return [slugs.index(slug) for slug in _slugs(of)]


def _slugs(options: Sequence[Any]) -> list[str]:
    return [str(one["slug"]) for one in options]
