"""Doors of storey 4, one module for each part of it."""

from quizzes.views import cards, corrections, disputes, history, practising, printing
from quizzes.views.attempts import attempt, finish, flag, quiz, review, skip, start

__all__ = [
    "attempt",
    "cards",
    "corrections",
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
