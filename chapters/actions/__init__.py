"""The only writers of storey 3."""

from chapters.actions.content import confirm_release, put_chapter, put_course, put_release, retire_chapters
from chapters.actions.reading import (
    EVIDENCE,
    keep_place,
    mark_checkpoint,
    mark_section,
    merge_reading,
    record_many,
)
from chapters.actions.shelve import shelve

__all__ = [
    "EVIDENCE",
    "confirm_release",
    "keep_place",
    "mark_checkpoint",
    "mark_section",
    "merge_reading",
    "put_chapter",
    "put_course",
    "put_release",
    "record_many",
    "retire_chapters",
    "shelve",
]
