"""Frozen values that ``quizzes.actions`` puts on the shelf: rendered, sanitised, marked by kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class OptionGoods:
    """``slug`` is the author's or ""; ``text`` is plain, for telling options apart when they are reworded."""

    slug: str
    text: str
    html: str
    right: bool
    weight: float | None
    rationale: str
    misconception: str  # id or ""
    belief: str  # the misconception in words
    read: str


@dataclass(frozen=True, slots=True)
class QuestionGoods:
    """``body`` and ``key`` without options (those are in ``options``, matched to earlier slugs by the action)."""

    slug: str
    was: str
    kind: str
    stem_html: str
    stem_text: str
    body_html: str
    body: Mapping[str, Any]
    key: Mapping[str, Any]
    options: tuple[OptionGoods, ...]
    explanation_html: str
    objectives: tuple[str, ...]
    difficulty: int | None
    facet: str
    read: str
    sources: tuple[str, ...]
    tags: tuple[str, ...]
    points: int
    path: str
    line: int
    draft: bool = False  # an option lacks its rationale: kept, but not published


@dataclass(frozen=True, slots=True)
class QuizGoods:
    slug: str
    was: str
    title: str
    chapter: str
    intro_html: str
    questions: tuple[QuestionGoods, ...]


# Interview cards.


@dataclass(frozen=True, slots=True)
class CardPointGoods:
    """One point of a card's back. ``slug`` is the author's or ""; ``questions``: (quiz, question) each."""

    slug: str
    part: str
    html: str
    text: str
    misconception: str
    belief: str
    read: tuple[str, ...]
    questions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CardGoods:
    slug: str
    was: str
    deck: str
    deck_title: str
    chapter: str
    level: str
    topics: tuple[str, ...]
    objectives: tuple[str, ...]
    front_html: str
    front_text: str
    read: str
    points: tuple[CardPointGoods, ...]
