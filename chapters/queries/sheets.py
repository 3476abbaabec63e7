"""The sheet of a chapter: everything on its page that is the same for every learner.

Made when a pack is loaded (``build_sheet``), stored as one JSON row, and kept ready in each process until the course
has another release (``sheet_of``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from chapters.models import (
    Chapter,
    ChapterSheet,
    Checkpoint,
    Domain,
    Objective,
    Release,
    Resource,
    Retirable,
    Section,
)
from chapters.queries.shapes import (
    ChapterPage,
    CheckpointView,
    CourseView,
    LabView,
    NoteView,
    ObjectiveView,
    QuizLink,
    ResourceView,
    SectionView,
)

NEIGHBOURS = re.compile(r'(?<=</a>)</sup>\s*<sup class="cite">')
LABEL_WORDS = 60  # characters of a section title in a paragraph's label


@dataclass(frozen=True, slots=True)
class Sheet:
    """``page`` without any learner's state, and what is needed to add it."""

    chapter_pk: int
    page: ChapterPage
    section_pks: dict[str, int]
    fingerprints: dict[str, str]
    objective_pks: dict[str, int]
    checkpoint_pks: dict[str, int]
    checkpoint_objectives: dict[str, tuple[str, ...]]
    labels: dict[str, str]  # anchor -> "Which bound are you on?, paragraph 4"
    lab_anchors: frozenset[str]


def revision_of(number: int, fingerprint: str) -> str:
    """How pages name a release: its number and the beginning of its fingerprint."""
    return f"{number}·{fingerprint[:7]}"


def course_view(release: Release) -> CourseView:
    """What pages say of the course, from its release (with ``course`` selected)."""
    course = release.course
    return CourseView(
        slug=course.slug,
        title=course.title,
        exam=course.exam,
        licence=course.licence,
        notice=course.notice,
        revision=revision_of(release.number, release.fingerprint),
        loaded_at=release.loaded_at,
    )


def build_sheet(chapter: Chapter, release: Release) -> dict[str, Any]:
    """Everything static of one chapter as plain JSON values (seven queries, at load time only)."""

    def rows(model: type[Retirable], **where: Any) -> list[Any]:
        return list(model._default_manager.filter(retired_at__isnull=True, **where).order_by("position"))

    course = release.course
    return {
        "course": {
            "slug": course.slug,
            "title": course.title,
            "exam": course.exam,
            "licence": course.licence,
            "notice": course.notice,
            "revision": revision_of(release.number, release.fingerprint),
            "loaded_at": release.loaded_at.isoformat(),
        },
        "chapter": {
            "pk": chapter.pk,
            "slug": chapter.slug,
            "number": chapter.number,
            "title": chapter.title,
            "minutes": chapter.minutes,
            "purpose": chapter.purpose_html,
            "domain": chapter.domain_id,
        },
        "domains": [[row.pk, row.title, row.weight] for row in rows(Domain, course=course)],
        "objectives": [[row.pk, row.slug, row.html] for row in rows(Objective, chapter=chapter)],
        "sections": [_section(row) for row in rows(Section, chapter=chapter)],
        "checkpoints": [
            [row.pk, row.slug, row.html, row.objectives] for row in rows(Checkpoint, chapter=chapter)
        ],
        "resources": [
            [row.slug, row.title, row.url, row.kind, row.publisher, row.minutes, row.checked]
            for row in rows(Resource, chapter=chapter)
        ],
        "notes": chapter.notes,
        "practice": chapter.practice,
    }


def _section(row: Section) -> dict[str, Any]:
    columns = ("pk", "slug", "kind", "title", "title_html", "html", "minutes", "fingerprint", "cites")
    return {name: getattr(row, name) for name in columns} | {"anchors": [one[0] for one in row.paragraphs]}


@lru_cache(maxsize=64)
def sheet_of(chapter_pk: int, release_pk: int) -> Sheet:
    """The sheet of a chapter at a release; one query the first time in a process. Raises ChapterSheet.DoesNotExist."""
    return _opened(ChapterSheet.objects.values_list("sheet", flat=True).get(pk=chapter_pk))


@lru_cache(maxsize=64)
def paragraph_labels(course: str, chapter: str, release_pk: int) -> tuple[dict[str, str], frozenset[str]]:
    """A label for each anchor of a chapter at a release of its course, and the anchors that stand on the lab page.

    One query the first time in a process. Of a chapter that is not there nothing is known.
    """
    found = ChapterSheet.objects.filter(chapter__course__slug=course, chapter__slug=chapter)
    raw = found.values_list("sheet", flat=True).first()
    if raw is None:
        return {}, frozenset()
    sheet = _opened(raw)
    return sheet.labels, sheet.lab_anchors


