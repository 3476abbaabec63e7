"""A quiz on paper: its questions, and apart from them the answers of those that this learner has answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from chapters.queries import CourseView, view_of
from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer, PartRemark, option_letter
from quizzes.models import Question, QuestionKey, QuestionVersion, Quiz, Response

WORDS = {"right": "Right", "wrong": "Not this one", "partly": "Partly right"}


@dataclass(frozen=True, slots=True)
class PrintedOption:
    """An option with its letter on this learner's paper."""

    letter: str
    html: str


@dataclass(frozen=True, slots=True)
class PrintedRemark:
    """What is said of one option or typed answer."""

    letter: str  # "" for typed answers
    html: str  # the option, or what the typed answer is called
    chosen: bool
    right: bool
    rationale_html: str
    misconception: str


@dataclass(frozen=True, slots=True)
class PrintedAnswer:
    """An answered question with its key: the learner's own first answer, and why each option holds or fails."""

    verdict: str
    said: str  # the learner's answer in words
    at: datetime
    remarks: tuple[PrintedRemark, ...]
    parts: tuple[PartRemark, ...]
    explanation_html: str


@dataclass(frozen=True, slots=True)
class PrintedQuestion:
    """A question with its boxes, and its answer where this learner has answered."""

    number: int
    slug: str
    kind: str
    stem_html: str
    body_html: str
    unit: str
    options: tuple[PrintedOption, ...]  # to tick, to bring into order, or to match with
    rows: tuple[str, ...]  # HTML of what each wants an option
    answer: PrintedAnswer | None  # None before this learner has answered


@dataclass(frozen=True, slots=True)
class PrintedQuiz:
    """All questions of a quiz."""

    course: CourseView
    slug: str
    title: str
    chapter_title: str
    questions: tuple[PrintedQuestion, ...]
    begun: bool = True  # False for a visitor who has not begun anything: there are no questions then

    @property
    def answered(self) -> tuple[PrintedQuestion, ...]:
        """The questions whose answers may be printed."""
        return tuple(one for one in self.questions if one.answer is not None)


def quiz_to_begin(quiz: Quiz) -> PrintedQuiz:
    """What a visitor who has not begun anything gets: the quiz without its questions (no query)."""
    return PrintedQuiz(view_of(quiz.course), quiz.slug, quiz.title, _chapter(quiz), (), begun=False)


def printed_quiz(quiz: Quiz, learner_id: int) -> PrintedQuiz:
    """The published questions of a quiz on the shelf, in the author's order, for one learner (three queries at most).

    Keys are read only of versions that this learner has answered in just this wording.
    """
    questions = list(
        Question.objects.filter(quiz=quiz, retired_at__isnull=True, current__isnull=False)
        .select_related("current")
        .order_by("position")
    )
    answers = _first_answers([one.current_id for one in questions if one.current_id], learner_id)
    keys = QuestionKey.objects.in_bulk(list(answers)) if answers else {}
    return PrintedQuiz(
        course=view_of(quiz.course),
        slug=quiz.slug,
        title=quiz.title,
        chapter_title=_chapter(quiz),
        questions=tuple(
            _question(number, one, learner_id, answers.get(one.current_id or 0), keys)
            for number, one in enumerate(questions, start=1)
        ),
    )


def _chapter(quiz: Quiz) -> str:
    return quiz.chapter.title if quiz.chapter else ""


def _first_answers(version_pks: Sequence[int], learner_id: int) -> dict[int, Response]:
    """The learner's newest first answer to each of these versions."""
    rows = Response.objects.filter(
        learner_id=learner_id, slot__attempt__learner_id=learner_id, number=1, version_id__in=version_pks
    )
    return {one.version_id: one for one in rows.order_by("at", "pk")}


def _question(
    number: int,
    question: Question,
    learner_id: int,
    given: Response | None,
    keys: Mapping[int, QuestionKey],
) -> PrintedQuestion:
    version = question.current
    assert version is not None
    every = _options(version, learner_id)
    rows = int(version.body.get("rows", 0))
    options = {one["slug"]: PrintedOption(option_letter(at), one["html"]) for at, one in enumerate(every)}
    return PrintedQuestion(
        number=number,
        slug=question.slug,
        kind=version.kind,
        stem_html=version.stem_html,
        body_html=version.body_html,
        unit=version.body.get("unit", ""),
        options=tuple(options.values()),
        rows=tuple(one["html"] for one in version.body.get("options", ())[:rows]),
        answer=_answer(version, options, given, keys[version.pk]) if given else None,
    )


def _options(version: QuestionVersion, learner_id: int) -> list[Mapping[str, Any]]:
    """The options in an order that is the learner's own and stays: neither it nor a second print tells the key."""
    body = version.body
    options = list(body.get("options", ()))[int(body.get("rows", 0)) :]
    if not body.get("shuffle", True):
        return options
    return sorted(
        options, key=lambda one: sha256(f"{learner_id} {version.pk} {one['slug']}".encode()).digest()
    )


def _answer(
    version: QuestionVersion, options: Mapping[str, PrintedOption], given: Response, key: QuestionKey
) -> PrintedAnswer:
    kind, answer = KINDS[version.kind], Answer(tuple(given.options), given.typed, tuple(given.parts))
    remarks = kind.remarks(answer, version.body, key.key)
    return PrintedAnswer(
        verdict=WORDS[given.state],
        said=kind.said(answer, version.body),
        at=given.at,
        remarks=tuple(sorted(_remarks(remarks, options), key=lambda one: (len(one.letter), one.letter))),
        parts=tuple(kind.parts(answer, version.body, key.key)),
        explanation_html=key.explanation_html,
    )


def _remarks(remarks: Iterable[Any], options: Mapping[str, PrintedOption]) -> Iterable[PrintedRemark]:
    for one in remarks:
        option = options.get(one.slug)
        yield PrintedRemark(
            letter=option.letter if option else "",
            html=option.html if option else one.title,
            chosen=one.chosen,
            right=one.right,
            rationale_html=one.rationale_html,
            misconception=one.misconception,
        )
