"""Gaps: compared like short answers, told one by one."""

import pytest

from quizzes.kinds import cloze
from quizzes.kinds.shapes import Answer, AnswerProblem, Pieces

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
