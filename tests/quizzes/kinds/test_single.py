import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.kinds import KINDS, single
from quizzes.kinds.shapes import Answer, AnswerProblem, Pieces, Remark

BODY = {"options": [{"slug": slug, "html": slug, "text": slug} for slug in "abcd"], "shuffle": True}


def about(right=False, weight=None, misconception=""):
    return {
        "right": right,
        "weight": weight,
        "rationale": "why",
        "misconception": misconception,
        "belief": misconception and "The belief",
        "read": "",
    }


KEY = {
    "score": "all",
    "options": {
        "a": about(right=True),
        "b": about(weight=0.25),
        "c": about(misconception="wide"),
        "d": about(weight=-1.0),
    },
}


def test_kinds_are_registered_under_their_own_names():
    assert {name: kind.NAME for name, kind in KINDS.items()} == {
        name: name for name in ("single", "multiple", "number", "short", "match", "order", "cloze")
    }


@pytest.mark.parametrize(
    ("slug", "state", "fraction", "misconceptions"),
    [
        ("a", "right", 1.0, ()),
        ("b", "partly", 0.25, ()),
        ("c", "wrong", 0.0, ("wide",)),
        ("d", "wrong", 0.0, ()),
    ],
)
def test_mark_of_each_option(slug, state, fraction, misconceptions):
    mark = single.mark(single.read([slug], BODY), BODY, KEY)
    assert (mark.state, mark.fraction, mark.misconceptions) == (state, fraction, misconceptions)


@pytest.mark.parametrize("raw", [[], ["a", "b"], ["a", "a"], ["z"], [""], ["A"], ["a "]])
def test_read_refuses_anything_but_one_known_option(raw):
    with pytest.raises(AnswerProblem):
        single.read(raw, BODY)


@given(st.lists(st.text(), max_size=5))
def test_read_raises_nothing_but_an_answer_problem(raw):
    try:
        answer = single.read(raw, BODY)
    except AnswerProblem as problem:
        assert str(problem).endswith((".", "shown.", "yet."))
    else:
        assert 0.0 <= single.mark(answer, BODY, KEY).fraction <= 1.0


def test_remarks_put_the_chosen_first_and_the_right_one_second():
    told = single.remarks(Answer(options=("c",)), BODY, KEY)
    assert [(one.slug, one.chosen, one.right) for one in told] == [
        ("c", True, False),
        ("a", False, True),
        ("b", False, False),
        ("d", False, False),
    ]
    assert told[0].misconception == "The belief"


def test_meaning_tells_a_changed_key_from_another_wording():
    reworded = {
        **BODY,
        "options": [{**one, "html": "other words", "text": "other words"} for one in BODY["options"]],
    }
    moved = {**KEY, "options": {**KEY["options"], "a": about(), "c": about(right=True)}}
    smaller = {**KEY, "options": {slug: KEY["options"][slug] for slug in "abc"}}
    said = {**KEY, "options": {**KEY["options"], "a": {**about(right=True), "rationale": "said better"}}}
    assert single.meaning(reworded, KEY) == single.meaning(BODY, said) == single.meaning(BODY, KEY)
    assert single.meaning(BODY, moved) != single.meaning(BODY, KEY)
    assert single.meaning(BODY, smaller) != single.meaning(BODY, KEY)


def test_said_and_pieces():
    words = {"options": [{"slug": slug, "text": slug.upper()} for slug in "abcd"]}
    assert single.said(Answer(options=("c",)), words) == "C"
    assert single.said(Answer(), words) == ""
    assert single.parts(Answer(options=("c",)), BODY, KEY) == ()
    assert single.pieces(words) == Pieces(("a", "b", "c", "d"), (), shuffle=True)
    assert single.pieces({**words, "shuffle": False}) == Pieces(("a", "b", "c", "d"), (), shuffle=False)
    assert single.pieces({}) == Pieces()


def test_meaning_is_each_option_with_its_weight():
    assert single.meaning(BODY, KEY) == [
        ("a", True, None),
        ("b", False, 0.25),
        ("c", False, None),
        ("d", False, -1.0),
    ]


def test_remark_of_an_option_has_no_title_and_tells_why_and_where():
    key = {
        **KEY,
        "options": {**KEY["options"], "c": {**about(), "rationale": "<p>no</p>", "read": "small#a"}},
    }
    told = single.remarks(Answer(options=("c",)), BODY, key)[0]
    assert told == Remark("c", "", True, False, "<p>no</p>", "", "small#a")
