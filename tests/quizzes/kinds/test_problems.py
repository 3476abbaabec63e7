"""What is said, word for word, of an answer that cannot be marked; and that the longest one allowed is taken."""

import pytest

from quizzes.kinds import KINDS
from quizzes.kinds.shapes import AnswerProblem

from .forms import CLOZE_BODY, MATCH_BODY, ORDER_BODY, SHORT_BODY, options

CHOICE = {"options": options(*"abc")}
FOREIGN_OPTION = "That option does not belong to this question. Choose among the ones shown."
FOREIGN_CHOICE = "That choice does not belong to this question. Choose among the ones shown."
FOREIGN_ITEMS = "These are not the items of this question. Reload the page and order the ones shown."
HOW = "Write digits with a point as decimal mark, for example 3.5 or 1.2e9."
GAPS = "Fill every gap, with a dash where you do not know, then check. Nothing was recorded yet."


@pytest.mark.parametrize(
    ("kind", "body", "raw", "words"),
    [
        ("single", CHOICE, [], "Choose an option, then check. Nothing was recorded yet."),
        ("single", CHOICE, ["a", "b"], "This question takes one option. Choose one, then check."),
        ("single", CHOICE, ["z"], FOREIGN_OPTION),
        ("multiple", CHOICE, [], "Choose at least one option, then check. Nothing was recorded yet."),
        ("multiple", CHOICE, ["a", "z"], FOREIGN_OPTION),
        ("match", MATCH_BODY, ["w4", "w4", "fp32"], FOREIGN_CHOICE),
        ("match", MATCH_BODY, ["w4"] * 4, FOREIGN_CHOICE),
        (
            "match",
            MATCH_BODY,
            ["w4", "", "w8"],
            "Choose also for row 2, then check. Nothing was recorded yet.",
        ),
        ("match", MATCH_BODY, ["w4"], "Choose also for rows 2, 3, then check. Nothing was recorded yet."),
        ("order", ORDER_BODY, [], FOREIGN_ITEMS),
        ("order", ORDER_BODY, ["a", "#1", "b", "#2", "c", "#3", "d", "#4", "#4"], FOREIGN_ITEMS),
        (
            "order",
            ORDER_BODY,
            ["a", "", "b", "#1", "c", "#1", "d", "#3"],
            "Give every item a place, then check. Nothing was recorded yet.",
        ),
        (
            "order",
            ORDER_BODY,
            ["a", "#3", "b", "#2", "c", "#3", "d", "#2"],
            "Place 2 is given twice. Give every item a place of its own, then check.",
        ),
        (
            "order",
            {"options": options(*"abcdefghijkl")},
            [*"a", "#10", "b", "#10", "c", "#2", "d", "#2", *(x for one in "efghijkl" for x in (one, "#1"))],
            "Place 1 is given twice. Give every item a place of its own, then check.",
        ),
        (
            "order",
            {"options": options(*"abcdefghijkl")},
            [*"a", "#10", "b", "#10", "c", "#2", "d", "#2"]
            + [
                x
                for one, at in zip("efghijkl", (1, 3, 4, 5, 6, 7, 8, 9), strict=True)
                for x in (one, f"#{at}")
            ],
            "Place 2 is given twice. Give every item a place of its own, then check.",
        ),
        ("cloze", CLOZE_BODY, ["a", "b", "c"], "This question has 2 gaps."),
        ("cloze", CLOZE_BODY, [], f"Gaps 1, 2 are empty. {GAPS}"),
        ("cloze", CLOZE_BODY, ["a", " \u200b"], f"Gap 2 is empty. {GAPS}"),
        (
            "cloze",
            CLOZE_BODY,
            ["a" * 201, "b"],
            "A gap takes at most 200 characters. A few words are enough.",
        ),
        ("short", SHORT_BODY, ["a", "b"], "This question takes one answer."),
        ("short", SHORT_BODY, [], "Type your answer, then check. Nothing was recorded yet."),
        ("short", SHORT_BODY, ["a" * 201], "That is longer than 200 characters. A few words are enough."),
        ("number", {}, [], "Type a number, then check. Nothing was recorded yet."),
        ("number", {}, ["1", "2"], "This question takes one number."),
        ("number", {}, ["1" * 41], f"That is longer than 40 characters. {HOW}"),
        ("number", {}, [" 3,5 "], f"“3,5” has a comma, which could mean two things. {HOW}"),
        ("number", {}, [" x "], f"“x” is not a number. {HOW}"),
        ("number", {}, ["3 about 5"], f"“3 about 5” is not a number. {HOW}"),
        ("number", {}, ["about about 5"], f"“about about 5” is not a number. {HOW}"),
        ("number", {}, ["5 None"], f"“5 None” is not a number. {HOW}"),
        ("number", {"unit": "GB"}, [" 5 TB "], f"“5 TB” is not a number in GB. {HOW}"),
    ],
)
def test_problem_is_told_in_these_words(kind, body, raw, words):
    with pytest.raises(AnswerProblem) as problem:
        KINDS[kind].read(raw, body)
    assert str(problem.value) == words


@pytest.mark.parametrize(
    ("kind", "body", "raw", "kept"),
    [
        ("short", SHORT_BODY, ["a" * 200], "a" * 200),
        ("number", {}, ["0" * 20 + "." + "0" * 19], "0" * 20 + "." + "0" * 19),
        ("number", {}, ["≈ 5"], "≈ 5"),
    ],
)
def test_longest_answer_that_is_taken(kind, body, raw, kept):
    assert KINDS[kind].read(raw, body).typed == kept


def test_longest_words_of_a_gap():
    assert KINDS["cloze"].read(["a" * 200, "b"], CLOZE_BODY).parts == ("a" * 200, "b")


@pytest.mark.parametrize("kind", ["number", "single", "multiple", "short"])
def test_kind_without_parts_tells_none(kind):
    assert KINDS[kind].parts(None, {}, {}) == ()
