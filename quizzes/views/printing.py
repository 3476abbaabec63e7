"""A quiz to be printed."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from quizzes.models import Quiz
from quizzes.queries.printed import printed_quiz, quiz_to_begin
from quizzes.queries.quiz import quiz_named
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest


@login_not_required
@require_safe
def quiz_print(request: LearnerRequest, course: str, quiz: str) -> HttpResponse:
    """The questions with boxes, and on later pages the answers of those that this learner has answered.

    A visitor of whom nothing is kept is told to start first: the order of the boxes is each learner's own.
    """
    learner = request.learner
    try:
        row = quiz_named(course, quiz)
    except Quiz.DoesNotExist as missing:
        raise Http404 from missing
    printed = printed_quiz(row, learner.pk) if learner else quiz_to_begin(row)
    return page(request, "quizzes/print.html", {"page": printed})
