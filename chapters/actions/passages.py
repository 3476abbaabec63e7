"""What search finds in a course: titles, objectives, paragraphs and checkpoints as plain text, with their words.

Inside the loader's one transaction. Everything here stands on pages that anybody may read; stems of questions do not
belong to it, so embedded ones are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from django.db import connection, transaction

from chapters.models import Chapter, Checkpoint, Course, Objective, Passage, Section
from chapters.queries.passages import BLANKS, SIGNS

BLOCKS = frozenset(
    ("p", "div", "li", "ul", "ol", "blockquote", "figure", "figcaption", "details",
     "table", "tr", "td", "th", "pre", "br", "hr", "h2", "h3", "h4", "h5", "h6")
)  # fmt: skip
SILENT = frozenset(("cite", "pilcrow", "embed"))  # classes whose words are not the paragraph's own
LONGEST = 120  # characters of an anchor
VOID = frozenset(("br", "hr", "img", "wbr"))
# Plain words for what TeX writes with a backslash; other commands keep their name.
TEX = {"cdot": "·", "times": "×", "frac": "", "text": "", "mathrm": "", "hat": "", "quad": "", "qquad": ""}
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
    yield "paragraph", "chapter", "", title, " ".join(_text(chapter.purpose_html)), "C"
    for objective in Objective.objects.filter(chapter=chapter, retired_at__isnull=True).order_by("position"):
        yield "objective", "chapter", "", title, " ".join(_text(objective.html)), "B"
    for section in Section.objects.filter(chapter=chapter, retired_at__isnull=True).order_by("position"):
        page = "lab" if section.kind == Section.Kind.LAB else "chapter"
        place = "rhythm" if section.kind == Section.Kind.RHYTHM else section.slug
        yield "title", page, place, section.title, section.title, "A"
        for anchor, text in paragraphs_in(section.html, place):
            yield "paragraph", page, anchor, section.title, text, "C"
    for box in Checkpoint.objects.filter(chapter=chapter, retired_at__isnull=True).order_by("position"):
        place = f"checkpoint-{box.slug}"
        place = place if len(place) <= LONGEST else "checkpoints"
        yield "checkpoint", "chapter", place, title, " ".join(_text(box.html)), "D"


def _text(html: str) -> list[str]:
    return [text for _, text in paragraphs_in(html, "")]


def paragraphs_in(html: str, first: str) -> list[tuple[str, str]]:
    """(anchor, plain text) of sanitised HTML in reading order, white space folded; the same anchor comes once.

    Words belong to the last anchor before them, at the beginning to ``first``, so that a table without an anchor is
    found at the paragraph it follows. Maths counts as its TeX source without marks, a picture as its alternative;
    note numbers, drawings and embedded questions are left out.
    """
    reader = _Reader(first)
    reader.feed(html)
    reader.close()
    folded = {anchor: " ".join("".join(pieces).split()) for anchor, pieces in reader.pieces.items()}
    return [(anchor, text) for anchor, text in folded.items() if text]


class _Reader(HTMLParser):
    """Gathers the words below each anchor."""

    def __init__(self, first: str) -> None:
        super().__init__(convert_charrefs=True)
        self.here = first
        self.pieces: dict[str, list[str]] = {first: []}
        self.closed: list[str] = []  # the tags since one whose words do not count

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if self.closed:
            if tag not in VOID:
                self.closed.append(tag)
            return
        if 0 < len(given.get("id", "")) <= LONGEST:
            self.here = given["id"]
            self.pieces.setdefault(self.here, [])
        self._say(" " if tag in BLOCKS else "")
        self._say({"img": given.get("alt", ""), "math": plain_tex(given.get("alttext", ""))}.get(tag, ""))
        if tag == "svg":
            self._say(f"{given.get('aria-label', '')} ")
        if tag in ("math", "svg", "summary") or SILENT & set(given.get("class", "").split()):
            self.closed = [tag]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.closed:
            while self.closed.pop() != tag:
                pass
        elif not self.closed and tag in BLOCKS:
            self._say(" ")

    def handle_data(self, data: str) -> None:
        if not self.closed:
            self._say(data)

    def _say(self, words: str) -> None:
        self.pieces[self.here].append(words)


def plain_tex(source: str) -> str:
    r"""TeX as a line one can read: "\text{bytes} = 2 \cdot n" becomes "bytes = 2 · n"."""
    named = re.sub(r"\\([A-Za-z]+)", lambda found: TEX.get(found[1], found[1]), source)
    return " ".join(re.sub(r"\\.|[{}\\]", " ", named).split())
