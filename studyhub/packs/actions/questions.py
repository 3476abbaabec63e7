"""Set quizzes: hand their texts to the galley, take goods back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from quizzes.draft import OptionGoods, QuestionGoods, QuizGoods
from quizzes.kinds.number import range_of
from studyhub.packs.actions.galley import Galley
from studyhub.packs.draft import OptionDraft, QuestionDraft, QuizDraft, TypedDraft


def plain_stem(stem: str) -> str:
    """A stem without Markdown's marks, for places that show plain text only."""
    return re.sub(r"[*`$\\]", "", stem).strip()


def hand_in_quiz(galley: Galley, quiz: QuizDraft) -> None:
    """Hand in every text of a quiz."""
    path = quiz.path
    galley.hand_in((quiz.slug, "intro"), quiz.intro_md, (path, quiz.line))
    for one in quiz.questions:
        key = (quiz.slug, "question", one.slug)
        galley.hand_in((*key, "stem"), one.stem_md, (path, one.line), inline=True)
        galley.hand_in((*key, "body"), one.body_md, (path, one.body_line))
        galley.hand_in((*key, "explanation"), one.explanation_md, (path, one.line))
        for number, option in enumerate(one.options):
            galley.hand_in((*key, "option", number), option.text_md, (path, option.line), inline=True)
            galley.hand_in((*key, "why", number), option.rationale_md, (path, option.line))
        for number, typed in enumerate(one.typed):
            galley.hand_in((*key, "why", number), typed.rationale_md, (path, typed.line))


def take_quiz(galley: Galley, quiz: QuizDraft, beliefs: Mapping[str, str]) -> QuizGoods:
    """The goods of a quiz whose texts have been pressed."""
    return QuizGoods(
        slug=quiz.slug,
        was=quiz.was,
        title=quiz.title,
        chapter=quiz.chapter,
        intro_html=galley.html(quiz.slug, "intro"),
        questions=tuple(_take_question(galley, quiz, one, beliefs) for one in quiz.questions),
    )


def _take_question(
    galley: Galley, quiz: QuizDraft, one: QuestionDraft, beliefs: Mapping[str, str]
) -> QuestionGoods:
    key = (quiz.slug, "question", one.slug)
    stem = galley.take(*key, "stem")
    body: dict[str, Any] = {"shuffle": one.shuffle} if one.options else {"unit": one.unit}
    secret: dict[str, Any] = {"score": one.score} if one.options else _typed_key(galley, key, one, beliefs)
    return QuestionGoods(
        slug=one.slug,
        was=one.was,
        kind=one.kind,
        stem_html=stem.html,
        stem_text=stem.text,
        body_html=galley.html(*key, "body"),
        body=body,
        key=secret,
        options=tuple(
            _take_option(galley, key, number, option, beliefs) for number, option in enumerate(one.options)
        ),
        explanation_html=galley.html(*key, "explanation"),
        objectives=one.objectives,
        difficulty=one.difficulty,
        facet=one.facet,
        read=one.read,
        sources=one.sources,
        tags=one.tags,
        points=one.points,
        path=quiz.path,
        line=one.line,
        draft=one.draft,
    )


def _take_option(
    galley: Galley, key: tuple[str, ...], number: int, option: OptionDraft, beliefs: Mapping[str, str]
) -> OptionGoods:
    text = galley.take(*key, "option", number)
    return OptionGoods(
        slug=option.slug,
        text=text.text,
        html=text.html,
        right=option.right,
        weight=option.weight,
        rationale=galley.html(*key, "why", number),
        misconception=option.misconception,
        belief=beliefs.get(option.misconception, ""),
        read=option.read,
    )


def _typed_key(
    galley: Galley, key: tuple[str, ...], question: QuestionDraft, beliefs: Mapping[str, str]
) -> dict[str, Any]:
    """Accepted ranges and expected mistakes, lowest and highest value as exact decimal text."""

    def entry(number: int, typed: TypedDraft) -> dict[str, Any]:
        low, high = range_of(typed.text)
        return {
            "text": typed.text,
            "low": str(low),
            "high": str(high),
            "weight": typed.weight,
            "rationale": galley.html(*key, "why", number),
            "misconception": typed.misconception,
            "belief": beliefs.get(typed.misconception, ""),
            "read": typed.read,
        }

    numbered = list(enumerate(question.typed))
    return {
        "accepted": [entry(number, one) for number, one in numbered if one.accepted],
        "mistakes": [entry(number, one) for number, one in numbered if not one.accepted],
    }
