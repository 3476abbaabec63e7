"""When two typed answers are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.kinds.words import also, compared, folded, near


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("key-value", "Key value"),
        ("key—value", "key value"),
        ("key - value", "key value"),
        ("8-bit", "8 bit"),
        ("time-to-first-token", "time to first token"),
        ("k-means", "k means"),
    ],
)
def test_dash_between_words_is_a_space_in_a_typed_answer(one, other):
    assert compared(one) == compared(other)
    assert folded(one) != folded(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("key-value", "keyvalue"),
        ("-3", "3"),
        ("−3", "3"),
        ("1e-5", "1e 5"),
        ("10-3", "10 3"),
        ("FP-8", "FP 8"),
        ("n-k", "n k"),
        ("10-x", "10 x"),
        ("value-", "value"),
        ("- value", "value"),
    ],
)
def test_dash_that_may_be_a_minus_stays(one, other):
    assert compared(one) != compared(other)


@given(st.text(alphabet=st.sampled_from("aB9- −_é"), max_size=12) | st.text(max_size=40), st.booleans())
def test_folded_twice_is_folded_once(text, exact):
    for fold in (folded, compared):
        once = fold(text, exact=exact)
        assert fold(once, exact=exact) == once


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
    ("forms", "line"),
    [
        (["bandwidth"], "bandwidth"),
        (["FP8", "FP-8", "fp 8", "float8"], "FP8; also accepted: float8"),
        (["±", "+"], "±; also accepted: +"),
        (["1.6", "16", "-16"], "1.6; also accepted: 16, -16"),
        (["max_num_tokens", "max num tokens", "maxnumtokens"], "max_num_tokens"),
        (["the tokenizer", "Tokenizers", "tokeniser"], "the tokenizer; also accepted: tokeniser"),
        (["ms", "m", "a"], "ms; also accepted: m, a"),
        (list("abcdefghi"), "a; also accepted: b, c, d, e, f, g and 2 more"),
    ],
)
def test_accepted_forms_in_one_line(forms, line):
    assert also(forms) == line


def test_every_form_is_named_where_two_keys_are_compared():
    assert also(["channels", "channel", "FP8", "FP-8"], every=True) == (
        "channels; also accepted: channel, FP8, FP-8"
    )
    assert also("abcdefghi", every=True).endswith("f, g, h, i")


def test_case_tells_forms_apart_where_it_counts():
    assert also(["gib", "GIB"], exact=True) == "gib; also accepted: GIB"
