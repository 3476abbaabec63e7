"""Courses and chapters in the browser."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from chapters import actions, queries
from chapters.forms import CheckpointForm, SectionForm, find_chapter
from chapters.models import Chapter, Course
from studyhub.accounts.browser import keep_learner, seen_by
from studyhub.web.regions import page
from studyhub.web.request import LearnerRequest

CHAPTER_REGIONS = ("rail", "checkpoints")


def _back(request: LearnerRequest) -> str:
    """Where the reader came from, if that is a page of ours."""
    back = request.GET.get("back", "")
    local = (
        back.startswith("/")
        and back.isprintable()
        and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    )
    return back if local else ""


@login_not_required
@require_safe
def about(request: LearnerRequest, course: str) -> HttpResponse:
    """Sources, licence and revision of a course."""
    try:
        row, view = queries.course_named(course)
    except Course.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "chapters/about.html", {"course": view, "sources": queries.course_sources(row)})


@login_not_required
@require_safe
def chapter(request: LearnerRequest, course: str, chapter: str) -> HttpResponse:
    """The reading page of a chapter."""
    try:
        sheet = queries.chapter_sheet(course, chapter)
    except Chapter.DoesNotExist as missing:
        raise Http404 from missing
    learner, back, zone = request.learner, _back(request), timezone.get_current_timezone()
    return page(
        request,
        "chapters/chapter.html",
        lambda: {
            "page": queries.chapter_page(sheet, learner.pk if learner else None, zone),
            "notes": queries.notes_on(sheet, learner.pk if learner else None),
            "back": back,
        },
        regions=CHAPTER_REGIONS,
        kept=(sheet.chapter_pk, sheet.page.course.revision, seen_by(learner), timezone.localdate(), back),
    )


@login_not_required
@require_safe
def lab(request: LearnerRequest, course: str, chapter: str) -> HttpResponse:
    """The mini-lab of a chapter."""
    try:
        sheet = queries.lab_sheet(course, chapter)
    except Chapter.DoesNotExist as missing:
        raise Http404 from missing
    notes = queries.notes_on(sheet, request.learner.pk if request.learner else None)
    return page(request, "chapters/lab.html", {"page": sheet.page, "notes": notes, "back": _back(request)})


@login_not_required
@require_POST
def place(request: LearnerRequest, course: str, chapter: str) -> HttpResponse:
    """Remember where the reader is; only for those of whom something is kept already."""
    learner = request.learner
    form = SectionForm(request.POST, course=course, chapter=chapter)
    if not form.is_valid():
        _stands(course, chapter)
        return HttpResponse(status=422)
    if learner is not None:
        section = form.cleaned_data["section"]
        anchor = form.cleaned_data["anchor"] or section.slug
        actions.keep_place(learner_id=learner.pk, section=section, anchor=anchor, at=timezone.now())
    return HttpResponse(status=204)


@login_not_required
@require_POST
def read(request: LearnerRequest, course: str, chapter: str) -> HttpResponse:
    """Take the reader's word that a section is read, or is not."""
    form = SectionForm(request.POST, course=course, chapter=chapter)
    address = reverse("chapter", args=[course, chapter])
    if not form.is_valid():
        _stands(course, chapter)
        messages.error(request, _said(form))
        return redirect(address, permanent=False)
    at = timezone.now()
    section = form.cleaned_data["section"]
    actions.mark_section(
        learner_id=keep_learner(request, at).pk,
        section=section,
        read=form.cleaned_data["state"] != "unread",
        at=at,
    )
    return _see_other(f"{address}#{section.slug}")


@login_not_required
@require_POST
def tick(request: LearnerRequest, course: str, chapter: str) -> HttpResponse:
    """Tick or clear a checkpoint."""
    form = CheckpointForm(request.POST, course=course, chapter=chapter)
    address = reverse("chapter", args=[course, chapter])
    if not form.is_valid():
        _stands(course, chapter)
        messages.error(request, _said(form))
        return redirect(address)
    at = timezone.now()
    checkpoint = form.cleaned_data["checkpoint"]
    actions.mark_checkpoint(
        learner_id=keep_learner(request, at).pk,
        checkpoint=checkpoint,
        ticked=form.cleaned_data["state"] == "ticked",
        at=at,
    )
    return _see_other(f"{address}#checkpoint-{checkpoint.slug}")


def _said(form: Form) -> str:
    """What is wrong with the input, in one line."""
    return " ".join(str(error) for errors in form.errors.values() for error in errors)


def _stands(course: str, chapter: str) -> None:
    """What was sent to a chapter that is not there finds a missing page, as any reader does."""
    try:
        find_chapter(course, chapter)
    except Chapter.DoesNotExist as missing:
        raise Http404 from missing


def _see_other(address: str) -> HttpResponse:
    """POST, redirect, GET."""
    return HttpResponse(status=303, headers={"Location": address})
