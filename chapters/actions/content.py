"""Put a loaded pack on the shelves. All of it runs inside the loader's one transaction."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import transaction

from chapters.actions.aims import AIMS, step_between
from chapters.actions.marks import carry_marks, marked_sections
from chapters.actions.passages import write_passages
from chapters.actions.shelve import apply_changes, retire, shelve
from chapters.actions.wordings import keep_first_wordings, keep_wordings
from chapters.draft import ChapterGoods, CourseGoods, Tally
from chapters.models import (
    Chapter,
    ChapterSheet,
    Checkpoint,
    Course,
    Domain,
    Misconception,
    Objective,
    Release,
    Resource,
    Section,
    Source,
)
from chapters.queries import build_sheet

NO_COLUMNS = frozenset({"slug", "edit"})  # the author's word on an edit goes into the wording


def _columns(goods: Any) -> dict[str, Any]:
    """The columns of one frozen value; tuples become lists, as JSON columns give them back."""
    return {name: _listed(value) for name, value in asdict(goods).items() if name not in NO_COLUMNS}


def _listed(value: Any) -> Any:
    return [_listed(one) for one in value] if isinstance(value, list | tuple) else value


@transaction.atomic
def put_course(*, goods: CourseGoods, tally: Tally, at: datetime) -> Course:
    """Create or change a course with its domains, sources and misconceptions; the row is locked until commit."""
    columns = {
        name: getattr(goods, name)
        for name in ("title", "exam", "licence", "notice", "language", "intro_html")
    }
    course, made = Course.objects.get_or_create(slug=goods.slug, defaults=columns)
    course = Course.objects.select_for_update().get(pk=course.pk)
    changed = [name for name, value in columns.items() if getattr(course, name) != value]
    for name in changed:
        setattr(course, name, columns[name])
    if changed:
        course.save(update_fields=changed)
    tally.add("course", "added" if made else "changed" if changed else "untouched", goods.slug)
    parent = {"course": course}
    for model, rows in (
        (Domain, goods.domains),
        (Source, goods.sources),
        (Misconception, goods.misconceptions),
    ):
        shelve(model, parent, [(row.slug, _columns(row)) for row in rows], tally, at)
    return course


@transaction.atomic
def put_chapter(*, course: Course, goods: ChapterGoods, tally: Tally, at: datetime) -> Chapter:
    """Create or change one chapter and everything in it; ``was`` renames an earlier slug."""
    columns: dict[str, Any] = {
        "domain_id": Domain.objects.get(course=course, slug=goods.domain).pk,
        "number": goods.number,
        "title": goods.title,
        "minutes": goods.minutes,
        "purpose_html": goods.purpose_html,
        "notes": _listed(goods.notes),
        "practice": _listed(goods.practice),
        "position": goods.number,
        "retired_at": None,
    }
    known = Chapter.objects.filter(course=course)
    chapter = known.filter(slug=goods.slug).first() or (
        known.filter(slug=goods.was).first() if goods.was else None
    )
    if chapter is None:
        chapter = Chapter.objects.create(course=course, slug=goods.slug, **columns)
        tally.add("chapter", "added", goods.slug)
    else:
        changed = apply_changes(chapter, {**columns, "slug": goods.slug})
        tally.add("chapter", "changed" if changed else "untouched", goods.slug)
        keep_first_wordings(chapter=chapter, release_id=course.release_id)
    tally.said.update({(chapter.pk, one.slug): one.edit for one in goods.sections if one.edit})
    parent, marked = {"chapter": chapter}, marked_sections(chapter=chapter)
    for model, rows in (
        (Objective, goods.objectives),
        (Section, goods.sections),
        (Checkpoint, goods.checkpoints),
        (Resource, goods.resources),
    ):
        shelve(model, parent, [(row.slug, _columns(row)) for row in rows], tally, at)
    carry_marks(chapter=chapter, before=marked)
    return chapter


@transaction.atomic
def retire_chapters(*, course: Course, keep: Collection[str], tally: Tally, at: datetime) -> None:
    """Retire the chapters of a course whose slug is not in ``keep``."""
    retire(Chapter.objects.filter(course=course).exclude(slug__in=keep), "chapter", tally, at)


@transaction.atomic
def put_release(*, course: Course, fingerprint: str, tally: Tally, at: datetime) -> Release:
    """Record that the course now is what ``fingerprint`` names, and make the sheets of its chapters."""
    last = Release.objects.filter(course=course).order_by("-number").first()
    release = Release.objects.create(
        course=course,
        number=last.number + 1 if last else 1,
        fingerprint=fingerprint,
        loaded_at=at,
        report=tally.counts,
    )
    course.release = release
    course.save(update_fields=["release"])
    release.course = course
    keep_wordings(release=release, said=tally.said, at=at)
    _write_sheets(course, release)
    write_passages(course=course)
    return release


def _write_sheets(course: Course, release: Release) -> None:
    """Make the sheets anew; where a chapter's purpose or objectives changed, the report keeps both."""
    chapters = Chapter.objects.on_shelf().filter(course=course)
    earlier = dict(ChapterSheet.objects.filter(chapter__in=chapters).values_list("chapter_id", "sheet"))
    steps = {}
    for chapter in chapters:
        sheet = build_sheet(chapter, release)
        steps[str(chapter.pk)] = step_between(earlier.get(chapter.pk), sheet)
        ChapterSheet.objects.update_or_create(chapter=chapter, defaults={"release": release, "sheet": sheet})
    changed = {key: step for key, step in steps.items() if step}
    if changed:
        release.report = {**release.report, AIMS: changed}
        release.save(update_fields=["report"])


@transaction.atomic
def confirm_release(*, course: Course, fingerprint: str) -> Release:
    """Nothing that readers see has changed: the present release gets the new fingerprint of its sources."""
    release = course.release
    assert release is not None
    release.fingerprint = fingerprint
    release.save(update_fields=["fingerprint"])
    write_passages(course=course)
    return release
