from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizzes.kinds import number
from quizzes.kinds.shapes import Answer, AnswerProblem, Remark


def entry(text, weight=None, misconception=""):
    low, high = number.range_of(text)
    return {
        "text": text,
        "low": str(low),
        "high": str(high),
        "weight": weight,
        "rationale": f"about {text}",
        "misconception": misconception,
        "belief": misconception and "The belief",
        "read": "",
    }


BODY = {"unit": "GB"}
KEY = {
    "accepted": [entry("3.5 ± 0.1"), entry("3..3.39", weight=0.5)],
    "mistakes": [entry("28", misconception="wide")],
}


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("3.5", "3.5"),
        (" 3.5 ", "3.5"),
        ("3.5 GB", "3.5"),
        ("3.5GB", "3.5"),
        ("3.5 gb", "3.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("+2", "2"),
        ("-2", "-2"),
        ("−2", "-2"),
        ("1 000", "1000"),
        ("1 234 567", "1234567"),
        ("1\u00a0000", "1000"),
        ("1\u202f000", "1000"),
        ("1.2e9", "1.2e9"),
        ("1E-3", "0.001"),
        ("3.5 GB.", "3.5"),
        ("3.5 GB .", "3.5"),
        ("≈3.5", "3.5"),
        ("~ 3.5 GB", "3.5"),
        ("= 3.5", "3.5"),
        ("about 3.5 GB;", "3.5"),
        ("approx. -3.5", "-3.5"),
        ("±3.5", "3.5"),
        ("1e999", "1e999"),
        ("0" * 20, "0"),
    ],
)
def test_value_of_what_people_type(typed, value):
    assert number.value_of(typed, "GB") == Decimal(value)


@pytest.mark.parametrize(
    ("typed", "unit"),
    [
        ("7 %", "percent"),
        ("7 per cent", "%"),
        ("7 Percent", "%"),
        ("7x", "times"),
        ("7 ×", "times"),
        ("7 request", "requests"),
        ("7 KV head", "KV heads"),
        ("7 heads.", "KV heads"),
        ("7 gigabytes", "GB"),
        ("7 sec", "s"),
        ("7 tokens per second", "tokens/s"),
        ("7 pp", "points"),
        ("7 %", "points"),
        ("7 target pass", "target passes"),
    ],
)
def test_unit_in_another_form_is_taken_and_not_said_twice(typed, unit):
    assert number.value_of(typed, unit) == 7
    assert number.said(Answer(typed=typed), {"unit": unit}) == typed


@pytest.mark.parametrize(("typed", "unit"), [("7 m", "ms"), ("7 %", "GB"), ("7 MB", "GB")])
def test_another_unit_is_refused(typed, unit):
    with pytest.raises(AnswerProblem):
        number.value_of(typed, unit)


@pytest.mark.parametrize(
    "typed",
    [
        "", " ", "3,5", "1,000", "NaN", "nan", "inf", "-inf", "Infinity", "sNaN", "1e9999", "1e", "e5", "--1", "1 2",
        "1 00", "3.5 MB", "0x10", "1_000", "1/2", "3.5.1", "GB", "1\x00", "\x00", "9" * 41, "9" * 21, "3½", "twelve",
    ],
)  # fmt: skip
def test_value_of_refuses_what_is_no_plain_number(typed):
    with pytest.raises(AnswerProblem):
        number.value_of(typed, "GB")


def test_forty_characters_are_the_most():
    assert number.value_of("0." + "1" * 20 + " " * 30, "") == Decimal("0." + "1" * 20)
    with pytest.raises(AnswerProblem, match="longer than 40"):
        number.value_of("1" * 41, "")


@pytest.mark.parametrize(
    ("typed", "state", "fraction", "misconceptions"),
    [
        ("3.4", "right", 1.0, ()),
        ("3.6", "right", 1.0, ()),
        ("3.600", "right", 1.0, ()),
        ("3.6000000001", "wrong", 0.0, ()),
        ("3.2 GB", "partly", 0.5, ()),
        ("28", "wrong", 0.0, ("wide",)),
        ("2.8e1", "wrong", 0.0, ("wide",)),
        ("1e999", "wrong", 0.0, ()),
        ("-3.5", "wrong", 0.0, ()),
    ],
)
def test_mark(typed, state, fraction, misconceptions):
    mark = number.mark(number.read([typed], BODY), BODY, KEY)
    assert (mark.state, mark.fraction, mark.misconceptions) == (state, fraction, misconceptions)


