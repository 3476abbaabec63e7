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
from quizzes.actions.cards import (
    NothingRated,
    NothingSaid,
    NotShown,
    keep_words,
    merge_cards,
    open_back,
    rate_card,
    undo_card,
)
from quizzes.actions.content import put_quiz, retire_quizzes
from quizzes.actions.corrections import apply_correction, undo_correction
from quizzes.actions.decks import put_cards
from quizzes.actions.disputes import decide_report, merge_reports, note_answers_seen, report_question
from quizzes.actions.erasing import erase_answers, erase_reports, hold_attempts
from quizzes.actions.practising import start_practice

__all__ = [
    "AlreadyAnswered",
    "AttemptFinished",
    "NotShown",
    "NothingRated",
    "NothingSaid",
    "NothingToAsk",
    "Submission",
    "answer_and_look",
    "answer_question",
    "apply_correction",
    "decide_report",
    "erase_answers",
    "erase_reports",
    "finish_attempt",
    "flag_question",
    "hold_attempts",
    "keep_words",
    "merge_attempts",
    "merge_cards",
    "merge_reports",
    "note_answers_seen",
    "open_back",
    "put_cards",
    "put_quiz",
    "rate_card",
    "report_question",
    "retire_quizzes",
    "skip_question",
    "start_attempt",
    "start_practice",
    "undo_card",
    "undo_correction",
]
