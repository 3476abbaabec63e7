import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.kinds import multiple
from quizzes.kinds.shapes import Answer, AnswerProblem, Pieces

SLUGS = "abcde"
BODY = {"options": [{"slug": slug, "html": slug, "text": slug} for slug in SLUGS], "shuffle": True}


def key(score, right="ab", weights=None):
    weights = weights or {}
    return {
        "score": score,
        "options": {
            slug: {
                "right": slug in right,
                "weight": weights.get(slug),
                "rationale": "why",
                "misconception": f"m-{slug}" if slug not in right else "",
                "belief": "",
                "read": "",
            }
            for slug in SLUGS
        },
    }


def marked(chosen, **about):
    mark = multiple.mark(multiple.read(list(chosen), BODY), BODY, key(**about))
    return mark.state, mark.fraction


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ("ab", ("right", 1.0)),
        ("ba", ("right", 1.0)),
        ("a", ("partly", 0.0)),
        ("abc", ("wrong", 0.0)),
        ("ac", ("wrong", 0.0)),
        ("c", ("wrong", 0.0)),
        ("abcde", ("wrong", 0.0)),
    ],
)
def test_all_or_nothing_gives_points_only_for_the_exact_set(chosen, expected):
    assert marked(chosen, score="all") == expected


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ("ab", ("right", 1.0)),
        ("a", ("partly", 0.5)),
        ("abc", ("partly", 0.666667)),  # 1/2 + 1/2 - 1/3
        ("ac", ("partly", 0.166667)),
        ("acd", ("wrong", 0.0)),
        ("c", ("wrong", 0.0)),
        ("abcde", ("wrong", 0.0)),
    ],
)
def test_partial_credit_is_the_share_of_right_ones_less_the_share_of_wrong_ones(chosen, expected):
    assert marked(chosen, score="partial") == expected


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ("a", ("partly", 0.7)),
        ("b", ("partly", 0.3)),
        ("ac", ("partly", 0.6)),
        ("ab", ("right", 1.0)),
        ("bd", ("wrong", 0.0)),
    ],
)
def test_partial_credit_takes_the_authors_weights(chosen, expected):
    assert marked(chosen, score="partial", weights={"a": 0.7, "b": 0.3, "c": -0.1, "d": -0.5}) == expected


def test_partial_credit_never_gives_the_whole_for_another_set():
    state, fraction = marked("abc", score="partial", weights={"a": 0.9, "b": 0.9, "c": 0.0})
    assert (state, fraction) == ("partly", 1.0)


def test_detail_and_misconceptions_are_of_what_was_chosen():
    mark = multiple.mark(Answer(options=("a", "c", "d")), BODY, key("partial"))
    assert (mark.detail, mark.misconceptions) == ("1 of 2 right ones, 2 wrong", ("m-c", "m-d"))


@pytest.mark.parametrize("raw", [[], ["z"], ["a", "z"], [""]])
def test_read_refuses_nothing_and_the_unknown(raw):
    with pytest.raises(AnswerProblem):
        multiple.read(raw, BODY)


def test_read_gives_the_authors_order_without_doubles():
    assert multiple.read(["c", "a", "c"], BODY).options == ("a", "c")


@given(
    st.lists(st.sampled_from(SLUGS), min_size=1, max_size=9),
    st.sampled_from(["all", "partial"]),
    st.sets(st.sampled_from(SLUGS), min_size=1),
    st.dictionaries(st.sampled_from(SLUGS), st.floats(-3, 3), max_size=5),
)
def test_fraction_stays_between_0_and_1_and_only_the_exact_set_is_right(chosen, score, right, weights):
    state, fraction = marked(chosen, score=score, right=right, weights=weights)
    assert 0.0 <= fraction <= 1.0
    assert (state == "right") == (set(chosen) == right)
    assert state != "wrong" or fraction == 0.0


@given(st.lists(st.text(), max_size=5))
def test_read_raises_nothing_but_an_answer_problem(raw):
    try:
        multiple.read(raw, BODY)
    except AnswerProblem as problem:
        assert str(problem)


def test_meaning_holds_the_score_rule():
    assert multiple.meaning(BODY, key("all")) != multiple.meaning(BODY, key("partial"))
    assert multiple.meaning(BODY, key("all")) != multiple.meaning(BODY, key("all", right="ac"))
    assert multiple.meaning(BODY, key("all", weights={"a": 0.5})) != multiple.meaning(BODY, key("all"))


def test_detail_names_wrong_ones_only_where_there_are_some():
    mark = multiple.mark(Answer(options=("a",)), BODY, key("all"))
    assert (mark.detail, mark.misconceptions) == ("1 of 2 right ones", ())


def test_all_or_nothing_with_no_right_option_is_wrong():
    mark = multiple.mark(Answer(), BODY, key("all"))
    assert (mark.state, mark.fraction, mark.detail) == ("wrong", 0.0, "0 of 2 right ones")


def test_right_options_that_weigh_nothing_are_no_part_of_the_credit():
    assert marked("a", score="partial", weights={"a": 0.0}) == ("wrong", 0.0)


def test_remarks_said_pieces_parts_and_meaning():
    answer = Answer(options=("b", "c"))
    assert [(one.slug, one.chosen, one.right) for one in multiple.remarks(answer, BODY, key("all"))] == [
        ("b", True, True),
        ("c", True, False),
        ("a", False, True),
        ("d", False, False),
        ("e", False, False),
    ]
    assert multiple.parts(answer, BODY, key("all")) == ()
    assert multiple.said(answer, BODY) == "b; c"
    assert multiple.pieces(BODY) == Pieces(tuple(SLUGS), shuffle=True)
    assert multiple.meaning(BODY, key("all")) == ["all", *((slug, slug in "ab", None) for slug in SLUGS)]
