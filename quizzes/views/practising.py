"""Practise my mistakes in the browser."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from chapters.models import Course
from chapters.queries import course_named
from quizzes.actions import NothingToAsk, start_practice
from quizzes.queries.mistakes import mistakes_page
from quizzes.queries.ready import address
from studyhub.rhythm.calendar import zone_or_utc
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest


def _course(slug: str) -> Course:
    try:
        return course_named(slug)[0]
    except Course.DoesNotExist as missing:
        raise Http404 from missing


@login_not_required
@require_safe
def mistakes(request: LearnerRequest, course: str) -> HttpResponse:
    """What waits, why, and what has left."""
    row, learner = _course(course), request.learner
    zone = zone_or_utc(learner.time_zone if learner else "UTC")
    found = mistakes_page(row, learner.pk if learner else None, zone, timezone.now())
    return page(request, "quizzes/mistakes.html", {"page": found})


@login_not_required
@require_POST
def practise(request: LearnerRequest, course: str) -> HttpResponse:
    """Begin a session, or go on with the open one; whoever never answered has none to begin."""
    row, learner = _course(course), request.learner
    if learner is None:
        raise Http404
    fresh, zone = bool(request.POST.get("fresh")), zone_or_utc(learner.time_zone)
    try:
        attempt = start_practice(learner_id=learner.pk, course=row, zone=zone, fresh=fresh, at=timezone.now())
    except NothingToAsk:
        messages.info(request, "Nothing waits to be practised today. Nothing was begun.")
        return redirect("mistakes", course)
    return HttpResponse(status=303, headers={"Location": address("attempt", attempt.pk)})


@login_not_required
@require_safe
def mistakes_quiz(request: LearnerRequest, course: str) -> HttpResponse:
    """The practice where every other quiz has its page: question and review lead there."""
    return redirect("mistakes", course)
