import pytest

from studyhub.text.edits import SUBSTANTIVE, TYPO, weigh_edit

FILLER = " ".join(f"word{'abcdefgh'[n % 8]}{'xyz'[n % 3]}" for n in range(400))


def weight(old, new, filler=FILLER):
    return weigh_edit([("", filler), ("a", old)], [("", filler), ("a", new)])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("the same words", "the same words"),
        ("the cahce holds keys", "the cache holds keys"),
        ("keys, values and scales", "keys values, and scales."),
        ("Keys are kept", "keys are kept"),
        ("we store keys here quite plainly", "we keep keys here rather simply"),
    ],
)
def test_small_repairs_are_typos(old, new):
    assert weight(old, new) == TYPO


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("takes 16 bytes", "takes 8 bytes"),
        ("takes 16 GB here", "takes 16 GiB here"),
        ("takes a few Gb here", "takes a few GB here"),
        ("it is faster", "it is not faster"),
        ("it doesn’t help", "it does help"),
        ("it increases latency", "it decreases latency"),
        ("before the load", "after the load"),
        ("two stages", "three stages"),
        ("use only the first", "use the first"),
        (r"\alpha grows", r"\beta grows"),
        ("the value n holds", "the value m holds"),
        ("x = y", "x > y"),
        ("one two three alpha beta gamma delta", "one two three other words stand here now entirely anew"),
    ],
)
def test_what_turns_a_statement_or_is_long_is_substantive(old, new):
    assert weight(old, new) == SUBSTANTIVE


@pytest.mark.parametrize(("words", "expected"), [(6, TYPO), (7, SUBSTANTIVE)])
def test_at_most_six_words(words, expected):
    def said(mark):
        return " ".join(f"{mark}{letter * 3}" for letter in "pqrstuv"[:words])

    assert weight(said("old"), said("new")) == expected


@pytest.mark.parametrize(("around", "expected"), [(97, SUBSTANTIVE), (98, SUBSTANTIVE), (99, TYPO)])
def test_fewer_than_two_in_a_hundred(around, expected):
    filler = " ".join(["filler"] * around)
    assert weight("red house", "pink home", filler) == expected


def test_one_word_is_little_in_a_short_section():
    assert weigh_edit([("", "a shrot text")], [("", "a short text")]) == TYPO


def test_new_paragraph_and_lost_paragraph_count_their_words():
    text, more = ("a", FILLER), ("b", "this is put in as a paragraph of its own")
    assert weigh_edit([text], [text, more]) == SUBSTANTIVE
    assert weigh_edit([text, more], [text]) == SUBSTANTIVE


def test_other_order_weighs_nothing():
    assert weigh_edit([("a", "alpha"), ("b", "beta")], [("b", "beta"), ("a", "alpha")]) == TYPO
