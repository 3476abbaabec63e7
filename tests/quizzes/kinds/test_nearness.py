"""A slip, and words too many or too few, are told beside the answer; they change no mark."""

import pytest

from quizzes.kinds.nearness import beside_html, near, near_html


@pytest.mark.parametrize(
    ("typed", "form"),
    [
        ("bandwith", "bandwidth"),  # one letter too few
        ("bandwidtth", "bandwidth"),  # too many
        ("bandwidht", "bandwidth"),  # swapped
        ("bandwitth", "bandwidth"),  # another
        ("Memory bandwith", "memory bandwidth"),
        ("FFN channel", "FFN channels"),
        ("timingcache", "timing cache"),
        ("band width", "bandwidth"),
    ],
)
def test_one_slip_is_near(typed, form):
    assert near(typed, ["compute", form]) == form


@pytest.mark.parametrize(
    ("typed", "form"),
    [
        ("bandwidth", "bandwidth"),
        ("banwith", "bandwidth"),  # two letters
        ("bandwidthabc", "bandwidth"),
        ("three", "tree"),  # a short word is one letter from many
        ("float4x", "float8x"),  # a digit is no slip
        ("memry bandwith", "memory bandwidth"),
        ("", "bandwidth"),
        ("a b", "ab"),
    ],
)
def test_anything_else_is_not_near(typed, form):
    assert near(typed, [form]) == ""


def test_case_is_a_slip_only_where_it_counts():
    assert near("Gibibyte", ["gibibyte"], exact=True) == "gibibyte"
    assert near("Gibibyte", ["gibibyte"]) == ""


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (
            "time to token",
            '<p>Word by word beside “time to first token”:</p><p class="diff">time to '
            '<ins><span class="away">missing: </span>first</ins> token</p>',
        ),
        (
            "time to <b>first</b> token",
            '<p>Word by word beside “time to first token”:</p><p class="diff">time to '
            '<del><span class="away">not in it: </span>&lt;b&gt;first&lt;/b&gt;</del> '
            '<ins><span class="away">missing: </span>first</ins> token</p>',
        ),
        ("bandwith", "<p>Close to “bandwidth”: check the spelling and the ending.</p>"),
        ("capacity", ""),
        ("", ""),
    ],
)
def test_what_is_said_beside_the_accepted_forms(typed, told):
    assert beside_html(typed, ["bandwidth", "first token", "time to first token"]) == told


@pytest.mark.parametrize(
    ("typed", "form", "exact", "found"),
    [
        ("leters", "letter", False, ""),  # two slips
        ("lettex", "letter", False, "letter"),  # six letters are enough
        ("lette", "letter", False, "letter"),
        ("let ter", "letter", False, "letter"),
        ("fiv er", "fiver", False, ""),  # five are not
        ("Mebibyte", "MEbibyte", True, "MEbibyte"),
        ("Mebibyte", "MEBibyte", True, ""),
        ("kibbiyte", "kibibyte", False, "kibibyte"),  # neighbours swapped
        ("kibbiyts", "kibibyte", False, ""),  # swapped, and another letter
        ("ibkibyte", "kibibyte", False, ""),
        ("kybibite", "kibibyte", False, ""),  # swapped, and no neighbours
        ("kibibyet", "kibibyte", False, "kibibyte"),
        ("kibbyite", "kibibyte", False, ""),
        ("a  bandwith", "band width", False, ""),
    ],
)
def test_what_is_one_slip(typed, form, exact, found):
    assert near(typed, [form], exact=exact) == found


def test_near_form_in_words():
    assert near_html("") == ""
    assert near_html("<a>") == "<p>Close to “&lt;a&gt;”: check the spelling and the ending.</p>"


def word(kind, text):
    said = {"ins": "missing: ", "del": "not in it: "}[kind]
    return f'<{kind}><span class="away">{said}</span>{text}</{kind}>'


@pytest.mark.parametrize(
    ("typed", "forms", "exact", "form", "diff"),
    [
        ("first", ["first token"], False, "first token", f"first {word('ins', 'token')}"),
        (
            "a b",
            ["b c", "c d"],
            False,
            "b c",
            f"{word('del', 'a')} b {word('ins', 'c')}",
        ),  # one half is enough
        ("a b c", ["c d e"], False, "", ""),
        ("x", ["a b", "x y z"], False, "x y z", f"x {word('ins', 'y z')}"),
        ("one two x y", ["one two"], False, "one two", f"one two {word('del', 'x y')}"),
        ("First Token", ["token"], True, "", ""),
        ("First Token", ["token"], False, "token", f"{word('del', 'First')} Token"),
        (
            "First token",
            ["first token"],
            True,
            "first token",
            f"{word('del', 'First')} {word('ins', 'first')} token",
        ),
        ("First  Token now", ["the first token"], False, "the first token", None),
        (
            "First Token",
            ["First Token now"],
            True,
            "First Token now",
            f"First Token {word('ins', 'now')}",
        ),
        ("the token", ["first token"], False, "first token", f"{word('ins', 'first')} token"),
        ("x", [], False, "", ""),
        ("", ["x"], False, "", ""),
    ],
)
def test_word_by_word(typed, forms, exact, form, diff):
    told = beside_html(typed, forms, exact=exact)
    if not form:
        assert told == ""
    elif diff is None:
        assert told.startswith(f"<p>Word by word beside “{form}”:</p>")
    else:
        assert told == f'<p>Word by word beside “{form}”:</p><p class="diff">{diff}</p>'


def test_case_is_told_word_by_word_where_it_counts():
    told = beside_html("Big Red", ["big red dog"], exact=False)
    assert told.endswith(f'<p class="diff">Big Red {word("ins", "dog")}</p>')
    assert beside_html("Big Red", ["big red dog"]) == told
    assert beside_html("Big Red", ["big red dog"], exact=True) == ""
    assert beside_html("gibibyte", ["Gibibyte"], exact=True) == near_html("Gibibyte")


def test_word_that_stands_often_is_still_the_same():
    many = " a1" * 250
    told = beside_html(f"b1{many}", [f"c1{many}"])
    assert told.endswith(f'<p class="diff">{word("del", "b1")} {word("ins", "c1")}{many}</p>')
