"""The progress page: what was read and answered, with n, and what was wrong."""

from __future__ import annotations

from collections import Counter

from django.db.models import Count, F, Q

from chapters.models import Chapter, CheckpointMark, Course, Objective, ObjectiveEvidence, SectionRead
from chapters.queries import ObjectiveView, courses, objective_state, view_of
from quizzes.queries import recent_attempts, totals_of, wrong_lines
from studyhub.accounts.models import User
from studyhub.desk.queries.shapes import ChapterProgress, CourseProgress, ProgressPage


def progress_page(learner: User | None) -> ProgressPage:
    """Per course: chapters, objectives, attempts, wrong answers. Nine queries for one course, flat in history."""
    if learner is None:
        return ProgressPage(courses=(), started_at=None)
    return ProgressPage(
        courses=tuple(_course(course, learner.pk) for course in courses()), started_at=learner.joined_at
    )


def _course(course: Course, learner_id: int) -> CourseProgress:
    answered, right = totals_of(learner_id, course.pk)
    return CourseProgress(
        course=view_of(course),
        chapters=_chapters(course, learner_id),
        attempts=recent_attempts(learner_id, course.pk),
        wrong=wrong_lines(learner_id, course.pk),
        answered=answered,
        right=right,
    )


def _chapters(course: Course, learner_id: int) -> tuple[ChapterProgress, ...]:
    """What of each chapter was read, ticked and answered (five queries)."""
    live = Q(sections__kind="section", sections__retired_at__isnull=True)
    chapters = (
        Chapter.objects.on_shelf()
        .filter(course=course)
        .select_related("domain")
        .defer("notes", "purpose_html")
        .annotate(
            size=Count("sections", filter=live, distinct=True),
            boxes=Count("checkpoints", filter=Q(checkpoints__retired_at__isnull=True), distinct=True),
        )
        .order_by("number")
    )
    read, ticked = _read(course, learner_id), _ticked(course, learner_id)
    objectives = _objectives(course, learner_id)
    return tuple(
        ChapterProgress(
            slug=one.slug,
            title=one.title,
            number=one.number,
            domain_title=one.domain.title,
            weight=one.domain.weight,
            sections=one.size,  # type: ignore[attr-defined]
            sections_read=read[one.pk],
            checkpoints=one.boxes,  # type: ignore[attr-defined]
            checkpoints_ticked=ticked[one.pk],
            objectives=tuple(objectives.get(one.pk, ())),
        )
        for one in chapters
    )


def _read(course: Course, learner_id: int) -> Counter[int]:
    """Sections read in their present wording, by chapter (one query)."""
    rows = SectionRead.objects.of(learner_id).filter(
        section__chapter__course=course,
        section__kind="section",
        section__retired_at__isnull=True,
        fingerprint=F("section__fingerprint"),
    )
    return Counter(dict(rows.values_list("section__chapter_id").annotate(n=Count("pk"))))


def _ticked(course: Course, learner_id: int) -> Counter[int]:
    """Checkpoints whose newest mark is a tick, by chapter (one query)."""
    newest = (
        CheckpointMark.objects.of(learner_id)
        .filter(checkpoint__chapter__course=course, checkpoint__retired_at__isnull=True)
        .order_by("checkpoint_id", "-at", "-pk")
        .distinct("checkpoint_id")
        .values_list("checkpoint__chapter_id", "ticked")
    )
    return Counter(chapter for chapter, ticked in newest if ticked)


def _objectives(course: Course, learner_id: int) -> dict[int, list[ObjectiveView]]:
    """Objectives with their evidence, by chapter (two queries)."""
    evidence = {
        row.objective_id: row
        for row in ObjectiveEvidence.objects.of(learner_id).filter(objective__chapter__course=course)
    }
    found: dict[int, list[ObjectiveView]] = {}
    rows = Objective.objects.filter(chapter__course=course, retired_at__isnull=True).order_by("position")
    for row in rows:
        known = evidence.get(row.pk)
        answered, right = (known.answered, known.right) if known else (0, 0)
        view = ObjectiveView(row.slug, row.html, answered, right, objective_state(answered, right))
        found.setdefault(row.chapter_id, []).append(view)
    return found
