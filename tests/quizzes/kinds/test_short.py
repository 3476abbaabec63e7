"""Typed words: what is accepted, what counts less, which mistake is behind the rest."""

import pytest

from quizzes.kinds import short
from quizzes.kinds.shapes import Answer, AnswerProblem, Pieces, Remark

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
        ("the calibration data.", ("right", 1.0, ())),
        ("calibration_data", ("right", 1.0, ())),
        ("calibration data (calibrating data)", ("right", 1.0, ())),
        ("calibration data, calibration set", ("partly", 0.9, ())),
        ("calibration data or training data", ("wrong", 0.0, ("wide",))),
        ("calibration data (something)", ("wrong", 0.0, ())),
        ("the training data", ("wrong", 0.0, ("wide",))),
        ("training data", ("wrong", 0.0, ("wide",))),
        ("something", ("wrong", 0.0, ())),
    ],
)
def test_mark(typed, verdict):
    assert marked(typed) == verdict


def test_case_counts_where_exact():
    assert marked("Calibration data", exact=True) == ("wrong", 0.0, ())


@pytest.mark.parametrize("typed", ["the calibration data", "calibration-data", "calibration data."])
def test_every_sign_counts_where_strict(typed):
    assert marked(typed, exact=True) == ("right", 1.0, ())
    assert marked(typed, exact=True, strict=True) == ("wrong", 0.0, ())


def test_accepted_answers_are_met_before_mistakes():
    both = {**SHORT_KEY, "mistakes": [{**SHORT_KEY["mistakes"][0], "text": "the calibration data"}]}
    assert short.mark(Answer(typed="the calibration data"), SHORT_BODY, both).state == "right"


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
        (
            "the data",
            [
                (
                    "yours",
                    "Your answer: the data",
                    f'{short.UNEXPECTED}<p>Word by word beside “calibration data”:</p><p class="diff">'
                    '<ins><span class="away">missing: </span>calibration</ins> data</p>',
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
    twice = {
        **SHORT_KEY,
        "accepted": [*SHORT_KEY["accepted"], {**SHORT_KEY["accepted"][0], "text": "the calibration-data"}],
    }
    assert short.meaning(SHORT_BODY, twice) == short.meaning(SHORT_BODY, SHORT_KEY)
    assert short.meaning({"exact": True, "strict": True}, SHORT_KEY) != short.meaning(
        {"exact": True}, SHORT_KEY
    )
    less = {**SHORT_KEY, "accepted": SHORT_KEY["accepted"][:1]}
    assert short.meaning(SHORT_BODY, less) != short.meaning(SHORT_BODY, SHORT_KEY)


def test_nothing_else():
    assert short.said(Answer(typed="x"), SHORT_BODY) == "x"
    assert short.pieces(SHORT_BODY) == Pieces()
    assert short.parts(Answer(typed="x"), SHORT_BODY, SHORT_KEY) == ()


@pytest.mark.parametrize(
    ("typed", "detail"), [("calibration set", "counts 90 %"), ("calibration data", ""), ("other", "")]
)
def test_detail_says_how_much_less_counts(typed, detail):
    assert short.mark(Answer(typed=typed), SHORT_BODY, SHORT_KEY).detail == detail


@pytest.mark.parametrize(
    ("weight", "verdict"),
    [
        (0.0, ("wrong", 0.0, "counts 0 %")),
        (-0.5, ("wrong", 0.0, "counts 0 %")),
        (1.0, ("right", 1.0, "")),
        (1.5, ("right", 1.5, "")),
    ],
)
def test_weight_at_the_ends(weight, verdict):
    key = {**SHORT_KEY, "accepted": [{**SHORT_KEY["accepted"][0], "weight": weight}]}
    mark = short.mark(Answer(typed="calibration data"), SHORT_BODY, key)
    assert (mark.state, mark.fraction, mark.detail) == verdict


def entry(text, weight=None, read="small#a", belief="no belief of an accepted one"):
    return {"text": text, "weight": weight, "rationale": f"<p>{text}</p>", "belief": belief, "read": read}


def test_remarks_in_full():
    key = {
        "accepted": [entry("GiB"), entry("gibi", 0.5)],
        "mistakes": [{**entry("GB", belief="The belief"), "misconception": "wide", "read": "small#b"}],
    }
    full = Remark("accepted", "Accepted: GiB", False, True, "<p>GiB</p>", "", "small#a")
    less = Remark("accepted", "Accepted, counts 50 %: gibi", False, True, "<p>gibi</p>", "", "small#a")
    assert short.remarks(Answer(typed="GB"), SHORT_BODY, key) == (
        Remark("yours", "Your answer: GB", True, False, "<p>GB</p>", "The belief", "small#b"),
        full,
        less,
    )
    assert short.remarks(Answer(typed="x"), SHORT_BODY, key)[0] == Remark(
        "yours", "Your answer: x", True, False, short.UNEXPECTED, "", ""
    )
    assert short.remarks(Answer(typed="gibi"), SHORT_BODY, key) == (
        Remark("accepted", "Your answer: gibi", True, True, "<p>gibi</p>", "", "small#a"),
        full,
    )


@pytest.mark.parametrize(
    ("exact", "title"), [(True, "Accepted: GiB; also accepted: gib"), (False, "Accepted: GiB")]
)
def test_case_is_told_where_it_counts(exact, title):
    key = {"accepted": [entry("GiB"), entry("gib"), entry("half", 0.5)], "mistakes": []}
    assert short.remarks(Answer(typed="x"), {"exact": exact}, key)[1].title == title
    assert short.remarks(Answer(typed="half"), {"exact": exact}, key)[1].title == title


@pytest.mark.parametrize(("exact", "close"), [(True, True), (False, False)])
def test_case_is_a_slip_where_it_counts(exact, close):
    key = {"accepted": [entry("gibibyte"), entry("kibibyte")], "mistakes": []}
    told = short.remarks(Answer(typed="Gibibyte"), {"exact": exact}, key)[0]
    assert ("Close to “gibibyte”" in told.rationale_html) is close


def test_answers_that_count_in_full_are_one_whatever_their_reasons():
    key = {"accepted": [entry("one"), entry("two", read=""), entry("three")], "mistakes": []}
    assert [one.title for one in short.remarks(Answer(typed="x"), SHORT_BODY, key)][1:] == [
        "Accepted: one; also accepted: two, three"
    ]


def test_meaning_is_how_words_are_compared_and_what_they_weigh():
    forms = [("calibrating data", 1.0), ("calibration data", 1.0), ("calibration set", 0.9)]
    assert short.meaning(SHORT_BODY, SHORT_KEY) == [False, forms]
    assert short.meaning({"exact": True, "strict": True}, SHORT_KEY) == [True, forms, "strict"]