@pytest.mark.parametrize("raw", [[], [""], ["1", "2"]])
def test_read_wants_exactly_one(raw):
    with pytest.raises(AnswerProblem):
        number.read(raw, BODY)


def test_read_keeps_what_was_typed():
    assert number.read(["  1 000 GB "], BODY) == Answer(typed="1 000 GB")


HOSTILE = ["\ud800", "\x00", "1" * 5000, "١٢٣", "²", "1e+", "İGB", "1\u2009000", "NaN", "1e-999"]


@given(st.text(max_size=60), st.sampled_from(["", "GB", "%", "ms", "e", "tokens/s"]))
@example("1e999", "e")
@example("1e999GB", "GB")
def test_no_text_raises_anything_but_an_answer_problem(typed, unit):
    try:
        answer = number.read([typed], {"unit": unit})
    except AnswerProblem as problem:
        assert str(problem)
    else:
        mark = number.mark(answer, {"unit": unit}, KEY)
        assert 0.0 <= mark.fraction <= 1.0
        assert number.remarks(answer, {"unit": unit}, KEY)
        assert len(answer.typed) <= 200


@pytest.mark.parametrize("typed", HOSTILE)
def test_hostile_text_is_refused_or_marked(typed):
    test_no_text_raises_anything_but_an_answer_problem.hypothesis.inner_test(typed, "GB")


@given(st.decimals(-(10**6), 10**6, places=3))
def test_written_number_is_read_back(value):
    assert number.value_of(f"{value} GB", "GB") == value


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("3.5", "3.5", "3.5"),
        ("3.5 ± 0.1", "3.4", "3.6"),
        ("3.5±0.1", "3.4", "3.6"),
        ("3.5 +- 0.1", "3.4", "3.6"),
        ("3.5 +/- 0.1", "3.4", "3.6"),
        ("200 ± 2%", "196", "204"),
        ("-200 ± 2 %", "-204", "-196"),
        ("3..4", "3", "4"),
        ("−4..−3", "-4", "-3"),
        ("1e3", "1000", "1000"),
    ],
)
def test_range_of(text, low, high):
    assert number.range_of(text) == (Decimal(low), Decimal(high))


@pytest.mark.parametrize("text", ["", "x", "4..3", "3 ± x", "1..2..3", "NaN", "1,5", "3 ± -1", "± 1"])
def test_range_of_refuses(text):
    with pytest.raises(ValueError):  # noqa: PT011 the message is the author's, tested with the formats
        number.range_of(text)


def test_remarks_of_an_expected_mistake_name_the_belief_then_the_accepted():
    told = number.remarks(Answer(typed="28"), BODY, KEY)
    assert [(one.slug, one.title, one.right, one.misconception) for one in told] == [
        ("yours", "Your answer: 28 GB", False, "The belief"),
        ("accepted", "Accepted: 3.5 ± 0.1 GB", True, ""),
        ("accepted", "Accepted: 3 to 3.39 GB", True, ""),
    ]


def test_remarks_of_a_right_answer_say_the_unit_once():
    told = number.remarks(Answer(typed="3.5 GB"), BODY, KEY)
    assert [(one.slug, one.title) for one in told] == [
        ("accepted", "Your answer: 3.5 GB. Accepted: 3.5 ± 0.1 GB")
    ]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("9", "It is 2.5 times too large: look"),
        ("1", "It is 3 times too small: look"),
        ("35", "It is 9.72 times too large: look"),
        ("4", "It is 11 % more than the nearest number that is accepted: look"),
        ("2.9", "It is 3.3 % less than the nearest number that is accepted: look"),
        ("-3.5", "Its sign is the other one."),
    ],
)
def test_number_that_nobody_expected_is_set_beside_the_nearest_accepted_one(typed, told):
    tight = {**KEY, "accepted": [entry("3.5 ± 0.1"), entry("3..3.39", weight=0.5)]}
    (yours, *rest) = number.remarks(Answer(typed=typed), BODY, tight)
    assert yours.rationale_html.startswith(number.OUTSIDE)
    assert yours.rationale_html.removeprefix(number.OUTSIDE).startswith(f"<p>{told}")
    assert [one.slug for one in rest] == ["accepted", "accepted"]


@pytest.mark.parametrize("typed", ["0", "1e999", "3.5e-20"])
def test_number_that_is_far_off_is_not_told_by_how_much(typed):
    assert number.remarks(Answer(typed=typed), BODY, KEY)[0].rationale_html == number.OUTSIDE


