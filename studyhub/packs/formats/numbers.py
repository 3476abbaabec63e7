"""Typed numbers as authors write them: ``3.5``, ``3.5 ± 0.1``, ``3.5 ± 2%``, ``3..4``."""

from __future__ import annotations

import re
from decimal import Decimal

NUMBER = re.compile(r"[+-]?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?", re.ASCII)
LONGEST = 80  # characters


def _plain(text: str) -> Decimal | None:
    return Decimal(text) if NUMBER.fullmatch(text) else None


def read_number(text: str) -> tuple[Decimal, Decimal] | None:
    """The smallest and the largest value that ``text`` accepts, exactly; None when it is not a number."""
    if len(text) > LONGEST:
        return None
    low, dots, high = text.partition("..")
    if dots:
        start, end = _plain(low.strip()), _plain(high.strip())
        return (start, end) if start is not None and end is not None and start <= end else None
    middle, sign, spread = text.partition("±")
    value = _plain(middle.strip())
    if value is None or not sign:
        return None if value is None else (value, value)
    width = _plain(spread.strip().removesuffix("%").strip())
    if width is None or width < 0:
        return None
    if spread.strip().endswith("%"):
        width = abs(value) * width / 100
    return value - width, value + width
