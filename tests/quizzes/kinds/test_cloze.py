"""Gaps: compared like short answers, told one by one."""

import pytest

from quizzes.kinds import cloze
from quizzes.kinds.shapes import Answer, AnswerProblem, PartRemark, Pieces

from .forms import ALL_OR_NOTHING, CLOZE_BODY, CLOZE_KEY


@pytest.mark.parametrize(
    ("given", "score", "verdict"),
    [
        (("Memory  Bandwidth", "<RIDGE>"), "partial", ("right", 1.0, "", ())),
        (("compute", "<ridge>"), "partial", ("partly", 0.5, "1 of 2 gaps right", ("wide",))),
        (("compute", "<ridge>"), "all", ("wrong", 0.0, "1 of 2 gaps right", ("wide",))),
        (("bandwidth", "-"), "partial", ("partly", 0.5, "1 of 2 gaps right", ())),
        (("-", "-"), "partial", ("wrong", 0.0, "0 of 2 gaps right", ("wide",))),
    ],
)
def test_mark(given, score, verdict):
    mark = cloze.mark(Answer(parts=given), CLOZE_BODY, {**CLOZE_KEY, "score": score})
    assert (mark.state, mark.fraction, mark.detail, mark.misconceptions) == verdict


AFTER = {
    **CLOZE_KEY,
    "gaps": [
        {**CLOZE_KEY["gaps"][0], "accepted": ["51.5"], "after": "tokens per step"},
        {**CLOZE_KEY["gaps"][1], "accepted": ["0.8"], "after": "s at batch 1"},
    ],
}
HINTED = {"gaps": [{"hint": "which number"}, {"hint": "seconds"}], "exact": False}


@pytest.mark.parametrize(
    ("given", "right"),
    [
        (("51.5", "0.8"), 2),
        (("51.5 tokens", "0.8 s"), 2),
        (("51.5 tokens per step", "0.8s"), 2),
        (("51,5 Tokens.", ".8 seconds"), 2),
        (("51.5 per step", "0.8 sec"), 2),
        (("the number 51.5", "0.8"), 1),
        (("51.5 ms", "0.8 ms"), 0),
        (("tokens", "s"), 0),
        (("515 tokens", "0.8 per step"), 0),
        (("51.5 step", "8 s"), 0),
    ],
)
def test_words_that_follow_a_gap_or_its_unit_may_be_typed_too(given, right):
    mark = cloze.mark(Answer(parts=given), HINTED, AFTER)
    assert mark.fraction == right / 2


def test_words_that_follow_are_not_taken_where_every_sign_counts():
    strict = {**HINTED, "exact": True, "strict": True}
    assert cloze.mark(Answer(parts=("51.5 tokens", "0.8")), strict, AFTER).fraction == 0.5


def test_answer_is_kept_as_typed():
    assert cloze.read([" A  b ", "c"], CLOZE_BODY) == Answer(parts=("A  b", "c"))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ([], "Gaps 1, 2 are empty"),
        (["a", "  "], "Gap 2 is empty"),
        (["a"], "Gap 2 is empty"),
        (["a", "b", "c"], "2 gaps"),
        (["a" * 201, "b"], "200 characters"),
    ],
)
def test_answer_that_cannot_be_marked(raw, words):
    with pytest.raises(AnswerProblem, match=words):
        cloze.read(raw, CLOZE_BODY)


def test_parts_escape_what_was_typed_and_what_is_accepted():
    told = cloze.parts(Answer(parts=("<i>", "<Ridge>")), CLOZE_BODY, CLOZE_KEY)
    assert [(one.yours_html, one.right, one.wanted_html, one.misconception, one.read) for one in told] == [
        ("&lt;i&gt;", False, "bandwidth; also accepted: memory bandwidth", "Wider is faster", ""),
        ("&lt;Ridge&gt;", True, "&lt;ridge&gt;", "", "small#here"),
    ]


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("bandwith", "<p>Close to “bandwidth”: check the spelling and the ending.</p><p>Why gap 1.</p>"),
        ("width", "<p>Why gap 1.</p>"),
        ("Memory-Bandwidth", "<p>Why gap 1.</p>"),
    ],
)
def test_gap_missed_by_a_slip_says_so_and_counts_as_wrong(typed, why):
    told = cloze.parts(Answer(parts=(typed, "-")), CLOZE_BODY, CLOZE_KEY)[0]
    assert (told.rationale_html, told.right) == (why, typed == "Memory-Bandwidth")


