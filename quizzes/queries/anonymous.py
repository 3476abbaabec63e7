"""What is left of answers whose learners are gone, for figures about questions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from quizzes.models import AnswerCount


@dataclass(frozen=True, slots=True)
class AnonymousCount:
    """``n`` answers to one version: with this option chosen, or all of them where ``option`` is empty.

    ``first`` tells recorded first answers from later tries; ``state`` is how they were marked.
    """

    version_id: int
    option: str
    first: bool
    state: str
    n: int


def anonymous_counts(version_ids: Collection[int]) -> list[AnonymousCount]:
    """Counts of answers of people who left, by version, option, try and mark, in that order (one query).

    They add to what is counted over ``Response``: no answer is in both.
    """
    columns = ("version_id", "option", "first", "state", "n")
    found = AnswerCount.objects.filter(version_id__in=version_ids).order_by(
        "version_id", "option", "-first", "state"
    )
    return [AnonymousCount(*row) for row in found.values_list(*columns)]
