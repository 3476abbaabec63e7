"""The history of questions and of the course, for authors and admins; for everybody else it is not there."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from chapters.models import Course
from quizzes.models import Question
from quizzes.queries.history import course_history, question_history
from studyhub.accounts.rules import can_author
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest


@login_not_required
@require_safe
def course(request: LearnerRequest, course: str) -> HttpResponse:
    """The loads of the course, and the way to the histories of its chapters and questions."""
    if not can_author(request.learner):
        raise Http404
    try:
        found = course_history(course, request.GET.get("page", ""), request.GET.get("quiz", ""))
    except Course.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "quizzes/history_course.html", {"page": found})


@login_not_required
@require_safe
def question(request: LearnerRequest, course: str, quiz: str, question: str) -> HttpResponse:
    """Every version of a question."""
    if not can_author(request.learner):
        raise Http404
    try:
        found = question_history(course, quiz, question, request.GET.get("page", ""))
    except Question.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "quizzes/history.html", {"page": found})
