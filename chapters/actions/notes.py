"""What a learner writes and marks while reading: one note for each section, and words in its paragraphs."""

from __future__ import annotations

from datetime import datetime

from django.db import connection, transaction

from chapters.models import Highlight, Note, Section
from studyhub.accounts.actions import note_change
from studyhub.text.letters import found_again, letters

MOST_MARKS = 200  # in one section


class WordsNotFound(Exception):
    """The paragraph does not hold these words; nothing was marked."""


class NoteMoved(Exception):
    """Another page kept another note in the meantime; nothing was changed. ``note`` is the one that is kept."""

    def __init__(self, note: Note) -> None:
        super().__init__(note.section_id)
        self.note = note


class TooManyMarks(Exception):
    """The section has as many marks as one section may have; nothing was marked."""


@transaction.atomic
def keep_note(
    *, learner_id: int, section: Section, text: str, at: datetime, seen: datetime | None = None
) -> Note | None:
    """Keep the learner's note on this section in place of the one before; an empty one deletes it.

    ``seen``: the moment of the note that the page showed, None for none. Raises NoteMoved when another one is kept
    now, unless this one goes on from it: two pages do not take each other's words away.
    """
    _lock(f"note {learner_id} {section.pk}")  # there may be no row yet that two pages could wait for
    note = Note.objects.of(learner_id).filter(section=section).select_for_update().first()
    if note is not None and note.at != seen and not text.startswith(note.text):
        raise NoteMoved(note)
    note = None
    if text.strip():
        note, _ = Note.objects.update_or_create(
            learner_id=learner_id, section=section, defaults={"text": text, "at": at}
        )
    else:
        Note.objects.of(learner_id).filter(section=section).delete()
    note_change(learner_id=learner_id)
    return note


@transaction.atomic
def mark_words(
    *, learner_id: int, section: Section, anchor: str, start: int, quote: str, at: datetime
) -> Highlight:
    """Mark ``quote`` in the paragraph ``anchor``: at ``start`` characters, else where it stands nearest to that.

    Marks that touch or overlap become one. The section's marks of this learner are judged under an advisory lock, so
    that two tabs make one mark of the same words. Raises WordsNotFound, TooManyMarks.
    """
    text = letters(section.html).get(anchor, "")
    place = found_again(text, start, quote)
    if place is None:
        raise WordsNotFound
    _lock(f"marks {learner_id} {section.pk}")
    mine = Highlight.objects.of(learner_id).filter(section=section)
    first, last = place, place + len(quote)
    joined = []
    for one in mine.filter(anchor=anchor).order_by("start"):
        if text[one.start : one.end] == one.quote and one.start <= last and one.end >= first:
            first, last = min(first, one.start), max(last, one.end)
            joined.append(one.pk)
    if not joined and mine.count() >= MOST_MARKS:
        raise TooManyMarks
    mine.filter(pk__in=joined).delete()
    found = Highlight.objects.create(
        learner_id=learner_id,
        section=section,
        anchor=anchor,
        start=first,
        end=last,
        quote=text[first:last],
        at=at,
    )
    note_change(learner_id=learner_id)
    return found


@transaction.atomic
def unmark_words(*, learner_id: int, highlight_pk: int) -> Section:
    """Take a mark of the learner's away and say in which section it was. Raises Highlight.DoesNotExist."""
    mark = (
        Highlight.objects.of(learner_id)
        .select_for_update(of=("self",))
        .select_related("section__chapter__course")
        .get(pk=highlight_pk)
    )
    section = mark.section
    mark.delete()
    note_change(learner_id=learner_id)
    return section


@transaction.atomic(savepoint=False)
def merge_notes(guest_id: int, into_id: int) -> None:
    """Give a guest's notes and marks to an account: two notes on a section are joined, with a line between.

    The account's own words stand first and the newer moment holds, even where both together are longer than a form
    takes. The same words marked twice are marked once.
    """
    kept = {row.section_id: row for row in Note.objects.of(into_id).select_for_update()}
    for row in Note.objects.of(guest_id).select_for_update():
        other = kept.get(row.section_id)
        if other is None:
            row.learner_id = into_id
            row.save(update_fields=["learner"])
            continue
        if row.text != other.text:
            other.text = f"{other.text}\n\n---\n\n{row.text}"
        other.at = max(other.at, row.at)
        other.save(update_fields=["text", "at"])
        row.delete()
    same = set(Highlight.objects.of(into_id).values_list("section_id", "anchor", "start", "end"))
    for mark in Highlight.objects.of(guest_id).select_for_update():
        if (mark.section_id, mark.anchor, mark.start, mark.end) in same:
            mark.delete()
        else:
            mark.learner_id = into_id
            mark.save(update_fields=["learner"])
    note_change(learner_id=into_id)


def _lock(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [name])
