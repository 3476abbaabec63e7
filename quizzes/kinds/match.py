"""Match: a choice for every row of a list.

``body["options"]`` holds the rows, ``body["rows"]`` of them in the author's order, then the choices in the order of
their words, which tells nothing. ``key["pairs"]`` names the right choice of each row by its place among the choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quizzes.kinds.shapes import Answer, AnswerProblem, Body, Key, Mark, PartRemark, Pieces, Remark, part_mark

NAME = "match"
NONE = ""  # no choice yet
ROW = "row: "  # stands before a row's words in the body: a choice with the same words is another option
Option = Mapping[str, Any]


def rows_of(body: Body) -> Sequence[Option]:
    """The rows in the author's order."""
    rows: Sequence[Option] = body["options"][: body["rows"]]
    return rows


def choices_of(body: Body) -> Sequence[Option]:
    """The choices, decoys among them."""
    choices: Sequence[Option] = body["options"][body["rows"] :]
    return choices


def read(raw: Sequence[str], body: Body) -> Answer:
    """A choice for each row, in the order of the rows. Raises AnswerProblem."""
    known = {str(one["slug"]) for one in choices_of(body)}
    if len(raw) > body["rows"] or set(raw) - known - {NONE}:
        raise AnswerProblem("That choice does not belong to this question. Choose among the ones shown.")
    open_ones = [str(at + 1) for at in range(body["rows"]) if at >= len(raw) or raw[at] == NONE]
    if open_ones:
        which = f"row {open_ones[0]}" if len(open_ones) == 1 else f"rows {', '.join(open_ones)}"
        raise AnswerProblem(f"Choose also for {which}, then check. Nothing was recorded yet.")
    return Answer(parts=tuple(raw))


def _right(body: Body, key: Key) -> list[Option]:
    """The right choice of each row."""
    choices = choices_of(body)
    return [choices[at] for at in key["pairs"]]


def _rightly(answer: Answer, body: Body, key: Key) -> list[bool]:
    given = answer.parts or (NONE,) * body["rows"]
    return [slug == one["slug"] for slug, one in zip(given, _right(body, key), strict=True)]


def mark(answer: Answer, body: Body, key: Key) -> Mark:
    """All rows or nothing; with ``score: partial`` the share of rows that are right."""
    beliefs = [key["options"][one["slug"]]["misconception"] for one in rows_of(body)]
    return part_mark(_rightly(answer, body, key), key, "rows", beliefs)


def remarks(answer: Answer, body: Body, key: Key) -> tuple[Remark, ...]:
    """Nothing: rows are told by ``parts``."""
    return ()


def parts(answer: Answer, body: Body, key: Key) -> tuple[PartRemark, ...]:
    """Every row with the choice it was given and the right one."""
    words = {one["slug"]: one["html"] for one in choices_of(body)}
    given = answer.parts or (NONE,) * body["rows"]
    told = []
    for row, slug, wanted in zip(rows_of(body), given, _right(body, key), strict=True):
        about, right = key["options"][row["slug"]], slug == wanted["slug"]
        told.append(
            PartRemark(
                title_html=row["html"],
                yours_html=words.get(slug, ""),
                right=right,
                wanted_html=wanted["html"],
                rationale_html=about["rationale"],
                misconception="" if right or slug == NONE else about["belief"],
                read=about["read"],
            )
        )
    return tuple(told)


def said(answer: Answer, body: Body) -> str:
    """Each row with its choice: "FP32: 32; BF16: 16"."""
    words = {one["slug"]: str(one["text"]) for one in choices_of(body)}
    return "; ".join(
        f"{row_text(row)}: {words.get(slug, '')}"
        for row, slug in zip(rows_of(body), answer.parts, strict=False)
    )


def row_text(row: Option) -> str:
    """A row's words."""
    return str(row["text"]).removeprefix(ROW)


def pieces(body: Body) -> Pieces:
    """The choices, and no choice."""
    mixed = tuple(str(one["slug"]) for one in choices_of(body))
    return Pieces(mixed, (NONE,), bool(body.get("shuffle", True)))


def meaning(body: Body, key: Key) -> Any:
    """The score, each row with its right choice, in order (answers are kept by place), and all choices."""
    rows = [str(one["slug"]) for one in rows_of(body)]
    right = [str(one["slug"]) for one in _right(body, key)]
    return [
        key["score"],
        list(zip(rows, right, strict=True)),
        sorted(str(one["slug"]) for one in choices_of(body)),
    ]
