"""Rows and their choices: all of them, a share, and what is said of each."""

import pytest

from quizzes.kinds import match
from quizzes.kinds.shapes import Answer, AnswerProblem, Pieces

from .forms import ALL_OR_NOTHING, MATCH_BODY, MATCH_KEY

RIGHT = ("w32", "w16", "w8")


@pytest.mark.parametrize(
    ("given", "score", "verdict"),
    [
        (RIGHT, "partial", ("right", 1.0, "", ())),
        (RIGHT, "all", ("right", 1.0, "", ())),
        (("w32", "w16", "w4"), "partial", ("partly", 0.666667, "2 of 3 rows right", ("wide",))),
        (("w32", "w16", "w4"), "all", ("wrong", 0.0, "2 of 3 rows right", ("wide",))),
        (("w4", "w4", "w4"), "partial", ("wrong", 0.0, "0 of 3 rows right", ("wide",))),
    ],
)
def test_mark(given, score, verdict):
    mark = match.mark(Answer(parts=given), MATCH_BODY, {**MATCH_KEY, "score": score})
    assert (mark.state, mark.fraction, mark.detail, mark.misconceptions) == verdict


def test_answer_is_a_choice_for_each_row():
    assert match.read(["w4", "w4", "w8"], MATCH_BODY) == Answer(parts=("w4", "w4", "w8"))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ([], "rows 1, 2, 3"),
        (["w4", "", "w8"], "row 2,"),
        (["w4"], "rows 2, 3"),
        (["w4", "w4", "fp32"], "does not belong"),
        (["w4", "w4", "w8", "w8"], "does not belong"),
    ],
)
def test_answer_that_cannot_be_marked(raw, words):
    with pytest.raises(AnswerProblem, match=words):
        match.read(raw, MATCH_BODY)


def test_parts_tell_what_was_given_and_what_is_right():
    told = match.parts(Answer(parts=("w32", "w4", "w8")), MATCH_BODY, MATCH_KEY)
    assert [
        (one.title_html, one.yours_html, one.right, one.wanted_html, one.misconception) for one in told
    ] == [
        ("<b>fp32</b>", "<b>w32</b>", True, "<b>w32</b>", ""),
        ("<b>bf16</b>", "<b>w4</b>", False, "<b>w16</b>", "Wider is faster"),
        ("<b>fp8</b>", "<b>w8</b>", True, "<b>w8</b>", ""),
    ]
    assert [one.rationale_html for one in told] == ["<p>Why fp32.</p>", "<p>Why bf16.</p>", "<p>Why fp8.</p>"]


def test_parts_without_an_answer():
    told = match.parts(Answer(), MATCH_BODY, MATCH_KEY)
    assert [(one.yours_html, one.right, one.misconception) for one in told] == [("", False, "")] * 3


def test_said_and_pieces():
    assert match.said(Answer(parts=RIGHT), MATCH_BODY) == "fp32: w32; bf16: w16; fp8: w8"
    assert match.said(Answer(), MATCH_BODY) == ""
    assert match.pieces(MATCH_BODY) == Pieces(("w16", "w32", "w4", "w8"), ("",), shuffle=True)
    assert match.remarks(Answer(parts=RIGHT), MATCH_BODY, MATCH_KEY) == ()


@pytest.mark.parametrize("change", [{"pairs": [0, 1, 3]}, ALL_OR_NOTHING])
def test_meaning_changes_with_the_key(change):
    assert match.meaning(MATCH_BODY, {**MATCH_KEY, **change}) != match.meaning(MATCH_BODY, MATCH_KEY)


def test_meaning_does_not_change_with_words():
    body = {**MATCH_BODY, "options": [{**one, "text": "x", "html": "x"} for one in MATCH_BODY["options"]]}
    assert match.meaning(body, MATCH_KEY) == match.meaning(MATCH_BODY, MATCH_KEY)


def test_parts_lead_back_to_where_the_reason_is_read():
    key = {
        **MATCH_KEY,
        "options": {slug: {**about, "read": f"small#{slug}"} for slug, about in MATCH_KEY["options"].items()},
    }
    told = match.parts(Answer(parts=RIGHT), MATCH_BODY, key)
    assert [one.read for one in told] == ["small#fp32", "small#bf16", "small#fp8"]


def test_key_that_does_not_fit_the_rows_is_an_error_and_no_mark():
    short_key = {**MATCH_KEY, "pairs": [1, 0]}
    for ask in (match.mark, match.parts):
        with pytest.raises(ValueError, match="shorter"):
            ask(Answer(parts=RIGHT), MATCH_BODY, short_key)
    with pytest.raises(ValueError, match="shorter"):
        match.meaning(MATCH_BODY, short_key)


def test_no_answer_has_no_row_right():
    mark = match.mark(Answer(), MATCH_BODY, MATCH_KEY)
    assert (mark.state, mark.fraction, mark.detail) == ("wrong", 0.0, "0 of 3 rows right")


def test_choice_that_is_gone_is_said_as_nothing():
    assert match.said(Answer(parts=("w32", "gone", "w8")), MATCH_BODY) == "fp32: w32; bf16: ; fp8: w8"


def test_words_of_a_row_stand_behind_their_mark():
    assert match.row_text({"text": f"{match.ROW}of row: "}) == "of row: "


@pytest.mark.parametrize(
    ("body", "shuffle"), [({"shuffle": False}, False), ({"shuffle": True}, True), ({}, True)]
)
def test_choices_are_shuffled_unless_the_author_says_no(body, shuffle):
    plain = {name: MATCH_BODY[name] for name in ("rows", "options")}
    assert match.pieces({**plain, **body}).shuffle is shuffle


def test_meaning_is_the_score_the_pairs_and_the_choices():
    assert match.meaning(MATCH_BODY, MATCH_KEY) == [
        "partial",
        [("fp32", "w32"), ("bf16", "w16"), ("fp8", "w8")],
        ["w16", "w32", "w4", "w8"],
    ]
