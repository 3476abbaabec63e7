"""What changed in sections since a learner read them, paragraph by paragraph."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
