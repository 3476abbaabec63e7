"""Marked words are found after an edit: the rule is half of the words, and a word spelt anew is there."""

import random
from itertools import pairwise

import pytest

from studyhub.text.moves import LEAST, moved

TEXT = "The decode phase reads all weigths once for every token, so bandwidth is the bound"


def place(text, words):
    start = text.index(words)
    return start, start + len(words)


def now(old, new, words, anchor="p"):
    old, new = ({"p": one} if isinstance(one, str) else one for one in (old, new))
    found = moved(old, new, anchor, *place(old[anchor], words))
    return None if found is None else (found.anchor, new[found.anchor][found.start : found.end])


@pytest.mark.parametrize(
    ("words", "old", "new", "wanted"),
    [
        ("all weigths once", "weigths", "weights", "all weights once"),
        ("weigths", "weigths", "weights", "weights"),
        ("eigth", "weigths", "weights", "eight"),
        ("reads all", "The decode", "Now, in short, the decode", "reads all"),
        ("decode phase", "decode phase", "decode (generation) phase", "decode (generation) phase"),
        ("The decode phase reads", "decode ", "", "The phase reads"),
        ("for every token, so", "every token", "each new token", "for each new token, so"),
        ("bound", "bound", "limit", None),
        ("every token", "every token", "all of them", None),
        ("The", "The", "the", "the"),
        ("is the bound", "bound", "bound 🙂", "is the bound"),
    ],
)
def test_marked_words_after_an_edit(words, old, new, wanted):
    found = now(TEXT, TEXT.replace(old, new), words)
    assert found == (None if wanted is None else ("p", wanted))


def test_words_marked_twice_keep_their_own_place():
    old, new = "one two one two", "zero one two one two"
    assert [moved({"p": old}, {"p": new}, "p", at, at + 3) for at in (0, 8)] == [
        type(moved({"p": old}, {"p": new}, "p", 0, 3))("p", at + 5, at + 8, 1.0) for at in (0, 8)
    ]


PARTS = {"a": "Memory holds the weights and the cache.", "b": "Latency grows with the batch size you choose."}


@pytest.mark.parametrize(
    ("new", "wanted"),
    [
        ({"x": PARTS["b"], "a": PARTS["a"]}, ("x", "the batch size")),
        ({"a": PARTS["a"], "b": "A new one.", "c": PARTS["b"]}, ("c", "the batch size")),
        ({"a": f"{PARTS['a']} {PARTS['b']}"}, ("a", "the batch size")),
        ({"a": PARTS["a"], "b": "Latency grows.", "c": "It grows with the batch size you choose."}, ("c", "the batch size")),
        ({"a": PARTS["a"]}, None),
    ],
)  # fmt: skip
def test_paragraphs_that_moved_joined_or_were_split(new, wanted):
    assert now(PARTS, new, "the batch size", "b") == wanted


@pytest.mark.parametrize("text", ["", "   "])
def test_nothing_marked_is_nowhere(text):
    assert moved({"p": text}, {"p": "words"}, "p", 0, 2) is None


def test_unchanged_text_keeps_every_place_and_edits_never_leave_the_paragraph():
    lot = random.Random(20)
    words = TEXT.split()
    for _ in range(400):
        first = lot.randrange(len(words))
        last = lot.randrange(first, len(words))
        start = len(" ".join(words[:first])) + bool(first)
        end = len(" ".join(words[: last + 1]))
        assert moved({"p": TEXT}, {"p": TEXT}, "p", start, end).start == start
        new = list(words)
        for _ in range(lot.randrange(1, 4)):
            at = lot.randrange(len(new))
            new[at : at + lot.randrange(2)] = lot.choice([[], ["inserted"], ["two", "more"]])
        text = " ".join(new)
        found = moved({"p": TEXT}, {"p": text}, "p", start, end)
        if found is None:
            continue
        assert 0 <= found.start < found.end <= len(text)
        assert found.kept >= LEAST
        assert text[found.start : found.end] == text[found.start : found.end].strip()


def test_typos_mended_one_after_the_other_lead_where_they_lead_at_once():
    steps = [
        TEXT,
        TEXT.replace("weigths", "weights"),
        TEXT.replace("weigths", "weights").replace("bandwidth", "Bandwidth"),
    ]
    at = place(TEXT, "weigths once for every token, so bandwidth")
    for old, new in pairwise(steps):
        found = moved({"p": old}, {"p": new}, "p", *at)
        at = found.start, found.end
    once = moved(
        {"p": steps[0]}, {"p": steps[-1]}, "p", *place(TEXT, "weigths once for every token, so bandwidth")
    )
    assert at == (once.start, once.end)
