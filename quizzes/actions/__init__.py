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
    MovedOn,
    NothingRated,
    NothingSaid,
    NotShown,
    Sheet,
    keep_words,
    merge_cards,
    open_back,
    rate_card,
    undo_card,
)
from quizzes.actions.content import put_quiz, retire_quizzes
from quizzes.actions.corrections import apply_correction, set_aside, take_up, undo_correction
from quizzes.actions.decks import put_cards
from quizzes.actions.disputes import (
    decide_report,
    merge_reports,
    note_answers_seen,
    note_news_seen,
    report_question,
)
from quizzes.actions.erasing import erase_answers, erase_reasons, erase_reports, hold_attempts
from quizzes.actions.practising import start_practice

__all__ = [
    "AlreadyAnswered",
    "AttemptFinished",
    "MovedOn",
    "NotShown",
    "NothingRated",
    "NothingSaid",
    "NothingToAsk",
    "Sheet",
    "Submission",
    "answer_and_look",
    "answer_question",
    "apply_correction",
    "decide_report",
    "erase_answers",
    "erase_reasons",
    "erase_reports",
    "finish_attempt",
    "flag_question",
    "hold_attempts",
    "keep_words",
    "merge_attempts",
    "merge_cards",
    "merge_reports",
    "note_answers_seen",
    "note_news_seen",
    "open_back",
    "put_cards",
    "put_quiz",
    "rate_card",
    "report_question",
    "retire_quizzes",
    "set_aside",
    "skip_question",
    "start_attempt",
    "start_practice",
    "take_up",
    "undo_card",
    "undo_correction",
]
