"""What a learner takes along of this storey: attempts, answers, cards, reports.

Nothing here opens a key: of a question without an answer only its name, its place and the learner's own flags.
"""

from __future__ import annotations

from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer
from quizzes.models import (
    Attempt,
    CardTry,
    Correction,
    NewsSeen,
    QuestionReport,
    RejectedResponse,
    Rescored,
    Response,
    Slot,
)
from quizzes.queries.card_past import told_points
from studyhub.accounts.exporting import Row, Table

AT_SLOT = {
    "attempt": "slot__attempt_id",
    "position": "slot__position",
    "question": "slot__version__question__slug",
}
GIVEN = {"options": "options", "typed": "typed", "parts": "parts"}


def in_words(row: Row) -> Row:
    """The row with the answer in words too, instead of the question's kind and options."""
    kind, body = KINDS.get(row.pop("kind")), row.pop("body")
    answer = Answer(tuple(row["options"]), row["typed"], tuple(row["parts"]))
    return {**row, "answer": kind.said(answer, body) if kind else row["typed"]}


def with_points(row: Row) -> Row:
    """The row with the words of each point that was rated, beside the ratings by their ids."""
    ratings = row["ratings"] if isinstance(row["ratings"], dict) else {}
    return {**row, "points": told_points(row["points"], ratings, row["rated_at"])}


OWN = (
    Table(
        file="attempts.json",
        model=Attempt,
        owner="learner_id",
        columns={
            "attempt": "id",
            "course": "quiz__course__slug",
            "quiz": "quiz__slug",
            "number": "number",
            "started_at": "started_at",
            "finished_at": "finished_at",
            "saved_at": "saved_at",
            "questions": "size",
            "answered": "answered",
            "right": "right",
            "score": "score",
        },
        order=("started_at", "pk"),
    ),
    Table(
        file="questions.json",
        model=Slot,
        owner="attempt__learner_id",
        columns={
            "attempt": "attempt_id",
            "position": "position",
            "question": "version__question__slug",
            "asked": "version__stem_text",
            "flagged": "flagged",
            "skipped": "skipped",
            "state": "state",
            "certainty": "certainty",
        },
        order=("attempt__started_at", "attempt_id", "position"),
        left_out={
            "order": "how the options were shuffled; it names options of questions that are still open",
            "tokens": "names of the options in one attempt, of no use outside it",
            "judged_by": "the version whose key marks answers here, where a key was put right",
        },
    ),
    Table(
        file="answers.json",
        model=Response,
        owner="learner_id",
        columns={
            **AT_SLOT,
            **GIVEN,
            "try": "number",
            "certainty": "certainty",
            "state": "state",
            "fraction": "fraction",
            "detail": "detail",
            "misconceptions": "misconceptions",
            "at": "at",
            "kind": "version__kind",
            "body": "version__body",
        },
        order=("at", "pk"),
        left_out={"key": "tells one sending of a form from another, of no use outside"},
        shape=in_words,
    ),
    Table(
        file="answers-set-aside.json",
        model=RejectedResponse,
        owner="learner_id",
        columns={
            **AT_SLOT,
            **GIVEN,
            "reason": "reason",
            "at": "at",
            "kind": "slot__version__kind",
            "body": "slot__version__body",
        },
        order=("at", "pk"),
        left_out={"key": "tells one sending of a form from another, of no use outside"},
        shape=in_words,
    ),
    Table(
        file="cards.json",
        model=CardTry,
        owner="learner_id",
        columns={
            "course": "card__course__slug",
            "card": "card__slug",
            "title": "card__front_text",
            "deck": "card__deck_title",
            "level": "card__level",
            "words": "words",
            "ratings": "ratings",
            "points": "card__points",
            "wording": "fingerprint",
            "begun_at": "begun_at",
            "shown_at": "shown_at",
            "rated_at": "rated_at",
            "undone_at": "undone_at",
        },
        order=("begun_at", "pk"),
        shape=with_points,
    ),
    Table(
        file="reports.json",
        model=QuestionReport,
        owner="learner_id",
        columns={
            "question": "question__slug",
            "reason": "reason",
            "option": "option",
            "text": "text",
            "at": "at",
            "state": "state",
            "answer": "answer",
            "decided_at": "decided_at",
            "seen_at": "seen_at",
        },
        order=("at", "pk"),
        left_out={
            "version": "the wording reported; its question is named",
            "decided_by": "another person",
            "fixed_in": "a wording of the question, not the learner's",
        },
    ),
    Table(
        file="scores-changed.json",
        model=Rescored,
        owner="response__learner_id",
        columns={
            "attempt": "response__slot__attempt_id",
            "position": "response__slot__position",
            "question": "correction__question__slug",
            "state_before": "state_before",
            "fraction_before": "fraction_before",
            "state_after": "state_after",
            "fraction_after": "fraction_after",
            "corrected_at": "correction__applied_at",
            "undone_at": "correction__undone_at",
        },
        order=("pk",),
    ),
    Table(
        file="corrections-set-aside.json",
        model=Correction,
        owner="set_aside_by_id",
        columns={
            "question": "question__slug",
            "set_aside_at": "set_aside_at",
            "reason": "set_aside_reason",
        },
        order=("set_aside_at", "pk"),
        left_out=dict.fromkeys(
            ["before", "after", "made_at", "applied_at", "applied_by", "undone_at", "undone_by"],
            "an author's act on a question; whose score it moved stands in scores-changed.json",
        ),
    ),
    Table(
        file="news-seen.json",
        model=NewsSeen,
        owner="learner_id",
        columns={"corrections_up_to": "at"},
        order=("pk",),
    ),
)
NOT_OWN: dict[str, str] = {}

# What stays when a person goes (accounts.erasing).
STAYS = {
    "quizzes.QuestionReport.learner": "an unsettled report stays without its words: the question is in doubt",
    "quizzes.QuestionReport.decided_by": "what was answered to somebody else stays theirs; who decided it is emptied",
    "quizzes.Correction.applied_by": "a correction holds for everybody it moved; who applied it is emptied",
    "quizzes.Correction.undone_by": "a correction holds for everybody it moved; who undid it is emptied",
    "quizzes.Correction.set_aside_by": "what was set aside stays so; who did it, and their words, are emptied",
}
NOBODYS = {
    "quizzes_answercount": "how often an option was chosen by people who left; no person, no moment, no words",
    **dict.fromkeys(
        [
            *("quizzes_quiz", "quizzes_question", "quizzes_questionversion", "quizzes_questionkey"),
            *("quizzes_questionobjective", "quizzes_card"),
        ],
        "the course as its pack says it",
    ),
}
