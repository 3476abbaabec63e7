"""A course of fifty chapters and five thousand questions, copied from the shipped one, and what people look for in it."""

from __future__ import annotations

import itertools
import uuid
from typing import Any
from urllib.parse import quote

from django.db import connection
from django.utils import timezone

from chapters.models import Chapter, Course, Domain, Passage, Release
from quizzes.models import Attempt, Question, QuestionVersion, Quiz, Response, Slot
from tests.bench.learners import Browser, get

COURSE = "bench-search"
CHAPTERS, QUESTIONS, ANSWERED = 50, 5_000, 1_000
ASKED = (
    "quantization", "kv cache", "memory", "speculative decoding", "AWQ", "batch", "FP8 calibration", "pruning",
    '"tensor parallelism"', "latency throughput", "sliding window", "distillation temperature", "attention",
    "roofline bandwidth", "TensorRT LLM", "chunked prefill", "per-channel scale", "bytes per token", "NVFP4",
    "sample size", "decode -batch", "grouped query attention", "weights", "outliers", "context length",
)  # fmt: skip


def copy_course() -> None:
    """Put the large course beside the shipped one."""
    at = timezone.now()
    old = Course.objects.get(slug="llm-inference")
    course = Course.objects.create(slug=COURSE, title=old.title, licence=old.licence)
    domain = Domain.objects.create(course=course, slug="all", title="All", weight=100)
    course.release = Release.objects.create(course=course, number=1, fingerprint=COURSE, loaded_at=at)
    course.save()
    chapters = [
        Chapter(course=course, domain=domain, slug=f"chapter-{n}", number=n, title=f"Chapter {n}", position=n)
        for n in range(1, CHAPTERS + 1)
    ]
    Chapter.objects.bulk_create(chapters)
    quizzes = [
        Quiz(course=course, chapter=one, slug=f"quiz-{one.number}", title=f"Quiz {one.number}")
        for one in chapters
    ]
    Quiz.objects.bulk_create(quizzes)
    _copy_passages(course, chapters)
    _copy_questions(quizzes)
    with connection.cursor() as cursor:
        # What the server does by itself some minutes after so much was loaded.
        cursor.execute("VACUUM (ANALYZE)")


def _copy_passages(course: Course, chapters: list[Chapter]) -> None:
    """Every passage of the shipped course in every chapter."""
    names = [
        field.column
        for field in Passage._meta.concrete_fields
        if field.column not in {"id", "course_id", "chapter_id"}
    ]
    columns = ", ".join(f'"{name}"' for name in names)
    statement = (
        f"INSERT INTO chapters_passage (course_id, chapter_id, {columns}) "
        f"SELECT %s, chapter, {columns} FROM unnest(%s::bigint[]) AS chapter, chapters_passage WHERE course_id <> %s"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [course.pk, [one.pk for one in chapters], course.pk])


def _copy_questions(quizzes: list[Quiz]) -> None:
    shipped = list(QuestionVersion.objects.exclude(question__quiz__course__slug=COURSE).order_by("pk"))
    turns = zip(range(QUESTIONS), itertools.cycle(quizzes), itertools.cycle(shipped), strict=False)
    pairs = [(Question(quiz=quiz, slug=f"question-{n}", position=n), version) for n, quiz, version in turns]
    Question.objects.bulk_create([question for question, _ in pairs], batch_size=2000)
    QuestionVersion.objects.bulk_create([_version(*pair) for pair in pairs], batch_size=2000)


def _version(question: Question, like: QuestionVersion) -> QuestionVersion:
    same: dict[str, Any] = {
        name: getattr(like, name)
        for name in ("kind", "stem_html", "stem_text", "body_html", "body", "made_at")
    }
    return QuestionVersion(question=question, number=1, wording=1, **same)


def answer_some(browser: Browser) -> None:
    """Give the learner a thousand answers in one finished attempt on the large course."""
    at, learner = timezone.now(), browser.learner
    quiz = Quiz.objects.filter(course__slug=COURSE).order_by("pk")[0]
    attempt = Attempt.objects.create(
        learner=learner, quiz=quiz, number=1, started_at=at, finished_at=at, size=ANSWERED, answered=ANSWERED
    )
    versions = QuestionVersion.objects.filter(question__quiz__course__slug=COURSE).order_by("pk")
    slots = Slot.objects.bulk_create(
        Slot(attempt=attempt, position=n, version=one, state="wrong")
        for n, one in enumerate(versions[:: QUESTIONS // ANSWERED], start=1)
    )
    Response.objects.bulk_create(
        Response(
            slot=one, number=1, learner=learner, version_id=one.version_id, key=uuid.uuid4(),
            state="wrong", fraction=0, at=at,
        )
        for one in slots
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def searches(browser: Browser, times: int) -> list[bytes]:
    """Each question in turn, each time another address, as a browser sends them."""
    return [
        get(f"/c/{COURSE}/search/?q={quote(asked)}&page={1 + turn % 2}", browser)
        for turn in range(times)
        for asked in ASKED
    ]


__all__ = ["answer_some", "copy_course", "searches"]
