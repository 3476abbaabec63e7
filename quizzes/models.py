"""Storey 4: quizzes, questions and their versions, attempts, responses.

A version row is never edited once it exists: another wording of the same meaning is a row with the same ``number``
and the next ``wording``, another key, option set or kind is a row with the next ``number``. What was answered
stays as it was shown. The key lives in a table of its own that no page selects before the answer is in.
"""

from __future__ import annotations

import uuid
from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from chapters.models import Chapter, Course, Objective, Retirable


class QuizQuerySet(models.QuerySet["Quiz"]):
    """Words for quizzes."""

    def on_shelf(self) -> Self:
        """Quizzes that are part of the course now."""
        return self.filter(retired_at__isnull=True)


class Quiz(Retirable):
    """One quiz of a chapter."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="+")
    chapter = models.ForeignKey(Chapter, on_delete=models.PROTECT, related_name="+")
    title = models.CharField(max_length=200)
    intro_html = models.TextField(blank=True)

    objects: ClassVar[QuizQuerySet] = QuizQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["course", "slug"], name="quiz_slug_once")]

    def __str__(self) -> str:
        return self.title


class Question(Retirable):
    """One question by its stable id; what it says now is ``current``. A draft has no published version."""

    quiz = models.ForeignKey(Quiz, on_delete=models.CASCADE, related_name="questions")
    current = models.ForeignKey("QuestionVersion", null=True, on_delete=models.PROTECT, related_name="+")
    difficulty = models.PositiveSmallIntegerField(null=True, blank=True)
    facet = models.CharField(max_length=12, blank=True)
    read = models.CharField(max_length=250, blank=True)  # "chapter#anchor": the paragraph that settles it
    sources = models.JSONField(default=list)
    tags = models.JSONField(default=list)
    source_path = models.CharField(max_length=300, blank=True)
    source_line = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["quiz", "slug"], name="question_slug_once"),
            models.CheckConstraint(
                condition=Q(facet__in=["", "method", "trade-off", "failure"]), name="question_facet"
            ),
        ]

    def __str__(self) -> str:
        return self.slug


class QuestionObjective(models.Model):
    """A question tests an objective."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="aims")
    objective = models.ForeignKey(Objective, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["question", "objective"], name="question_objective_once"),
        ]


class QuestionVersion(models.Model):
    """What a learner may see of a question before answering, in one wording."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    wording = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    stem_html = models.TextField()
    stem_text = models.TextField()
    body_html = models.TextField(blank=True)
    body = models.JSONField(
        default=dict
    )  # for choices: {options: [{slug, html}], shuffle}; for numbers: {unit}
    points = models.PositiveSmallIntegerField(default=1)
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["question", "number", "wording"], name="version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.question_id} v{self.number}.{self.wording}"


class QuestionKey(models.Model):
    """The key and rationales of a version: read only to mark and, after the answer, to explain."""

    version = models.OneToOneField(
        QuestionVersion, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    key = models.JSONField()
    explanation_html = models.TextField(blank=True)
    fingerprint = models.CharField(max_length=64)  # of body, key and every text: tells a rewording


class AttemptQuerySet(models.QuerySet["Attempt"]):
    """Words for attempts."""

    def of(self, learner_id: int) -> Self:
        """This learner's attempts only: anything else looks like it does not exist."""
        return self.filter(learner_id=learner_id)

    def open(self) -> Self:
        """Attempts that are going on."""
        return self.filter(finished_at__isnull=True)


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
    reason = models.CharField(max_length=80)
    at = models.DateTimeField()
