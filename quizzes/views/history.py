"""The history of questions and of the course, for authors and admins; for everybody else it is not there."""

from __future__ import annotations

import uuid

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from chapters.models import Course
from quizzes.forms import position_in
from quizzes.models import Question, Slot
from quizzes.queries.history import course_history, question_history
from studyhub.accounts.browser import only_for
from studyhub.accounts.rules import can_author
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest


@login_not_required
@require_safe
@only_for(can_author)
def course(request: LearnerRequest, course: str) -> HttpResponse:
    """The loads of the course, and the way to the histories of its chapters and questions."""
    try:
        found = course_history(course, request.GET.get("page", ""), request.GET.get("quiz", ""))
    except Course.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "quizzes/history_course.html", {"page": found})


@login_not_required
@require_safe
@only_for(can_author)
def question(request: LearnerRequest, course: str, quiz: str, question: str) -> HttpResponse:
    """Every version of a question."""
    try:
        found = question_history(course, quiz, question, request.GET.get("page", ""))
    except Question.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "quizzes/history.html", {"page": found})


@login_not_required
@require_safe
@only_for(can_author)
def of_attempt(request: LearnerRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """From a question of one's own attempt to its history, which stands under the quiz that the question is from."""
    assert request.learner is not None
    slot = (
        Slot.objects.select_related("version__question__quiz__course")
        .filter(
            attempt=attempt_id, attempt__learner=request.learner.pk, position=position_in(request.GET) or 0
        )
        .first()
    )
    if slot is None:
        raise Http404
    row = slot.version.question
    return redirect("question_history", row.quiz.course.slug, row.quiz.slug, row.slug)
