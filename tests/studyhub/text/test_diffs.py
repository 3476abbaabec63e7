import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyhub.text.diffs import Change, changed_paragraphs, word_diff

WORDS = st.lists(st.sampled_from(["a", "of", "cache", "weights", "16", "GB,", "bits."]), max_size=12).map(
    " ".join
)


@pytest.mark.parametrize(
    ("old", "new", "pieces"),
    [
        ("", "", ()),
        ("one two", "one two", (("same", "one two"),)),
        ("one  two", "one two", (("same", "one two"),)),
        ("", "one", (("new", "one"),)),
        ("one", "", (("gone", "one"),)),
        (
            "eight bits are faster than four",
            "eight bits are slower than four",
            (("same", "eight bits are"), ("gone", "faster"), ("new", "slower"), ("same", "than four")),
        ),
        # a short word between two changes goes with them
        ("long red of blue house", "long pink of green house",
         (("same", "long"), ("gone", "red of blue"), ("new", "pink of green"), ("same", "house"))),
    ],
)  # fmt: skip
def test_words_that_went_and_came(old, new, pieces):
    assert word_diff(old, new) == pieces


@given(WORDS, WORDS)
def test_both_texts_can_be_put_together_again(old, new):
    pieces = word_diff(old, new)
    assert " ".join(text for kind, text in pieces if kind != "new") == old
    assert " ".join(text for kind, text in pieces if kind != "gone") == new


def test_two_long_texts_are_compared_in_no_time():
    old = " ".join(f"w{n}" for n in range(20_000))
    new = " ".join(f"v{n}" for n in range(20_000))
    assert word_diff(old, new) == (("gone", old), ("new", new))


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ([("a", "one")], [("a", "one")], ()),
        ([("a", "one two")], [("a", "one three")], (Change("a", "one two", "one three"),)),
        # numbered places move when a paragraph is put in
        (
            [("s-p1", "first words"), ("s-p2", "second words")],
            [("s-p1", "put in"), ("s-p2", "first words"), ("s-p3", "second words")],
            (Change("s-p1", "", "put in"),),
        ),
        # the author's anchor holds, however little is left
        ([("key", "one two")], [("key", "three four")], (Change("key", "one two", "three four"),)),
        # without one, likeness tells
        (
            [("s-p1", "decode reads all the weights")],
            [("s-p1", "a new one"), ("s-p2", "decode reads all weights")],
            (Change("s-p1", "", "a new one"), Change("s-p2", "decode reads all the weights", "decode reads all weights")),
        ),
        # one that only moved says the same
        ([("a", "one"), ("b", "two")], [("b", "two"), ("a", "one")], ()),
        ([("a", "one"), ("b", "two"), ("c", "three")], [("a", "one"), ("c", "three")], (Change("a", "two", ""),)),
        ([("", "gone first"), ("a", "one")], [("a", "one")], (Change("", "gone first", ""),)),
        ([], [("a", "one")], (Change("a", "", "one"),)),
        ([("a", "one")], [], (Change("", "one", ""),)),
        # what has no anchor is linked to by the paragraph above
        ([("a", "one"), ("", "row 1")], [("a", "one"), ("", "row 2")], (Change("a", "row 1", "row 2"),)),
    ],
)  # fmt: skip
def test_paragraphs_that_changed(old, new, changes):
    assert changed_paragraphs(old, new) == changes
