"""Ready goods for tests: a small course put on the shelves without a pack and without the press."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from chapters import actions as chapters
from chapters.draft import (
    ChapterGoods,
    CheckpointGoods,
    CourseGoods,
    DomainGoods,
    MisconceptionGoods,
    ObjectiveGoods,
    ResourceGoods,
    SectionGoods,
    SourceGoods,
    Tally,
)
from chapters.models import Course
from quizzes.actions import put_quiz
from quizzes.draft import OptionGoods, QuestionGoods, QuizGoods
from quizzes.models import Quiz

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OBJECTIVES = ("weigh", "measure", "choose")


def option(text: str, right: bool = False, **extra: Any) -> OptionGoods:
    """One option with a rationale."""
    plain: dict[str, Any] = {
        "slug": "",
        "html": text,
        "weight": None,
        "misconception": "",
        "belief": "",
        "read": "",
    }
    values = {**plain, "rationale": f"<p>Because {text}.</p>", **extra}
    return OptionGoods(text=text, right=right, **values)


def question(slug: str, **extra: Any) -> QuestionGoods:
    """A single-choice question with four options, the first of them right; any field by name."""
    plain: dict[str, Any] = {
        "was": "",
        "kind": "single",
        "stem_html": f"<p>Which one, {slug}?</p>",
        "stem_text": f"Which one, {slug}?",
        "body_html": "",
        "body": {"shuffle": True},
        "key": {"score": "all"},
        "options": tuple(
            option(f"{slug} {word}", word == "alpha") for word in ("alpha", "beta", "gamma", "delta")
        ),
        "explanation_html": "",
        "objectives": ("weigh",),
        "difficulty": 2,
        "facet": "method",
        "read": "small#here",
        "sources": (),
        "tags": (),
        "points": 1,
        "path": "quizzes/small.quiz.md",
        "line": 1,
    }
    return QuestionGoods(slug=slug, **{**plain, **extra})


def several(slug: str, score: str = "all", **extra: Any) -> QuestionGoods:
    """A multiple-choice question: two of four options are right."""
    options = tuple(
        option(f"{slug} {word}", word in {"alpha", "beta"}) for word in ("alpha", "beta", "gamma", "delta")
    )
    return question(slug, kind="multiple", key={"score": score}, options=options, **extra)


def typed(slug: str, unit: str = "GB", **extra: Any) -> QuestionGoods:
    """A number question: 3.4 to 3.6 is right, 28 an expected mistake."""
    common = {"weight": None, "belief": "", "read": ""}
    key = {
        "accepted": [
            {
                "text": "3.5 ± 0.1",
                "low": "3.4",
                "high": "3.6",
                "rationale": "<p>Half a byte.</p>",
                "misconception": "",
                **common,
            }
        ],
        "mistakes": [
            {
                "text": "28",
                "low": "28",
                "high": "28",
                "rationale": "<p>That is FP32.</p>",
                "misconception": "wide",
                **common,
            }
        ],
    }
    return question(slug, kind="number", body={"unit": unit}, key=key, options=(), **extra)


def quiz_goods(*questions: QuestionGoods, **extra: Any) -> QuizGoods:
    """A quiz of these questions."""
    plain: dict[str, Any] = {
        "slug": "small-quiz",
        "was": "",
        "title": "Small quiz",
        "chapter": "small",
        "intro_html": "",
    }
    return QuizGoods(questions=tuple(questions), **{**plain, **extra})


def section(slug: str, words: str = "", **extra: Any) -> SectionGoods:
    """A section of one paragraph; its fingerprint is of ``words``."""
    words = words or f"The text of {slug}."
    plain: dict[str, Any] = {
        "kind": "section",
        "title": slug.capitalize(),
        "title_html": slug.capitalize(),
        "html": f'<p id="{slug}-p1">{words}</p>',
        "minutes": 5,
        "fingerprint": words,
        "paragraphs": ((f"{slug}-p1", words[:16], words),),
        "cites": ("book",),
        "objectives": ("weigh",),
    }
    return SectionGoods(slug=slug, **{**plain, **extra})


def chapter_goods(**extra: Any) -> ChapterGoods:
    """A chapter with two sections, a lab, a rhythm, two checkpoints and a resource."""
    plain: dict[str, Any] = {
        "slug": "small",
        "was": "",
        "domain": "first",
        "number": 1,
        "title": "Small chapter",
        "minutes": 20,
        "purpose_html": "<p>Why.</p>",
        "notes": ((1, "book", "A book"),),
        "practice": (("small-quiz", "Small quiz", 3),),
        "objectives": tuple(ObjectiveGoods(slug, f"Can {slug}") for slug in OBJECTIVES),
        "sections": (
            section("here"),
            section("there"),
            section("lab", kind="lab"),
            section("rhythm", kind="rhythm"),
        ),
        "checkpoints": (
            CheckpointGoods("one", "I can", ("weigh",)),
            CheckpointGoods("two", "I know", ("measure",)),
        ),
        "resources": (
            ResourceGoods("paper", "A paper", "https://example.org/", "read", "Press", 10, "2026-11"),
        ),
    }
    return ChapterGoods(**{**plain, **extra})


def course_goods(**extra: Any) -> CourseGoods:
    """A course with two domains, a source and a misconception."""
    plain: dict[str, Any] = {
        "slug": "small-course",
        "title": "Small course",
        "exam": "Exam",
        "licence": "CC BY 4.0",
        "notice": "",
        "language": "en",
        "intro_html": "",
        "domains": (DomainGoods("first", "First", 60), DomainGoods("second", "Second", 40)),
        "sources": (SourceGoods("book", "A book"),),
        "misconceptions": (MisconceptionGoods("wide", "Wider is faster"),),
    }
    return CourseGoods(**{**plain, **extra})


def shelve_course(
    *quizzes: QuizGoods,
    chapter: ChapterGoods | None = None,
    course: CourseGoods | None = None,
    at: datetime = AT,
) -> tuple[Course, Tally]:
    """Put a course with one chapter and these quizzes on the shelves, with a release."""
    tally = Tally()
    row = chapters.put_course(goods=course or course_goods(), tally=tally, at=at)
    chapters.put_chapter(course=row, goods=chapter or chapter_goods(), tally=tally, at=at)
    for one in quizzes:
        put_quiz(course=row, goods=one, tally=tally, at=at)
    if row.release is None or not tally.quiet:
        chapters.put_release(course=row, fingerprint=f"{at:%d%H%M%S}", tally=tally, at=at)
    return row, tally


def shelve_quiz(*questions: QuestionGoods, **extra: Any) -> Quiz:
    """The small quiz of these questions, in its course."""
    goods = quiz_goods(*questions, **extra)
    course, _ = shelve_course(goods)
    return Quiz.objects.select_related("course").get(course=course, slug=goods.slug)


__all__ = [
    "AT",
    "chapter_goods",
    "course_goods",
    "option",
    "question",
    "quiz_goods",
    "replace",
    "section",
    "several",
    "shelve_course",
    "shelve_quiz",
    "typed",
]
