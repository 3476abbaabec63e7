"""Letters of options."""

import pytest

from quizzes.kinds.shapes import option_letter, part_mark


@pytest.mark.parametrize(
    ("index", "letter"), [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")]
)  # fmt: skip
def test_letters_go_on_after_z(index, letter):
    assert option_letter(index) == letter


def test_no_letter_is_given_twice():
    assert len({option_letter(index) for index in range(1000)}) == 1000


def test_parts_and_their_beliefs_go_together():
    with pytest.raises(ValueError, match="longer"):
        part_mark([False, True], {"score": "all"}, "rows", ["wide"])
