"""Courses, domains, chapters, sections and what they are made of.

Content rows are written by ``chapters.actions`` when a pack is loaded; HTML columns hold sanitised HTML that was
rendered then. Content that left its pack is retired, never deleted: learners' rows point to it.
"""

from __future__ import annotations

from typing import ClassVar, Self

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q


class Course(models.Model):
    """One course, known by its slug in addresses."""

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    exam = models.CharField(max_length=200, blank=True)
    licence = models.CharField(max_length=80, blank=True)
    notice = models.TextField(blank=True)
    language = models.CharField(max_length=12, default="en")
    intro_html = models.TextField(blank=True)
    release = models.ForeignKey("Release", null=True, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return self.title


class Release(models.Model):
    """One successful load of a pack that changed something. ``report`` counts what it did."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="releases")
    number = models.PositiveIntegerField()
    fingerprint = models.CharField(max_length=64)  # SHA-256 over the pack's files and the renderer's version
    loaded_at = models.DateTimeField()
    report = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["course", "number"], name="release_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.course_id} release {self.number}"


class Retirable(models.Model):
    """Content with a stable slug, a place in the order, and perhaps a day it left the pack."""

    slug = models.SlugField(max_length=120)
    position = models.PositiveIntegerField(default=0)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Domain(Retirable):
    """One weighted domain of the exam; ``weight`` in exam points of 100."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="domains")
    title = models.CharField(max_length=200)
    weight = models.PositiveSmallIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["course", "slug"], name="domain_slug_once"),
            models.CheckConstraint(condition=Q(weight__lte=100), name="domain_weight_of_100"),
        ]

    def __str__(self) -> str:
        return self.title


class Source(Retirable):
    """A source that chapters and questions cite."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="sources")
    html = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["course", "slug"], name="source_slug_once"),
        ]

    def __str__(self) -> str:
        return self.slug


class Misconception(Retirable):
    """A belief that wrong options name."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="misconceptions")
    text = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["course", "slug"], name="misconception_slug_once"),
        ]

    def __str__(self) -> str:
        return self.text


class ChapterQuerySet(models.QuerySet["Chapter"]):
    """Words for chapters."""

    def on_shelf(self) -> Self:
        """Chapters that are part of the course now."""
        return self.filter(retired_at__isnull=True)


class Chapter(Retirable):
    """One chapter. ``practice`` lists its quizzes as the loader saw them: [{slug, title, questions}]."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="chapters")
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="chapters")
    number = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=200)
    minutes = models.PositiveSmallIntegerField(default=0)
    purpose_html = models.TextField(blank=True)
    notes = models.JSONField(default=list)  # [[number, source slug, html]], in the order of the numbers
    practice = models.JSONField(default=list)

    objects: ClassVar[ChapterQuerySet] = ChapterQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["course", "slug"], name="chapter_slug_once"),
        ]

    def __str__(self) -> str:
        return self.title


class ChapterSheet(models.Model):
    """A chapter as its page wants it, made when the pack is loaded: one row to read instead of seven tables."""

    chapter = models.OneToOneField(Chapter, primary_key=True, on_delete=models.CASCADE, related_name="+")
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="+")
    sheet = models.JSONField()


class Objective(Retirable):
    """What one can do after the chapter."""

    chapter = models.ForeignKey(Chapter, on_delete=models.CASCADE, related_name="objectives")
    html = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chapter", "slug"], name="objective_slug_once"),
        ]

    def __str__(self) -> str:
        return self.slug


class Section(Retirable):
    """A part of a chapter. ``fingerprint`` is of its words, not its markup: the same words are the same reading."""

    class Kind(models.TextChoices):
        """How a section is shown: in the text, on the lab page, as the rhythm."""

        SECTION = "section"
        LAB = "lab"
        RHYTHM = "rhythm"

    chapter = models.ForeignKey(Chapter, on_delete=models.CASCADE, related_name="sections")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.SECTION)
    title = models.CharField(max_length=300)
    title_html = models.TextField()
    html = models.TextField()
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    fingerprint = models.CharField(max_length=64)
    paragraphs = models.JSONField(default=list)  # [[anchor, fingerprint, first words]], in order
    cites = models.JSONField(default=list)  # source slugs, in order of appearance
    objectives = models.JSONField(default=list)  # objective slugs

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chapter", "slug"], name="section_slug_once"),
            models.CheckConstraint(condition=Q(kind__in=["section", "lab", "rhythm"]), name="section_kind"),
        ]

    def __str__(self) -> str:
        return self.title


class Checkpoint(Retirable):
    """One statement the learner ticks when it is true of them."""

    chapter = models.ForeignKey(Chapter, on_delete=models.CASCADE, related_name="checkpoints")
    html = models.TextField()
    objectives = models.JSONField(default=list)  # objective slugs

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chapter", "slug"], name="checkpoint_slug_once"),
        ]

    def __str__(self) -> str:
        return self.slug


class Resource(Retirable):
    """Something to read or watch elsewhere. ``checked`` is the month or day of the last check, as text."""

    chapter = models.ForeignKey(Chapter, on_delete=models.CASCADE, related_name="resources")
    title = models.CharField(max_length=300)
    url = models.URLField(max_length=500)
    kind = models.CharField(max_length=8)
    publisher = models.CharField(max_length=200, blank=True)
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    checked = models.CharField(max_length=10, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chapter", "slug"], name="resource_slug_once"),
            models.CheckConstraint(condition=Q(kind__in=["read", "watch"]), name="resource_kind"),
        ]

    def __str__(self) -> str:
        return self.title


class SectionWording(models.Model):
    """What a section said from one release on, so that an edit can be shown and weighed. Never edited.

    ``edit``: first, typo or substantive, by the author's word or by the size of the edit since the wording before.
    Only a substantive edit asks for another reading. ``texts`` pairs each paragraph's anchor with its plain text.
    """

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="wordings")
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    fingerprint = models.CharField(max_length=64)
    title = models.CharField(max_length=300)
    texts = models.JSONField(default=list)  # [[anchor, plain text], …] in order
    edit = models.CharField(max_length=12, default="first")
    said_by_author = models.BooleanField(default=False, db_default=False)
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["section", "number"], name="section_wording_once"),
            models.CheckConstraint(
                condition=Q(edit__in=["first", "typo", "substantive"]), name="section_wording_edit"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section_id} wording {self.number}"


class Passage(models.Model):
    """Something that search finds in a course, made when a pack is loaded: a title, an objective, a paragraph.

    ``weight`` is Postgres's A to D. Rows of a chapter are written anew with each release that changes it.
    """

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="+")
    chapter = models.ForeignKey(Chapter, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12)
    page = models.CharField(max_length=12, default="chapter")  # name of the page's address: chapter, lab
    anchor = models.CharField(max_length=120, blank=True)
    heading = models.CharField(max_length=300)  # of the section or chapter it stands in
    text = models.TextField()
    weight = models.CharField(max_length=1)
    position = models.PositiveIntegerField(default=0)
    words = SearchVectorField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(kind__in=["title", "objective", "paragraph", "checkpoint"]), name="passage_kind"
            ),
            models.CheckConstraint(condition=Q(weight__in=["A", "B", "C", "D"]), name="passage_weight"),
        ]
        # Written once at each load and read often: no list of new rows that every search would have to read through.
        indexes: ClassVar = [GinIndex(fields=["words"], name="passage_words", fastupdate=False)]
