"""A chapter's page and its lab page, with the state of one learner."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Value

from chapters.models import Chapter, CheckpointMark, ObjectiveEvidence, Place, SectionRead
from chapters.queries.changes import changes_since
from chapters.queries.shapes import ChapterPage, CheckpointView, ObjectiveView, SectionView
from chapters.queries.shapes import Place as PlaceView
from chapters.queries.sheets import Sheet, revision_of, sheet_of
from studyhub.measure.verdicts import verdict

SHELF = """
SELECT chapter.id, course.release_id, release.number, release.fingerprint
FROM chapters_chapter chapter
JOIN chapters_course course ON course.id = chapter.course_id
JOIN chapters_release release ON release.id = course.release_id
WHERE course.slug = %s AND chapter.slug = %s AND chapter.retired_at IS NULL
"""


SEEN: dict[tuple[str, str], tuple[float, Sheet]] = {}  # what was on the shelf a moment ago, in this process


def chapter_sheet(course: str, chapter: str) -> Sheet:
    """The sheet of a chapter on the shelf. Raises Chapter.DoesNotExist.

    One query, two the first time in a process; none within READY_SECONDS of the last look, so that a course that
    is loaded anew is seen that much later.
    """
    now = time.monotonic()
    until, sheet = SEEN.get((course, chapter), (0.0, None))
    if sheet is not None and now < until:
        return sheet
    with connection.cursor() as cursor:
        cursor.execute(SHELF, [course, chapter])
        found = cursor.fetchone()
    if found is None:
        raise Chapter.DoesNotExist
    pk, release_pk, number, fingerprint = found
    sheet = _of_revision(sheet_of(pk, release_pk), revision_of(number, fingerprint))
    if settings.READY_SECONDS:
        SEEN[course, chapter] = now + settings.READY_SECONDS, sheet
    return sheet


def _of_revision(sheet: Sheet, revision: str) -> Sheet:
    """The sheet as a release shows it whose texts are the same and whose fingerprint is not."""
    if sheet.page.course.revision == revision:
        return sheet
    return replace(sheet, page=replace(sheet.page, course=replace(sheet.page.course, revision=revision)))


def chapter_page(sheet: Sheet, learner_id: int | None, zone: tzinfo) -> ChapterPage:
    """The reading page: no query for strangers, three for a learner, whatever the history, and one more when
    something was changed since it was read.

    ``zone`` turns moments of reading into days.
    """
    if learner_id is None:
        return sheet.page
    evidence = evidence_of(learner_id, sheet.objective_pks.values())
    reads, place = _reading(learner_id, sheet, zone)
    sections = tuple(_with_reading(one, sheet, reads, zone) for one in sheet.page.sections)
    return replace(
        sheet.page,
        objectives=tuple(
            _with_evidence(one, evidence.get(sheet.objective_pks[one.slug])) for one in sheet.page.objectives
        ),
        sections=_with_changes(sections, sheet, learner_id),
        checkpoints=_with_marks(learner_id, sheet, evidence),
        place=place,
    )


def lab_sheet(course: str, chapter: str) -> Sheet:
    """The sheet of a chapter with a mini-lab. Raises Chapter.DoesNotExist, also when the chapter has no lab."""
    sheet = chapter_sheet(course, chapter)
    if sheet.page.lab is None:
        raise Chapter.DoesNotExist
    return sheet


def evidence_of(learner_id: int, objective_pks: Iterable[int]) -> dict[int, tuple[int, int]]:
    """(answered, right) of first answers by objective (one query)."""
    rows = ObjectiveEvidence.objects.of(learner_id).filter(objective_id__in=list(objective_pks))
    return {
        pk: (answered, right) for pk, answered, right in rows.values_list("objective_id", "answered", "right")
    }


def _with_evidence(view: ObjectiveView, found: tuple[int, int] | None) -> ObjectiveView:
    if found is None:
        return view
    return replace(view, answered=found[0], right=found[1], state=verdict(found[1], found[0]))


Reads = dict[int, tuple[str, datetime]]


def _reading(learner_id: int, sheet: Sheet, zone: tzinfo) -> tuple[Reads, PlaceView | None]:
    """What is read, in which wording, and the learner's place in this chapter (one query for both)."""
    reads = (
        SectionRead.objects.of(learner_id)
        .filter(section__chapter_id=sheet.chapter_pk)
        .values_list(Value("read"), "section_id", "fingerprint", "at")
    )
    places = (
        Place.objects.of(learner_id)
        .filter(chapter_id=sheet.chapter_pk)
        .values_list(Value("place"), "section_id", "anchor", "at")
    )
    rows: list[Any] = list(reads.union(places, all=True))
    titles = {one.slug: one.title for one in sheet.page.sections}
    slugs = {pk: slug for slug, pk in sheet.section_pks.items()}
    place = None
    for what, pk, anchor, at in rows:
        if what == "place" and slugs.get(pk) in titles:
            page, slug = sheet.page, slugs[pk]
            place = PlaceView(page.slug, page.title, slug, titles[slug], anchor, at)
    return {pk: (print_, at) for what, pk, print_, at in rows if what == "read"}, place


def _with_reading(view: SectionView, sheet: Sheet, reads: Reads, zone: tzinfo) -> SectionView:
    found = reads.get(sheet.section_pks[view.slug])
    if found is None:
        return view
    state = "read" if found[0] == sheet.fingerprints[view.slug] else "changed"
    return replace(view, state=state, read_on=found[1].astimezone(zone).date())


def _with_changes(views: tuple[SectionView, ...], sheet: Sheet, learner_id: int) -> tuple[SectionView, ...]:
    """Add to sections that were changed since they were read what was changed (one query, none when none was)."""
    pks = {one.slug: sheet.section_pks[one.slug] for one in views if one.state == "changed"}
    found = changes_since(learner_id, pks.values())
    return tuple(
        replace(one, changes=found.get(pks[one.slug], ())) if one.slug in pks else one for one in views
    )


def _with_marks(
    learner_id: int, sheet: Sheet, evidence: dict[int, tuple[int, int]]
) -> tuple[CheckpointView, ...]:
    rows = (
        CheckpointMark.objects.of(learner_id)
        .filter(checkpoint__chapter_id=sheet.chapter_pk)
        .order_by("-at", "-pk")
        .values_list("checkpoint_id", "ticked", "at")
    )
    history: dict[int, list[tuple[bool, datetime]]] = {}
    for pk, ticked, at in rows:
        history.setdefault(pk, []).append((ticked, at))
    views = []
    for view in sheet.page.checkpoints:
        marks = history.get(sheet.checkpoint_pks[view.slug], [])
        ticked = bool(marks) and marks[0][0]
        views.append(
            replace(
                view,
                ticked=ticked,
                since=marks[0][1] if ticked else None,
                history=tuple(("ticked" if one else "cleared", at) for one, at in marks),
                evidence=_says(sheet, view.slug, evidence),
            )
        )
    return tuple(views)


def _says(sheet: Sheet, checkpoint: str, evidence: dict[int, tuple[int, int]]) -> str:
    """What the quizzes say about a checkpoint, from the evidence on its objectives; "" while that is too little."""
    pks = [
        sheet.objective_pks[slug]
        for slug in sheet.checkpoint_objectives[checkpoint]
        if slug in sheet.objective_pks
    ]
    found = [evidence[pk] for pk in pks if pk in evidence]
    state = verdict(sum(one[1] for one in found), sum(one[0] for one in found))
    return {"good": "quizzes agree", "weak": "quiz says: not yet"}.get(state, "")
