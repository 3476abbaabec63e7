"""The only writers of storey 3."""

from chapters.actions.content import confirm_release, put_chapter, put_course, put_release, retire_chapters
from chapters.actions.notes import (
    MOST_MARKS,
    NoteMoved,
    TooManyMarks,
    WordsNotFound,
    keep_note,
    mark_words,
    merge_notes,
    unmark_words,
)
from chapters.actions.reading import (
    EVIDENCE,
    MOVE_EVIDENCE,
    keep_place,
    mark_checkpoint,
    mark_section,
    merge_reading,
    record_many,
)
from chapters.actions.shelve import shelve

__all__ = [
    "EVIDENCE",
    "MOST_MARKS",
    "MOVE_EVIDENCE",
    "NoteMoved",
    "TooManyMarks",
    "WordsNotFound",
    "confirm_release",
    "keep_note",
    "keep_place",
    "mark_checkpoint",
    "mark_section",
    "mark_words",
    "merge_notes",
    "merge_reading",
    "put_chapter",
    "put_course",
    "put_release",
    "record_many",
    "retire_chapters",
    "shelve",
    "unmark_words",
]
