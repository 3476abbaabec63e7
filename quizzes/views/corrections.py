"""Corrections of keys, for authors."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from quizzes import actions
from quizzes.actions.corrections import LaterCorrection, NoReason, OtherKey, Overtaken, Stale
from quizzes.models import Correction
from quizzes.queries import corrections
from quizzes.queries.corrected_keys import keys_beside
from quizzes.queries.remarking import NotComparable, held, later_than, newer_than, remarked
from quizzes.views.disputes import words_in
from studyhub.accounts.auditing import actor_of
from studyhub.accounts.browser import only_for
from studyhub.accounts.rules import can_author
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest

INCOMPARABLE = (
    "The new version asks something else of the learner (other options or another kind): no mark moves."
)
LATER = "A later correction moved these answers again. Undo that one first."
OVERTAKEN = (
    "Somebody was quicker: this correction {now}. Nothing more was done; below it stands as it is now."
)
STALE = (
    "This correction, or another one of its question, was applied or undone since you opened this page. "
    "Nothing was done; below it stands as it is now."
)
OTHER_KEY = "The course holds another key now: see the newer correction. Nothing was done."
SAID = {LaterCorrection: LATER, NotComparable: INCOMPARABLE, OtherKey: OTHER_KEY, Stale: STALE}
ACTS = frozenset({"", "again", "undo", "aside", "up"})  # "": apply
BESIDE = (
    *("question__quiz__course", "question__current", "before", "after"),
    *("applied_by", "undone_by", "set_aside_by"),
)
NOW = {
    "waiting": "waits again",
    "aside": "was set aside",
    "applied": "is applied already",
    "undone": "is not applied any more, it was undone",
}


@login_required
@require_safe
@only_for(can_author)
def correction_list(request: LearnerRequest) -> HttpResponse:
    """Keys that were put right: those that wait, those that were applied, those set aside."""
    lines, leaf = corrections.correction_lines(request.GET.get("page", ""))
    return page(request, "quizzes/corrections.html", {"lines": lines, "leaf": leaf})


@login_required
@require_safe
@only_for(can_author)
def correction(request: LearnerRequest, correction_id: int) -> HttpResponse:
    """Who would move, by how much, before anything does; and who moved, afterwards."""
    return _correction(request, correction_id)


def _correction(
    request: LearnerRequest, correction_id: int, *, error: str = "", status: int = 200
) -> HttpResponse:
    row = Correction.objects.select_related(*BESIDE).filter(pk=correction_id).first()
    if row is None:
        raise Http404
    context = {**_standing(row), "error": error, "reason": words_in(request.POST, "reason")}
    try:
        marked = remarked(row, row.after)
    except NotComparable:
        context["problem"] = INCOMPARABLE
    else:
        marks = {pk: (one.mark.state, one.mark.fraction) for one in marked for pk in one.ids}
        context["ahead"] = corrections.moves_of(marks)
    return page(request, "quizzes/correction.html", context, status=status)


def _standing(row: Correction) -> dict[str, object]:
    """What became of a correction, and whether it can be applied or undone."""
    outdated = row.state != "applied" and not held(row)
    return {
        "row": row,
        "stamp": row.stamp,
        "outdated": outdated,
        "newer": newer_than(row) if outdated else None,
        "keys": keys_beside(row),
        "moved": corrections.moved_by(row.pk) if row.applied_at else None,
        "later": later_than(row).first() if row.state == "applied" else None,
    }


@login_required
@require_POST
@only_for(can_author)
def correct(request: LearnerRequest, correction_id: int) -> HttpResponse:
    """Apply a correction, undo it, set it aside or take it up again; else say why not, on its page as it is now."""
    try:
        messages.success(request, _done(request, correction_id))
    except Correction.DoesNotExist as missing:
        raise Http404 from missing
    except NoReason as problem:
        return _correction(request, correction_id, error=str(problem), status=422)
    except (Overtaken, LaterCorrection, NotComparable, OtherKey) as problem:
        said = SAID.get(type(problem))
        row = Correction.objects.get(pk=correction_id)
        return _correction(
            request, correction_id, error=said or OVERTAKEN.format(now=NOW[row.state]), status=409
        )
    return redirect("correction", correction_id)


def _done(request: LearnerRequest, correction_id: int) -> str:
    """Do what was asked for; gives what to say of it. 404 for what no form of ours asks for."""
    at, by, act = timezone.now(), actor_of(request), request.POST.get("act", "")
    seen = request.POST.get("seen")
    if act not in ACTS:
        raise Http404
    if act == "undo":
        moved = actions.undo_correction(correction_id=correction_id, by=by, at=at, seen=seen)
        return f"Undone. Answers that have their earlier mark again: {moved}."
    if act == "aside":
        reason = words_in(request.POST, "reason")
        actions.set_aside(correction_id=correction_id, by=by, reason=reason, at=at, seen=seen)
        return "Set aside. No mark moved, and no learner hears of it."
    if act == "up":
        actions.take_up(correction_id=correction_id, by=by, at=at, seen=seen)
        return "It waits again."
    moved = actions.apply_correction(
        correction_id=correction_id, by=by, at=at, again=act == "again", seen=seen
    )
    return f"Applied. Answers marked anew: {moved}."
