"""Texts that are made at once: what they say, and that nothing in them can break out."""

import re

import pytest

from quizzes.queries import Dot, OptionFeedback, OptionView, ParagraphLink
from quizzes.templatetags.quizzes import certainties, dots, options, places, reasons

HOSTILE = "\"'><script>&"
WAY = ParagraphLink("/c/course/chapter/?back=/x&y#here", "Here, paragraph 1")


def told(**extra):
    plain = {
        "id": "t1",
        "letter": "A",
        "digit": 1,
        "html": "<b>One</b>",
        "chosen": False,
        "right": False,
        "rationale_html": "<p>Because.</p>",
        "misconception": "",
        "read": None,
        "first": False,
    }
    return OptionFeedback(**{**plain, **extra})


@pytest.mark.parametrize(
    ("dot", "classes"),
    [
        (Dot(1, "unseen", False, False, False), "unseen"),
        (Dot(1, "right", True, False, True), "right flagged here"),
        (Dot(1, "partly", False, True, False), "partly unsure"),
    ],
)
def test_dot_says_state_and_marks(dot, classes):
    assert dots([dot]) == f'<i class="{classes}"></i>'


def test_place_is_a_link_with_its_state_in_words_and_as_a_sign():
    line = [Dot(1, "wrong", True, False, False), Dot(2, "unseen", False, False, True)]
    assert places(line, "/attempts/x/?q=") == (
        '<a class="wrong" href="/attempts/x/?q=1">1<span class="away">, wrong, flagged</span>'
        '<span class="sign" aria-hidden="true">✕⚑</span></a>'
        '<a class="unseen" href="/attempts/x/?q=2" aria-current="true">2<span class="away">, unseen</span>'
        '<span class="sign" aria-hidden="true"></span></a>'
    )


def test_address_of_places_is_escaped():
    assert HOSTILE not in places([Dot(1, "right", False, False, False)], HOSTILE)


@pytest.mark.parametrize("chosen", [None, 1, 2, 3])
def test_certainty_that_was_given_stays_checked(chosen):
    checked = re.findall(r'value="(\d)" checked', certainties(chosen))
    assert checked == ([str(chosen)] if chosen else [])


@pytest.mark.parametrize(("kind", "box"), [("single", "radio"), ("multiple", "checkbox")])
def test_options_are_boxes_of_their_kind(kind, box):
    shown = [OptionView("t1", "A", 1, "<b>One</b>", False), OptionView("t2", "B", 2, "Two", True)]
    text = options(shown, kind)
    assert text.count(f'type="{box}"') == 2
    assert re.findall(r'value="(\w+)"( checked)?', text) == [("t1", ""), ("t2", " checked")]
    assert "<span><b>One</b></span>" in text
    assert not {"right", "wrong", "rationale"} & set(re.findall(r"\w+", text))


@pytest.mark.parametrize(
    ("chosen", "right", "said"),
    [
        (True, True, "✓ your answer"),
        (True, False, "✕ your answer"),
        (False, True, "✓ right"),
        (False, False, "why it fails"),
    ],
)
def test_reason_says_what_the_option_was(chosen, right, said):
    text = reasons([told(chosen=chosen, right=right, first=chosen or right)], [], None)
    assert f">{said}</span>" in text
    assert ("<details open>" in text) is (chosen or right)
    assert '<div class="why" data-rationale="t1">' in text
    assert "<p>Because.</p>" in text


@pytest.mark.parametrize(
    ("chosen", "settles", "named"), [(False, True, 0), (True, True, 1), (False, False, 1)]
)
def test_paragraph_is_named_where_it_is_another_one_or_at_what_was_chosen(chosen, settles, named):
    text = reasons([told(chosen=chosen, read=WAY)], [], WAY if settles else None)
    assert text.count('href="/c/course/chapter/?back=/x&amp;y#here"') == named


def test_ids_beliefs_and_labels_are_escaped():
    text = reasons([told(id=HOSTILE, misconception=HOSTILE, read=ParagraphLink(HOSTILE, HOSTILE))], [], None)
    assert HOSTILE not in text + options([OptionView(HOSTILE, "A", 1, "", False)], "single")
