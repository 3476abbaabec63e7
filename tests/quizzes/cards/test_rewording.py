"""Cards whose points were reworded or taken out after they were rated: no rating is lost, each can be given anew."""

from datetime import timedelta

import pytest

from quizzes.actions import open_back, rate_card
from quizzes.exports import OWN
from quizzes.models import CardTry
from quizzes.queries.cards import CardFilter, card_named, card_page, cards_page
from tests.quizzes.cards.decks import HERE, card, point, rated, row, sheet, shelve_cards
from tests.quizzes.goods import AT
from tests.quizzes.play import counted

pytestmark = pytest.mark.django_db
EARLY = AT - timedelta(days=900)  # all of it is over when the browser sends its moment
LOADED, LATER = EARLY + timedelta(days=1), EARLY + timedelta(days=2)
OLD = "Weights are read once per token, so bandwidth sets the pace"
NEW = "The pace comes from bandwidth: all weights are read anew for every token"
OTHER = "Nothing of this was ever said before"


def shelve(*points, at=EARLY):
    shelve_cards(card("one", *points, point("M", "mistakes", slug="m")), at=at)


def page(learner):
    return card_page(card_named("small-course", "one"), learner.pk, CardFilter())


def line(learner):
    return cards_page("small-course", learner.pk, CardFilter()).cards[0]


def views(found):
    return {view.html: view for part in found.parts for view in part.points}


def text(answer):
    return answer.content.decode()


def slug_of(words):
    return next(one["slug"] for one in row("one").standing_points() if one["text"] == words)


def test_reworded_point_shows_what_it_was_rated_and_waits_for_a_new_rating(learner, signed_in):
    shelve(point(OLD))
    rated(learner.pk, "one", 0, at=EARLY)
    shelve(point(NEW), at=LOADED)
    found = page(learner)
    view = views(found)[f"<p>{NEW}</p>"]
    assert (view.before.rating, view.before.word, view.before.html) == (0, "missed", f"<p>{OLD}</p>")
    assert (view.rating, view.new, view.asked, found.waits, found.unrated) == (None, False, True, True, 1)
    assert (found.missed_before, [one.slug for one in found.weak]) == (1, [view.slug, "m"])
    body = text(signed_in.get(f"{HERE}one/"))
    assert "This point was reworded since; you had rated it: missed." in body
    assert "1 more you had missed in words that were changed or taken out since" in body
    assert "missed</span> before it was reworded" in body
    assert (line(learner).missed, line(learner).missed_before) == (1, 1)
    assert "1 missed, 1 missed in words changed since, 1 open, changed since" in text(signed_in.get(HERE))


def test_new_rating_takes_the_place_and_the_old_one_stays_in_its_row(learner, signed_in):
    shelve(point(OLD))
    first = rated(learner.pk, "one", 0, at=EARLY)
    old = slug_of(OLD)
    shelve(point(NEW), at=LOADED)
    new = slug_of(NEW)
    sent = signed_in.post(f"{HERE}one/rate/", {**sheet(), f"point-{new}": "said"})
    assert sent.status_code == 303
    rows = list(CardTry.objects.order_by("pk"))
    assert [one.ratings for one in rows] == [{old: 0, "m": 0}, {new: 2, "m": 0}]
    assert [one.words for one in rows] == ["Mine.", "Mine."]
    assert (rows[0], rows[1].fingerprint, rows[1].shown_at) == (first, row("one").fingerprint, first.shown_at)
    found = page(learner)
    assert (found.waits, found.missed_before, found.former, found.changed) == (False, 0, (), False)
    assert (line(learner).missed, line(learner).missed_before) == (1, 0)
    signed_in.post(f"{HERE}one/rate/", {"try": first.pk, f"point-{new}": "said"})  # the second of two clicks
    assert CardTry.objects.count() == 2


