"""Attempts, what they pose, and what was answered."""

from __future__ import annotations

import uuid
from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from quizzes.models.questions import QuestionVersion, Quiz


class AttemptQuerySet(models.QuerySet["Attempt"]):
    """Words for attempts."""

    def of(self, learner_id: int) -> Self:
        """This learner's attempts only: anything else looks like it does not exist."""
        return self.filter(learner_id=learner_id)

    def open(self) -> Self:
        """Attempts that are going on."""
        return self.filter(finished_at__isnull=True)

    def with_partly(self) -> Self:
        """Each with ``partly``: how many of its first answers are partly right, in the same query."""
        slots = Slot.objects.filter(attempt=OuterRef("pk"), state="partly").order_by()
        count = Subquery(slots.values("attempt").values(n=Count("pk")))
        return self.annotate(partly=Coalesce(count, 0))


class Attempt(models.Model):
    """One learner's way through one quiz. The sums are of first answers and can be rebuilt from the responses."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    quiz = models.ForeignKey(Quiz, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    saved_at = models.DateTimeField(null=True, blank=True)  # of the last thing kept
    size = models.PositiveIntegerField()
    answered = models.PositiveIntegerField(default=0, db_default=0)
    right = models.PositiveIntegerField(default=0, db_default=0)
    score = models.FloatField(default=0.0, db_default=0.0)

    objects: ClassVar[AttemptQuerySet] = AttemptQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["learner", "quiz", "number"], name="attempt_number_once"),
            models.UniqueConstraint(
                fields=["learner", "quiz"], condition=Q(finished_at__isnull=True), name="attempt_one_open"
            ),
            models.CheckConstraint(
                condition=Q(right__lte=F("answered"), answered__lte=F("size")), name="attempt_sums_in_bounds"
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Slot(models.Model):
    """One question of an attempt: the version shown, the order of its options, and what the first answer came to."""

    # No index of its own: slot_position_once begins with the attempt.
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="slots", db_index=False)
    position = models.PositiveIntegerField()
    version = models.ForeignKey(QuestionVersion, on_delete=models.PROTECT, related_name="+")
    order = ArrayField(models.CharField(max_length=120), default=list)  # option slugs as shown
    tokens = ArrayField(models.CharField(max_length=16), default=list)  # ids of the options in this attempt
    flagged = models.BooleanField(default=False, db_default=False)
    skipped = models.BooleanField(default=False, db_default=False)
    state = models.CharField(max_length=8, default="", db_default="", blank=True)  # of the first answer
    certainty = models.PositiveSmallIntegerField(null=True, blank=True)  # of the first answer
    # The version whose key marks the answers here, where a correction is applied; empty: its own. Whoever records an
    # answer marked it by this one, or marks it anew.
    judged_by = models.ForeignKey(
        QuestionVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["attempt", "position"], name="slot_position_once"),
            models.CheckConstraint(
                condition=Q(state__in=["", "right", "wrong", "partly"]), name="slot_state"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id} question {self.position}"


class Response(models.Model):
    """One answer. ``number`` 1 is the recorded one; later ones are retries and count nowhere."""

    # No index of its own: response_number_once begins with the slot.
    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, related_name="responses", db_index=False)
    number = models.PositiveIntegerField()
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    # The slot's version, which its slot holds on to. A constraint here would lock the version, a row that a whole
    # cohort shares, with every answer.
    version = models.ForeignKey(
        QuestionVersion, on_delete=models.PROTECT, related_name="+", db_constraint=False
    )
    key = models.UUIDField()  # idempotency: one intent of the learner
    options = ArrayField(models.CharField(max_length=120), default=list)  # chosen option slugs
    typed = models.CharField(max_length=200, blank=True)
    parts = ArrayField(
        models.CharField(max_length=200), default=list
    )  # one answer per row or gap, in their order
    certainty = models.PositiveSmallIntegerField(null=True, blank=True)
    state = models.CharField(max_length=8)
    fraction = models.FloatField()
    detail = models.CharField(max_length=200, blank=True)
    misconceptions = ArrayField(models.CharField(max_length=120), default=list)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["slot", "number"], name="response_number_once"),
            models.UniqueConstraint(fields=["slot", "key"], name="response_key_once"),
            models.CheckConstraint(
                condition=Q(state__in=["right", "wrong", "partly"]), name="response_state"
            ),
            models.CheckConstraint(condition=Q(fraction__gte=0, fraction__lte=1), name="response_fraction"),
            models.CheckConstraint(
                condition=Q(certainty__isnull=True) | Q(certainty__in=[1, 2, 3]), name="response_certainty"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["learner", "-at"],
                name="response_wrong_newest",
                condition=Q(number=1, state__in=["wrong", "partly"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.slot_id} answer {self.number}: {self.state}"


class RejectedResponse(models.Model):
    """An answer that could not count, kept with the reason: nothing a learner sent is thrown away."""

    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, related_name="+")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.UUIDField()
    options = ArrayField(models.CharField(max_length=120), default=list)
    typed = models.CharField(max_length=200, blank=True)
    parts = ArrayField(models.CharField(max_length=200), default=list)
    reason = models.CharField(max_length=80)
    at = models.DateTimeField()


class AnswerCount(models.Model):
    """What is left of answers whose learner is gone: how many, and nothing of whom, when or in which words.

    ``option`` is the slug of a chosen option; empty in the row that counts the answers themselves.
    """

    version = models.ForeignKey(QuestionVersion, on_delete=models.CASCADE, related_name="+", db_index=False)
    option = models.CharField(max_length=120, blank=True)
    first = models.BooleanField()  # the recorded answers, or the later tries
    state = models.CharField(max_length=8)
    n = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "option", "first", "state"], name="answer_count_once"),
            models.CheckConstraint(
                condition=Q(state__in=["right", "wrong", "partly"]), name="answer_count_state"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.n} of version {self.version_id}: {self.option or 'answers'}, {self.state}"
