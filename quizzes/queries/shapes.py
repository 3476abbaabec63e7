"""What the pages about quizzes show. Nothing here holds a key or rationale before the answer is in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from chapters.queries import CourseView
from quizzes.queries.notices import Notices


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """One row in a list of attempts."""

    id: str
    quiz_slug: str
    quiz_title: str
    course_slug: str
    number: int
    started_at: datetime
    finished_at: datetime | None
    answered: int
    right: int
    partly: int  # of the first answers, as right
    of: int
    points: float


@dataclass(frozen=True, slots=True)
class QuizPage:
    course: CourseView
    slug: str
    title: str
    intro_html: str
    questions: int
    chapter_slug: str
    chapter_title: str
    open_attempt: AttemptLine | None
    attempts: tuple[AttemptLine, ...]  # finished ones, newest first, at most 20
    at: str  # id of the question to begin with, "" for the first
    at_html: str  # its stem, "" where the quiz has no such question


class Dot(NamedTuple):
    """One point of the progress line."""

    position: int  # from 1
    state: str  # seen order: right, wrong, partly, skipped, unseen
    flagged: bool
    unsure: bool  # answered with certainty 1
    here: bool


@dataclass(frozen=True, slots=True)
class ParagraphLink:
    url: str  # the chapter page at the anchor, with ?back=
    label: str  # "Which bound are you on?, paragraph 4"


@dataclass(frozen=True, slots=True)
class OptionView:
    """An option before the answer: no key."""

    id: str  # random for this attempt: value of `choice`, data-option
    letter: str  # "A"
    digit: int  # 1
    html: str
    checked: bool  # chosen just now but not accepted (form came back)


@dataclass(frozen=True, slots=True)
class OptionFeedback:
    """An option after the answer."""

    id: str
    letter: str
    digit: int
    html: str
    chosen: bool
    right: bool
    rationale_html: str
    misconception: str  # its text, "" when none
    read: ParagraphLink | None
    first: bool  # opened by itself: the chosen and the right ones


@dataclass(frozen=True, slots=True)
class TypedFeedback:
    """What is said of a typed answer after it is in: the learner's own, then the accepted ones."""

    title: str  # "Your answer: 28 GB", "Accepted: 3.5 ± 0.1 GB"
    right: bool
    rationale_html: str
    misconception: str
    read: ParagraphLink | None
    id: str = ""  # "yours" or "accepted"


@dataclass(frozen=True, slots=True)
class FieldView:
    """A row, item or gap before the answer: no key."""

    id: str  # of an item: random for this attempt; "" for rows and gaps, which go by their number
    digit: int  # 1
    html: str  # the row or item; "" for a gap
    hint: str  # of a gap, or ""
    value: str  # what was given just now and not accepted: id of a choice, place ("#2") or words
    invalid: bool  # whether that is what has to be mended


@dataclass(frozen=True, slots=True)
class PartFeedback:
    """A row, item or gap after the answer."""

    digit: int  # 1
    html: str  # the row or item; "" for a gap
    yours_html: str  # "" when nothing was given
    right: bool
    wanted_html: str
    rationale_html: str
    misconception: str
    read: ParagraphLink | None


@dataclass(frozen=True, slots=True)
class Verdict:
    word: str  # "Right", "Not this one", "Partly right"
    sign: str  # "✓", "✕", "◐"
    state: str  # right, wrong, partly
    detail: str  # "you were sure (above 80 %)", "2 of 3 right", ""
    answered_at: datetime
    retry: bool  # this is a repeated try: the first stays the recorded one
    first_state: str  # state of the recorded answer
    arguable: bool = False  # words that do not count in full, and that may mean the same as the key


@dataclass(frozen=True, slots=True)
class QuestionPage:
    """The current question of an attempt, before or after the answer."""

    course: CourseView
    attempt_id: str
    quiz_slug: str
    quiz_title: str
    position: int
    of: int
    question_slug: str  # the stable id, shown small
    kind: str  # a name of quizzes.kinds
    stem_html: str
    body_html: str  # "" when there is none
    unit: str  # of a number question
    several: int  # for multiple: 0 (not said)
    flagged: bool
    dots: tuple[Dot, ...]
    saved_at: datetime | None
    key: str  # idempotency key for the form (UUID text)
    options: tuple[
        OptionView, ...
    ]  # the choices of a match too; empty after the answer and where words are typed
    typed: str  # what was typed and not accepted
    certainty: int | None
    error: str  # what is wrong with the last input and how to mend it
    notice: str  # e.g. "This question was already answered at 12:03; that answer is the recorded one."
    verdict: Verdict | None  # None before the answer
    feedback: tuple[OptionFeedback, ...]
    typed_feedback: tuple[TypedFeedback, ...]
    explanation_html: str
    read: ParagraphLink | None  # the paragraph that settles the question
    next_position: int | None  # next open question; None when all are answered
    previous_position: int | None
    unanswered: int
    retrying: bool  # the form is shown again for a try that is marked as such
    ended_at: datetime | None  # of the attempt: nothing can be answered any more
    notices: Notices
    fields: tuple[FieldView, ...] = ()  # of match, order and cloze, before the answer
    parts: tuple[PartFeedback, ...] = ()  # of the same, after it


@dataclass(frozen=True, slots=True)
class ReviewItem:
    position: int
    question_slug: str
    stem_html: str
    body_html: str
    kind: str
    flagged: bool
    verdict: Verdict | None  # None: not answered
    options: tuple[OptionFeedback, ...]
    typed_feedback: tuple[TypedFeedback, ...]
    explanation_html: str
    read: ParagraphLink | None
    tries: int
    notices: Notices
    parts: tuple[PartFeedback, ...] = ()
    said: str = ""  # the recorded answer as plain text


@dataclass(frozen=True, slots=True)
class ReviewPage:
    course: CourseView
    attempt: AttemptLine
    dots: tuple[Dot, ...]
    items: tuple[ReviewItem, ...]


@dataclass(frozen=True, slots=True)
class WrongLine:
    attempt_id: str
    position: int
    quiz_title: str
    stem_html: str
    answered_at: datetime
    partly: bool  # partly right
