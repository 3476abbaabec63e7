"""Items in their order: places from the form, credit by adjacent pairs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.kinds import order
from quizzes.kinds.shapes import Answer, AnswerProblem, Pieces

from .forms import ALL_OR_NOTHING, ORDER_BODY, ORDER_KEY


def marked(given, **key):
    mark = order.mark(Answer(options=tuple(given)), ORDER_BODY, {**ORDER_KEY, **key})
    return mark.state, mark.fraction, mark.detail


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ("abcd", ("right", 1.0, "")),
        ("dcba", ("wrong", 0.0, "0 of 3 neighbouring pairs right")),
        ("dabc", ("partly", 0.666667, "2 of 3 neighbouring pairs right")),
        ("bcda", ("partly", 0.666667, "2 of 3 neighbouring pairs right")),
        ("acbd", ("wrong", 0.0, "0 of 3 neighbouring pairs right")),
        ("abdc", ("partly", 0.333333, "1 of 3 neighbouring pairs right")),
    ],
)
def test_credit_by_adjacent_pairs(given, verdict):
    assert marked(given) == verdict


def test_all_or_nothing_without_partial_score():
    assert marked("dabc", **ALL_OR_NOTHING)[:2] == ("wrong", 0.0)
    assert marked("abcd", **ALL_OR_NOTHING)[:2] == ("right", 1.0)


@given(st.permutations("abcd"))
def test_only_the_right_order_is_right(items):
    state, fraction, _ = marked(items)
    assert (state == "right") == (items == list("abcd"))
    assert (fraction == 1.0) == (state == "right")


def test_misconception_of_an_item_that_does_not_follow():
    mark = order.mark(Answer(options=tuple("dabc")), ORDER_BODY, ORDER_KEY)
    assert mark.misconceptions == ("wide",)


def test_answer_is_the_items_in_the_order_of_their_places():
    raw = ["c", "#3", "a", "#1", "d", "#4", "b", "#2"]
    assert order.read(raw, ORDER_BODY) == Answer(options=tuple("abcd"))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (["a", "", "b", "#1", "c", "#2", "d", "#3"], "every item"),
        (["a", "#2", "b", "#1", "c", "#2", "d", "#3"], "Place 2 is given twice"),
        (["a", "#1", "b", "#2"], "not the items"),
        (["a", "#1", "a", "#2", "c", "#3", "d", "#4"], "not the items"),
        (["a", "#1", "b", "#2", "c", "#3", "d", "#5"], "not the items"),
        (["a", "#1", "b", "#2", "c", "#3", "d"], "not the items"),
        ([], "not the items"),
    ],
)
def test_answer_that_cannot_be_marked(raw, words):
    with pytest.raises(AnswerProblem, match=words):
        order.read(raw, ORDER_BODY)


def test_parts_stand_in_the_right_order():
    told = order.parts(Answer(options=tuple("dabc")), ORDER_BODY, ORDER_KEY)
    assert [
        (one.title_html, one.yours_html, one.right, one.wanted_html, one.misconception) for one in told
    ] == [
        ("<b>a</b>", "place 2", False, "place 1", ""),
        ("<b>b</b>", "place 3", True, "place 2, right after 1", ""),
        ("<b>c</b>", "place 4", True, "place 3, right after 2", ""),
        ("<b>d</b>", "place 1", False, "place 4, right after 3", "Wider is faster"),
    ]


def test_item_in_its_place_after_another_one_is_not_right_and_says_what_it_should_follow():
    told = order.parts(Answer(options=tuple("bacd")), ORDER_BODY, ORDER_KEY)
    assert [(one.yours_html, one.right, one.wanted_html) for one in told][2:] == [
        ("place 3", False, "place 3, right after 2"),
        ("place 4", True, "place 4, right after 3"),
    ]


def test_parts_without_an_answer():
    told = order.parts(Answer(), ORDER_BODY, ORDER_KEY)
    assert [(one.yours_html, one.right, one.misconception) for one in told] == [("", False, "")] * 4


def test_said_pieces_and_meaning():
    assert order.said(Answer(options=tuple("bacd")), ORDER_BODY) == "1. b; 2. a; 3. c; 4. d"
    assert order.said(Answer(), ORDER_BODY) == ""
    assert order.pieces(ORDER_BODY) == Pieces(("d", "a", "c", "b"), ("", "#1", "#2", "#3", "#4"))
    assert order.remarks(Answer(), ORDER_BODY, ORDER_KEY) == ()
    other = {**ORDER_KEY, "sequence": [3, 1, 2, 0]}
    assert order.meaning(ORDER_BODY, other) != order.meaning(ORDER_BODY, ORDER_KEY)


def test_parts_tell_why_and_where_to_read():
    key = {
        **ORDER_KEY,
        "options": {slug: {**about, "read": f"small#{slug}"} for slug, about in ORDER_KEY["options"].items()},
    }
    told = order.parts(Answer(options=tuple("dabc")), ORDER_BODY, key)
    assert [(one.rationale_html, one.read) for one in told] == [
        (f"<p>Why {slug}.</p>", f"small#{slug}") for slug in "abcd"
    ]


def test_item_that_is_gone_is_said_as_nothing():
    assert order.said(Answer(options=("b", "gone")), ORDER_BODY) == "1. b; 2. "


def test_meaning_is_the_score_and_the_order():
    assert order.meaning(ORDER_BODY, ORDER_KEY) == ["partial", ["a", "b", "c", "d"]]
