"""Storey 3: courses, chapters, and what learners keep while reading."""

from django.apps import AppConfig


class ChaptersConfig(AppConfig):
    """App label ``chapters``."""

    name = "chapters"

    def ready(self) -> None:
        """Register what happens to reading state when a guest becomes an account that exists."""
        from chapters.actions import merge_notes, merge_reading
        from studyhub.accounts.merging import MERGERS

        MERGERS.extend(one for one in (merge_reading, merge_notes) if one not in MERGERS)
