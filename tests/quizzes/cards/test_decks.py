"""Cards on the shelf: added, changed, renamed, retired; points that keep their slugs; words for search."""

import pytest

from quizzes.actions.decks import match_points
from quizzes.models import Card
from quizzes.models.cards import LEVELS
from tests.quizzes.cards.decks import card, point, row, shelve_cards
from tests.quizzes.goods import AT

pytestmark = pytest.mark.django_db


def slugs(name="one"):
    return [one["slug"] for one in row(name).points]


def test_loading_the_same_again_changes_nothing():
    shelve_cards(card("one"), card("two"))
    before = list(Card.objects.order_by("pk").values())
    _, tally = shelve_cards(card("one"), card("two"))
    assert (tally.quiet, list(Card.objects.order_by("pk").values())) == (True, before)


def test_cards_are_added_changed_and_retired_and_come_back():
    shelve_cards(card("one"), card("two"))
    _, tally = shelve_cards(card("one", level="senior"), card("three"))
    assert tally.counts == {"card": {"changed": 1, "added": 1, "retired": 1}}
    assert row("two").retired_at == AT
    shelve_cards(card("two"))
    assert row("two").retired_at is None


def test_renamed_card_keeps_its_row():
    shelve_cards(card("one"))
    pk = row("one").pk
    shelve_cards(card("first", was="one"))
    assert [(one.pk, one.slug) for one in Card.objects.filter(course__slug="small-course")] == [(pk, "first")]


def test_columns_say_what_the_pack_says():
    shelve_cards(card("one", point("A", read=("small#here",), questions=(("q", "asked"),), slug="a")))
    found = row("one")
    assert (found.level, found.topics, found.objectives, found.deck) == (
        "beginner",
        ["weights"],
        ["weigh"],
        "deck",
    )
    assert found.points == [
        {
            "slug": "a",
            "part": "short",
            "html": "<p>A</p>",
            "text": "A",
            "misconception": "",
            "belief": "",
            "read": ["small#here"],
            "questions": [["q", "asked"]],
        }
    ]


def test_fingerprint_is_of_front_and_points_only():
    shelve_cards(card("one"))
    first = row("one").fingerprint
    shelve_cards(card("one", level="senior", topics=()))
    assert row("one").fingerprint == first
    shelve_cards(card("one", front_html="Why not?"))
    assert row("one").fingerprint != first


def test_reworded_point_keeps_its_slug_and_moves_with_it():
    told = [point(f"Point number {n} says something of its own {n}") for n in range(3)]
    shelve_cards(card("one", *told))
    first = slugs()
    assert len(set(first)) == 3
    told[1] = point("Point number 1 says something of its own, 1")
    shelve_cards(card("one", told[2], told[1], point("New words altogether"), told[0]))
    again = slugs()
    assert (again[0], again[1], again[3]) == (first[2], first[1], first[0])
    assert again[2] not in first


def test_point_of_another_part_is_another_point():
    earlier = [{"slug": "a", "part": "short", "text": "Same"}]
    assert match_points([point("Same", "depth")], earlier) != ["a"]
    assert match_points([point("Same")], earlier) == ["a"]
    assert match_points([point("Other", slug="b"), point("Same")], earlier) == ["b", "a"]


def test_equal_points_get_slugs_of_their_own():
    found = match_points([point("Same"), point("Same")], [])
    assert len(set(found)) == 2


@pytest.mark.parametrize(
    ("column", "words", "hits"),
    [
        ("words", "weighing", 1),
        ("words", "bandwidth", 0),
        ("back_words", "bandwidths", 1),
        ("back_words", "weigh", 0),
    ],
)
def test_front_and_back_are_found_by_their_own_words(column, words, hits):
    shelve_cards(card("one", point("Bandwidth limits it"), front_text="Why weigh?"))
    found = Card.objects.extra(  # the search helper's condition, in plain SQL
        where=[f"{column} @@ websearch_to_tsquery('english', %s)"], params=[words]
    )
    assert found.filter(course__slug="small-course").count() == hits


def test_signs_are_no_letters_of_the_words_beside_them():
    shelve_cards(card("one", point("Cost≤3: bandwidth—limits"), front_text="“Why” weigh→count?"))
    found = Card.objects.values_list("words", "back_words").get(course__slug="small-course", slug="one")
    assert found == ("'count':3 'weigh':2", "'3':2 'bandwidth':3 'cost':1 'limit':4")


def test_words_of_an_earlier_way_to_index_are_renewed_by_the_next_load():
    def words():
        return Card.objects.values_list("words", "back_words").get(course__slug="small-course", slug="one")

    shelve_cards(card("one"))
    before = words()
    Card.objects.filter(course__slug="small-course").update(words=None, back_words=None)
    _, tally = shelve_cards(card("one"))
    assert (tally.quiet, words()) == (True, before)


def test_reworded_card_is_found_by_its_new_words():
    shelve_cards(card("one", front_text="Why weigh?"))
    shelve_cards(card("one", front_text="Why count?", front_html="Why count?"))
    assert "count" in Card.objects.values_list("words", flat=True).get(
        course__slug="small-course", slug="one"
    )


def test_shipped_course_has_cards_of_every_level(course):
    levels = list(Card.objects.filter(course=course, retired_at=None).values_list("level", flat=True))
    assert len(levels) >= 25
    assert min(levels.count(level) for level in LEVELS) >= 5
