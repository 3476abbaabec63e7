"""Doubts about a key: reports of learners, corrections of keys and what they changed."""

from __future__ import annotations

from hashlib import sha256
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Max, Q
from django.db.models.functions import Greatest

from chapters.models import LearnersRows
from quizzes.models.attempts import Response
from quizzes.models.questions import Question, QuestionVersion

REASONS = ("key", "unclear", "outdated", "typo", "paragraph", "other")
STATES = ("open", "accepted", "fixed", "declined")


class QuestionReport(models.Model):
    """A learner's word that something about a question looks wrong, and what became of it."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="+")
    version = models.ForeignKey(QuestionVersion, on_delete=models.PROTECT, related_name="+")
    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    reason = models.CharField(max_length=10)
    option = models.CharField(max_length=120, blank=True)  # slug of the option it is about
    text = models.TextField(blank=True)
    at = models.DateTimeField()
    state = models.CharField(max_length=10, default="open", db_default="open")
    answer = models.TextField(blank=True)  # to the reporter, in words
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    fixed_in = models.ForeignKey(
        QuestionVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    seen_at = models.DateTimeField(null=True, blank=True)  # when the reporter saw the answer

    objects: ClassVar[LearnersRows[QuestionReport]] = LearnersRows.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(reason__in=REASONS), name="report_reason"),
            models.CheckConstraint(condition=Q(state__in=STATES), name="report_state"),
            models.CheckConstraint(
                condition=Q(state="open", decided_at__isnull=True)
                | ~Q(state="open") & Q(decided_at__isnull=False),
                name="report_decided",
            ),
            models.CheckConstraint(
                condition=~Q(state="declined") | ~Q(answer=""), name="report_declined_with_reason"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["question"], name="report_unsettled", condition=Q(state__in=["open", "accepted"])
            ),
        ]

    @property
    def stamp(self) -> str:
        """What stays equal as long as nobody adds to it and nobody decides it anew: 16 letters that tell nothing."""
        said = [
            self.state,
            self.reason,
            self.option,
            self.text,
            self.answer,
            self.decided_at,
            self.fixed_in_id,
        ]
        return sha256(repr(said).encode()).hexdigest()[:16]


class Correction(models.Model):
    """A key that another version of the same question put right: who is moved, when, and whether it was undone.

    Made when a pack is loaded; nobody's score moves before an author has seen the preview and applied it. One that
    waits can be set aside, with a reason for other authors, and taken up again.
    """

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="+")
    before = models.ForeignKey(QuestionVersion, on_delete=models.PROTECT, related_name="+")
    after = models.ForeignKey(QuestionVersion, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    applied_at = models.DateTimeField(null=True, blank=True)
    applied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    set_aside_at = models.DateTimeField(null=True, blank=True)
    set_aside_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    set_aside_reason = models.TextField(blank=True, default="", db_default="")  # no taker reads it

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["before", "after"], name="correction_once"),
            models.CheckConstraint(
                condition=Q(set_aside_at__isnull=True) | Q(applied_at__isnull=True) & ~Q(set_aside_reason=""),
                name="correction_set_aside",
            ),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True) | Q(applied_at__isnull=False),
                name="correction_undone_after",
            ),
        ]

    @property
    def state(self) -> str:
        """waiting, aside, applied or undone."""
        if self.applied_at is None:
            return "aside" if self.set_aside_at else "waiting"
        return "undone" if self.undone_at else "applied"

    @property
    def stamp(self) -> str:
        """What stays equal as long as nobody applies it, undoes it, sets it aside or takes it up again; while it is not
        applied, as long as no correction of its question is applied or undone either (one query).
        """
        last = [self.undone_at or self.applied_at or self.set_aside_at]
        if self.state != "applied":
            rows = Correction.objects.filter(question=self.question_id)
            last += rows.aggregate(last=Max(Greatest("applied_at", "undone_at"))).values()
        return ".".join([self.state, *(f"{at.timestamp():.6f}" if at else "" for at in last)])


class Rescored(models.Model):
    """A response whose mark a correction moved; what it was before stays here, for the learner and for undo."""

    correction = models.ForeignKey(Correction, on_delete=models.CASCADE, related_name="+")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="+")
    state_before = models.CharField(max_length=8)
    fraction_before = models.FloatField()
    state_after = models.CharField(max_length=8)
    fraction_after = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["correction", "response"], name="rescored_once"),
        ]


class NewsSeen(models.Model):
    """Up to which moment a learner has seen what became of keys: older corrections are no news any more."""

    learner = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    at = models.DateTimeField()

    objects: ClassVar[LearnersRows[NewsSeen]] = LearnersRows.as_manager()  # type: ignore[assignment]
