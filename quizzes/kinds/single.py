"""Single choice: exactly one option is right."""

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

NAME = "single"


def read(raw: Sequence[str], body: Body) -> Answer:
    """Exactly one option. Raises AnswerProblem."""
    if not raw:
        raise AnswerProblem("Choose an option, then check. Nothing was recorded yet.")
    if len(raw) > 1:
        raise AnswerProblem("This question takes one option. Choose one, then check.")
    return Answer(options=option_slugs(raw, body))


def mark(answer: Answer, body: Body, key: Key) -> Mark:
    """Right or wrong; a wrong option with a positive weight gives that fraction."""
    chosen = key["options"][answer.options[0]]
    if chosen["right"]:
        return Mark("right", 1.0)
    fraction = max(0.0, float(chosen["weight"] or 0.0))
    return Mark("partly" if fraction else "wrong", fraction, misconceptions=believed(answer.options, key))


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
    return option_meaning(body, key)
