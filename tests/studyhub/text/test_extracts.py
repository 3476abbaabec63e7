"""The part of a text to show."""

import re

import pytest

from studyhub.text.extracts import BEGIN, END, LONGEST, extract_of, likely_for, likely_words


def shown(text):
    """The extract of a text in which what matched stands in brackets."""
    spans = []
    for found in re.finditer(r"\[(.*?)\]", text):
        start = found.start() - 2 * len(spans)
        spans.append((start, start + len(found[1])))
    plain = text.replace("[", "").replace("]", "")
    return extract_of(plain, spans).replace(BEGIN, "[").replace(END, "]")


@pytest.mark.parametrize(
    "text", ["", "Plain.", "[Cache]", "The [KV] [cache] keeps [keys].", "Nothing of it " + "x" * 200]
)
def test_short_text_stays_whole(text):
    assert shown(text) == text


def test_long_text_is_cut_where_most_matched():
    text = "Start. " + "word " * 100 + "Then a [cache] and a [cache]. " + "more " * 100 + "[cache]"
    found = shown(text)
    assert "Then a [cache] and a [cache]." in found
    assert found.startswith("… ")
    assert found.endswith(" …")
    assert len(found) <= LONGEST + 8


def test_extract_begins_with_a_sentence_that_begins_near():
    text = "word " * 100 + "end. The sentence has a [cache] in it. " + "more " * 100
    assert shown(text).startswith("… The sentence has a [cache] in it.")


def test_early_match_keeps_the_beginning():
    assert shown("The [cache] " + "word " * 200).startswith("The [cache] word")


def test_text_without_a_blank_is_cut_all_the_same():
    found = shown("[a]" + "x" * 900)
    assert found.startswith("[a]xxx")
    assert len(found) <= LONGEST + 4


def test_long_text_without_a_match_shows_its_beginning():
    assert shown("word " * 200).startswith("word word")


@pytest.mark.parametrize(
    ("stems", "text", "words"),
    [
        ({"quantiz"}, "Quantized, requantize, quantity, quantum.", ["quantized", "quantity"]),
        ({"die"}, "die Dying dig", ["die", "dig"]),
        ({"a-b", "b"}, "A-b b a-bc", ["a-b", "b", "bc"]),
        ({"x"}, "x X xy 2x", ["x", "x", "xy"]),
        (set(), "anything", []),
    ],
)
def test_likely_words_begin_as_a_stem_does(stems, text, words):
    found = likely_words(text, likely_for(frozenset(stems)))
    assert [one.text for one in found] == words
    assert [text[slice(*one.span)].lower() for one in found] == words
