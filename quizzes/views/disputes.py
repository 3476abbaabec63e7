"""Reports that a question looks wrong, and what authors answer; what of it is news."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes import actions
from quizzes.actions.disputes import (
    LONGEST,
    MOST_ROOM,
    Decision,
    Doubt,
    NotDecided,
    ReportFull,
    Superseded,
    TooManyReports,
)
from quizzes.forms import position_in
from quizzes.kinds.words import folded
from quizzes.models import QuestionReport, Slot
from quizzes.queries import disputes
from studyhub.accounts.auditing import actor_of
from studyhub.accounts.browser import keep_learner, only_for
from studyhub.accounts.rules import can_author
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest

SENT = "Thank you. Your report lies with the authors; their answer will stand under Your reports."
MANY = "You sent 20 reports within a day. Nothing was kept this time: come back tomorrow."
FULL = (
    "A report has room for {most:,} characters with all that you add to it; yours has room for {room:,} more. "
    "Nothing was sent: shorten your words, which still stand below."
)
MEANWHILE = (
    "Somebody decided this report, or its reporter added to it, while you wrote. Nothing was kept; what you wrote "
    "still stands below. Look at what is there now, then keep yours or leave it."
)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: LearnerRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Say that a question of one's attempt looks wrong."""
    data = request.POST if request.method == "POST" else request.GET
    position = position_in(data)
    if request.learner is None or position is None:
        raise Http404
    try:
        form = disputes.report_form(attempt_id, request.learner.pk, position, claims="mine" in data)
        if request.method != "POST":
            context = {"form": form, "reasons": disputes.REASONS, "given": form.given}
            return page(request, "quizzes/report.html", context)
        doubt, error = _doubt(data, position)
        if doubt is None:
            return _asked_again(request, form, error)
        at = timezone.now()
        learner = keep_learner(request, at)
        actions.report_question(attempt_id=attempt_id, learner_id=learner.pk, doubt=doubt, at=at)
    except Slot.DoesNotExist as missing:
        raise Http404 from missing
    except TooManyReports:
        return _asked_again(request, form, MANY)
    except ReportFull as full:
        return _asked_again(request, form, FULL.format(most=MOST_ROOM, room=full.room))
    messages.success(request, SENT)
    return redirect(form.back)


def _asked_again(request: LearnerRequest, form: disputes.ReportForm, error: str) -> HttpResponse:
    context = {"form": form, "reasons": disputes.REASONS, "error": error, "given": request.POST}
    return page(request, "quizzes/report.html", context, status=422)


def _doubt(data: QueryDict, position: int) -> tuple[Doubt | None, str]:
    reason, text = data.get("reason", ""), words_in(data, "text").strip()
    if reason not in disputes.REASONS:
        return None, "Choose what looks wrong."
    if reason == "other" and not folded(text):
        return None, "Say in a few words what looks wrong."
    if len(text) > LONGEST:
        return None, f"Write at most {LONGEST:,} characters; this is {len(text):,}. Nothing was sent yet."
    return Doubt(position, reason, data.get("option", "")[:16], text), ""


def words_in(data: QueryDict, name: str) -> str:
    """What was typed, with the ends of lines as they count: one character each."""
    return data.get(name, "").replace("\r\n", "\n").replace("\r", "\n")


@login_not_required
@require_safe
def reports(request: LearnerRequest) -> HttpResponse:
    """One's own reports and what became of them."""
    lines = disputes.own_reports(request.learner.pk) if request.learner else []
    return page(
        request,
        "quizzes/reports.html",
        {"lines": lines, "new": any(one.new for one in lines)},
        regions=("new",),
    )


@login_not_required
@require_POST
def reports_seen(request: LearnerRequest) -> HttpResponse:
    """Answers were shown: those of the reports that the form names, as they were then."""
    if request.learner is None:
        raise Http404
    shown = dict(filter(None, map(_shown_in, request.POST.getlist("shown"))))
    actions.note_answers_seen(learner_id=request.learner.pk, shown=shown, at=timezone.now())
    return redirect("reports")


def _shown_in(value: str) -> tuple[int, str] | None:
    """Number and stamp of a report, "12.abc"."""
    number, _, stamp = value.partition(".")
    known = number.isascii() and number.isdigit() and len(number) < 18
    return (int(number), stamp) if known else None


@login_not_required
@require_POST
def news_seen(request: LearnerRequest) -> HttpResponse:
    """What became of keys was read, up to the newest that was shown."""
    if request.learner is None:
        raise Http404
    try:
        until = parse_datetime(request.POST.get("until", ""))
    except ValueError:
        until = None
    if until is not None and is_aware(until):
        actions.note_news_seen(learner_id=request.learner.pk, until=until, at=timezone.now())
    return redirect("home")


@login_required
@require_safe
@only_for(can_author)
def inbox(request: LearnerRequest) -> HttpResponse:
    """What learners reported, by state."""
    state, number = request.GET.get("state", "open"), request.GET.get("page", "1")
    if state not in disputes.STATES or not number.isascii() or not number.isdigit() or len(number) > 4:
        raise Http404
    return page(request, "quizzes/inbox.html", {"inbox": disputes.inbox(state, max(1, int(number)))})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@only_for(can_author)
def inbox_report(request: LearnerRequest, report_id: int) -> HttpResponse:
    """One report with the question's key; a POST decides it."""
    try:
        found = disputes.report_page(report_id)
        if request.method == "POST":
            decision = _decision(request.POST)
            actions.decide_report(
                report_id=report_id, by=actor_of(request), decision=decision, at=timezone.now()
            )
            messages.success(request, "Kept. The reporter sees your answer.")
            return redirect("inbox")
    except QuestionReport.DoesNotExist as missing:
        raise Http404 from missing
    except Superseded:
        context = {"report": disputes.report_page(report_id), "error": MEANWHILE, "given": request.POST}
        return page(request, "quizzes/inbox_report.html", context, status=409)
    except NotDecided as problem:
        context = {"report": found, "error": str(problem), "given": request.POST}
        return page(request, "quizzes/inbox_report.html", context, status=422)
    return page(request, "quizzes/inbox_report.html", {"report": found, "given": found.given})


def _decision(data: QueryDict) -> Decision:
    state, version = data.get("state", ""), data.get("version", "")
    if state not in disputes.STATES:
        raise NotDecided("Choose what becomes of the report.")
    number = int(version) if version.isascii() and version.isdigit() and len(version) < 18 else None
    return Decision(state, words_in(data, "answer"), number, data.get("seen"))
