"""The page about oneself; sign-up, sign-in and the rest of an account are allauth's pages."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlencode

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from studyhub.accounts import actions
from studyhub.accounts.browser import SIGNED_OUT, browser_zone, only_for
from studyhub.accounts.exports import write_audit, write_export
from studyhub.accounts.forms import AuditForm, LeaveForm, SettingsForm
from studyhub.accounts.models import User
from studyhub.accounts.queries import AuditLeaf, audit_leaf
from studyhub.accounts.rules import can_administer
from studyhub.rhythm.calendar import known_zones
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest

LAST = (
    "You are the only administrator. Make somebody else one first (manage.py grant_role), then you can leave. "
    "Nothing was deleted."
)


def password_again(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """An account proves itself again where all of it is at stake; a guest has nothing to prove itself with."""
    asked = reauthentication_required(enabled=lambda request: request.user.is_authenticated)
    guarded: Callable[..., HttpResponseBase] = asked(view)
    return guarded


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: LearnerRequest) -> HttpResponse:
    """Name and time zone, for accounts and guests; a visitor reads what a guest is."""
    learner = request.learner
    if request.method != "POST":
        return _show(request, _form_for(request, learner), 200)
    if learner is None:
        return HttpResponse(status=303, headers={"Location": reverse("settings")})
    form = SettingsForm(request.POST)
    if not form.is_valid():
        return _show(request, form, 422)
    actions.change_settings(
        learner=learner, name=form.cleaned_data["name"], zone=form.cleaned_data["time_zone"]
    )
    messages.success(request, "Saved.")
    return HttpResponse(status=303, headers={"Location": reverse("settings")})


@login_not_required
@require_POST
@never_cache
@password_again
def export(request: LearnerRequest) -> HttpResponse | FileResponse:
    """Everything the learner of this browser owns, as a zip to keep."""
    learner, at = request.learner, timezone.now()
    if learner is None:
        raise Http404
    name = f"studyhub-{timezone.localdate(at):%Y-%m-%d}.zip"
    return FileResponse(
        write_export(learner.pk, at), as_attachment=True, filename=name, content_type="application/zip"
    )


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@password_again
def leave(request: LearnerRequest) -> HttpResponse:
    """Delete everything kept about the learner of this browser, once they typed the word."""
    learner, form = request.learner, LeaveForm(request.POST if request.method == "POST" else None)
    if learner is None:
        raise Http404
    error = " ".join(str(one) for one in form.errors.get("word", [])) if form.is_bound else ""
    if form.is_bound and not error:
        try:
            with suppress(User.DoesNotExist):  # pressed twice: it is done
                actions.erase_person(person_id=learner.pk)
        except actions.LastAdministrator:
            error = LAST
        else:
            request.session.flush()
            setattr(request, SIGNED_OUT, True)
            return HttpResponse(status=303, headers={"Location": reverse("left")})
    return TemplateResponse(request, "accounts/leave.html", {"error": error}, status=422 if error else 200)


@login_not_required
@require_safe
def left(request: LearnerRequest) -> HttpResponse:
    """Say that it is done."""
    return TemplateResponse(request, "accounts/left.html")


@login_required
@require_POST
def end_session(request: LearnerRequest, session_id: int) -> HttpResponse:
    """Sign oneself out in one other browser."""
    person, here = request.learner, request.session.session_key or ""
    if person is None:
        raise Http404
    try:
        actions.end_session(person_id=person.pk, session_id=session_id, but=here)
    except actions.NoSuchSession as problem:
        raise Http404 from problem
    messages.success(request, "That browser is signed out.")
    return HttpResponse(status=303, headers={"Location": reverse("usersessions_list")})


@login_not_required
@require_safe
@only_for(can_administer)
def audit(request: LearnerRequest) -> HttpResponse:
    """The audit log, a page of it, by act, person and object."""
    form, leaf = AuditForm(request.GET), AuditLeaf([], None)
    if form.is_valid():
        leaf = audit_leaf(form.asked())
    kept = {name: one for name, one in form.data.items() if name in form.fields and name != "before" and one}
    older = {**kept, "before": leaf.older}
    context = {"form": form, "leaf": leaf, "kept": urlencode(kept), "older": urlencode(older)}
    return page(request, "accounts/audit.html", context, status=200 if form.is_valid() else 422)


@login_not_required
@require_safe
@only_for(can_administer)
def audit_csv(request: LearnerRequest) -> HttpResponse | FileResponse:
    """All rows that the page would show, page after page, as CSV."""
    form = AuditForm(request.GET)
    if not form.is_valid():
        raise Http404
    name = f"studyhub-audit-{timezone.localdate():%Y-%m-%d}.csv"
    kind = "text/csv; charset=utf-8"
    return FileResponse(write_audit(form.asked()), as_attachment=True, filename=name, content_type=kind)


def _form_for(request: LearnerRequest, learner: User | None) -> SettingsForm:
    if learner is None:
        return SettingsForm(initial={"time_zone": browser_zone(request)})
    return SettingsForm(initial={"name": learner.name, "time_zone": learner.time_zone})


def _show(request: LearnerRequest, form: SettingsForm, status: int) -> HttpResponse:
    chosen = str(form["time_zone"].value() or "UTC")
    zones = sorted(
        {name for name in known_zones() if "/" in name and not name.startswith("Etc/")} | {"UTC", chosen}
    )
    return TemplateResponse(request, "accounts/settings.html", {"form": form, "zones": zones}, status=status)
