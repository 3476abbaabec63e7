"""What becomes of marked words when a new release rewords their section: the marks go along with their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import connection, transaction

from chapters.models import Chapter, Highlight, Section
from studyhub.text.letters import found_again, letters
from studyhub.text.moves import Moved, moved

# New places are written by way of places that no text has, for two marks may change places. Whole columns go as one
# array each: a statement takes 65,535 values, and a section may have more marks.
DOUBLE = "DELETE FROM chapters_highlight WHERE id = ANY(%s)"
AWAY = """
UPDATE chapters_highlight SET start = start + 1073741824, "end" = "end" + 1073741824 WHERE id = ANY(%s)
"""
PUT = """
UPDATE chapters_highlight mark
SET section_id = now.section, anchor = now.anchor, start = now.first, "end" = now.after, quote = now.quote
FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::int[], %s::int[], %s::text[])
    AS now(id, section, anchor, first, after, quote)
WHERE mark.id = now.id
"""

Place = tuple[str, int, int]  # anchor, first character, the one after the last
Lost = list[tuple[Highlight, bool]]  # and whether another text has the name of its paragraph now


def marked_sections(*, chapter: Chapter) -> dict[int, str]:
    """The HTML of all sections of a chapter in which anybody marked words, by id; asked before they are changed."""
    marked = Highlight.objects.filter(section__chapter=chapter)
    return dict(Section.objects.filter(chapter=chapter).values_list("pk", "html")) if marked.exists() else {}


@transaction.atomic
def carry_marks(*, chapter: Chapter, before: Mapping[int, str]) -> None:
    """Carry all marks over to the chapter as it is now: ``before`` is its HTML until now (marked_sections).

    A mark follows its words, also to another paragraph or section of the chapter, as long as at least half of them
    are still there (``studyhub.text.moves``); ``quote`` says them as they are now. Else it stays as it was, and is
    listed with the words it had. Marks of one learner that come to cover the same words become one. Nobody's page is
    kept over a release, so no change is noted.
    """
    live = Section.objects.filter(chapter=chapter, retired_at__isnull=True)
    now = dict(live.values_list("pk", "html")) if before else {}
    changed = [pk for pk in before if before[pk] != now.get(pk)]
    if changed:
        _Carrying(before, now).carry(
            Highlight.objects.filter(section_id__in=changed).order_by("pk").select_for_update()
        )


class _Carrying:
    """One chapter before and now. Anchors are unique in a chapter, so a new one tells its section."""

    def __init__(self, before: Mapping[int, str], now: Mapping[int, str]) -> None:
        self.before = {pk: dict(letters(html)) for pk, html in before.items()}
        self.now: dict[str, str] = {}
        self.home: dict[str, int] = {}
        for pk, html in now.items():
            self.now |= letters(html)
            self.home |= dict.fromkeys(letters(html), pk)
        self.all = {anchor: text for pk in before if pk in now for anchor, text in self.before[pk].items()}
        self.known: dict[tuple[int, Place], Moved | None] = {}

    def carry(self, marks: Iterable[Highlight]) -> None:
        """Find every mark's words in the chapter as it is now, and write where they are."""
        taken: set[tuple[int, int, Place]] = set()
        changed: list[Highlight] = []
        double: list[int] = []
        lost: Lost = []
        for mark in marks:
            was, found = _row(mark), self.found(mark)
            if found is None:
                lost.append((mark, self.is_misled(mark)))
                continue
            self._put(mark, found)
            if _covers(mark) in taken:
                double.append(mark.pk)
            elif _row(mark) != was:
                changed.append(mark)
            taken.add(_covers(mark))
        _write([*changed, *_set_aside(lost, taken)], double)

    def found(self, mark: Highlight) -> Moved | None:
        """Where a mark's words stand now; None where they are gone, or were gone before."""
        texts = self.before[mark.section_id]
        start = found_again(texts.get(mark.anchor, ""), mark.start, mark.quote)
        if start is None:
            return None
        place = (mark.anchor, start, start + len(mark.quote))
        if (mark.section_id, place) not in self.known:
            self.known[mark.section_id, place] = moved({**self.all, **texts}, self.now, *place)
        return self.known[mark.section_id, place]

    def is_misled(self, mark: Highlight) -> bool:
        """Whether the words of a mark that lost them would be found where another text has its paragraph's name.

        Names by place ("weights-p3") go to the next paragraph when one is taken out.
        """
        text = self.now.get(mark.anchor, "")
        if self.home.get(mark.anchor) != mark.section_id or found_again(text, mark.start, mark.quote) is None:
            return False
        before = self.before[mark.section_id].get(mark.anchor, "")
        stood = found_again(before, mark.start, mark.quote) is not None
        return stood or text in self.all.values()

    def _put(self, mark: Highlight, found: Moved) -> None:
        mark.section_id = self.home[found.anchor]
        mark.anchor, mark.start, mark.end = found.anchor, found.start, found.end
        mark.quote = self.now[found.anchor][found.start : found.end]


def _row(mark: Highlight) -> tuple[int, str, int, int, str]:
    return mark.section_id, mark.anchor, mark.start, mark.end, mark.quote


def _covers(mark: Highlight) -> tuple[int, int, Place]:
    return mark.learner_id, mark.section_id, (mark.anchor, mark.start, mark.end)


def _set_aside(lost: Lost, taken: set[tuple[int, int, Place]]) -> list[Highlight]:
    """Leave marks that lost their words without a paragraph if that would mislead, and out of the way of others.

    Those whose row has to change; their ``end`` is longer where another mark took the place.
    """
    changed = []
    for mark, misled in lost:
        was = _row(mark)
        mark.anchor = "" if misled else mark.anchor
        while _covers(mark) in taken:
            mark.end += 1
        taken.add(_covers(mark))
        if _row(mark) != was:
            changed.append(mark)
    return changed


def _write(marks: list[Highlight], double: list[int]) -> None:
    """Write new places and take away what came to be there twice: three statements, none where nothing changed."""
    if not (marks or double):
        return
    columns = list(zip(*((one.pk, *_row(one)) for one in marks), strict=True)) or [()] * 6
    with connection.cursor() as cursor:
        cursor.execute(DOUBLE, [double])
        cursor.execute(AWAY, [list(columns[0])])
        cursor.execute(PUT, [list(one) for one in columns])
