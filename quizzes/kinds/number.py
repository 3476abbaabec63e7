"""A typed number with tolerance and unit, and mistakes the author expects."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from quizzes.kinds.shapes import Answer, AnswerProblem, Body, Key, Mark, PartRemark, Pieces, Remark
from quizzes.kinds.units import unit_forms

NAME = "number"
LONGEST = 40  # characters
FAR = 9  # powers of ten, above which a number is not told by how much it misses
OUTSIDE = "<p>This number lies outside what is accepted, and is no mistake the author expected.</p>"
BEFORE = re.compile(r"(?:≈|~|=|±|about|approx\.?|ca\.?|around|roughly)\s*(?=[-+.\d])", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[+-]?\d{1,3})?", re.IGNORECASE)


def value_of(typed: str, unit: str) -> Decimal:
    """The number in ``typed``: point as decimal mark, spaces between thousands allowed, the unit may follow.

    The unit in any case, in the singular too, and as a sign for its word ("%" for "percent"), with a full stop behind
    it; "about", "≈", "=" or "±" may stand before the number.

    Raises AnswerProblem with how to write it.
    """
    how = "Write digits with a point as decimal mark, for example 3.5 or 1.2e9."
    text = typed.strip().replace("\u2212", "-").replace("\u00a0", " ").replace("\u202f", " ")
    if not text:
        raise AnswerProblem("Type a number, then check. Nothing was recorded yet.")
    if len(text) > LONGEST:
        raise AnswerProblem(f"That is longer than {LONGEST} characters. {how}")
    text = BEFORE.sub("", text, count=1) if BEFORE.match(text) else text
    text = text[:-1].rstrip() if text.endswith((".", ";")) else text
    written = next((one for one in unit_forms(unit) if text.lower().endswith(one)), "")
    text = text.removesuffix(text[len(text) - len(written) :]).strip()
    if "," in text:
        raise AnswerProblem(f"“{typed.strip()}” has a comma, which could mean two things. {how}")
    text = re.sub(r"(?<=\d) (?=\d{3}\b)", "", text)
    if not NUMBER.fullmatch(text):
        other = f" in {unit}" if unit else ""
        raise AnswerProblem(f"“{typed.strip()}” is not a number{other}. {how}")
    try:
        return Decimal(text)
    except InvalidOperation as problem:
        raise AnswerProblem(f"“{typed.strip()}” is not a number. {how}") from problem


def read(raw: Sequence[str], body: Body) -> Answer:
    """One number, kept as it was typed. Raises AnswerProblem."""
    typed = raw[0] if raw else ""
    if len(raw) > 1:
        raise AnswerProblem("This question takes one number.")
    value_of(typed, str(body.get("unit", "")))
    return Answer(typed=typed.strip())


def _hit(value: Decimal, entry: Mapping[str, Any]) -> bool:
    return Decimal(entry["low"]) <= value <= Decimal(entry["high"])


def _found(answer: Answer, body: Body, entries: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    if not answer.typed:
        return None
    value = value_of(answer.typed, str(body.get("unit", "")))
    return next((entry for entry in entries if _hit(value, entry)), None)


def mark(answer: Answer, body: Body, key: Key) -> Mark:
    """Right within an accepted range; an accepted range with a weight gives that fraction."""
    accepted = _found(answer, body, key["accepted"])
    if accepted is not None:
        fraction = 1.0 if accepted["weight"] is None else float(accepted["weight"])
        return Mark("right" if fraction >= 1 else "partly", fraction)
    mistake = _found(answer, body, key["mistakes"])
    named = (str(mistake["misconception"]),) if mistake and mistake["misconception"] else ()
    return Mark("wrong", 0.0, misconceptions=named)


def remarks(answer: Answer, body: Body, key: Key) -> tuple[Remark, ...]:
    """The learner's number first (with the mistake behind it, where the author expected it), then the accepted."""
    unit = str(body.get("unit", ""))
    accepted = _found(answer, body, key["accepted"])
    shown = said(answer, body)
    told = []
    if accepted is None and answer.typed:
        mistake = _found(answer, body, key["mistakes"])
        told.append(
            Remark(
                slug="yours",
                title=f"Your answer: {shown}",
                chosen=True,
                right=False,
                rationale_html=str(mistake["rationale"]) if mistake else _outside(answer, body, key),
                misconception=str(mistake["belief"]) if mistake else "",
                read=str(mistake["read"]) if mistake else "",
            )
        )
    for entry in key["accepted"] if accepted is None else [accepted]:
        title = f"Accepted: {' to '.join(entry['text'].split('..'))} {unit}".strip()
        told.append(
            Remark(
                slug="accepted",
                title=title if accepted is None else f"Your answer: {shown}. {title}",
                chosen=accepted is not None,
                right=True,
                rationale_html=str(entry["rationale"]),
                misconception="",
                read=str(entry["read"]),
            )
        )
    return tuple(told)