def test_parts_without_an_answer():
    told = cloze.parts(Answer(), CLOZE_BODY, CLOZE_KEY)
    assert [(one.yours_html, one.right, one.misconception) for one in told] == [("", False, "")] * 2


def test_said_pieces_and_meaning():
    assert cloze.said(Answer(parts=("a", "b")), CLOZE_BODY) == "Gap 1: a; Gap 2: b"
    assert cloze.pieces(CLOZE_BODY) == Pieces()
    assert cloze.remarks(Answer(), CLOZE_BODY, CLOZE_KEY) == ()
    hinted = {**CLOZE_BODY, "gaps": [{"hint": "other"}, {"hint": ""}]}
    assert cloze.meaning(hinted, CLOZE_KEY) == cloze.meaning(CLOZE_BODY, CLOZE_KEY)
    assert cloze.meaning(CLOZE_BODY, {**CLOZE_KEY, **ALL_OR_NOTHING}) != cloze.meaning(CLOZE_BODY, CLOZE_KEY)


@pytest.mark.parametrize(
    ("body", "state"),
    [({"exact": True}, "partly"), ({"exact": False}, "right"), ({}, "right"), ({"strict": True}, "right")],
)
def test_case_counts_where_exact(body, state):
    asked = {"gaps": CLOZE_BODY["gaps"], **body}
    assert cloze.mark(Answer(parts=("Bandwidth", "<ridge>")), asked, CLOZE_KEY).state == state


def one_gap(accepted, after="", hint="", **body):
    """A question of one gap, as body and key."""
    key = {"score": "all", "gaps": [{**CLOZE_KEY["gaps"][0], "accepted": accepted, "after": after}]}
    return {"gaps": [{"hint": hint}], **body}, key


@pytest.mark.parametrize(
    ("typed", "accepted", "after", "hint", "right"),
    [
        ("5 big red tokens", ["5"], "big red tokens", "", True),
        ("5 a b c d", ["5"], "a b c d e", "", True),
        ("5 a b c d e", ["5"], "a b c d e", "", False),
        ("5 red tokens", ["5"], "big red tokens", "", True),
        ("5 red", ["5"], "big red tokens", "", True),
        ("5 tokens", ["5"], "big red tokens", "", False),
        ("5 ms", ["5"], "big ms", "", True),
        ("5 milliseconds", ["5"], "big ms", "", False),
        ("5 milliseconds", ["5"], "ms", "", True),
        ("two gap words", ["two"], "", "the gap words", True),
        ("two words", ["two"], "", "the gap words", True),
        ("two gap", ["two"], "", "the gap words", False),
        ("memory bandwidth of it", ["memory bandwidth"], "of it", "", True),
        ("5 tokens per second", ["5"], "tokens/s", "", True),
        ("5 x", ["5"], "times", "", True),
        ("5 times", ["5"], "", "×", True),
        ("five times", ["five"], "times", "", True),
        ("five times", ["five"], "×", "", True),
        ("5 times faster", ["5"], "times faster", "", True),
        ("5 percent points", ["5"], "points", "", True),
        ("two gap words", ["two"], "", "all gap words", True),
        ("5 percent", ["5"], "", "%", True),
        ("5 none", ["5"], "", "", False),
        ("5 XXXX", ["5"], "", "", False),
    ],
)
def test_words_behind_a_gap(typed, accepted, after, hint, right):
    body, key = one_gap(accepted, after, hint)
    assert cloze.mark(Answer(parts=(typed,)), body, key).fraction == right


