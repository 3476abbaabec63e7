"""What each process keeps ready: the frame of a quiz at a release, questions as shown, and their opened keys.

Version and key rows are never edited. A quiz, a course or a question's name change only when another pack is loaded,
and then the course has another release or its release another fingerprint. So nothing kept here can grow old: another
version, release or fingerprint is another entry. Every store is bounded.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.functions import JSONObject
from django.urls import reverse

from chapters.queries import CourseView, course_view
from quizzes.models import Question, QuestionKey, QuestionVersion, Quiz

MOST_FRAMES, MOST_QUESTIONS, MOST_ADDRESSES = 64, 512, 4096  # entries kept in each process


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around a question: its quiz and course."""

    course: CourseView
    quiz_slug: str
    quiz_title: str
    release_pk: int
    names: Mapping[int, tuple[str, str]]  # by question: stable id, and "chapter#anchor" that settles it


@dataclass(frozen=True, slots=True)
class Shown:
    """A version as a learner may see it before answering."""

    question_pk: int
    number: int  # of the version: another one asks something else
    kind: str
    points: int
    stem_html: str
    body_html: str
    body: Mapping[str, Any]
    texts: Mapping[str, str]  # HTML of each option by its slug


@dataclass(frozen=True, slots=True)
class Opened:
    """A version with its key and rationales: only for a question that has its answer."""

    shown: Shown
    key: Mapping[str, Any]
    explanation_html: str


@lru_cache(maxsize=MOST_FRAMES)
def frame_of(quiz_pk: int, release_pk: int, fingerprint: str) -> Frame:
    """The frame of a quiz at a release as it was loaded; one query the first time in a process.

    Practice poses questions of every quiz of its course and knows all their names (one more). Raises
    Quiz.DoesNotExist.
    """
    named = JSONObject(pk="pk", slug="slug", read="read")
    names = Question.objects.filter(quiz=OuterRef("pk")).values(name=named)
    quiz = (
        Quiz.objects.select_related("course__release")
        .defer("intro_html", "course__intro_html")
        .annotate(names=ArraySubquery(names))
        .get(pk=quiz_pk)
    )
    release = quiz.course.release
    assert release is not None
    release.course = quiz.course
    told = getattr(quiz, "names", ())
    if quiz.purpose == "mistakes":
        told = Question.objects.filter(quiz__course=quiz.course_id).values_list(named, flat=True)
    return Frame(
        course=course_view(release),
        quiz_slug=quiz.slug,
        quiz_title=quiz.title,
        release_pk=release_pk,
        names={one["pk"]: (one["slug"], one["read"]) for one in told},
    )


def shown(version: QuestionVersion) -> Shown:
    """A version as it may be seen before the answer (no query)."""
    return Shown(
        question_pk=version.question_id,
        number=version.number,
        kind=version.kind,
        points=version.points,
        stem_html=version.stem_html,
        body_html=version.body_html,
        body=version.body,
        texts={one["slug"]: one["html"] for one in version.body.get("options", [])},
    )


@lru_cache(maxsize=MOST_QUESTIONS)
def shown_of(version_pk: int) -> Shown:
    """A version; one query the first time in a process, never for a key. Raises QuestionVersion.DoesNotExist."""
    return shown(QuestionVersion.objects.get(pk=version_pk))


@lru_cache(maxsize=MOST_QUESTIONS)
def opened_of(version_pk: int) -> Opened:
    """A version and its key; one query the first time in a process. Raises QuestionKey.DoesNotExist.

    Only to be called once the answer is in: to mark it, and to explain it.
    """
    found = QuestionKey.objects.select_related("version").get(pk=version_pk)
    return Opened(shown(found.version), found.key, found.explanation_html)


@lru_cache(maxsize=MOST_ADDRESSES)
def street(name: str, course_slug: str, slug: str) -> str:
    """The address of something in a course: a quiz, a chapter, the lab of a chapter."""
    return reverse(name, args=[course_slug, slug])


@lru_cache(maxsize=MOST_ADDRESSES)
def address(name: str, attempt_id: uuid.UUID | str) -> str:
    """The address of an attempt's page or act: attempt, review, flag, skip, finish."""
    return reverse(name, args=[attempt_id])
