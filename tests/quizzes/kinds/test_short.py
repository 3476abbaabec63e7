"""Typed words: what is accepted, what counts less, which mistake is behind the rest."""

import pytest

from quizzes.kinds import short
from quizzes.kinds.shapes import Answer, AnswerProblem, Pieces

from .forms import SHORT_BODY, SHORT_KEY


def marked(typed, **body):
    mark = short.mark(Answer(typed=typed), {**SHORT_BODY, **body}, SHORT_KEY)
    return mark.state, mark.fraction, mark.misconceptions


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("calibration data", ("right", 1.0, ())),
        ("  Calibration   DATA", ("right", 1.0, ())),
        ("Calibration–data", ("right", 1.0, ())),
        ("calibrationdata", ("wrong", 0.0, ())),
        ("calibraton data", ("wrong", 0.0, ())),
        ("calibration set", ("partly", 0.9, ())),
        ("training data", ("wrong", 0.0, ("wide",))),
        ("something", ("wrong", 0.0, ())),
    ],
)
def test_mark(typed, verdict):
    assert marked(typed) == verdict


def test_case_counts_where_exact():
    assert marked("Calibration data", exact=True) == ("wrong", 0.0, ())


@pytest.mark.parametrize("raw", [[], [""], ["   "], ["\u00a0"], ["a", "b"], ["a" * 201]])
def test_answer_that_cannot_be_marked(raw):
    with pytest.raises(AnswerProblem):
        short.read(raw, SHORT_BODY)


def test_answer_is_kept_as_typed():
    assert short.read(["  KV  Cache "], SHORT_BODY) == Answer(typed="KV  Cache")


def told(typed):
    return [
        (one.slug, one.title, one.rationale_html, one.misconception)
        for one in short.remarks(Answer(typed=typed), SHORT_BODY, SHORT_KEY)
    ]


ACCEPTED = [
    ("accepted", "Accepted: calibration data; also accepted: calibrating data", "<p>Why data.</p>", ""),
    ("accepted", "Accepted, counts 90 %: calibration set", "<p>Why set.</p>", ""),
]


@pytest.mark.parametrize(
    ("typed", "remarks"),
    [
        ("calibration data", [("accepted", "Your answer: calibration data", "<p>Why data.</p>", "")]),
        (
            "Calibration set",
            [
                (
                    "accepted",
                    "Your answer: Calibration set. Accepted: calibration set",
                    "<p>Why set.</p>",
                    "",
                ),
                ACCEPTED[0],
            ],
        ),
        (
            "training data",
            [("yours", "Your answer: training data", "<p>Why mistake.</p>", "Wider is faster"), *ACCEPTED],
        ),
        ("other", [("yours", "Your answer: other", short.UNEXPECTED, ""), *ACCEPTED]),
        (
            "calibraton data",
            [
                (
                    "yours",
                    "Your answer: calibraton data",
                    f"{short.UNEXPECTED}<p>Close to “calibration data”: check the spelling and the ending.</p>",
                    "",
                ),
                *ACCEPTED,
            ],
        ),
        ("", ACCEPTED),
    ],
)
def test_remarks(typed, remarks):
    assert told(typed) == remarks


def test_forms_that_count_in_full_are_one_answer_with_the_reason_of_the_first():
    key = {
        "accepted": [
            {"text": one, "weight": weight, "rationale": f"<p>{one}</p>", "belief": "", "read": ""}
            for one, weight in (
                ("vocab", 0.9),
                ("FP8", None),
                ("FP-8", None),
                ("float8", None),
                ("vocabulary", 0.9),
            )
        ],
        "mistakes": [],
    }
    told = short.remarks(Answer(typed="other"), SHORT_BODY, key)
    assert [(one.title, one.rationale_html) for one in told[1:]] == [
        ("Accepted: FP8; also accepted: float8", "<p>FP8</p>"),
        ("Accepted, counts 90 %: vocab", "<p>vocab</p>"),
        ("Accepted, counts 90 %: vocabulary", "<p>vocabulary</p>"),
    ]
    (full, *_) = short.remarks(Answer(), SHORT_BODY, key)  # beside another key every form counts
    assert full.title == "Accepted: FP8; also accepted: FP-8, float8"


def test_meaning_is_of_accepted_words_not_of_their_spelling():
    reworded = {
        **SHORT_KEY,
        "accepted": [{**one, "text": one["text"].upper()} for one in SHORT_KEY["accepted"]],
    }
    assert short.meaning(SHORT_BODY, reworded) == short.meaning(SHORT_BODY, SHORT_KEY)
    assert short.meaning({"exact": True}, reworded) != short.meaning({"exact": True}, SHORT_KEY)
    less = {**SHORT_KEY, "accepted": SHORT_KEY["accepted"][:1]}
    assert short.meaning(SHORT_BODY, less) != short.meaning(SHORT_BODY, SHORT_KEY)


def test_nothing_else():
    assert short.said(Answer(typed="x"), SHORT_BODY) == "x"
    assert short.pieces(SHORT_BODY) == Pieces()
    assert short.parts(Answer(typed="x"), SHORT_BODY, SHORT_KEY) == ()
