"""Multiple choice: several options are right; all of them, or partial credit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quizzes.kinds.shapes import (
    Answer,
    AnswerProblem,
    Body,
    Key,
    Mark,
    PartRemark,
    Pieces,
    Remark,
    believed,
    option_meaning,
    option_pieces,
    option_remarks,
    option_said,
    option_slugs,
)

NAME = "multiple"


def read(raw: Sequence[str], body: Body) -> Answer:
    """At least one option. Raises AnswerProblem."""
    if not raw:
        raise AnswerProblem("Choose at least one option, then check. Nothing was recorded yet.")
    return Answer(options=option_slugs(raw, body))


def mark(answer: Answer, body: Body, key: Key) -> Mark:
    """All or nothing; with ``score: partial`` the chosen weights add up, between 0 and 1.

    Without an author's weight a right option counts 1/r (r right options) and a wrong one −1/w (w wrong ones).
    All or nothing calls an answer partly right only when it lacks right options and has no wrong one.
    """
    options = key["options"]
    right = [slug for slug, about in options.items() if about["right"]]
    wrong = len(options) - len(right)
    hit = sum(1 for slug in answer.options if slug in right)
    extra = len(answer.options) - hit
    detail = f"{hit} of {len(right)} right ones" + (f", {extra} wrong" if extra else "")
    if set(answer.options) == set(right):
        return Mark("right", 1.0)
    fraction = 0.0
    if key["score"] == "partial":
        for slug in answer.options:
            weight = options[slug]["weight"]
            if weight is None:
                weight = 1 / len(right) if slug in right else -1 / wrong
            fraction += weight
        fraction = round(min(1.0, max(0.0, fraction)), 6)
    some = fraction > 0 or (key["score"] != "partial" and hit > 0 and not extra)
    state = "partly" if some else "wrong"
    return Mark(state, fraction, detail, believed(answer.options, key))


def remarks(answer: Answer, body: Body, key: Key) -> tuple[Remark, ...]:
    """See Kind.remarks."""
    return option_remarks(answer, body, key)


def parts(answer: Answer, body: Body, key: Key) -> tuple[PartRemark, ...]:
    """Nothing: options are told by ``remarks``."""
    return ()


def said(answer: Answer, body: Body) -> str:
    """See Kind.said."""
    return option_said(answer, body)


def pieces(body: Body) -> Pieces:
    """See Kind.pieces."""
    return option_pieces(body)


def meaning(body: Body, key: Key) -> Any:
    """See Kind.meaning."""
    return [key["score"], *option_meaning(body, key)]
