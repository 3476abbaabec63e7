"""Reports that a question looks wrong, and corrections of keys."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes import actions
from quizzes.actions.corrections import LaterCorrection, NotComparable, Overtaken, remarked
from quizzes.actions.disputes import (
    LONGEST,
    MOST_ROOM,
    Decision,
    Doubt,
    NotDecided,
    ReportFull,
    TooManyReports,
)
from quizzes.forms import position_in
from quizzes.models import Correction, QuestionReport, Slot
from quizzes.queries import corrections, disputes
from studyhub.accounts.auditing import actor_of
from studyhub.accounts.browser import keep_learner
from studyhub.accounts.rules import can_author
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest

SENT = "Thank you. Your report lies with the authors; their answer will stand under Your reports."
MANY = "You sent 20 reports within a day. Nothing was kept this time: come back tomorrow."
FULL = (
    "A report has room for {most:,} characters with all that you add to it; yours has room for {room:,} more. "
    "Nothing was sent: shorten your words, which still stand below."
)
INCOMPARABLE = (
    "The new version asks something else of the learner (other options or another kind): no mark moves."
)
LATER = "A later correction moved these answers again. Undo that one first."
APPLIED_ALREADY = (
    "Somebody applied this correction before you. Nothing more was done; below stands who moved."
)
NOT_APPLIED = "This correction is not applied any more: somebody undid it before you. Nothing was done."
REFUSALS = (Overtaken, LaterCorrection, NotComparable)


def authors_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For authors and admins; to everybody else the page does not exist."""

    @wraps(view)
    def guarded(request: LearnerRequest, **named: object) -> HttpResponse:
        if not can_author(request.learner):
            raise Http404
        return view(request, **named)

    return guarded


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: LearnerRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Say that a question of one's attempt looks wrong."""
    data = request.POST if request.method == "POST" else request.GET
    position = position_in(data)
    if request.learner is None or position is None:
        raise Http404
    try:
        form = disputes.report_form(attempt_id, request.learner.pk, position)
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
    reason, text = data.get("reason", ""), _words(data, "text").strip()
    if reason not in disputes.REASONS:
        return None, "Choose what looks wrong."
    if reason == "other" and not text:
        return None, "Say in a few words what looks wrong."
    if len(text) > LONGEST:
        return None, f"Write at most {LONGEST:,} characters; this is {len(text):,}. Nothing was sent yet."
    return Doubt(position, reason, data.get("option", "")[:16], text), ""


def _words(data: QueryDict, name: str) -> str:
    """What was typed, with the ends of lines as they count: one character each."""
    return data.get(name, "").replace("\x00", "").replace("\r\n", "\n")


@login_not_required
@require_safe
def reports(request: LearnerRequest) -> HttpResponse:
    """One's own reports and what became of them."""
    lines = disputes.own_reports(request.learner.pk) if request.learner else []
    return page(request, "quizzes/reports.html", {"lines": lines, "new": any(one.new for one in lines)})


@login_not_required
@require_POST
def reports_seen(request: LearnerRequest) -> HttpResponse:
    """The answers were read."""
    if request.learner is None:
        raise Http404
    actions.note_answers_seen(learner_id=request.learner.pk, at=timezone.now())
    return redirect("reports")


@login_required
@require_safe
@authors_only
def inbox(request: LearnerRequest) -> HttpResponse:
    """What learners reported, by state."""
    state, number = request.GET.get("state", "open"), request.GET.get("page", "1")
    if state not in disputes.STATES or not number.isascii() or not number.isdigit() or len(number) > 4:
        raise Http404
    return page(request, "quizzes/inbox.html", {"inbox": disputes.inbox(state, max(1, int(number)))})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@authors_only
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
    except NotDecided as problem:
        context = {"report": found, "error": str(problem), "given": request.POST}
        return page(request, "quizzes/inbox_report.html", context, status=422)
    return page(request, "quizzes/inbox_report.html", {"report": found, "given": found.given})


def _decision(data: QueryDict) -> Decision:
    state, version = data.get("state", ""), data.get("version", "")
    if state not in disputes.STATES:
        raise NotDecided("Choose what becomes of the report.")
    number = int(version) if version.isascii() and version.isdigit() and len(version) < 18 else None
    return Decision(state, _words(data, "answer"), number)


@login_required
@require_safe
@authors_only
def correction_list(request: LearnerRequest) -> HttpResponse:
    """Keys that were put right: those that wait, and those that were applied."""
    lines, leaf = corrections.correction_lines(request.GET.get("page", ""))
    return page(request, "quizzes/corrections.html", {"lines": lines, "leaf": leaf})


@login_required
@require_safe
@authors_only
def correction(request: LearnerRequest, correction_id: int) -> HttpResponse:
    """Who would move, by how much, before anything does; and who moved, afterwards."""
    rows = Correction.objects.select_related("question__quiz__course", "before", "after", "applied_by")
    row = rows.filter(pk=correction_id).first()
    if row is None:
        raise Http404
    context: dict[str, object] = {
        "row": row,
        "state": corrections.state_of(row),
        "moved": corrections.moved_by(row.pk) if row.applied_at else None,
        "later": corrections.later_than(row).first() if row.applied_at and not row.undone_at else None,
    }
    try:
        marked = remarked(row, row.after)
    except NotComparable:
        context["problem"] = INCOMPARABLE
    else:
        marks = {pk: (one.mark.state, one.mark.fraction) for one in marked for pk in one.ids}
        context["ahead"] = corrections.moves_of(marks)
    return page(request, "quizzes/correction.html", context)


@login_required
@require_POST
@authors_only
def correct(request: LearnerRequest, correction_id: int) -> HttpResponse:
    """Apply a correction, or undo it."""
    at, by, act = timezone.now(), actor_of(request), request.POST.get("act", "")
    try:
        if act == "undo":
            moved = actions.undo_correction(correction_id=correction_id, by=by, at=at)
            messages.success(request, f"Undone. Answers that have their earlier mark again: {moved}.")
        else:
            moved = actions.apply_correction(correction_id=correction_id, by=by, at=at, again=act == "again")
            messages.success(request, f"Applied. Answers marked anew: {moved}.")
    except Correction.DoesNotExist as missing:
        raise Http404 from missing
    except REFUSALS as problem:
        messages.error(request, refusal_of(problem, act))
    return redirect("correction", correction_id)


def refusal_of(problem: Exception, act: str) -> str:
    """Why nothing was done, in words."""
    if isinstance(problem, Overtaken):
        return NOT_APPLIED if act else APPLIED_ALREADY
    return LATER if isinstance(problem, LaterCorrection) else INCOMPARABLE
