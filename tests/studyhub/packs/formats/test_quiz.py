"""Quizzes: what becomes of marks, settings, rationales."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studyhub.packs.draft import QuestionDraft
from studyhub.packs.formats import read_number, read_quiz

HEAD = "---\nkind: quiz\nid: tea\ntitle: Tea\nchapter: water\n---\n\n"
WHY = "  > It draws without scalding; black leaves want more.\n"


def one(body: str, misconceptions: tuple[str, ...] = ()) -> QuestionDraft:
    quiz, faults = read_quiz(HEAD + body, "quizzes/tea.quiz.md", misconceptions)
    assert faults == []
    assert quiz is not None
    (question,) = quiz.questions
    return question


def codes(body: str, misconceptions: tuple[str, ...] = ()) -> list[str]:
    return [fault.code for fault in read_quiz(HEAD + body, "q.md", misconceptions)[1]]


def test_question_with_everything() -> None:
    question = one(
        "## How hot, with {braces}? {#hot}\nobjectives: heat, time\ndifficulty: 3\nfacet: trade-off\n"
        "source: leaf, pot\nread: water#scald\npoints: 2\nscore: partial\nshuffle: no\ntags: [a, b]\nwas: warm\n\n"
        "A log:\n\n```text\n- [x] not an option\n## not a heading\n```\n\n"
        "- [x] 75 °C {#a, 50%}\n  > First line.\n  >\n  > - a list\n"
        "- [ ] 100 °C,\n  even longer {mis: boil, read: water#heat}\n" + WHY + "- [ ] {0, 1}\n" + WHY + "\n"
        "> All of them\n> in short.\n",
        ("boil",),
    )
    assert (question.slug, question.kind, question.stem_md) == ("hot", "single", "How hot, with {braces}?")
    assert question.body_md == "A log:\n\n```text\n- [x] not an option\n## not a heading\n```"
    assert (question.objectives, question.sources) == (("heat", "time"), ("leaf", "pot"))
    assert (question.difficulty, question.facet, question.read) == (3, "trade-off", "water#scald")
    assert (question.points, question.score, question.shuffle) == (2, "partial", False)
    assert (question.tags, question.was, question.draft) == (("a", "b"), "warm", False)
    assert question.explanation_md == "All of them\nin short."
    assert (question.line, question.body_line) == (8, 20)
    first, second, third = question.options
    assert (first.text_md, first.slug, first.weight, first.right) == ("75 °C", "a", 0.5, True)
    assert first.rationale_md == "First line.\n\n- a list"
    assert (second.text_md, second.misconception, second.read) == (
        "100 °C,\neven longer",
        "boil",
        "water#heat",
    )
    assert (third.text_md, third.line) == ("{0, 1}", 34)


def test_several_right_options_make_a_multiple_choice() -> None:
    body = f"## Which two? {{#two}}\n\n- [x] A\n{WHY}- [X] B\n{WHY}- [ ] C\n{WHY}"
    question = one(body)
    assert (question.kind, question.score, [option.right for option in question.options]) == (
        "multiple",
        "all",
        [True, True, False],
    )


def test_typed_number_with_expected_mistake() -> None:
    question = one(
        f"## How long? {{#long}}\ntype: number\nunit: min\n\n- [=] 3.5 ± 2%\n{WHY}- [!] 28 {{mis: bits}}\n{WHY}",
        ("bits",),
    )
    assert (question.kind, question.unit, question.options) == ("number", "min", ())
    assert [(typed.text, typed.accepted, typed.misconception) for typed in question.typed] == [
        ("3.5 ± 2%", True, ""),
        ("28", False, "bits"),
    ]


def test_missing_rationale_leaves_a_draft() -> None:
    quiz, faults = read_quiz(HEAD + f"## Hot? {{#hot}}\n\n- [x] Yes\n{WHY}- [ ] No\n", "q.md", ())
    assert quiz is not None
    assert [question.draft for question in quiz.questions] == [True]
    assert [(fault.line, fault.code, fault.what) for fault in faults] == [
        (12, "W214", 'option "No" has no rationale')
    ]


def test_faulty_question_costs_no_neighbour() -> None:
    good = f"## Hot {{#hot-%d}}?\n\n- [x] Yes\n{WHY}- [ ] No\n{WHY}\n".replace("?\n", "\n")
    quiz, faults = read_quiz(HEAD + good % 1 + "## Bad {#bad}\n\n- [ ] No\n\n" + good % 2, "q.md", ())
    assert quiz is not None
    assert [question.slug for question in quiz.questions] == ["hot-1", "hot-2"]
    assert [fault.code for fault in faults] == ["E201"]


def test_made_id_does_not_take_a_written_one() -> None:
    body = f"## Hot\n\n- [x] Yes\n{WHY}- [ ] No\n{WHY}\n## Hot {{#hot}}\n\n- [x] Yes\n{WHY}- [ ] No\n{WHY}"
    quiz, faults = read_quiz(HEAD + body, "q.md", ())
    assert quiz is not None
    assert [question.slug for question in quiz.questions] == ["hot-2", "hot"]
    assert [fault.code for fault in faults] == ["W100"]


def test_list_in_the_text_is_not_an_option() -> None:
    assert one(f"## Hot? {{#hot}}\n\n- a [link](x.md)\n- b\n\n- [x] Yes\n{WHY}- [ ] No\n{WHY}").body_md == (
        "- a [link](x.md)\n- b"
    )


def test_quote_sign_in_the_code_of_an_option_is_code() -> None:
    question = one(f"## Which? {{#w}}\n\n- [x] Run\n  ```\n  > ls\n  ```\n{WHY}- [ ] No\n{WHY}")
    assert question.options[0].text_md == "Run\n```\n> ls\n```"


@pytest.mark.parametrize("heading", [" ## Hot {#hot}", "##Hot {#hot}"])
def test_heading_out_of_place_is_told(heading: str) -> None:
    assert "E118" in codes(
        f"## Warm {{#warm}}\n\n- [x] Yes\n{WHY}- [ ] No\n{WHY}\n{heading}\n\n- [x] Yes\n{WHY}"
    )


def test_limits_of_options_and_text() -> None:
    options = "".join(f"- [ ] option {number}\n{WHY}" for number in range(63))
    assert codes(f"## Hot? {{#hot}}\n\n- [x] Yes\n{WHY}{options}") == []
    assert codes(f"## Hot? {{#hot}}\n\n- [x] Yes\n{WHY}{options}- [ ] one more\n{WHY}") == ["E220"]
    long = ("word " * 1000 + "\n  > ") * 14
    assert codes(f"## Hot? {{#hot}}\n\n- [x] Yes\n  > {long}\n- [ ] No\n{WHY}") == ["E221"]


def test_more_than_5000_questions_are_refused() -> None:
    question = f"## Hot {{#hot-%d}}\n\n- [x] Yes\n{WHY}- [ ] No\n{WHY}\n"
    text = HEAD + "".join(question % number for number in range(5001))
    quiz, faults = read_quiz(text, "q.md", ())
    assert quiz is not None
    assert len(quiz.questions) == 5000
    assert [fault.code for fault in faults] == ["E224"]


def test_author_text_in_messages_is_printable() -> None:
    _, faults = read_quiz(HEAD + "## Hot {#hot}\ntype: \x1b[31mred\x07\n\n- [x] a\n- [ ] b\n", "q.md", ())
    assert [fault.what for fault in faults] == ['unknown type "[31mred"']


@pytest.mark.parametrize(
    ("typed", "low", "high"),
    [
        ("3.5", "3.5", "3.5"),
        ("3.5 ± 0.1", "3.4", "3.6"),
        ("-50 ± 2%", "-51", "-49"),
        ("3..4", "3", "4"),
        ("1.2e9", "1.2e9", "1.2e9"),
    ],
)
def test_number_is_read_exactly(typed: str, low: str, high: str) -> None:
    assert read_number(typed) == (Decimal(low), Decimal(high))


@pytest.mark.parametrize(
    "typed", ["", "3,5", "about 3", "4..3", "3 ± -1", "3 ±", "1" * 30, "1e999", "nan", "٣"]
)
def test_not_a_number(typed: str) -> None:
    assert read_number(typed) is None


PIECES = st.sampled_from(
    [
        *(
            "---\n",
            "## ",
            "{#a}",
            "\n",
            "\n\n",
            "- [x] ",
            "- [ ] ",
            "- [=] ",
            "- [!] ",
            "- ",
            "1. ",
            "- c1\n",
            "{{c1::",
            "}}",
            "type: order\n",
            "type: match\n",
            "|--|--|\n",
            "  > ",
            "> ",
            "|",
            "```\n",
        ),
        *(
            "type: number\n",
            "kind: quiz\n",
            "id: a\n",
            "sources:\n",
            "  a: b\n",
            "[",
            "](",
            "]",
            ")",
            "`",
            "``",
        ),
        *(
            "$",
            "<b>",
            "<!--",
            "[[",
            "[@",
            "{mis: a}",
            "50%",
            "\t",
            "\r",
            "\0",
            "\u202e",
            "é",
            "&a",
            "*a",
            '"',
            ": ",
            "x",
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=400), st.lists(PIECES, max_size=80).map("".join)))
def test_any_text_is_read_without_raising(text: str) -> None:
    for whole in (text, HEAD + text, HEAD + "## q {#q}\n\n" + text):
        quiz, faults = read_quiz(whole, "q.md", ("a",))
        lines = whole.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        assert all(1 <= fault.line <= lines and fault.what.isprintable() for fault in faults)
        assert quiz is None or all(
            question.kind in ("single", "multiple", "number", "short", "match", "order", "cloze")
            for question in quiz.questions
        )


@pytest.mark.parametrize(
    "piece",
    [
        *("](", "[", "`", "``a`", "<a ", "<!--", "[[", "{", "}", "{#a", "![[]()", "x `` ` "),
        *("{{c1::a", "{{c1::a}}$", "| a ", "|-|\n"),
    ],
)
def test_hostile_text_takes_time_in_proportion(piece: str) -> None:
    """Four times the text may take eight times as long, not sixteen: nothing is quadratic."""

    def seconds(size: int) -> float:
        text = HEAD + "## q {#q}\n\n" + "\n".join([piece * (4000 // len(piece))] * size)
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            read_quiz(text, "q.md", ())
            best = min(best, time.process_time() - start)
        return best

    assert seconds(40) < 8 * seconds(10) + 0.05
