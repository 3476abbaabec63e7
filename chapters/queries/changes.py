"""What changed in sections since a learner read them: which sections, and in each paragraph by paragraph.

A reading stands at the wording that was read. A typo moves it on to its own wording when it is loaded
(``chapters.actions.wordings``), so a reading that stands at another wording than the section's present one asks to be
done again, and only a substantive edit leads to that.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import loads

from django.db import connection

from chapters.queries.shapes import ChangeView
from studyhub.text.diffs import changed_paragraphs, word_diff

FIRST_WORDS = 9  # of a paragraph, by which it is named

# For each section that was read in another wording: the words that were read and those of now. What was read is the
# newest wording from before the reading that is not after the one the reading stands at (a typo moves it on).
SINCE = """
SELECT reading.section_id, old.title, old.texts, now.title, now.texts, reading.paragraphs, section.paragraphs
FROM chapters_sectionread reading
JOIN chapters_section section ON section.id = reading.section_id
LEFT JOIN LATERAL (
    SELECT title, texts FROM chapters_sectionwording
    WHERE section_id = reading.section_id ORDER BY number DESC LIMIT 1
) now ON true
LEFT JOIN LATERAL (
    SELECT title, texts FROM chapters_sectionwording wording
    WHERE wording.section_id = reading.section_id AND wording.number <= (
        SELECT max(number) FROM chapters_sectionwording
        WHERE section_id = reading.section_id AND fingerprint = reading.fingerprint
    )
    ORDER BY wording.made_at > reading.at,
        CASE WHEN wording.made_at <= reading.at THEN -wording.number ELSE wording.number END
    LIMIT 1
) old ON true
WHERE reading.learner_id = %s AND reading.section_id = ANY(%s)
"""

# By course: how many sections a learner has read as they are now, and those that say something else since.
READINGS = """
SELECT chapter.course_id, count(*) FILTER (WHERE reading.fingerprint = section.fingerprint),
    coalesce(
        jsonb_agg(
            jsonb_build_array(chapter.slug, chapter.title, section.slug, section.title, reading.at)
            ORDER BY chapter.number, section.position
        ) FILTER (WHERE reading.fingerprint <> section.fingerprint),
        '[]'
    )
FROM chapters_sectionread reading
JOIN chapters_section section ON section.id = reading.section_id
JOIN chapters_chapter chapter ON chapter.id = section.chapter_id
WHERE reading.learner_id = %s AND section.kind = 'section' AND section.retired_at IS NULL
    AND chapter.retired_at IS NULL
GROUP BY chapter.course_id
"""


@dataclass(frozen=True, slots=True)
class Reread:
    """A section with a substantive edit since it was read."""

    chapter_slug: str
    chapter_title: str
    slug: str
    title: str
    read_at: datetime


@dataclass(frozen=True, slots=True)
class Readings:
    """What was read of a course: sections in their present wording, and those to be read again in reading order."""

    read: int
    again: tuple[Reread, ...]


UNREAD = Readings(0, ())


def readings_of(learner_id: int) -> dict[int, Readings]:
    """What this learner has read, by course (one query)."""
    with connection.cursor() as cursor:
        cursor.execute(READINGS, [learner_id])
        rows = cursor.fetchall()
    return {
        course: Readings(read, tuple(_reread(*one) for one in loads(again))) for course, read, again in rows
    }


def _reread(chapter: str, chapter_title: str, slug: str, title: str, read_at: str) -> Reread:
    return Reread(chapter, chapter_title, slug, title, datetime.fromisoformat(read_at))


def changes_since(learner_id: int, section_pks: Collection[int]) -> dict[int, tuple[ChangeView, ...]]:
    """What is new, reworded or gone in sections that this learner read in another wording (one query; none for no
    sections). Of a reading that is older than every wording kept, the paragraphs are named and no words compared.
    """
    if not section_pks:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(SINCE, [learner_id, list(section_pks)])
        rows = cursor.fetchall()
    return {
        pk: change_views((old_title, loads(old)), (title, loads(now)))
        if old and now
        else _by_prints(read, present)
        for pk, old_title, old, title, now, read, present in rows
    }


Wording = tuple[str, Sequence[Sequence[str]]]  # title, [[anchor, plain text], …]


def change_views(old: Wording, new: Wording) -> tuple[ChangeView, ...]:
    """The step from one wording to another as pages show it, the title first, each paragraph by its first words."""
    changes = changed_paragraphs(*([(anchor, text) for anchor, text in texts] for _, texts in (old, new)))
    title = ChangeView("", new[0], "title", word_diff(old[0], new[0]))
    return (title,) * (old[0] != new[0]) + tuple(
        ChangeView(
            anchor=one.anchor,
            words=first_words(one.new or one.old),
            what="reworded" if one.old and one.new else "new" if one.new else "gone",
            diff=word_diff(one.old, one.new),
        )
        for one in changes
    )


def first_words(text: str) -> str:
    """The first nine words of a text, with dots where it goes on."""
    words = text.split()
    return " ".join(words[:FIRST_WORDS]) + (" …" if len(words) > FIRST_WORDS else "")


def _by_prints(read: str, present: str) -> tuple[ChangeView, ...]:
    """Paragraphs whose fingerprints are not among those that were read: [anchor, fingerprint, first words]."""
    known = {print_ for _, print_, _ in loads(read)}
    return tuple(
        ChangeView(anchor, first_words(words), "reworded", ())
        for anchor, print_, words in loads(present)
        if known and print_ not in known
    )
