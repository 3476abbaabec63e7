"""Writing lints: what is said, and just as much what is not."""

from __future__ import annotations

import pytest

from studyhub.packs.draft import PackDraft
from studyhub.packs.formats import read_quiz
from studyhub.packs.formats.chapter import read_chapter
from studyhub.packs.lints import balance, coverage, fails, lint_pack

HEAD = "---\nkind: quiz\nid: tea\ntitle: Tea\nchapter: water\n---\n\n"
CHAPTER = "---\nkind: chapter\nid: water\nnumber: 1\ntitle: Water\ndomain: tea\n---\n\nFirst.\n\n## Heat {#heat}\n\n"
WHY = "  > It draws without scalding; black leaves want more heat.\n"


def quiz_pack(*questions: str) -> PackDraft:
    text = HEAD + "\n".join(questions)
    quiz, faults = read_quiz(text, "quizzes/tea.quiz.md", ())
    assert quiz is not None
    assert [fault for fault in faults if fails(fault)] == []
    return PackDraft(None, (), (quiz,), ())


def question(stem: str, *options: str, right: int = 0, number: int = 0) -> str:
    rows = [f"- [{'x' if at == right else ' '}] {option}\n{WHY}" for at, option in enumerate(options)]
    return f"## {stem} {{#q{number}}}\n\n{''.join(rows)}"


def chapter_pack(body: str) -> PackDraft:
    chapter = read_chapter(CHAPTER + body, "chapters/water.md").draft
    assert chapter is not None
    return PackDraft(None, (chapter,), (), ())


def codes(pack: PackDraft) -> list[str]:
    return [fault.code for fault in lint_pack(pack)]


def many(lengths: list[int], places: list[int]) -> PackDraft:
    words = ["green", "black", "white", "yellow"]
    rows = []
    for number, (length, place) in enumerate(zip(lengths, places, strict=True)):
        options = [f"{word} {number} leaf" for word in words]
        options[place] = ("x" * length)[:length] or "x"
        rows.append(
            question(
                f"Stem {number} with words{number} of{number} its{number} own{number}",
                *options,
                right=place,
                number=number,
            )
        )
    return quiz_pack(*rows)


def test_balanced_file_is_silent_and_counted() -> None:
    pack = many([30, 3, 3, 3] * 3, [0, 1, 2, 3] * 3)
    assert codes(pack) == []
    (counts,) = balance(pack)
    assert (counts.singles, counts.longest_right, counts.expected, counts.positions) == (
        12,
        3,
        3.0,
        (3, 3, 3, 3),
    )
    assert (counts.position_p, counts.longest_share) == (1.0, 0.25)


def test_right_option_too_often_longest() -> None:
    assert codes(many([30, 30, 3, 3] * 3, [0, 1, 2, 3] * 3)) == ["W401"]


def test_right_option_always_in_one_place() -> None:
    assert codes(many([3] * 4, [1] * 4)) == ["W402"]
    assert codes(many([3] * 16, [0] * 12 + [1, 2, 3, 1])) == ["W402"]


@pytest.mark.parametrize("option", ["All of the above", "**None of these.**", "None of the above holds"])
def test_wholesale_option(option: str) -> None:
    assert codes(quiz_pack(question("Which water suits the leaves?", "Warm water", option))) == ["W403"]


@pytest.mark.parametrize(
    ("stem", "expected"),
    [
        ("Which of these does not help?", ["W404"]),
        ("Which of these does **not** help?", []),
        ("Which of these does NOT help?", []),
        ("The pot does not pour. Which change helps?", []),
        ("All of these help, except which one?", ["W404"]),
        ("Why does stirring not help?", []),
        ("Which notation is used for heat?", []),
    ],
)
def test_negation_in_the_question(stem: str, expected: list[str]) -> None:
    assert codes(quiz_pack(question(stem, "Stirring it", "Waiting a while"))) == expected


def test_near_duplicate_stems() -> None:
    first = "A pot of green tea cools too fast on a cold terrace; which change helps most?"
    pack = quiz_pack(
        question(first, "A cosy", "A spoon"), question(f"So: {first}", "A lid", "A saucer", number=1)
    )
    assert codes(pack) == ["W405"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Heat the pot first", "Heat the pot first and stir", ["W406"]),
        ("INT8", "INT8 weights with FP8 cache", []),
        ("It takes 3.2 GB per token", "It takes 3.3 GB per token", []),
        ("Pour before heating the pot", "Heating the pot before pour", []),
        ("Latency rises, throughput falls", "Latency falls, throughput rises", []),
    ],
)
def test_overlap_of_options(one: str, other: str, expected: list[str]) -> None:
    assert codes(quiz_pack(question("Which change helps the pot?", one, other))) == expected


def test_rationale_that_repeats() -> None:
    text = (
        "## Which water? {#w}\n\n- [x] Warm spring water\n  > Yes, warm spring water is right.\n- [ ] Ice\n"
        + WHY
    )
    assert codes(quiz_pack(text)) == ["W407"]


