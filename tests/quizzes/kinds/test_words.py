"""When two typed answers are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.kinds.words import also, compared, folded, met, together


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
        ("FP-8", "FP 8"),
        ("FP8-E4M3", "FP8 E4M3"),
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
        ("GPT-4", "GPT4"),
        ("x - 1", "x 1"),
        ("value - 1", "value 1"),
        ("10x-20y", "10x 20y"),
        ("n-k", "n k"),
        ("10-x", "10 x"),
        ("value-", "value"),
        ("- value", "value"),
    ],
)
def test_dash_that_may_be_a_minus_stays(one, other):
    assert compared(one) != compared(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the tokenizer", "tokenizer"),
        ("A timing cache", "timing cache"),
        ("an 8-bit float", "8 bit float"),
        ("a 2x gain", "2x gain"),
        ("TTFT.", "TTFT"),
        ("TTFT ;", "TTFT"),
        ("“TTFT”,", "TTFT"),
        ("`max_num_tokens`", "max num tokens"),
        ("«FP8»", "'FP8'"),
        ("fp8_e4m3", "FP8 E4M3"),
        ("tokenizer/vocabulary", "tokenizer vocabulary"),
        ("tokenizer / vocabulary", "tokenizer vocabulary"),
        ("FP8/E4M3", "FP8 E4M3"),
        ("FLOP/byte", "FLOP / byte"),
        ("3 / 4", "3/4"),
        ("n = 4", "n=4"),
        ("max_num_tokens: 8192", "max_num_tokens = 8,192"),
        ("FP8 (E4M3)", "FP8 E4M3"),
        ("(FP8)", "FP8"),
        ("feed-forward (FFN) channels", "feed forward FFN channels"),
        ("--max_num_tokens", "max-num-tokens"),
        ("8bit", "8-bit"),
        ("96KiB", "96 KiB"),
        ("60%", "60 percent"),
        ("60 %", "60 per cent"),
        ("1.6x", "1.6 times"),
        (".5", "0.5"),
        ("0,5", "0.5"),
        ("51,5 tokens", "51.5 tokens"),
        ("16,384", "16384"),
        ("≈ 5", "5"),
        ("approx. 5", "about 5"),
        ("vocab & tokenizer", "vocab and tokenizer"),
    ],
)
def test_same_typed_answers(one, other):
    assert compared(one) == compared(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a b", "b"),
        ("A 100", "100"),
        ("the", ""),
        ("x/y", "x y"),
        ("3/4", "3 4"),
        ("3/4", "34"),
        ("GB/s", "GB s"),
        ("kW/h", "kW h"),
        ("W8/A16", "W8 A16"),
        ("1_000", "1 000"),
        ("C++", "C"),
        ("C++", "C+"),
        ("C#", "C"),
        (".NET", "NET"),
        ("__init__.py", "init.py"),
        ("a.b", "a b"),
        ("config.json", "config json"),
        ("f(x)", "f x"),
        ("2:4", "2 4"),
        ("!x", "x"),
        ("-x", "x"),
        ("-1", "1"),
        ("+1", "1"),
        ("<5", "5"),
        ("1,875", "1.875"),
        ("1,2,3", "1.2,3"),
        ("1.50", "1.5"),
        ("5'", "5"),
        ("10^3", "103"),
        ("1e5", "1 e5"),
        ("FP8", "FP 8"),
        ("2x4", "2 times 4"),
        (";", ""),
        ("...", ""),
        ("μs", "ms"),
    ],
)
def test_typed_answers_that_stay_apart(one, other):
    assert compared(one) != compared(other)


@pytest.mark.parametrize("sign", [";", ":", ".", "%", "×", "±", "--", "the", "a", "()", "``", '""', "_", "/"])
def test_sign_that_is_the_whole_answer_stays(sign):
    assert compared(sign) == folded(sign) != ""


@pytest.mark.parametrize(
    "typed", ["the FP8.", "FP-8", "fp8_e4m3", "FP8 (E4M3)", "1.6x", "“FP8”", "0,5", "a cache"]
)
def test_strict_folds_nothing_but_form_quotes_dashes_and_spaces(typed):
    assert compared(f" {typed}  ", exact=True, strict=True) == folded(typed, exact=True)


def test_case_counts_where_exact_and_the_rest_folds():
    assert compared("The GiB.", exact=True) == "GiB" != compared("GIB", exact=True)


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("TTFT (time to first token)", [("ttft", "time to first token")] * 3),
        ("vocab/tokenizer", [("vocab", "tokenizer")]),
        ("FP8 or E4M3", [("fp8", "e4m3")] * 2),
        ("throughput (tokens/s)", [("throughput", "tokens/s")] * 2 + [("throughput", "tokens", "s")]),
        ("FP8", []),
        ("3/4", []),
        ("51,5", []),
        ("a, b, c, d, e", []),
        ("key-value", []),
    ],
)
def test_names_given_together(text, ways):
    assert list(together(text)) == ways


@pytest.mark.parametrize(
    ("typed", "every", "places"),
    [
        ("FP8", True, (0,)),
        ("E4M3 (FP8)", True, (1, 0)),
        ("FP8 / float8", True, (0, 2)),
        ("FP8 (INT8)", True, ()),
        ("FP8 (INT8)", False, (0,)),
        ("INT8", False, ()),
        ("", True, ()),
    ],
)
def test_met_forms(typed, every, places):
    assert met(typed, ["FP8", "E4M3", "float8", "fp8"], every=every) == places


def test_names_given_together_are_no_answer_where_every_sign_counts():
    assert met("FP8 (E4M3)", ["FP8", "E4M3"], exact=True, strict=True) == ()


@given(
    st.text(alphabet=st.sampled_from("aB9- −_é/.,:=(x)%\"'"), max_size=14) | st.text(max_size=40),
    st.booleans(),
)
def test_folded_twice_is_folded_once(text, exact):
    for fold in (folded, compared):
        once = fold(text, exact=exact)
        assert fold(once, exact=exact) == once


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


def test_forms_alike_are_told_apart_where_two_keys_are_compared():
    assert also(["channels", "channel", "FP8", "FP-8"], every=True) == (
        "channels; also accepted: channel, FP8, FP-8"
    )
    assert also("abcdefghi", every=True).endswith("f, g and 2 more")


def test_case_tells_forms_apart_where_it_counts():
    assert also(["gib", "GIB"], exact=True) == "gib; also accepted: GIB"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("'a b'", "a b"),
        ("ab-c", "ab c"),
        ("x-bc", "x bc"),
        ("1a-b", "1 a-b"),
        ("a-b", "a-b"),
        ("xab-3", "xab 3"),
        ("a1b-3", "a1b-3"),
        ("ab1-3cd", "ab1-3cd"),
        ("ab1-c2d", "ab1 c2d"),
        ("ab1-c2", "ab1-c2"),
        ("abcd1-c2d", "abcd1 c2d"),
        ("a12-c2d", "a12 c2d"),
        ("a1-c2d", "a1-c2d"),
        ("abc - 3", "abc - 3"),
        ("ab_3", "ab 3"),
        ("3_ab", "3 ab"),
        ("3_4", "3_4"),
        ("abc/def", "abc def"),
        ("abc/de", "abc/de"),
        ("123/abc", "123/abc"),
        ("abc/123", "abc/123"),
        ("abc/-def", "abc/-def"),
    ],
)
def test_joints_in_full(typed, found):
    assert compared(typed) == found


def test_names_given_together_keep_their_case_where_it_counts():
    assert list(together("FP8 or E4M3", exact=True)) == [("FP8", "E4M3")] * 2
    assert list(together("a, b, c, d")) == [("a", "b", "c", "d")] * 2


@pytest.mark.parametrize(
    ("typed", "how", "places"),
    [
        ("fp8 (e4m3)", {}, (0, 1)),
        ("FP8 (INT8)", {}, ()),
        ("fp8", {"exact": True}, ()),
        ("fp8 (e4m3)", {"exact": True}, ()),
        ("FP8 (E4M3)", {"exact": True}, (0, 1)),
        ("FP-8", {"exact": True, "strict": True}, (2,)),
        ("FP 8", {"exact": True, "strict": True}, ()),
        ("FP 8", {"exact": True}, (2,)),
    ],
)
def test_forms_are_met_as_words_are_compared(typed, how, places):
    assert met(typed, ["FP8", "E4M3", "FP-8"], **how) == places


def test_seven_forms_are_all_named():
    assert also("abcdefg") == "a; also accepted: b, c, d, e, f, g"
