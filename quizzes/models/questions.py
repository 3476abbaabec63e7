"""Quizzes, questions, their versions and keys.

A version row is never edited once it exists: another wording of the same meaning is a row with the same ``number``
and the next ``wording``, another key, option set or kind is a row with the next ``number``. What was answered
stays as it was shown. The key lives in a table of its own that no page selects before the answer is in.
"""

from __future__ import annotations

from typing import ClassVar, Self

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import F, Func, Q, Value

from chapters.models import Chapter, Course, Objective, Retirable
from chapters.queries.passages import BLANKS, SIGNS


class QuizQuerySet(models.QuerySet["Quiz"]):
    """Words for quizzes."""

    def on_shelf(self) -> Self:
        """Quizzes that are part of the course now."""
        return self.filter(retired_at__isnull=True, purpose="quiz")


class Quiz(Retirable):
    """One quiz of a chapter; of ``purpose`` mistakes, the practice of a course, which no pack brings."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="+")
    chapter = models.ForeignKey(Chapter, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    purpose = models.CharField(max_length=8, default="quiz", db_default="quiz")
    title = models.CharField(max_length=200)
    intro_html = models.TextField(blank=True)

    objects: ClassVar[QuizQuerySet] = QuizQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["course", "slug"], name="quiz_slug_once"),
            models.CheckConstraint(
                condition=Q(purpose="quiz", chapter__isnull=False)
                | Q(purpose="mistakes", chapter__isnull=True),
                name="quiz_has_chapter",
            ),
        ]

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
    # Of the stem only, which may be seen before the answer; whoever searches asks whether it was answered.
    words = models.GeneratedField(
        expression=SearchVector(
            Func(
                F("stem_text"),
                Value(SIGNS),
                Value(BLANKS),
                function="translate",
                output_field=models.TextField(),
            ),
            config="english",
        ),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["question", "number", "wording"], name="version_once"),
        ]
        indexes: ClassVar = [GinIndex(fields=["words"], name="version_words", fastupdate=False)]

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
