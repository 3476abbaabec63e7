"""A quiz to be printed."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from quizzes.models import Quiz
from quizzes.queries.printed import printed_quiz
from quizzes.queries.quiz import quiz_named
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest


@login_not_required
@require_safe
def quiz_print(request: LearnerRequest, course: str, quiz: str) -> HttpResponse:
    """The questions with boxes, and on later pages the answers of those that this learner has answered."""
    learner = request.learner
    if learner is None:
        raise Http404
    try:
        row = quiz_named(course, quiz)
    except Quiz.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "quizzes/print.html", {"page": printed_quiz(row, learner.pk)})
