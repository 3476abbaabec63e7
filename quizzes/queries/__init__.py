"""Page-shaped reads of storey 4."""

from quizzes.queries.attempts import (
    attempt_lines,
    first_open_position,
    going_at,
    open_attempts,
    page_of,
    question_page,
)
from quizzes.queries.quiz import quiz_named, quiz_page
from quizzes.queries.review import review_page
from quizzes.queries.shapes import (
    AttemptLine,
    Dot,
    OptionFeedback,
    OptionView,
    ParagraphLink,
    QuestionPage,
    QuizPage,
    ReviewItem,
    ReviewPage,
    TypedFeedback,
    Verdict,
    WrongLine,
)

__all__ = [
    "AttemptLine",
    "Dot",
    "OptionFeedback",
    "OptionView",
    "ParagraphLink",
    "QuestionPage",
    "QuizPage",
    "ReviewItem",
    "ReviewPage",
    "TypedFeedback",
    "Verdict",
    "WrongLine",
    "attempt_lines",
    "first_open_position",
    "going_at",
    "open_attempts",
    "page_of",
    "question_page",
    "quiz_named",
    "quiz_page",
    "review_page",
]
