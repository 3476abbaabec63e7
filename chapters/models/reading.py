"""What a learner keeps of the reading: places, marks, notes, highlights, and the sums of their evidence."""

from __future__ import annotations

from typing import ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from chapters.models.content import Chapter, Checkpoint, Objective, Section

Row_co = TypeVar("Row_co", bound=models.Model, covariant=True)


class LearnersRows(models.QuerySet[Row_co]):
    """Words for rows that belong to one learner."""

    def of(self, learner_id: int) -> Self:
        """This learner's rows only."""
        return self.filter(learner_id=learner_id)


class Place(models.Model):
    """Where a learner was last in a chapter."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    chapter = models.ForeignKey(Chapter, on_delete=models.CASCADE, related_name="+")
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="+")
    anchor = models.CharField(max_length=120)
    at = models.DateTimeField()

    objects: ClassVar[LearnersRows[Place]] = LearnersRows.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["learner", "chapter"], name="place_once"),
        ]


class SectionRead(models.Model):
    """The learner's word that a section was read, and in which wording."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="+")
    fingerprint = models.CharField(max_length=64)
    paragraphs = models.JSONField(default=list)  # as Section.paragraphs at that moment
    at = models.DateTimeField()

    objects: ClassVar[LearnersRows[SectionRead]] = LearnersRows.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["learner", "section"], name="section_read_once"),
        ]


class CheckpointMark(models.Model):
    """One tick or clearing of a checkpoint; the newest one is the present state."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    checkpoint = models.ForeignKey(Checkpoint, on_delete=models.CASCADE, related_name="+")
    ticked = models.BooleanField()
    at = models.DateTimeField()

    objects: ClassVar[LearnersRows[CheckpointMark]] = LearnersRows.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["learner", "checkpoint", "-at"], name="checkpoint_mark_newest")
        ]


class ObjectiveEvidence(models.Model):
    """How many first answers to questions with this objective a learner gave, and how many were right.

    A learner's own summary row: written with each first answer, so that a chapter page costs the same
    whatever the history.
    """

    # No index of its own: evidence_once begins with the learner.
    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    objective = models.ForeignKey(Objective, on_delete=models.CASCADE, related_name="+")
    answered = models.PositiveIntegerField(db_default=0)
    right = models.PositiveIntegerField(db_default=0)
    last_at = models.DateTimeField(db_default=Now())

    objects: ClassVar[LearnersRows[ObjectiveEvidence]] = LearnersRows.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["learner", "objective"], name="evidence_once"),
            models.CheckConstraint(
                condition=Q(right__lte=models.F("answered")), name="evidence_right_of_answered"
            ),
        ]


class Note(models.Model):
    """A learner's private note on a section; one per section, empty ones are deleted."""

    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    at = models.DateTimeField()

    objects: ClassVar[LearnersRows[Note]] = LearnersRows.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["learner", "section"], name="note_once"),
        ]


class Highlight(models.Model):
    """Words a learner marked in a paragraph: ``start`` and ``end`` in characters of its plain text.

    ``quote`` are the words themselves, by which the place is found again after an edit.
    """

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="+")
    anchor = models.CharField(max_length=120)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    quote = models.TextField()
    at = models.DateTimeField()

    objects: ClassVar[LearnersRows[Highlight]] = LearnersRows.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(end__gt=models.F("start")), name="highlight_not_empty"),
            models.UniqueConstraint(
                fields=["learner", "section", "anchor", "start", "end"], name="highlight_once"
            ),
        ]
