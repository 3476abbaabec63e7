"""What the form of a question of parts shows before the answer: rows, items, gaps. No key is read here."""

from __future__ import annotations

from collections.abc import Sequence

from quizzes.kinds import match
from quizzes.queries.ready import Shown
from quizzes.queries.shapes import FieldView


def fields_of(
    version: Shown, seen: Sequence[tuple[str, str]], raw: Sequence[str], *, refused: bool
) -> tuple[FieldView, ...]:
    """The rows, items or gaps of a question; nothing for other kinds.

    ``seen``: slug and id of each option as shown in this attempt; ``raw``: what was sent, shown again where it was
    ``refused``.
    """
    if version.kind == "match":
        html = [(row["html"], "") for row in match.rows_of(version.body)]
    elif version.kind == "cloze":
        html = [("", gap["hint"]) for gap in version.body["gaps"]]
    elif version.kind == "order":
        return _items(version, seen, raw, refused=refused)
    else:
        return ()
    values = [*raw, *("" for _ in html)]
    return tuple(
        FieldView("", at + 1, words, hint, values[at], refused and not values[at].strip())
        for at, (words, hint) in enumerate(html)
    )


def _items(
    version: Shown, seen: Sequence[tuple[str, str]], raw: Sequence[str], *, refused: bool
) -> tuple[FieldView, ...]:
    places = dict(zip(raw[::2], raw[1::2], strict=False))
    given = list(places.values())
    fields = []
    for at, (slug, token) in enumerate(seen, start=1):
        place = places.get(token, "")
        invalid = refused and (not place or given.count(place) > 1)
        fields.append(FieldView(token, at, version.texts[slug], "", place, invalid))
    return tuple(fields)
