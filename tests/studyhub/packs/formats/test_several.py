"""Matches, orders and clozes: what becomes of tables, lists and gaps."""

from __future__ import annotations

import pytest

from studyhub.packs.draft import QuestionDraft
from studyhub.packs.formats import read_quiz
from studyhub.packs.formats.gaps import letter

HEAD = "---\nkind: quiz\nid: tea\ntitle: Tea\nchapter: water\n---\n\n"
WHY = "  > It draws without scalding; black leaves want more.\n"


def one(body: str, misconceptions: tuple[str, ...] = ()) -> QuestionDraft:
    quiz, faults = read_quiz(HEAD + body, "quizzes/tea.quiz.md", misconceptions)
    assert faults == []
    assert quiz is not None
    (question,) = quiz.questions
    return question


def codes(body: str) -> list[str]:
    return [fault.code for fault in read_quiz(HEAD + body, "q.md", ())[1]]


def test_short_answer_with_case_and_expected_mistake() -> None:
    question = one(
        f"## Which? {{#w}}\ncase: exact\n\n- [=] MB {{90%}}\n{WHY}- [!] Mb {{mis: bits}}\n{WHY}", ("bits",)
    )
    assert (question.kind, question.exact) == ("short", True)
    assert [(typed.text, typed.accepted, typed.weight, typed.misconception) for typed in question.typed] == [
        ("MB", True, 0.9, ""),
        ("Mb", False, None, "bits"),
    ]


MATCH = (
    "## Match {#m}\nscore: partial\n\nA log:\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n\n"
    "| Leaf | Heat |\n|:--|--:|\n| Green  tea | 70 \\| 75 |\n| Black | 95 |\n| White | 70 \\| 75 |\n| | 20 |\n\n"
    "- green tea {mis: boil, read: water#heat}\n"
    + WHY
    + "- Black {#black}\n"
    + WHY
    + "- White\n"
    + WHY
    + "\n"
    "> All in short.\n"
)


def test_match_is_the_last_table_with_its_rows_and_decoys() -> None:
    question = one(MATCH, ("boil",))
    assert (question.kind, question.score, question.draft) == ("match", "partial", False)
    assert question.body_md == "A log:\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |"
    assert [
        (part.text_md, part.answers, part.misconception, part.read, part.slug) for part in question.parts
    ] == [
        ("Green tea", ("70 | 75",), "boil", "water#heat", ""),
        ("Black", ("95",), "", "", "black"),
        ("White", ("70 | 75",), "", "", ""),
    ]
    assert question.decoys == ("20",)
    assert question.explanation_md == "All in short."
    assert [part.line for part in question.parts] == [19, 20, 21]


def test_order_keeps_the_authors_order() -> None:
    question = one(
        "## Order {#o}\ntype: order\n\nFor tea:\n\n1. Heat {#heat, read: water#heat}\n   > Cold draws nothing.\n"
        "2. Pour\n   on leaves\n   > Before it cools.\n3) Wait\n   > It draws.\n\n> In short.\n"
    )
    assert (question.kind, question.score, question.body_md) == ("order", "all", "For tea:")
    assert [(part.text_md, part.slug, part.read, part.rationale_md) for part in question.parts] == [
        ("Heat", "heat", "water#heat", "Cold draws nothing."),
        ("Pour\n on leaves", "", "", "Before it cools."),
        ("Wait", "", "", "It draws."),
    ]
    assert question.explanation_md == "In short."


def test_cloze_takes_gaps_out_of_stem_and_body() -> None:
    question = one(
        "## Tea is {{c1::drawn}} {#c}\n\nIn {{c2::hot | very hot::how warm}} water.\n\n- c1\n"
        + WHY
        + "- c2: the heat {read: water#heat}\n"
        + WHY
        + "\n> In short.\n"
    )
    assert question.kind == "cloze"
    assert question.stem_md == f"Tea is {letter(1)}"
    assert question.body_md == f"In {letter(2)} water."
    assert [(part.text_md, part.answers, part.hint, part.read) for part in question.parts] == [
        ("c1", ("drawn",), "", ""),
        ("c2", ("hot", "very hot"), "how warm", "water#heat"),
    ]
    assert "drawn" not in question.stem_md + question.body_md


def test_letters_of_gaps_in_the_authors_text_are_dropped() -> None:
    question = one(f"## Tea {{#c}}\n\nIn {letter(1)}{letter(2)}{{{{c1::hot}}}} water.\n\n- c1\n{WHY}")
    assert question.body_md == f"In {letter(1)} water."


@pytest.mark.parametrize(
    "body",
    [
        "## M {#m}\n\n| a | b |\n|--|--|\n| 1 | 2 |\n| 3 | 4 |\n",
        "## O {#o}\ntype: order\n\n1. a\n2. b\n3. c\n",
        "## C {{c1::x}} {#c}\n",
        f"## M {{#m}}\n\n| a | b |\n|--|--|\n| 1 | 2 |\n| 3 | 4 |\n\n- 1\n{WHY}",
        f"## O {{#o}}\ntype: order\n\n1. a\n2. b\n{WHY}3. c\n",
    ],
)
def test_part_without_rationale_leaves_a_draft(body: str) -> None:
    quiz, faults = read_quiz(HEAD + body, "q.md", ())
    assert quiz is not None
    assert [question.draft for question in quiz.questions] == [True]
    assert {fault.code for fault in faults} == {"W214"}


def test_limits() -> None:
    rows = "".join(f"| r{n} | c{n} |\n" for n in range(21))
    assert "E246" in codes(f"## M {{#m}}\n\n| a | b |\n|--|--|\n{rows}")
    steps = "".join(f"{n}. s{n}\n" for n in range(1, 22))
    assert "E246" in codes(f"## O {{#o}}\ntype: order\n\n{steps}")
    gaps = " ".join(f"{{{{c{n}::w}}}}" for n in range(1, 22))
    assert "E246" in codes(f"## C {{#c}}\n\n{gaps}\n")
    assert "E250" in codes(f"## C {{#c}}\n\n{{{{c1::{'w' * 201}}}}}\n")
    assert "E250" in codes(f"## S {{#s}}\n\n- [=] {'w' * 201}\n{WHY}")


def test_open_questions_still_wait_for_a_later_version() -> None:
    assert codes("## Why? {#why}\ntype: open\n\n### Model answer\n\nSo.\n") == ["W220"]
