"""Set quizzes: hand their texts to the galley, take goods back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from quizzes.draft import OptionGoods, QuestionGoods, QuizGoods
from quizzes.kinds.cloze import blank
from quizzes.kinds.match import ROW
from quizzes.kinds.number import range_of
from quizzes.kinds.words import folded
from studyhub.packs.actions.galley import Galley
from studyhub.packs.draft import OptionDraft, PartDraft, QuestionDraft, QuizDraft, TypedDraft
from studyhub.packs.formats.gaps import LETTERS, letter, words_after

LINE = "____"
Key = tuple[str, ...]
Content = tuple[dict[str, Any], dict[str, Any], tuple[OptionGoods, ...]]  # body, key, options


def plain_stem(stem: str) -> str:
    """A stem without Markdown's marks, for places that show plain text only; a gap is a line to write on."""
    return re.sub(r"[*`$\\]", "", LETTERS.sub(LINE, stem)).strip()


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
        for number, part in enumerate(one.parts):
            galley.hand_in((*key, "part", number), part.text_md, (path, part.line), inline=True)
            galley.hand_in((*key, "why", number), part.rationale_md, (path, part.line))
        for number, choice in enumerate(choices_of(one)):
            galley.hand_in((*key, "choice", number), choice, (path, one.line), inline=True)


def choices_of(question: QuestionDraft) -> list[str]:
    """The choices of a match, decoys among them, each once, in the order of their words; nothing for other kinds."""
    if question.kind != "match":
        return []
    written = [*(part.answers[0] for part in question.parts), *question.decoys]
    return sorted({folded(one, exact=True): one for one in reversed(written)}.values(), key=folded)


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
    body, secret, options = BODIES.get(one.kind, _choices)(galley, key, one, beliefs)
    return QuestionGoods(
        slug=one.slug,
        was=one.was,
        kind=one.kind,
        stem_html=_gapped(stem.html, one),
        stem_text=LETTERS.sub(LINE, stem.text),
        body_html=_gapped(galley.html(*key, "body"), one),
        body=body,
        key=secret,
        options=options,
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


def _gapped(html: str, question: QuestionDraft) -> str:
    """The text with the blanks of a cloze in the place of their letters."""
    if question.kind != "cloze":
        return html
    for number in range(1, len(question.parts) + 1):
        html = html.replace(letter(number), blank(number))
    return html


def _take_option(
    galley: Galley, key: Key, number: int, option: OptionDraft, beliefs: Mapping[str, str]
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


def _choices(galley: Galley, key: Key, one: QuestionDraft, beliefs: Mapping[str, str]) -> Content:
    options = (
        _take_option(galley, key, number, option, beliefs) for number, option in enumerate(one.options)
    )
    return {"shuffle": one.shuffle}, {"score": one.score}, tuple(options)


def _number(galley: Galley, key: Key, one: QuestionDraft, beliefs: Mapping[str, str]) -> Content:
    """Accepted ranges and expected mistakes, lowest and highest value as exact decimal text."""

    def entry(number: int, typed: TypedDraft) -> dict[str, Any]:
        low, high = range_of(typed.text)
        return {"text": typed.text, "low": str(low), "high": str(high)}

    return {"unit": one.unit}, _typed_key(galley, key, one, beliefs, entry), ()


def _short(galley: Galley, key: Key, one: QuestionDraft, beliefs: Mapping[str, str]) -> Content:
    def entry(number: int, typed: TypedDraft) -> dict[str, Any]:
        return {"text": " ".join(typed.text.strip("`").split())}

    return _compared(one), _typed_key(galley, key, one, beliefs, entry), ()


def _compared(one: QuestionDraft) -> dict[str, Any]:
    """How typed words are compared; ``strict`` is only named where it is asked for, so that no other body changes."""
    return {"exact": one.exact, **({"strict": True} if one.strict else {})}


def _typed_key(
    galley: Galley,
    key: Key,
    question: QuestionDraft,
    beliefs: Mapping[str, str],
    entry: Callable[[int, TypedDraft], dict[str, Any]],
) -> dict[str, Any]:
    """Accepted answers and expected mistakes; ``entry`` says what is compared."""

    def whole(number: int, typed: TypedDraft) -> dict[str, Any]:
        return {**entry(number, typed), "weight": typed.weight, **_why(galley, key, number, typed, beliefs)}

    numbered = list(enumerate(question.typed))
    return {
        "accepted": [whole(number, one) for number, one in numbered if one.accepted],
        "mistakes": [whole(number, one) for number, one in numbered if not one.accepted],
    }


def _why(
    galley: Galley, key: Key, number: int, one: TypedDraft | PartDraft, beliefs: Mapping[str, str]
) -> dict[str, Any]:
    return {
        "rationale": galley.html(*key, "why", number),
        "misconception": one.misconception,
        "belief": beliefs.get(one.misconception, ""),
        "read": one.read,
    }


def _part(
    galley: Galley, key: Key, number: int, part: PartDraft, beliefs: Mapping[str, str], before: str = ""
) -> OptionGoods:
    """A row or item; ``before`` goes before its words where they are told apart."""
    text = galley.take(*key, "part", number)
    why = _why(galley, key, number, part, beliefs)
    return OptionGoods(
        slug=part.slug, text=f"{before}{text.text}", html=text.html, right=True, weight=None, **why
    )


def _match(galley: Galley, key: Key, one: QuestionDraft, beliefs: Mapping[str, str]) -> Content:
    """Rows, then choices; each row's right choice by its place."""
    rows = [_part(galley, key, number, part, beliefs, ROW) for number, part in enumerate(one.parts)]
    words = choices_of(one)
    texts = [galley.take(*key, "choice", number) for number in range(len(words))]
    nothing = {"rationale": "", "misconception": "", "belief": "", "read": ""}
    choices = [
        OptionGoods(slug="", text=text.text, html=text.html, right=False, weight=None, **nothing)
        for text in texts
    ]
    places = {folded(word, exact=True): place for place, word in enumerate(words)}
    pairs = [places[folded(part.answers[0], exact=True)] for part in one.parts]
    return (
        {"rows": len(rows), "shuffle": one.shuffle},
        {"score": one.score, "pairs": pairs},
        (*rows, *choices),
    )


def _order(galley: Galley, key: Key, one: QuestionDraft, beliefs: Mapping[str, str]) -> Content:
    """The items by their words, which tells nothing, and their right order by their places there."""
    items = [_part(galley, key, number, part, beliefs) for number, part in enumerate(one.parts)]
    shown = sorted(items, key=lambda item: item.text)
    sequence = [next(at for at, other in enumerate(shown) if other is item) for item in items]
    return {}, {"score": one.score, "sequence": sequence}, tuple(shown)


def _cloze(galley: Galley, key: Key, one: QuestionDraft, beliefs: Mapping[str, str]) -> Content:
    gaps = [
        {
            "accepted": list(part.answers),
            "after": words_after(number + 1, one.stem_md, one.body_md),
            **_why(galley, key, number, part, beliefs),
        }
        for number, part in enumerate(one.parts)
    ]
    body = {"gaps": [{"hint": part.hint} for part in one.parts], **_compared(one)}
    return body, {"score": one.score, "gaps": gaps}, ()


BODIES: Mapping[str, Callable[[Galley, Key, QuestionDraft, Mapping[str, str]], Content]] = {
    "number": _number,
    "short": _short,
    "match": _match,
    "order": _order,
    "cloze": _cloze,
}
