"""A quiz before it is begun."""

from __future__ import annotations

from chapters.queries import course_view
from quizzes.models import Attempt, Question, Quiz
from quizzes.queries.attempts import attempt_lines
from quizzes.queries.shapes import QuizPage

MOST = 20  # finished attempts shown


def quiz_named(course: str, quiz: str) -> Quiz:
    """One quiz on the shelf, with course, release and chapter (one query). Raises Quiz.DoesNotExist."""
    return (
        Quiz.objects.on_shelf()
        .select_related("course__release", "chapter")
        .get(course__slug=course, slug=quiz, course__release__isnull=False)
    )


def quiz_page(quiz: Quiz, learner_id: int | None, at: str) -> QuizPage:
    """The start page of a quiz. ``at``: question to begin with.

    One query, one more where ``at`` names something, two more for a learner's attempts.
    """
    release, chapter = quiz.course.release, quiz.chapter
    assert release is not None
    assert chapter is not None
    release.course = quiz.course
    published = Question.objects.filter(quiz=quiz, retired_at__isnull=True, current__isnull=False)
    mine = (
        Attempt.objects.of(learner_id or 0)
        .filter(quiz=quiz)
        .with_partly()
        .select_related("quiz__course")
        .order_by("-number")
    )
    attempts = attempt_lines(mine[: MOST + 1]) if learner_id else ()
    named = published.filter(slug=at).values_list("current__stem_html", flat=True).first() if at else None
    return QuizPage(
        course=course_view(release),
        slug=quiz.slug,
        title=quiz.title,
        intro_html=quiz.intro_html,
        questions=published.count(),
        chapter_slug=chapter.slug,
        chapter_title=chapter.title,
        open_attempt=next((one for one in attempts if one.finished_at is None), None),
        attempts=tuple(one for one in attempts if one.finished_at is not None)[:MOST],
        at=at if named else "",
        at_html=named or "",
    )