def _outside(answer: Answer, body: Body, key: Key) -> str:
    """How far a number that nobody expected lies from the nearest accepted one; "" where that says nothing."""
    value = value_of(answer.typed, str(body.get("unit", "")))
    ends = [Decimal(entry[end]) for entry in key["accepted"] for end in ("low", "high")]
    wanted = min(ends, key=lambda end: abs(end - value), default=Decimal(0))
    if not wanted or not value or abs(value.adjusted() - wanted.adjusted()) > FAR:
        return OUTSIDE
    if (value < 0) != (wanted < 0):
        return f"{OUTSIDE}<p>Its sign is the other one.</p>"
    ratio = value / wanted
    more = "more" if ratio > 1 else "less"
    if Decimal("0.5") < ratio < 2:
        off = f"{abs(ratio - 1) * 100:.2g} % {more} than the nearest number that is accepted"
    else:
        times = ratio if ratio > 1 else 1 / ratio
        off = f"{float(f'{times:.3g}'):g} times too {'large' if ratio > 1 else 'small'}"
    return f"{OUTSIDE}<p>It is {off}: look for a step or a unit that makes this difference.</p>"


def parts(answer: Answer, body: Body, key: Key) -> tuple[PartRemark, ...]:
    """Nothing: a number has no parts."""
    return ()


def said(answer: Answer, body: Body) -> str:
    """The number as typed, with its unit."""
    unit, typed = str(body.get("unit", "")), answer.typed
    bare = bool(typed) and not typed.lower().rstrip(" .;").endswith(tuple(unit_forms(unit)))
    return f"{typed} {unit}".strip() if bare else typed


def pieces(body: Body) -> Pieces:
    """Nothing is shuffled."""
    return Pieces()


def meaning(body: Body, key: Key) -> Any:
    """The unit and the accepted ranges."""
    ranges = sorted((entry["low"], entry["high"], entry["weight"]) for entry in key["accepted"])
    return [str(body.get("unit", "")), ranges]


RANGE = re.compile(r"(?P<value>\S+)\s*(?:±|\+-|\+/-)\s*(?P<off>[^\s%]+)\s*(?P<percent>%?)")


def range_of(text: str) -> tuple[Decimal, Decimal]:
    """Lowest and highest number that an author's "3.5", "3.5 ± 0.1", "3.5 ± 2%" or "3..4" stands for.

    Raises ValueError when it is none of these, or when the range is empty.
    """
    parts = text.strip().split("..")
    if len(parts) == 2:
        low, high = _plain(parts[0]), _plain(parts[1])
    elif found := RANGE.fullmatch(text.strip()):
        middle, off = _plain(found["value"]), _plain(found["off"])
        if found["percent"]:
            off = abs(middle) * off / 100
        low, high = middle - off, middle + off
    else:
        low = high = _plain(text)
    if low > high:
        raise ValueError(f"{text} is an empty range")
    return low, high


def _plain(text: str) -> Decimal:
    text = text.strip().replace("\u2212", "-")
    if not NUMBER.fullmatch(text):
        raise ValueError(f"{text} is not a number")
    return Decimal(text)
