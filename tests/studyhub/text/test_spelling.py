"""Which word was meant: likely slips are mended, other words stay."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyhub.text.spelling import FAR, distance, likest

WORDS = (
    "quantization",
    "cache",
    "cached",
    "calibration",
    "tensorrt-llm",
    "latency",
    "memory",
    "flat",
    "option",
    "fp8",
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("quantizaton", "quantization"),  # one too few
        ("quantizattion", "quantization"),  # one too many
        ("quantiaztion", "quantization"),  # swapped
        ("quamtization", "quantization"),  # the key beside it
        ("quantisation", "quantization"),  # sounds alike
        ("kuantization", "quantization"),
        ("uqantization", "quantization"),  # the first two swapped
        ("quamtizatoin", "quantization"),  # two slips in a long word
        ("QUANTIZATON", "quantization"),
        ("cahce", "cache"),
        ("chache", "cache"),
        ("tensorrtllm", "tensorrt-llm"),
        ("tensort-llm", "tensorrt-llm"),
        ("flta", "flat"),
        ("banana", ""),
        ("zzz", ""),
        ("", ""),
        ("-", ""),
        ("cache", ""),  # itself is no other word
        ("operation", ""),
        ("float8", ""),
        ("fp16", ""),
        ("f8p", ""),
        ("flan", ""),  # of four letters
        ("flats", ""),  # another form
        ("latencies", ""),
        ("memoryless", ""),
        ("recalibration", ""),
        ("optima", ""),
        ("mache", ""),  # another first letter
        ("kwantisasion", ""),  # too many slips
        ("optiqn", ""),  # a letter that nobody types for another
    ],
)
def test_likest_word(typed, meant):
    assert likest(typed, WORDS) == meant


def test_of_two_the_nearer_one_and_then_the_more_frequent_one():
    assert likest("tokeen", ("tokens", "token")) == "token"
    assert likest("batcj", ("batch", "batcg")) == "batch"
    assert likest("batcj", ("batcg", "batch")) == "batcg"


@pytest.mark.parametrize(
    ("typed", "meant", "slips"),
    [("cache", "cache", 0), ("cahce", "cache", 1), ("kv-cache", "kvcache", 0), ("csche", "cache", 1),
     ("latexcy", "latency", 2), ("cash", "cache", 4), ("abcdef", "uvwxyz", FAR)],
)  # fmt: skip
def test_slips_are_counted(typed, meant, slips):
    assert distance(typed, meant, 4) == slips


@given(st.lists(st.text("abckns-8", min_size=1, max_size=9), min_size=2, max_size=2))
def test_slips_are_the_same_there_and_back_and_none_only_for_the_same_word(words):
    one, other = (f"words{word}" for word in words)
    same = one.replace("-", "") == other.replace("-", "")
    assert (distance(one, other) == 0) == same
    assert distance(one, other) == distance(other, one)


def test_a_word_is_never_changed_into_one_with_other_digits():
    versions = [f"hopper{number}" for number in range(90, 110)]
    assert [likest(one, [other]) for one, other in pairwise(versions)] == [""] * 19
    assert likest("hoper100", versions) == "hopper100"
