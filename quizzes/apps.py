"""Storey 4: questions, attempts, responses."""

from django.apps import AppConfig


class QuizzesConfig(AppConfig):
    """App label ``quizzes``."""

    name = "quizzes"

    def ready(self) -> None:
        """Register what happens to attempts when a guest becomes an account that exists."""
        from quizzes.actions import merge_attempts
        from studyhub.accounts.merging import MERGERS

        if merge_attempts not in MERGERS:
            MERGERS.append(merge_attempts)
