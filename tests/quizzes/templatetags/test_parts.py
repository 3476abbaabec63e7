"""Rows, items and gaps as text: what they say, and that nothing in them can break out."""

import re

import pytest

from quizzes.kinds.cloze import blank
from quizzes.queries import OptionView, ParagraphLink
from quizzes.queries.shapes import FieldView, PartFeedback
from quizzes.templatetags.parts import gapped, items, part_reasons, rows, words_of

HOSTILE = "\"'><script>&"
WAY = ParagraphLink("/c/course/chapter/?back=/x&y#here", "Here, paragraph 1")
CHOICES = [
    OptionView("t1", "A", 1, "<b>32</b> bits", False),
    OptionView("t2", "B", 2, "4 &lt; 8", False),
]


def field(**extra):
    plain = {"id": "", "digit": 1, "html": "<b>FP32</b>", "hint": "", "value": "", "invalid": False}
    return FieldView(**{**plain, **extra})


def part(**extra):
    plain = {
        "digit": 1,
        "html": "<b>FP32</b>",
        "yours_html": "4",
        "right": False,
        "wanted_html": "32",
        "rationale_html": "<p>Because.</p>",
        "misconception": "",
        "read": None,
    }
    return PartFeedback(**{**plain, **extra})


def test_words_of_maths_and_marks():
    assert (
        words_of('<b>a</b> <math alttext="x">y<annotation>\\x</annotation></math> "z"') == "a y &quot;z&quot;"
    )


def test_row_is_labelled_and_keeps_its_choice():
    text = rows([field(value="t2"), field(digit=2, invalid=True)], CHOICES)
    assert (
        re.findall(r'for="(part-\d)"', text)
        == re.findall(r'select id="(part-\d)"', text)
        == ["part-1", "part-2"]
    )
    assert re.findall(r'value="(\w*)" selected>([^<]*)<', text) == [("t2", "4 &lt; 8")]
    assert text.count('aria-invalid="true"') == 1
    assert text.count('<option value="t1">32 bits</option>') == 2


def test_item_sends_its_id_before_its_place():
    text = items([field(id="t1", value="#2"), field(id="t2", digit=2)])
    assert re.findall(r'name="choice" value="(t\d)"', text) == ["t1", "t2"]
    assert re.findall(r'value="(#\d)" selected', text) == ["#2"]
    assert re.findall(r'aria-label="(Move \w+: [^"]*)"', text)[:2] == ["Move up: FP32", "Move down: FP32"]
    assert text.count('Put at <i>1</i><span class="away">: FP32</span></button>') == 2
    assert text.count('<option value="">not placed</option>') == 2


def test_gap_is_named_with_its_hint_and_escaped():
    text = gapped(f"In {blank(1)} and {blank(2)}.", [field(hint=HOSTILE, value=HOSTILE), field(digit=2)])
    assert "<script>" not in text
    assert re.findall(r'aria-label="(Gap \d)[,"]', text) == ["Gap 1", "Gap 2"]
    assert text.count('form="answer"') == 2


def test_gaps_are_equally_wide_whatever_they_take():
    assert len(gapped(blank(1), [field()])) == len(gapped(blank(1), [field()]))
    assert 'size="12"' in gapped(blank(1), [field()])


@pytest.mark.parametrize(
    ("told", "kind", "pair"),
    [
        (part(), "match", "Yours: 4. Right: 32."),
        (part(right=True, yours_html="32"), "match", "Yours: 32."),
        (part(yours_html=""), "match", "Right: 32."),
        (
            part(right=True, yours_html="place 2", wanted_html="place 2, right after 1"),
            "order",
            "Yours: place 2. Right: place 2, right after 1.",
        ),
    ],
)
def test_pair_of_given_and_right(told, kind, pair):
    text = part_reasons([told], kind, None)
    assert re.sub("<[^>]*>", "", re.search(r'<small class="pair">(.*?)</small>', text)[1]) == pair


@pytest.mark.parametrize(
    ("told", "mark", "opened"),
    [
        (part(), "✕ wrong", True),
        (part(right=True), "✓ right", False),
        (part(yours_html=""), "not answered", True),
    ],
)
def test_sign_and_word_of_a_part(told, mark, opened):
    text = part_reasons([told], "match", None)
    assert mark in text
    assert ("<details open>" in text) is opened


def item(digit, place, right):
    wanted = f"place {digit}" + (f", right after {digit - 1}" if digit > 1 else "")
    return part(digit=digit, yours_html=f"place {place}" if place else "", right=right, wanted_html=wanted)


def test_order_says_its_rule_and_no_item_contradicts_its_place():
    text = part_reasons(
        [item(1, 2, False), item(2, 1, False), item(3, 3, False), item(4, 4, True)], "order", None
    )
    assert re.search('<p class="how">(.*?)</p>', text)[1] == (
        "Neighbouring pairs decide the credit, not places: each item should come right after the one "
        "that stands above it here. 1 of 3 pairs are right."
    )
    assert re.findall('<span class="mark said">(.*?)</span>', text) == [
        "✕ should come first",
        "✕ should come right after 1",
        "◐ in its place, yet not right after 2",
        "✓ comes right after 3",
    ]
    assert re.findall('<li class="opt part chosen (\\w*)"', text) == ["wrong", "wrong", "", "right"]


def test_order_without_an_answer_has_no_rule():
    text = part_reasons([item(1, 0, False), item(2, 0, False)], "order", None)
    assert 'class="how"' not in text
    assert text.count("not answered") == 2


def test_paragraph_is_named_at_a_wrong_part_or_where_it_is_another():
    assert "Read the paragraph" in part_reasons([part(read=WAY)], "match", WAY)
    assert "Read the paragraph" not in part_reasons([part(read=WAY, right=True)], "match", WAY)
    assert "Read the paragraph" in part_reasons([part(read=WAY, right=True)], "match", None)


def test_belief_is_escaped_and_no_parts_say_nothing():
    assert "<script>" not in part_reasons([part(misconception=HOSTILE)], "cloze", None)
    assert part_reasons([], "single", None) == ""
