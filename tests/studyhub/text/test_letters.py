import pytest

from studyhub.text.letters import characters, found_again, letters, units

HTML = (
    '<p id="one">Weights take <strong>bits ÷ 8</strong><sup class="cite"><a href="#x">3</a></sup> '
    '<sup class="cite"><a href="#y">4</a></sup>. Real &amp; odd<a class="pilcrow" href="#one">¶</a></p>'
    '<div id="box"><b>Box</b><p id="two">In <br>two</p></div><h2 id="head">Not this</h2>'
)


def test_letters_leave_out_note_numbers_and_paragraph_signs():
    assert letters(HTML)["one"] == "Weights take bits ÷ 8. Real & odd"


def test_letters_of_nested_anchors_stand_in_both():
    found = letters(HTML)
    assert (found["box"], found["two"]) == ("BoxIn two", "In two")


def test_headings_have_no_letters_to_mark():
    assert letters(HTML).get("head") is None


@pytest.mark.parametrize(
    ("start", "quote", "place"),
    [(0, "ab", 0), (4, "ab", 5), (2, "ab", 0), (3, "ab", 5), (99, "ab", 5), (0, "xy", None), (0, "", None)],
)
def test_quote_is_found_where_it_was_or_nearest_to_it(start, quote, place):
    assert found_again("ab---ab", start, quote) == place


@pytest.mark.parametrize(("place", "unit"), [(0, 0), (1, 1), (2, 3), (3, 4), (9, 4)])
def test_places_count_characters_and_browsers_count_units(place, unit):
    assert units("a𝛼b", place) == unit
    assert characters("a𝛼b", unit) == min(place, 3)


def test_half_of_a_pair_is_the_place_of_its_character():
    assert characters("a𝛼b", 2) == 1
