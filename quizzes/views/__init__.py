"""Doors of storey 4, one module for each part of it."""

from quizzes.views import cards, disputes, history, practising, printing
from quizzes.views.attempts import attempt, finish, flag, quiz, review, skip, start

__all__ = [
    "attempt",
    "cards",
    "disputes",
    "finish",
    "flag",
    "history",
    "practising",
    "printing",
    "quiz",
    "review",
    "skip",
    "start",
]
