"""A learner's own notes and marks in the browser."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from chapters import actions, queries
from chapters.forms import MarkForm, NoteForm, UnmarkForm, find_chapter
from chapters.models import Chapter, Course, Highlight, Note, Section
from studyhub.accounts.browser import keep_learner
from studyhub.web.regions import followed, page
from studyhub.web.request import LearnerRequest

TOO_MANY = f"A section holds at most {actions.MOST_MARKS} marks. Remove one first; nothing was changed."


@login_not_required
@require_safe
def notes(request: LearnerRequest, course: str) -> HttpResponse:
    """All notes and marks of a course, in reading order; made to be printed too."""
    learner = request.learner
    try:
        found = queries.notes_page(course, learner.pk if learner else None)
    except Course.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "chapters/notes.html", {"page": found})


@login_not_required
@require_POST
def note(request: LearnerRequest, course: str, chapter: str) -> HttpResponse:
    """Keep a note. The region is the line that says so: what is being typed stays untouched."""
    form = NoteForm(request.POST, course=course, chapter=chapter)
    if not form.is_valid():
        _stands(course, chapter)
        return _not_kept(request, form, reverse("chapter", args=[course, chapter]))
    section = form.cleaned_data["section"]
    try:
        kept = _keep(request, form.cleaned_data)
    except actions.NoteMoved as moved:
        return _not_kept(request, form, reverse("chapter", args=[course, chapter]), moved.note)
    here = _place_of(section, course, chapter, f"note-{section.slug}", form.cleaned_data["page"])
    return followed(
        request,
        here,
        lambda: page(request, "chapters/_said.html", {"note": kept, "section": section}),
        regions=(f"note-{section.slug}",),
    )


def _keep(request: LearnerRequest, found: dict[str, Any]) -> Note | None:
    """Keep the note; a visitor who sends an empty one is not made a guest for that."""
    at, text = timezone.now(), found["text"]
    if not text and request.learner is None:
        return None
    learner_id = keep_learner(request, at).pk
    return actions.keep_note(
        learner_id=learner_id, section=found["section"], text=text, at=at, seen=found["seen"]
    )


def _not_kept(
    request: LearnerRequest, form: NoteForm, address: str, other: Note | None = None
) -> HttpResponse:
    """What is wrong, in the line at the note; without script on a page that still has the words.

    ``other`` is the note that another page kept in the meantime.
    """
    section, said, status = form.cleaned_data.get("section"), _said(form), 409 if other else 422
    if section is None:
        messages.error(request, said)
        return HttpResponse(status=303, headers={"Location": address})
    found = {"section": section, "address": request.path, "error": said, "other": other}
    found["seen"] = form["seen"].value()
    show = partial(page, request, "chapters/_said.html", found, status=status)
    line = followed(request, address, show, regions=(f"note-{section.slug}",))
    if line.status_code == status:
        return line
    return page(request, "chapters/note.html", {**found, "text": form["text"].value()}, status=status)


@login_not_required
@require_POST
def mark(request: LearnerRequest, course: str, chapter: str) -> HttpResponse:
    """Mark words of a paragraph; the region is the section's list of marks."""
    form = MarkForm(request.POST, course=course, chapter=chapter)
    section = form.cleaned_data.get("section") if not form.is_valid() else form.cleaned_data["section"]
    if section is None:
        _stands(course, chapter)
        return HttpResponse(_said(form), status=422, content_type="text/plain")
    at, anchor, error = timezone.now(), str(form.cleaned_data.get("anchor", "")), _said(form)
    if not error:
        learner_id, words = keep_learner(request, at).pk, form.cleaned_data
        try:
            actions.mark_words(
                learner_id=learner_id,
                section=section,
                anchor=anchor,
                start=words["start"],
                quote=words["quote"],
                at=at,
            )
        except actions.TooManyMarks:
            error = TOO_MANY
    return _marks(request, section, _place_of(section, course, chapter, anchor, ""), error=error)


@login_not_required
@require_POST
def unmark(request: LearnerRequest, course: str) -> HttpResponse:
    """Take a mark away."""
    form, learner = UnmarkForm(request.POST), request.learner
    if learner is None or not form.is_valid():
        raise Http404
    try:
        section = actions.unmark_words(learner_id=learner.pk, highlight_pk=form.cleaned_data["mark"])
    except Highlight.DoesNotExist as missing:
        raise Http404 from missing
    chapter = section.chapter
    here = _place_of(section, chapter.course.slug, chapter.slug, section.slug, form.cleaned_data["page"])
    return _marks(request, section, here)


def _marks(request: LearnerRequest, section: Section, address: str, *, error: str = "") -> HttpResponse:
    """The list of marks of a section, or the way back to it."""
    learner = request.learner

    def show() -> HttpResponse:
        found = {
            "section": section,
            "course_slug": section.chapter.course.slug,
            "kept": queries.kept_in(section, learner.pk) if learner else None,
            "error": error,
        }
        return page(request, "chapters/_marks.html", found, status=422 if error else 200)

    answer = followed(request, address, show, regions=(f"marks-{section.slug}",))
    if error and answer.status_code == 303:
        messages.error(request, error)
    return answer


def _place_of(section: Section, course: str, chapter: str, anchor: str, written_on: str) -> str:
    """Where a learner who kept something goes on: at the section, or on the page of all notes."""
    if written_on == "notes" or section.retired_at is not None or section.chapter.retired_at is not None:
        return f"{reverse('notes', args=[course])}#{section.slug}"
    name = "lab" if section.kind == Section.Kind.LAB else "chapter"
    return f"{reverse(name, args=[course, chapter])}#{anchor}"


def _stands(course: str, chapter: str) -> None:
    """A chapter that never was is a missing page; one that left the course keeps its notes."""
    try:
        find_chapter(course, chapter, retired=True)
    except Chapter.DoesNotExist as missing:
        raise Http404 from missing


def _said(form: NoteForm | MarkForm) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)
