"""The key of one version for the answers to another."""

import pytest

from quizzes.kinds.fitting import fitted, shape_of

from .forms import (
    CLOZE_BODY,
    CLOZE_KEY,
    MATCH_BODY,
    MATCH_KEY,
    ORDER_BODY,
    ORDER_KEY,
    SHORT_BODY,
    SHORT_KEY,
    options,
)


@pytest.mark.parametrize(
    ("kind", "body", "shape"),
    [
        ("single", {"options": options(*"cab")}, ([], ["a", "b", "c"], 0, "")),
        ("match", MATCH_BODY, (["fp32", "bf16", "fp8"], ["w16", "w32", "w4", "w8"], 0, "")),
        ("order", ORDER_BODY, ([], ["a", "b", "c", "d"], 0, "")),
        ("cloze", CLOZE_BODY, ([], [], 2, "")),
        ("short", SHORT_BODY, ([], [], 0, "")),
        ("number", {"unit": "GB"}, ([], [], 0, "GB")),
    ],
)
def test_shape_is_options_rows_gaps_and_unit(kind, body, shape):
    assert shape_of(kind, body) == shape


def test_pairs_of_a_match_name_the_choices_of_the_other_body():
    other = {**MATCH_BODY, "options": options("fp32", "bf16", "fp8", "w8", "w4", "w32", "w16")}
    assert fitted("match", other, MATCH_BODY, MATCH_KEY) == (other, {**MATCH_KEY, "pairs": [2, 3, 0]})


def test_sequence_of_an_order_names_the_items_of_the_other_body():
    other = {"options": options("c", "d", "b", "a")}
    assert fitted("order", other, ORDER_BODY, ORDER_KEY) == (other, {**ORDER_KEY, "sequence": [3, 2, 0, 1]})


@pytest.mark.parametrize(
    ("body", "of", "found"),
    [
        ({"exact": False, "x": 1}, {"exact": True}, {"exact": True, "x": 1}),
        ({"exact": True}, {"strict": True}, {"exact": False, "strict": True}),
        ({"exact": True, "strict": True}, {"exact": True, "strict": True}, {"exact": True, "strict": True}),
    ],
)
def test_words_are_compared_as_the_other_version_says(body, of, found):
    assert fitted("short", body, of, SHORT_KEY) == (found, SHORT_KEY)


def test_body_that_compares_alike_is_left_as_it_is():
    body, key = fitted("cloze", CLOZE_BODY, {**CLOZE_BODY, "strict": False}, CLOZE_KEY)
    assert body is CLOZE_BODY
    assert key is CLOZE_KEY
