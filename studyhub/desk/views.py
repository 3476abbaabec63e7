"""Home, the course, progress, search."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from chapters.models import Course
from studyhub.desk import queries
from studyhub.desk.forms import page_in, question_in
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest


@login_not_required
@require_safe
def home(request: LearnerRequest) -> HttpResponse:
    """Go on where you were, or begin; what is new."""
    return page(request, "desk/home.html", {"page": queries.home_page(request.learner, timezone.now())})


@login_not_required
@require_safe
def course(request: LearnerRequest, course: str) -> HttpResponse:
    """The course: its domains by weight, chapters, quizzes and cards, where you were."""
    learner = request.learner
    try:
        found = queries.course_page(course, learner.pk if learner else None)
    except Course.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "desk/course.html", {"page": found})


@login_not_required
@require_safe
def progress(request: LearnerRequest) -> HttpResponse:
    """What was read and answered, with n; every attempt; what was wrong."""
    return page(request, "desk/progress.html", {"page": queries.progress_page(request.learner)})


@login_not_required
@require_safe
def search(request: LearnerRequest, course: str) -> HttpResponse:
    """What a course says about something, and which of the learner's own questions and cards do."""
    text, error = question_in(request.GET)
    learner = request.learner
    try:
        found = queries.search_page(
            course, text, page_in(request.GET), learner.pk if learner else None, error=error
        )
    except Course.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "desk/search.html", {"page": found}, status=422 if error else 200)
