"""Interview cards, and what a learner said to them."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q

from chapters.models import Chapter, Course, LearnersRows, Retirable

LEVELS = ("beginner", "practitioner", "senior", "architect")


class Card(Retirable):
    """One interview question with the points of a good answer.

    ``points``: [{slug, part, html, text, misconception, belief, read, questions}], in order; ``part`` is short, depth,
    example, mistakes or follow-ups. The back is shown only once the learner has answered. Where learners have opened
    the card, a point may have ``earlier`` [{html, text, until}], the words it had before, and ``was``, the slugs of
    gone points whose place it took; those follow at the end: {slug, part, html, text, belief, gone}. ``id`` is the
    author's id of a point where it is not its slug.
    """

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="+")
    chapter = models.ForeignKey(Chapter, on_delete=models.PROTECT, related_name="+")
    deck = models.SlugField(max_length=120)  # id of the file it stands in
    deck_title = models.CharField(max_length=200)
    level = models.CharField(max_length=12)
    topics = models.JSONField(default=list)
    objectives = models.JSONField(default=list)  # objective slugs
    front_html = models.TextField()
    front_text = models.TextField()
    points = models.JSONField(default=list)
    read = models.CharField(max_length=250, blank=True)
    fingerprint = models.CharField(max_length=64)  # of front and points
    words = SearchVectorField(null=True)  # of the front; the back is found once the card was answered
    back_words = SearchVectorField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["course", "slug"], name="card_slug_once"),
            models.CheckConstraint(condition=Q(level__in=LEVELS), name="card_level"),
        ]
        indexes: ClassVar = [
            GinIndex(fields=["words"], name="card_words"),
            GinIndex(fields=["back_words"], name="card_back_words"),
        ]

    def __str__(self) -> str:
        return self.slug

    def standing_points(self) -> list[dict[str, Any]]:
        """The points that the card has now, in order."""
        return [one for one in self.points if "gone" not in one]

    def gone_points(self) -> dict[str, dict[str, Any]]:
        """The points that the card had and somebody may have rated, by slug."""
        return {one["slug"]: one for one in self.points if "gone" in one}


class CardTry(models.Model):
    """One answer of a learner to a card, in their own words, and afterwards their rating of each point.

    ``ratings`` by point: 2 said, 1 partly, 0 missed, null left open. An answer that was taken back keeps its row.
    """

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="+")
    fingerprint = models.CharField(max_length=64)  # the card's, when it was answered
    words = models.TextField(blank=True)
    ratings = models.JSONField(default=dict)
    begun_at = models.DateTimeField()
    shown_at = models.DateTimeField(
        null=True, blank=True
    )  # when the back was opened: from then on the words stand
    rated_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[LearnersRows[CardTry]] = LearnersRows.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["learner", "card"],
                condition=Q(rated_at__isnull=True, undone_at__isnull=True),
                name="card_one_open_try",
            ),
            models.CheckConstraint(
                condition=Q(rated_at__isnull=True) | Q(shown_at__isnull=False), name="card_shown_before_rated"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["learner", "card", "-begun_at"], name="card_try_newest")]
