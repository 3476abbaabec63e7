"""Extracts around what matched, and likely other spellings."""

from dataclasses import replace

import pytest

from chapters.queries.passages import (
    BEGIN,
    END,
    LONGEST,
    extract_of,
    likest,
    suggestion_for,
    words_of,
)
from tests.quizzes.goods import chapter_goods, section, shelve_course

WORDS = ("quantization", "cache", "cached", "calibration", "tensorrt-llm", "latency", "memory")


def mark(text):
    return text.replace("[", BEGIN).replace("]", END)


def shown(text):
    plain = text.replace("[", "").replace("]", "")
    return extract_of(mark(text), plain).replace(BEGIN, "[").replace(END, "]")


@pytest.mark.parametrize(
    "text", ["", "Plain.", "[Cache]", "The [KV] [cache] keeps [keys].", "Nothing of it " + "x" * 200]
)
def test_short_text_stays_whole(text):
    assert shown(text) == text


def test_signs_that_postgres_did_not_see_are_shown():
    assert extract_of(mark(" [a]   b  amp; c"), "“a” <b> &amp; c") == mark("“[a]” <b> &amp; c")


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
    ("typed", "meant"),
    [
        ("quantizaton", "quantization"),
        ("quantisation", "quantization"),
        ("kuantization", "quantization"),
        ("cahce", "cache"),
        ("chache", "cache"),
        ("calibraton", "calibration"),
        ("tensorrtllm", "tensorrt-llm"),
        ("latencies", "latency"),
        ("banana", ""),
        ("zzz", ""),
    ],
)
def test_likest_word(typed, meant):
    assert likest(typed, WORDS) == meant


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("quantizaton", "quantization"),
        ("Quantizaton of caches", "quantization of caches"),
        ('"kv cahce" -quantization', '"kv cache" -quantization'),
        ("quantize", ""),
        ("banana", ""),
        ("the", ""),
        ("4.5 %", ""),
        ("' OR 1=1 --", ""),
    ],
)
def test_suggestion_mends_only_what_the_course_does_not_have(text, meant):
    words = section("here", "Quantization of a KV cache, quantization again.")
    course, _ = shelve_course(chapter=replace(chapter_goods(), sections=(words,)))
    words_of.cache_clear()
    assert suggestion_for(text, course.pk, course.release_id) == meant