def test_point_that_was_taken_out_is_listed_as_former(learner, signed_in):
    shelve(point(OLD), point(OTHER, slug="stays"))
    rated(learner.pk, "one", 0, 2, at=EARLY)
    shelve(point(OTHER, slug="stays"), at=LOADED)
    found = page(learner)
    assert [(one.part, one.html, one.word) for one in found.former] == [
        ("Short answer", f"<p>{OLD}</p>", "missed")
    ]
    assert (found.counts, found.missed_before, found.waits) == ((2, 0, 0), 1, False)
    body = text(signed_in.get(f"{HERE}one/"))
    assert ("Taken out of the card since" in body, "you had rated it: missed" in body) == (True, True)
    assert (line(learner).missed, line(learner).missed_before) == (0, 1)


def test_rating_of_a_new_point_keeps_those_of_former_ones(learner):
    shelve(point(OLD))
    rated(learner.pk, "one", 1, at=EARLY)
    shelve(point(OTHER, "depth", slug="d"), at=LOADED)
    done = rate_card(learner_id=learner.pk, card=row("one"), ratings={"d": 2}, at=LATER)
    assert sorted(done.ratings.values()) == [1, 1, 2]
    assert [one.word for one in page(learner).former] == ["partly"]


@pytest.mark.parametrize(
    ("chosen", "rows"), [({}, 1), ({"point-kept": "missed"}, 2), ({"point-kept": "said"}, 2)]
)
def test_point_with_an_id_keeps_its_rating_says_so_and_is_rated_anew(learner, signed_in, chosen, rows):
    shelve(point(OLD, slug="kept"))
    rated(learner.pk, "one", 0, at=EARLY)
    shelve(point(OTHER, slug="kept"), at=LOADED)
    view = views(page(learner))[f"<p>{OTHER}</p>"]
    assert (view.rating, view.chosen, view.before.stands, view.before.html) == (
        0,
        None,
        True,
        f"<p>{OLD}</p>",
    )
    assert (page(learner).counts, page(learner).unrated, page(learner).waits) == ((0, 0, 2), 0, True)
    assert "That stands until you rate it anew." in text(signed_in.get(f"{HERE}one/"))
    assert signed_in.post(f"{HERE}one/rate/", {**sheet(), **chosen}).status_code == (303 if chosen else 422)
    assert CardTry.objects.count() == rows
    assert views(page(learner))[f"<p>{OTHER}</p>"].asked is not bool(chosen)


def test_point_that_gets_an_id_later_stays_the_same_point(learner):
    shelve(point(OLD))
    rated(learner.pk, "one", 0, at=EARLY)
    for words, slug in ((OLD, "named"), (OTHER, "named"), (NEW, "named")):
        shelve(point(words, slug=slug), at=LOADED)
        view = views(page(learner))[f"<p>{words}</p>"]
        assert (view.rating, page(learner).former) == (0, ())
    assert view.before.html == f"<p>{OLD}</p>"


def test_words_that_come_back_bring_their_rating_back(learner):
    shelve(point(OLD))
    rated(learner.pk, "one", 1, at=EARLY)
    for words in (NEW, OLD):
        shelve(point(words), at=LOADED)
    found = page(learner)
    assert (found.counts, found.former, found.waits) == ((0, 2, 0), (), False)
    assert views(found)[f"<p>{OLD}</p>"].before is None


def test_rating_follows_through_several_rewordings(learner):
    third = "For every token all weights are read anew, and bandwidth gives the pace for it"
    shelve(point(OLD))
    rated(learner.pk, "one", 0, at=EARLY)
    for words in (NEW, third):
        shelve(point(words), at=LOADED)
    assert views(page(learner))[f"<p>{third}</p>"].before.html == f"<p>{OLD}</p>"


def test_ratings_whose_words_were_lost_before_are_still_told(learner, signed_in):
    shelve(point(OLD))
    CardTry.objects.filter(pk=rated(learner.pk, "one", 0, at=EARLY).pk).update(ratings={"unknown": 0, "m": 2})
    assert [(one.part, one.html, one.word) for one in page(learner).former] == [("", "", "missed")]
    assert "A point whose words are not known any more." in text(signed_in.get(f"{HERE}one/"))