@pytest.mark.parametrize("typed", ["5 none", "5 XXXX"])
def test_gap_of_an_older_key_has_no_words_behind_it(typed):
    body, key = one_gap(["5"])
    del key["gaps"][0]["after"]
    assert cloze.mark(Answer(parts=(typed,)), body, key).fraction == 0
    assert cloze.mark(Answer(parts=("5",)), body, key).fraction == 1


@pytest.mark.parametrize(
    ("typed", "after", "hint", "right"),
    [
        ("5 big Tokens", "big Tokens", "", True),
        ("5 big tokens", "big Tokens", "", False),
        ("5 tokens", "Tokens", "", True),  # as a unit, which is written in small letters
        ("5 Words", "", "Words", True),
        ("5 words", "", "Words", True),
        ("5 Other words", "", "Other words", True),
        ("5 OTHER words", "", "Other words", False),
        ("Five Tokens", "Tokens", "", False),
        ("five Tokens", "Tokens", "", True),
        ("5 straße", "", "Straße", True),
    ],
)
def test_case_of_the_words_behind_counts_where_exact(typed, after, hint, right):
    body, key = one_gap(["5", "five"], after, hint, exact=True)
    assert cloze.mark(Answer(parts=(typed,)), body, key).fraction == right


def test_key_that_does_not_fit_the_gaps_is_an_error_and_no_mark():
    for ask in (cloze.mark, cloze.parts):
        with pytest.raises(ValueError, match="shorter"):
            ask(Answer(parts=("a", "b")), CLOZE_BODY, {**CLOZE_KEY, "gaps": CLOZE_KEY["gaps"][:1]})


def test_no_answer_has_no_gap_right():
    body, key = one_gap(["XXXX"])
    assert cloze.mark(Answer(), body, key).detail == "0 of 1 gaps right"


def test_part_in_full():
    told = cloze.parts(Answer(parts=("bandwith", "x")), CLOZE_BODY, CLOZE_KEY)[0]
    beside = "<p>Close to “bandwidth”: check the spelling and the ending.</p>"
    assert told == PartRemark(
        "",
        "bandwith",
        False,
        "bandwidth; also accepted: memory bandwidth",
        f"{beside}<p>Why gap 1.</p>",
        "Wider is faster",
        "",
    )


@pytest.mark.parametrize(
    ("typed", "exact", "wanted"),
    [
        ("x", False, "gib"),
        ("x", True, "gib; also accepted: Gib"),
        ("", False, "gib; also accepted: Gib, gibs"),
        ("", True, "gib; also accepted: Gib, gibs"),
    ],
)
def test_accepted_forms_of_a_gap_are_all_told_where_nothing_was_typed(typed, exact, wanted):
    body, key = one_gap(["gib", "Gib", "gibs"], exact=exact)
    assert cloze.parts(Answer(parts=(typed,)), body, key)[0].wanted_html == wanted


@pytest.mark.parametrize(("exact", "close"), [(True, True), (False, False)])
def test_case_is_a_slip_only_where_it_counts(exact, close):
    body, key = one_gap(["gibibyte"], exact=exact)
    told = cloze.parts(Answer(parts=("Gibibyte",)), body, key)[0]
    assert told.rationale_html.startswith("<p>Close to") is close


def test_right_gap_is_not_set_beside_another_form():
    body, key = one_gap(["bandwidths", "bandwidth"])
    assert cloze.parts(Answer(parts=("bandwidth",)), body, key)[0].rationale_html == "<p>Why gap 1.</p>"


def test_gap_left_open_is_not_set_beside_a_form():
    body, key = one_gap(["a"])
    assert cloze.parts(Answer(), body, key)[0].rationale_html == "<p>Why gap 1.</p>"


def test_meaning_is_the_score_the_comparing_and_the_forms():
    body, key = one_gap(["FP-8", "fp 8", "e4m3"])
    assert cloze.meaning(body, key) == ["all", False, [["e4m3", "fp 8"]]]
    assert cloze.meaning({**body, "exact": True}, key) == ["all", True, [["FP 8", "e4m3", "fp 8"]]]
    strict = {**body, "exact": True, "strict": True}
    assert cloze.meaning(strict, key) == ["all", True, [["FP-8", "e4m3", "fp 8"]], "strict"]
