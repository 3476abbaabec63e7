"""The history of a chapter, for authors and admins; for everybody else it is not there."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from chapters import queries
from chapters.models import Chapter
from studyhub.accounts.browser import only_for
from studyhub.accounts.rules import can_author
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest


@login_not_required
@require_safe
@only_for(can_author)
def chapter_history(request: LearnerRequest, course: str, chapter: str) -> HttpResponse:
    """Every wording of the chapter's sections."""
    try:
        found = queries.chapter_history(course, chapter, request.GET.get("page", ""))
    except Chapter.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "chapters/history.html", {"page": found})