def test_remarks_without_an_answer_tell_the_accepted_ones():
    assert [one.slug for one in number.remarks(Answer(), BODY, KEY)] == ["accepted", "accepted"]


def test_meaning_is_unit_and_ranges_not_words():
    other = {"accepted": [{**one, "rationale": "said better"} for one in KEY["accepted"]], "mistakes": []}
    wider = {**KEY, "accepted": [entry("3.5 ± 0.2"), KEY["accepted"][1]]}
    assert number.meaning(BODY, other) == number.meaning(BODY, KEY)
    assert number.meaning(BODY, wider) != number.meaning(BODY, KEY)
    assert number.meaning({"unit": "MB"}, KEY) != number.meaning(BODY, KEY)


@pytest.mark.parametrize(
    ("typed", "remark"),
    [
        ("3.5", ("accepted", "Your answer: 3.5. Accepted: 3.5", True, True, "about 3.5", "", "small#a")),
        ("28", ("yours", "Your answer: 28", True, False, "about 28", "The belief", "small#b")),
        ("1e99", ("yours", "Your answer: 1e99", True, False, number.OUTSIDE, "", "")),
        ("", ("accepted", "Accepted: 3.5", False, True, "about 3.5", "", "small#a")),
    ],
)
def test_remark_in_full_of_a_number_without_a_unit(typed, remark):
    key = {
        "accepted": [{**entry("3.5"), "read": "small#a"}],
        "mistakes": [{**entry("28", misconception="wide"), "read": "small#b"}],
    }
    assert number.remarks(Answer(typed=typed), {}, key)[0] == Remark(*remark)


@pytest.mark.parametrize("typed", ["5 None", "5XXXX", "3 about 555", "≈1 ≈000"])
def test_question_without_a_unit_takes_none(typed):
    for ask in (lambda: number.read([typed], {}), lambda: number.mark(Answer(typed=typed), {}, KEY)):
        with pytest.raises(AnswerProblem):
            ask()


@pytest.mark.parametrize(
    ("accepted", "typed", "told"),
    [
        ("2", "4", "It is 2 times too large"),
        ("4", "2", "It is 2 times too small"),
        ("2", "3", "It is 50 % more than the nearest number that is accepted"),
        ("2", "1.5", "It is 25 % less than the nearest number that is accepted"),
        ("-2", "-4", "It is 2 times too large"),
        ("0.5", "0.75", "It is 50 % more than the nearest number that is accepted"),
        ("0.5", "-0.5", "Its sign is the other one."),
        ("-0.5", "0.5", "Its sign is the other one."),
        ("1e4", "1e13", "It is 1e+09 times too large"),
        ("1e13", "1e4", "It is 1e+09 times too small"),
        ("1e20", "1e19", "It is 10 times too small"),
        ("1e4", "1e14", ""),
        ("0", "5", ""),
    ],
)
def test_how_far_off_a_number_is(accepted, typed, told):
    key = {"accepted": [entry(accepted)], "mistakes": []}
    found = number.remarks(Answer(typed=typed), {}, key)[0].rationale_html.removeprefix(number.OUTSIDE)
    off = ": look for a step or a unit that makes this difference." if told.startswith("It is") else ""
    assert found == (f"<p>{told}{off}</p>" if told else "")


def test_number_beside_no_accepted_one_is_told_alone():
    key = {"accepted": [], "mistakes": []}
    assert [one.rationale_html for one in number.remarks(Answer(typed="5"), {}, key)] == [number.OUTSIDE]


@pytest.mark.parametrize(
    ("typed", "unit", "words"),
    [
        ("5", "", "5"),
        ("5", "GB", "5 GB"),
        ("5 GB .;", "GB", "5 GB .;"),
        ("5X", "GB", "5X GB"),
        ("", "GB", ""),
    ],
)
def test_unit_is_said_once(typed, unit, words):
    assert number.said(Answer(typed=typed), {"unit": unit}) == words
    assert number.said(Answer(typed="5"), {}) == "5"


def test_meaning_is_the_unit_and_each_range():
    assert number.meaning({}, KEY) == ["", [("3", "3.39", 0.5), ("3.4", "3.6", None)]]


@pytest.mark.parametrize(
    ("text", "words"),
    [("4..3", "4..3 is an empty range"), (" x ", "x is not a number"), ("3 ± x", "x is not a number")],
)
def test_range_that_is_none_is_named(text, words):
    with pytest.raises(ValueError) as problem:  # noqa: PT011 the words are compared below
        number.range_of(text)
    assert str(problem.value) == words
