"""Storey 4: quizzes, questions, attempts, responses, interview cards, doubts about keys."""

from quizzes.models.attempts import AnswerCount, Attempt, AttemptQuerySet, RejectedResponse, Response, Slot
from quizzes.models.cards import Card, CardTry
from quizzes.models.disputes import Correction, NewsSeen, QuestionReport, Rescored
from quizzes.models.questions import (
    Question,
    QuestionKey,
    QuestionObjective,
    QuestionVersion,
    Quiz,
    QuizQuerySet,
)

__all__ = [
    "AnswerCount",
    "Attempt",
    "AttemptQuerySet",
    "Card",
    "CardTry",
    "Correction",
    "NewsSeen",
    "Question",
    "QuestionKey",
    "QuestionObjective",
    "QuestionReport",
    "QuestionVersion",
    "Quiz",
    "QuizQuerySet",
    "RejectedResponse",
    "Rescored",
    "Response",
    "Slot",
]
