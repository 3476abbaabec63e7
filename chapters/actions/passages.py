"""What search finds in a course: titles, objectives, paragraphs and checkpoints as plain text, with their words.

Inside the loader's one transaction. Everything here stands on pages that anybody may read; stems of questions do not
belong to it, so embedded ones are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection, transaction

from chapters.models import Chapter, Checkpoint, Course, Objective, Passage, Section
from chapters.queries.passages import BLANKS, SIGNS
from studyhub.text.paragraphs import LONGEST_ANCHOR, passages_of

COLUMNS = ("kind", "page", "anchor", "heading", "text", "weight", "position")
Row = tuple[str, str, str, str, str, str, int]  # in the order of COLUMNS

FILL = """
UPDATE chapters_passage
SET words = setweight(to_tsvector('english', translate(text, %(signs)s, %(blanks)s)), weight::"char")
WHERE chapter_id = %(chapter)s
"""


@transaction.atomic(savepoint=False)
def write_passages(*, course: Course) -> None:
    """Make the passages of a course those of its chapters on the shelf; a chapter whose passages are right stays."""
    chapters = list(Chapter.objects.on_shelf().filter(course=course).defer("notes", "practice"))
    known: dict[int, list[tuple[object, ...]]] = {}
    old = Passage.objects.filter(course=course).order_by("position")
    for pk, *columns in old.values_list("chapter_id", *COLUMNS):
        known.setdefault(pk, []).append(tuple(columns))
    old.exclude(chapter__in=chapters).delete()
    for chapter in chapters:
        rows = list(_rows(chapter))
        if known.get(chapter.pk, []) != rows:
            Passage.objects.filter(chapter=chapter).delete()
            Passage.objects.bulk_create(
                Passage(course=course, chapter=chapter, **dict(zip(COLUMNS, row, strict=True)))
                for row in rows
            )
            with connection.cursor() as cursor:
                cursor.execute(FILL, {"chapter": chapter.pk, "signs": SIGNS, "blanks": BLANKS})


def _rows(chapter: Chapter) -> Iterator[Row]:
    for position, (kind, page, anchor, heading, text, weight) in enumerate(_found(chapter), start=1):
        if text:
            yield kind, page, anchor, heading[:300], text, weight, position


def _found(chapter: Chapter) -> Iterator[tuple[str, str, str, str, str, str]]:
    """(kind, page, anchor, heading, text, weight) of everything, in the order of the page."""
    title = chapter.title
    yield "title", "chapter", "", title, title, "A"
    yield "paragraph", "chapter", "", title, _text(chapter.purpose_html), "C"
    for objective in Objective.objects.filter(chapter=chapter, retired_at__isnull=True).order_by("position"):
        place = _place("objective", objective.slug)
        yield "objective", "chapter", place, title, _text(objective.html), "B"
    for section in Section.objects.filter(chapter=chapter, retired_at__isnull=True).order_by("position"):
        page = "lab" if section.kind == Section.Kind.LAB else "chapter"
        place = "rhythm" if section.kind == Section.Kind.RHYTHM else section.slug
        yield "title", page, place, section.title, section.title, "A"
        for anchor, text in passages_of(section.html, place):
            yield "paragraph", page, anchor, section.title, text, "C"
    for box in Checkpoint.objects.filter(chapter=chapter, retired_at__isnull=True).order_by("position"):
        place = _place("checkpoint", box.slug)
        yield "checkpoint", "chapter", place, title, _text(box.html), "D"


def _place(kind: str, slug: str) -> str:
    """The anchor of an objective or a checkpoint; that of their list where it would be too long to keep."""
    anchor = f"{kind}-{slug}"
    return anchor if len(anchor) <= LONGEST_ANCHOR else f"{kind}s"


def _text(html: str) -> str:
    return " ".join(text for _, text in passages_of(html, ""))