REPEATED = "  > Yes, it is the right one here.\n"
FORMS = {
    "short": "## Which leaf? {#q}\n\n- [=] green leaf\n  > Yes, the green leaf.\n- [!] root\n" + WHY,
    "number": "## How warm? {#q}\ntype: number\n\n- [=] 70\n" + REPEATED,
    "match": (
        "## Match. {#q}\n\n| Leaf | Heat |\n|---|---|\n| Green | seventy |\n| Black | ninety |\n| | sixty |\n\n"
        f"- Green\n  > Green needs seventy.\n- Black\n{WHY}"
    ),
    "order": (
        "## Order. {#q}\ntype: order\n\n1. Heat the water\n   > Heat the water here.\n"
        "2. Add leaves\n   > Leaves scald in water that still boils.\n3. Pour\n   > Longer steeping makes it bitter.\n"
    ),
    "cloze": (
        "## Fill. {#q}\n\nUse {{c1::warm|tepid}} water and {{c2::cold}} milk.\n\n"
        f"- c1\n  > It is warm or tepid.\n- c2\n{WHY}"
    ),
}


@pytest.mark.parametrize("kind", FORMS)
def test_rationale_of_a_typed_answer_or_part_that_repeats(kind: str) -> None:
    assert codes(quiz_pack(FORMS[kind])) == ["W407"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (f"- [=] key-value\n{WHY}- [=] key value {{50%}}\n{WHY}- [!] cold\n{WHY}", ["W426"]),
        (f"- [=] key-value\n{WHY}- [!] Key value\n{WHY}", ["E427"]),
        (f"- [=] kettle\n{WHY}- [!] the kettle.\n{WHY}", ["E427"]),
        (f"- [=] kettle\n{WHY}- [=] jug\n{WHY}- [!] kettle (jug)\n{WHY}", ["E427"]),
        (f"- [=] kettle\n{WHY}- [!] kettle (pan)\n{WHY}", []),
        (f"- [=] kettle\n{WHY}- [!] a pan\n{WHY}- [!] pan\n{WHY}", ["W426"]),
        (f"- [=] kettle\n{WHY}- [=] the kettle\n{WHY}- [!] pan\n{WHY}", ["W426"]),
        (f"- [=] key-value\n{WHY}- [=] keyvalue\n{WHY}- [!] cold\n{WHY}", []),
        (f"Use {{{{c1::key-value|key value}}}} pots.\n\n- c1\n{WHY}", ["W426"]),
        (f"Use {{{{c1::FP8|FP-8}}}} pots.\n\n- c1\n{WHY}", []),
        (f"Use {{{{c1::0.5|.5|a half}}}} pots.\n\n- c1\n{WHY}", ["W426"]),
    ],
)
def test_typed_answers_that_are_compared_as_the_same(question: str, expected: list[str]) -> None:
    assert codes(quiz_pack(f"## Which pot? {{#q}}\n\n{question}")) == expected


@pytest.mark.parametrize(
    ("case", "accepted", "mistake", "expected"),
    [
        ("exact", "GiB", "Gib", []),
        ("exact", "GiB", "the GiB.", ["E427"]),
        ("strict", "GiB", "the GiB.", []),
        ("strict", '"GiB"', "“GiB”", ["E427"]),
    ],
)
def test_mistake_that_only_case_or_signs_tell_apart(
    case: str, accepted: str, mistake: str, expected: list[str]
) -> None:
    text = f"## Which pot? {{#q}}\ncase: {case}\n\n- [=] {accepted}\n{WHY}- [!] {mistake}\n{WHY}"
    assert codes(quiz_pack(text)) == expected


@pytest.mark.parametrize(
    ("accepted", "mistake", "expected"),
    [
        ("70 ± 5", "72", ["E427"]),
        ("70 ± 5", "65..75", ["E427"]),
        ("70 ± 5", "74..76", []),
        ("70", "80", []),
    ],
)
def test_mistake_within_the_accepted_range(accepted: str, mistake: str, expected: list[str]) -> None:
    text = f"## How warm? {{#q}}\ntype: number\n\n- [=] {accepted}\n{WHY}- [!] {mistake}\n{WHY}"
    assert codes(quiz_pack(text)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("It answers in 12 ms.", ["W409"]),
        ("It answers in 12 ms [@leaf].", []),
        ("It is 1.8× faster.", ["W409"]),
        ("That is 2 × 3 heads.", []),
        ("A quarter of 16 GB is 16 ÷ 4 GB, or 25 %.", []),
        ("It moves 900 tok/s.", ["W409"]),
        ("| a | b |\n|---|---|\n| x | 30 % |\n\nMeasured by [@leaf].", []),
        ("| a | b |\n|---|---|\n| x | 30 % |\n\nNobody knows.", ["W409"]),
        ("```text\n12 ms\n```", []),
        ("Version 3.5 has 8 heads.", []),
    ],
)
def test_figure_without_source(body: str, expected: list[str]) -> None:
    assert codes(chapter_pack(body)) == expected


def test_lab_may_promise_figures() -> None:
    assert codes(chapter_pack("Text.\n\n## Mini-lab: cool {#lab}\n\nExpect 30 %.")) == []


def test_resource_without_day() -> None:
    body = "Text.\n\n## Resources\n\n- [On leaves](https://leaf.example/) {read, Leaf}"
    assert codes(chapter_pack(body)) == ["W408"]


def test_coverage_of_nothing() -> None:
    counts = coverage(PackDraft(None, (), (), ()))
    assert (counts.chapters, counts.questions, counts.bare_domains) == (0, 0, ())
