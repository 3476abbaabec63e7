"""The course's typed questions against what people type: at least ten fair answers and five unfair ones for each."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from quizzes.kinds import cloze, number, short
from quizzes.kinds.shapes import Answer, AnswerProblem
from quizzes.kinds.units import unit_forms
from studyhub.packs.draft import QuestionDraft
from studyhub.packs.formats import read_pack
from studyhub.packs.formats.gaps import words_after
from tests.studyhub.packs.fair_answers import GAPS, LESS, SHORT

PACK = Path("fixtures/packs/llm-inference")
QUESTIONS = {one.slug: one for quiz in read_pack(PACK).quizzes for one in quiz.questions}
WHY = {"rationale": "", "misconception": "", "belief": "", "read": ""}
NUMBERS = sorted(slug for slug, one in QUESTIONS.items() if one.kind == "number")


def answers(table: str, mark: str) -> Iterator[tuple[str, str]]:
    """Name and answer of every line that begins with the mark."""
    name = ""
    for line in table.strip().split("\n"):
        if line[0] not in "=!":
            name = line
        elif line[0] == mark:
            yield from ((name, one.strip()) for one in line[2:].split(" | "))


def typed(question: QuestionDraft) -> list[dict[str, object]]:
    return [{"text": one.text, "weight": one.weight, **WHY} for one in question.typed if one.accepted]


def fraction(name: str, answer: str) -> float:
    slug, _, gap = name.partition(" ")
    question = QUESTIONS[slug]
    body = {"exact": question.exact, "gaps": [{"hint": part.hint} for part in question.parts]}
    if not gap:
        return short.mark(Answer(typed=answer), body, {"accepted": typed(question), "mistakes": []}).fraction
    at = int(gap[1:]) - 1
    gaps = [
        {"accepted": part.answers, "after": words_after(n, question.stem_md, question.body_md), **WHY}
        for n, part in enumerate(question.parts, start=1)
    ]
    body["gaps"], given = body["gaps"][at : at + 1], Answer(parts=(answer,))
    return cloze.mark(given, body, {"score": "all", "gaps": gaps[at : at + 1]}).fraction


@pytest.mark.parametrize(("name", "answer"), [*answers(SHORT, "="), *answers(GAPS, "=")])
def test_fair_answer_is_accepted(name, answer):
    assert fraction(name, answer) == 1


@pytest.mark.parametrize(("name", "answer"), list(answers(LESS, "=")))
def test_answer_that_says_less_counts_less(name, answer):
    assert 0 < fraction(name, answer) < 1


@pytest.mark.parametrize(("name", "answer"), [*answers(SHORT, "!"), *answers(GAPS, "!")])
def test_unfair_answer_is_refused(name, answer):
    assert fraction(name, answer) == 0


def test_every_typed_question_and_gap_has_ten_fair_and_five_unfair_answers():
    wanted = {one.slug for one in QUESTIONS.values() if one.kind == "short"} | {
        f"{one.slug} c{at}"
        for one in QUESTIONS.values()
        if one.kind == "cloze"
        for at in range(1, len(one.parts) + 1)
    }
    both = SHORT + GAPS.lstrip()
    assert {name for name, _ in answers(both, "=")} == wanted
    for mark, fewest in (("=", 10), ("!", 5)):
        counted = [name for name, _ in answers(both, mark)]
        assert {name: counted.count(name) for name in wanted if counted.count(name) < fewest} == {}


def ranges(question: QuestionDraft) -> list[tuple[Decimal, Decimal]]:
    return [number.range_of(one.text) for one in question.typed if one.accepted]


@pytest.mark.parametrize("slug", NUMBERS)
def test_number_is_accepted_however_it_is_written(slug):
    question = QUESTIONS[slug]
    low, high = ranges(question)[0]
    middle, unit = (low + high) / 2, question.unit
    written = [
        f"{middle}",
        f" {middle} ",
        f"+{middle}",
        f"~{middle}",
        f"≈ {middle}",
        f"about {middle}",
        f"={middle}",
    ]
    written += [f"{low}.", f"{high}"] if "." not in str(low) else [f"{low}0", f"{high}"]
    written += [f"{middle} {form}." for form in unit_forms(unit)] + [
        f"{middle}{form.upper()}" for form in unit_forms(unit)
    ]
    written += [f"{middle.scaleb(-2):f}e2"]
    values = [number.value_of(one, unit) for one in written]
    assert len(written) >= 10
    assert [one for one, value in zip(written, values, strict=True) if not low <= value <= high] == []


@pytest.mark.parametrize("slug", NUMBERS)
def test_wrong_number_or_unit_is_not_accepted(slug):
    question = QUESTIONS[slug]
    low, high = ranges(question)[0]
    for wrong in (high * 10, -high, high * 2 + 1, low / 8, high + 5):
        assert not any(least <= wrong <= most for least, most in ranges(question)), wrong
    with pytest.raises(AnswerProblem):
        number.value_of(f"{low} furlongs", question.unit)
