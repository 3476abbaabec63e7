"""The small course in several editions of its first section."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.quizzes.goods import AT, chapter_goods, section, shelve_course

LONG = " ".join(["filler"] * 200)
FIRST = f"The cahce holds keys. {LONG}"
TYPO = f"The cache holds keys. {LONG}"
OTHER = f"The cache holds values, and twice as many as before. {LONG}"
DAY = timedelta(days=1)


def print_of(words: str) -> str:
    """The fingerprint that ``load`` gives to these words."""
    return hashlib.sha256(words.encode()).hexdigest()


def load(words: str, days: int, edit: str = "", **extra: Any) -> None:
    """The small course whose first section says ``words``, as it was loaded after so many days."""
    goods = chapter_goods()
    made = section("here", words, edit=edit, fingerprint=print_of(words), **extra)
    shelve_course(chapter=replace(goods, sections=(made, *goods.sections[1:])), at=AT + days * DAY)
