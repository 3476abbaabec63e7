"""The page about oneself; sign-up, sign-in and the rest of an account are allauth's pages."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from studyhub.accounts import actions
from studyhub.accounts.browser import browser_zone
from studyhub.accounts.forms import SettingsForm
from studyhub.accounts.models import User
from studyhub.rhythm.calendar import known_zones
from studyhub.web.request import LearnerRequest


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
