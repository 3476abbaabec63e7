"""The only writers of storey 4."""

from quizzes.actions.answering import AlreadyAnswered, Submission, answer_and_look, answer_question
from quizzes.actions.attempting import (
    AttemptFinished,
    NothingToAsk,
    finish_attempt,
    flag_question,
    merge_attempts,
    skip_question,
    start_attempt,
)
from quizzes.actions.content import put_quiz, retire_quizzes

__all__ = [
    "AlreadyAnswered",
    "AttemptFinished",
    "NothingToAsk",
    "Submission",
    "answer_and_look",
    "answer_question",
    "finish_attempt",
    "flag_question",
    "merge_attempts",
    "put_quiz",
    "retire_quizzes",
    "skip_question",
    "start_attempt",
]
