"""Cloze: words are typed into the gaps of a sentence.

The stored text of a question holds ``blank(n)`` where gap n stands; ``body["gaps"]`` has the hint of each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from quizzes.kinds.shapes import Answer, AnswerProblem, Body, Key, Mark, PartRemark, Pieces, Remark, part_mark
from quizzes.kinds.words import LONGEST, also, compared, folded, near, near_html

NAME = "cloze"
Gap = Mapping[str, Any]


def blank(number: int) -> str:
    """What stands in the text in the place of a gap, from 1. No text of an author can hold it: HTML is not read."""
    return f'<span class="gap">gap {number}</span>'


def read(raw: Sequence[str], body: Body) -> Answer:
    """Words for every gap, kept as they were typed. Raises AnswerProblem."""
    count = len(body["gaps"])
    if len(raw) > count:
        raise AnswerProblem(f"This question has {count} gaps.")
    typed = [one.strip() for one in raw] + [""] * (count - len(raw))
    empty = [str(at) for at, one in enumerate(typed, start=1) if not folded(one)]
    if empty:
        which = f"Gap {empty[0]} is" if len(empty) == 1 else f"Gaps {', '.join(empty)} are"
        raise AnswerProblem(
            f"{which} empty. Fill every gap, with a dash where you do not know, then check. Nothing was recorded yet."
        )
    if any(len(one) > LONGEST for one in typed):
        raise AnswerProblem(f"A gap takes at most {LONGEST} characters. A few words are enough.")
    return Answer(parts=tuple(typed))


def _rightly(answer: Answer, body: Body, key: Key) -> list[bool]:
    exact = bool(body.get("exact"))
    given = answer.parts or ("",) * len(body["gaps"])
    return [
        compared(typed, exact=exact) in {compared(one, exact=exact) for one in gap["accepted"]}
        for typed, gap in zip(given, key["gaps"], strict=True)
    ]


def mark(answer: Answer, body: Body, key: Key) -> Mark:
    """All gaps or nothing, compared as ``compared`` says; with ``score: partial`` the share of gaps that are right."""
    return part_mark(_rightly(answer, body, key), key, "gaps", [one["misconception"] for one in key["gaps"]])


def remarks(answer: Answer, body: Body, key: Key) -> tuple[Remark, ...]:
    """Nothing: gaps are told by ``parts``."""
    return ()


def parts(answer: Answer, body: Body, key: Key) -> tuple[PartRemark, ...]:
    """Every gap with what was typed, what is accepted, and, where it was missed by one slip, what it is close to."""
    exact = bool(body.get("exact"))
    given = answer.parts or ("",) * len(body["gaps"])
    told = []
    for typed, right, gap in zip(given, _rightly(answer, body, key), key["gaps"], strict=True):
        close = "" if right else near(typed, gap["accepted"], exact=exact)
        told.append(
            PartRemark(
                title_html="",
                yours_html=escape(typed),
                right=right,
                wanted_html=escape(also(gap["accepted"], exact=exact, every=not typed)),
                rationale_html=f"{near_html(close)}{gap['rationale']}",
                misconception=gap["belief"] if typed and not right else "",
                read=gap["read"],
            )
        )
    return tuple(told)


def said(answer: Answer, body: Body) -> str:
    """Each gap with its words: "Gap 1: memory; Gap 2: compute"."""
    return "; ".join(f"Gap {at}: {one}" for at, one in enumerate(answer.parts, start=1))


def pieces(body: Body) -> Pieces:
    """Nothing is shuffled."""
    return Pieces()


def meaning(body: Body, key: Key) -> Any:
    """The score, whether case counts, and what each gap accepts."""
    exact = bool(body.get("exact"))
    gaps = [sorted(compared(one, exact=exact) for one in gap["accepted"]) for gap in key["gaps"]]
    return [key["score"], exact, gaps]
