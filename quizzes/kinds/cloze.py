"""Cloze: words are typed into the gaps of a sentence.

The stored text of a question holds ``blank(n)`` where gap n stands; ``body["gaps"]`` has the hint of each, and
``key["gaps"]`` the words that follow it in the text (``after``), which may be typed too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from quizzes.kinds.nearness import beside_html
from quizzes.kinds.shapes import Answer, AnswerProblem, Body, Key, Mark, PartRemark, Pieces, Remark, part_mark
from quizzes.kinds.units import unit_forms
from quizzes.kinds.words import LONGEST, also, compared, folded, met

NAME = "cloze"
MOST_AFTER = 4  # words of the text behind a gap
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


def _how(body: Body) -> dict[str, bool]:
    """How words are compared in this question."""
    return {"exact": bool(body.get("exact")), "strict": bool(body.get("strict"))}


def _rightly(answer: Answer, body: Body, key: Key) -> list[bool]:
    given = answer.parts or ("",) * len(body["gaps"])
    return [
        any(met(one, gap["accepted"], **_how(body)) for one in _readings(typed, asked, gap, body))
        for typed, asked, gap in zip(given, body["gaps"], key["gaps"], strict=True)
    ]


def _readings(typed: str, asked: Gap, gap: Gap, body: Body) -> tuple[str, ...]:
    """What was typed, and the same without words that stand behind the gap or end its hint: "51.5 tokens", "0.8 s"."""
    how = _how(body)
    if how["strict"]:
        return (typed,)
    more = _more(str(gap.get("after", "")), str(asked["hint"]), exact=how["exact"])
    words = compared(typed, exact=how["exact"]).split()
    bare = [" ".join(words[:at]) for at in range(len(words) - 1, 0, -1) if " ".join(words[at:]) in more]
    return (typed, *bare)


def _more(after: str, hint: str, *, exact: bool) -> set[str]:
    """What may stand behind the words of a gap: runs of the words that follow it from the first or second one on,
    the other ways to write a unit that follows or is the hint, and the last words of the hint.

    Each also as it is compared behind a number, where "x" and "times" are "×".
    """
    units = (form for unit in (*after.split()[:1], hint) for form in unit_forms(unit))
    more = {" ".join(_plain(form, number, exact)) for form in units for number in ("", "1 ")}
    for number in ("", "1 "):
        follow, end = _plain(after, number, exact)[:MOST_AFTER], _plain(hint, number, exact)
        more |= {" ".join(follow[at:to]) for at in (0, 1) for to in range(at + 1, len(follow) + 1)}
        more |= {" ".join(end[at:]) for at in range(len(end))}
    return more


def _plain(text: str, number: str, exact: bool) -> list[str]:
    """The words of a text as they are compared behind ``number``, without it."""
    return compared(f"{number}{text}", exact=exact).split()[bool(number) :]


def mark(answer: Answer, body: Body, key: Key) -> Mark:
    """All gaps or nothing, compared like short answers; with ``score: partial`` the share of gaps that are right.

    The words that follow a gap in the text, or its unit, may be typed into it too.
    """
    return part_mark(_rightly(answer, body, key), key, "gaps", [one["misconception"] for one in key["gaps"]])


def remarks(answer: Answer, body: Body, key: Key) -> tuple[Remark, ...]:
    """Nothing: gaps are told by ``parts``."""
    return ()


def parts(answer: Answer, body: Body, key: Key) -> tuple[PartRemark, ...]:
    """Every gap with what was typed, what is accepted, and, where words were missed, how they differ."""
    exact = bool(body.get("exact"))
    given = answer.parts or ("",) * len(body["gaps"])
    told = []
    for typed, right, gap in zip(given, _rightly(answer, body, key), key["gaps"], strict=True):
        beside = "" if right or not typed else beside_html(typed, gap["accepted"], exact=exact)
        told.append(
            PartRemark(
                title_html="",
                yours_html=escape(typed),
                right=right,
                wanted_html=escape(also(gap["accepted"], exact=exact, every=not typed)),
                rationale_html=f"{beside}{gap['rationale']}",
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
    """The score, how words are compared, and what each gap accepts, each form that is ever met once."""
    how = _how(body)
    gaps = [sorted({compared(one, **how) for one in gap["accepted"]}) for gap in key["gaps"]]
    return [key["score"], how["exact"], gaps, *(["strict"] if how["strict"] else [])]
