"""What a learner wrote and marked in chapters: at each section, and all of a course in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, IntegerField, Value

from chapters.models import Highlight, Note, Section
from chapters.queries.courses import course_named
from chapters.queries.shapes import CourseView
from chapters.queries.sheets import Sheet
from studyhub.text.letters import found_again, letters, units


@dataclass(frozen=True, slots=True)
class MarkView:
    """Marked words. ``start`` and ``end`` count UTF-16 units in the paragraph as it is now, as a browser does."""

    pk: int
    anchor: str
    start: int
    end: int
    quote: str
    gone: bool  # the words are no longer in the text


@dataclass(frozen=True, slots=True)
class Kept:
    """What a learner kept of one section."""

    text: str  # of the note, "" without one
    at: datetime | None  # of the note
    marks: tuple[MarkView, ...]  # in reading order, those that are gone last


@dataclass(frozen=True, slots=True)
class NotedSection:
    """A section with something kept."""

    slug: str
    title: str
    url_name: str  # of the page it stands on: chapter or lab
    retired: bool  # it left the course: there is no page to lead to
    kept: Kept


@dataclass(frozen=True, slots=True)
class NotedChapter:
    """A chapter with such sections, in their order."""

    slug: str
    title: str
    number: int
    sections: tuple[NotedSection, ...]


@dataclass(frozen=True, slots=True)
class NotesPage:
    """All that is kept of a course."""

    course: CourseView
    chapters: tuple[NotedChapter, ...]


Rows = list[
    tuple[int, int, str, int, int, str, datetime]
]  # section, highlight, anchor, start, end, words, moment


def notes_on(sheet: Sheet, learner_id: int | None) -> Mapping[str, Kept]:
    """What the learner kept in a chapter and its lab, by section slug; sections without anything are left out.

    One query.
    """
    if learner_id is None:
        return {}
    slugs = {pk: slug for slug, pk in sheet.section_pks.items()}
    lab = (sheet.page.lab,) if sheet.page.lab else ()
    html = {one.slug: one.html for one in (*sheet.page.sections, *lab)}
    found = _by_section(_rows(learner_id, section__chapter_id=sheet.chapter_pk))
    return {
        slugs[pk]: _kept(rows, html.get(slugs[pk], "")) for pk, rows in found.items() if slugs.get(pk) in html
    }


def kept_in(section: Section, learner_id: int) -> Kept | None:
    """What the learner kept of one section; None where that is nothing (one query)."""
    rows = _rows(learner_id, section=section)
    return _kept(rows, section.html) if rows else None


def notes_page(course: str, learner_id: int | None) -> NotesPage:
    """Everything the learner wrote and marked in a course, in reading order; what left the course stands last.

    Three queries, whatever the history. Raises Course.DoesNotExist.
    """
    row, view = course_named(course)
    found = _by_section(_rows(learner_id or 0, section__chapter__course=row))
    sections = (
        Section.objects.filter(pk__in=found)
        .select_related("chapter")
        .defer("paragraphs", "chapter__notes", "chapter__purpose_html")
    )
    chapters: dict[int, NotedChapter] = {}
    for one in sorted(sections, key=_reading_order):
        known = chapters.get(one.chapter_id)
        noted = (*(known.sections if known else ()), _noted(one, found[one.pk]))
        chapters[one.chapter_id] = NotedChapter(
            one.chapter.slug, one.chapter.title, one.chapter.number, noted
        )
    return NotesPage(view, tuple(chapters.values()))


def _reading_order(section: Section) -> tuple[bool, int, int, bool, int, int]:
    chapter = section.chapter
    left = section.retired_at is not None
    return (chapter.retired_at is not None, chapter.number, chapter.pk, left, section.position, section.pk)


def _noted(section: Section, rows: Rows) -> NotedSection:
    return NotedSection(
        slug=section.slug,
        title=section.title,
        url_name="lab" if section.kind == Section.Kind.LAB else "chapter",
        retired=section.retired_at is not None or section.chapter.retired_at is not None,
        kept=_kept(rows, section.html),
    )


def _rows(learner_id: int, **where: Any) -> Rows:
    """Notes (without a highlight's id and anchor) and highlights in one query."""
    none = Value(0, output_field=IntegerField())
    notes = (
        Note.objects.of(learner_id)
        .filter(**where)
        .values_list("section_id", none, Value(""), none, none, F("text"), "at")
    )
    marks = (
        Highlight.objects.of(learner_id)
        .filter(**where)
        .values_list("section_id", "pk", "anchor", "start", "end", "quote", "at")
    )
    return list(notes.union(marks, all=True))


def _by_section(rows: Rows) -> dict[int, Rows]:
    found: dict[int, Rows] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


def _kept(rows: Rows, html: str) -> Kept:
    text, at = next(((row[5], row[6]) for row in rows if not row[1]), ("", None))
    return Kept(text=text, at=at, marks=tuple(_marks((row for row in rows if row[1]), html)))


def _marks(rows: Iterable[Any], html: str) -> list[MarkView]:
    texts = letters(html)
    order = {anchor: place for place, anchor in enumerate(texts)}
    views = []
    for _, pk, anchor, start, _, quote, _ in rows:
        text = texts.get(anchor, "")
        place = found_again(text, start, quote)
        first = units(text, start if place is None else place)
        views.append(MarkView(pk, anchor, first, first + units(quote, len(quote)), quote, place is None))
    return sorted(
        views, key=lambda one: (one.gone, order.get(one.anchor, len(order)), one.start, one.end, one.pk)
    )


def noted_courses(learner_id: int) -> list[str]:
    """The slugs of loaded courses in which the learner wrote or marked something, in order (one query)."""
    section = "section__chapter__course"
    loaded = {f"{section}__release__isnull": False}
    notes = Note.objects.of(learner_id).filter(**loaded).values_list(f"{section}__slug", flat=True)
    marks = Highlight.objects.of(learner_id).filter(**loaded).values_list(f"{section}__slug", flat=True)
    return sorted(notes.union(marks))
