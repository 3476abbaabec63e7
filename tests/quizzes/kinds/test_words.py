"""When two typed answers are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.kinds.words import folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("KV cache", "  kv   CACHE "),
        ("ﬁne", "fine"),
        ("E4M3", "Ｅ４Ｍ３"),
        ("draft’s", "draft's"),
        ("post\u2011training", "post-training"),
        ("straße", "STRASSE"),
        ("e\u0301", "é"),
    ],
)
def test_same_words(one, other):
    assert folded(one) == folded(other)


@pytest.mark.parametrize(("one", "other"), [("KV cache", "KVcache"), ("fp8", "fp 8"), ("a", "")])
def test_other_words(one, other):
    assert folded(one) != folded(other)


def test_case_counts_where_the_question_says_so():
    assert folded(" MB ", exact=True) == "MB"
    assert folded("Mb", exact=True) != folded("MB", exact=True)


@given(st.text(max_size=40), st.booleans())
def test_folded_twice_is_folded_once(text, exact):
    once = folded(text, exact=exact)
    assert folded(once, exact=exact) == once