def _opened(raw: dict[str, Any]) -> Sheet:
    notes = {slug: NoteView(number, slug, html) for number, slug, html in raw["notes"]}
    text = [one for one in raw["sections"] if one["kind"] == "section"]
    labs = [one for one in raw["sections"] if one["kind"] == "lab"]
    return Sheet(
        chapter_pk=raw["chapter"]["pk"],
        page=_page(raw, notes),
        section_pks={one["slug"]: one["pk"] for one in raw["sections"]},
        fingerprints={one["slug"]: one["fingerprint"] for one in raw["sections"]},
        objective_pks={slug: pk for pk, slug, _ in raw["objectives"]},
        checkpoint_pks={slug: pk for pk, slug, _, _ in raw["checkpoints"]},
        checkpoint_objectives={slug: tuple(aims) for _, slug, _, aims in raw["checkpoints"]},
        labels=dict(label for one in [*text, *labs] for label in _labels(one)),
        lab_anchors=frozenset(anchor for one in labs for anchor in [one["slug"], *one["anchors"]]),
    )


def _labels(section: dict[str, Any]) -> list[tuple[str, str]]:
    title = section["title"]
    numbered = [
        (anchor, f"{title}, paragraph {number}") for number, anchor in enumerate(section["anchors"], start=1)
    ]
    return [(section["slug"], title), *numbered]


def _page(raw: dict[str, Any], notes: dict[str, NoteView]) -> ChapterPage:
    chapter = raw["chapter"]
    weights = tuple((weight, pk == chapter["domain"]) for pk, _, weight in raw["domains"])
    own = next((weight, title) for pk, title, weight in raw["domains"] if pk == chapter["domain"])
    by_kind: dict[str, list[dict[str, Any]]] = {"section": [], "lab": [], "rhythm": []}
    for one in raw["sections"]:
        by_kind[one["kind"]].append(one)
    rhythm = by_kind["rhythm"][0] if by_kind["rhythm"] else None
    course = raw["course"]
    return ChapterPage(
        course=CourseView(**{**course, "loaded_at": datetime.fromisoformat(course["loaded_at"])}),
        slug=chapter["slug"],
        number=chapter["number"],
        of=len(raw["domains"]),
        title=chapter["title"],
        minutes=chapter["minutes"],
        domain_title=own[1],
        weight=own[0],
        weights=weights,
        heaviest=own[0] == max(weight for weight, _ in weights),
        purpose_html=chapter["purpose"],
        objectives=tuple(ObjectiveView(slug, html, 0, 0, "none") for _, slug, html in raw["objectives"]),
        sections=tuple(_section_view(n, one, notes) for n, one in enumerate(by_kind["section"], start=1)),
        rhythm_title=rhythm["title"] if rhythm else "",
        rhythm_html=_joined(rhythm["html"]) if rhythm else "",
        lab=_lab_view(by_kind["lab"][0], notes) if by_kind["lab"] else None,
        checkpoints=tuple(
            CheckpointView(slug, html, ticked=False, since=None, history=(), evidence="")
            for _, slug, html, _ in raw["checkpoints"]
        ),
        resources=tuple(ResourceView(*row) for row in raw["resources"]),
        quizzes=tuple(QuizLink(*row) for row in raw["practice"]),
        sources=tuple(sorted(notes.values(), key=lambda note: note.number)),
        place=None,
    )


def _cited(section: dict[str, Any], notes: dict[str, NoteView]) -> tuple[NoteView, ...]:
    found = [notes[slug] for slug in section["cites"] if slug in notes]
    return tuple(sorted(found, key=lambda note: note.number))


def _section_view(number: int, one: dict[str, Any], notes: dict[str, NoteView]) -> SectionView:
    return SectionView(
        number=number,
        slug=one["slug"],
        title=one["title"],
        title_html=one["title_html"],
        html=_joined(one["html"]),
        minutes=one["minutes"],
        state="unread",
        read_on=None,
        notes=_cited(one, notes),
    )


def _lab_view(one: dict[str, Any], notes: dict[str, NoteView]) -> LabView:
    return LabView(
        slug=one["slug"],
        title=_capital(one["title"]),
        title_html=_capital(one["title_html"]),
        html=_joined(one["html"]),
        minutes=one["minutes"],
        notes=_cited(one, notes),
    )


def _capital(title: str) -> str:
    """A title that stands alone begins with a capital; one that begins with markup stays as it is."""
    return title[:1].upper() + title[1:]


def _joined(html: str) -> str:
    """Citations next to each other lose the gap between them; the second says that it follows."""
    return NEIGHBOURS.sub('</sup><sup class="cite more">', html)