def test_nothing_is_kept_of_points_that_nobody_opened_or_rated(learner):
    shelve(point(OLD))
    shelve(point(NEW), at=LOADED)
    assert row("one").gone_points() == {}
    open_back(learner_id=learner.pk, card=row("one"), words="x", no_answer=False, at=EARLY)
    shelve(point(OTHER), at=LOADED)
    assert [one["text"] for one in row("one").gone_points().values()] == [
        NEW
    ]  # somebody may be rating it now
    shelve(point(OLD), at=LATER)
    assert [one["text"] for one in row("one").gone_points().values()] == [OTHER]


def test_loading_a_reworded_card_again_changes_nothing(learner):
    shelve(point(OLD))
    rated(learner.pk, "one", 0, at=EARLY)
    shelve(point(NEW), at=LOADED)
    before = row("one").points
    _, tally = shelve_cards(card("one", point(NEW), point("M", "mistakes", slug="m")), at=LATER)
    assert (tally.quiet, row("one").points) == (True, before)


def test_gone_words_are_not_found_by_search(learner):
    shelve(point("Zebra crossing"))
    rated(learner.pk, "one", 0, at=EARLY)
    shelve(point(OTHER), at=LOADED)
    row_ = row("one")
    assert ("zebra" in row_.back_words, len(row_.gone_points())) == (False, 1)


@pytest.mark.parametrize("gone", [1, 3])
def test_former_points_cost_no_query(learner, signed_in, gone):
    shelve(*(point(f"Point {n} {OLD}{n}", slug=f"p{n}") for n in range(gone)))
    rated(learner.pk, "one", 0, at=EARLY)
    shelve(point("Short", slug="s"), at=LOADED)
    signed_in.get(f"{HERE}one/")
    assert len(counted(lambda: signed_in.get(f"{HERE}one/"))[1]) == 5  # session, card, siblings, tries, back
    assert len(counted(lambda: signed_in.get(HERE))[1]) == 4


def exported(learner):
    return list(next(one for one in OWN if one.file == "cards.json").rows(learner.pk))


def told(rating):
    return rating["part"], rating["text"], rating["rating"], rating["now"]


def test_export_has_the_words_that_were_rated(learner):
    shelve(point(OLD), point(OTHER, "follow-ups", slug="f"), point("Deep", "depth", slug="d"))
    rated(learner.pk, "one", 0, 2, 1, at=EARLY)
    shelve(
        point(NEW), point("Other words", "follow-ups", slug="f"), point("Deep", "depth", slug="d"), at=LOADED
    )
    (one,) = exported(learner)
    assert {name: one[name] for name in ("title", "deck", "level", "words")} == {
        "title": "Why one?",
        "deck": "Deck",
        "level": "beginner",
        "words": "Mine.",
    }
    assert [told(rating) for rating in one["points"]] == [
        ("Follow-ups", OTHER, "could answer", "reworded"),
        ("In depth", "Deep", "partly", "stands"),
        ("Common mistakes", "M", "partly", "stands"),
        ("Short answer", OLD, "missed", "gone"),
    ]
    assert [rating["point"] for rating in one["points"]] == [
        "f",
        "d",
        "m",
        *one["ratings"].keys() - {"f", "d", "m"},
    ]


def test_export_of_points_left_open_and_of_words_that_were_lost(learner):
    shelve(point(OLD, slug="a"))
    pk = rated(learner.pk, "one", 0, at=EARLY).pk
    CardTry.objects.filter(pk=pk).update(ratings={"a": None, "unknown": 2})
    (one,) = exported(learner)
    assert [told(rating) for rating in one["points"]] == [
        ("Short answer", OLD, "open", "stands"),
        ("", "", "said", "gone"),
    ]


def test_export_opens_no_back_that_was_not_rated(learner):
    shelve(point(OLD))
    open_back(learner_id=learner.pk, card=row("one"), words="x", no_answer=False, at=EARLY)
    assert [one["points"] for one in exported(learner)] == [[]]
