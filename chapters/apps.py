"""Storey 3: courses, chapters, and what learners keep while reading."""

from django.apps import AppConfig


class ChaptersConfig(AppConfig):
    """App label ``chapters``."""

    name = "chapters"

    def ready(self) -> None:
        """Register what happens to reading state when a guest becomes an account, and what people take along."""
        from chapters.actions import merge_notes, merge_reading
        from studyhub.accounts.merging import MERGERS

        MERGERS.extend(one for one in (merge_reading, merge_notes) if one not in MERGERS)

        from chapters.exports import NOBODYS as OF_NOBODY
        from chapters.exports import OWN, notes_as_text
        from studyhub.accounts.erasing import NOBODYS
        from studyhub.accounts.exporting import TEXTS, take_along

        take_along(*OWN)
        TEXTS["notes.md"] = notes_as_text
        NOBODYS.update(OF_NOBODY)
