"""Frozen values that ``chapters.actions`` puts on the shelf: rendered, sanitised, ready to serve."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DomainGoods:
    slug: str
    title: str
    weight: int


@dataclass(frozen=True, slots=True)
class SourceGoods:
    slug: str
    html: str


@dataclass(frozen=True, slots=True)
class MisconceptionGoods:
    slug: str
    text: str


@dataclass(frozen=True, slots=True)
class CourseGoods:
    slug: str
    title: str
    exam: str
    licence: str
    notice: str
    language: str
    intro_html: str
    domains: tuple[DomainGoods, ...]
    sources: tuple[SourceGoods, ...]
    misconceptions: tuple[MisconceptionGoods, ...]


@dataclass(frozen=True, slots=True)
class ObjectiveGoods:
    slug: str
    html: str


@dataclass(frozen=True, slots=True)
class SectionGoods:
    """``paragraphs``: (anchor, fingerprint, first words) in order. ``edit``: typo, substantive or "" by the author."""

    slug: str
    kind: str
    title: str
    title_html: str
    html: str
    minutes: int | None
    fingerprint: str
    paragraphs: tuple[tuple[str, str, str], ...]
    cites: tuple[str, ...]
    objectives: tuple[str, ...]
    edit: str = ""


@dataclass(frozen=True, slots=True)
class CheckpointGoods:
    slug: str
    html: str
    objectives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResourceGoods:
    slug: str
    title: str
    url: str
    kind: str
    publisher: str
    minutes: int | None
    checked: str


@dataclass(frozen=True, slots=True)
class ChapterGoods:
    """``notes``: (number, source slug, html). ``practice``: (quiz slug, title, number of questions)."""

    slug: str
    was: str
    domain: str
    number: int
    title: str
    minutes: int
    purpose_html: str
    notes: tuple[tuple[int, str, str], ...]
    practice: tuple[tuple[str, str, int], ...]
    objectives: tuple[ObjectiveGoods, ...]
    sections: tuple[SectionGoods, ...]
    checkpoints: tuple[CheckpointGoods, ...]
    resources: tuple[ResourceGoods, ...]


class Tally:
    """Counts what a load did, by kind of row: added, changed, reworded, retired, untouched.

    ``said`` is what authors say of edits: (chapter's key, section) → typo or substantive.
    """

    def __init__(self) -> None:
        self.said: dict[tuple[int, str], str] = {}
        self.counts: dict[str, dict[str, int]] = {}
        self.names: dict[str, dict[str, list[str]]] = {}

    def add(self, kind: str, outcome: str, name: str) -> None:
        """Count one row of ``kind``, called ``name``; ``outcome`` is added, changed, reworded, retired or untouched."""
        row = self.counts.setdefault(kind, {})
        row[outcome] = row.get(outcome, 0) + 1
        if outcome not in {"added", "untouched"}:
            self.names.setdefault(kind, {}).setdefault(outcome, []).append(name)

    @property
    def quiet(self) -> bool:
        """Whether nothing was changed at all."""
        return all(set(row) <= {"untouched"} for row in self.counts.values())
