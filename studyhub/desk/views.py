"""Home and progress."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from studyhub.desk import queries
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest


@login_not_required
@require_safe
def home(request: LearnerRequest) -> HttpResponse:
    """Go on where you were, or begin."""
    return page(request, "desk/home.html", {"page": queries.home_page(request.learner)})


@login_not_required
@require_safe
def progress(request: LearnerRequest) -> HttpResponse:
    """What was read and answered, with n; every attempt; what was wrong."""
    return page(request, "desk/progress.html", {"page": queries.progress_page(request.learner)})
