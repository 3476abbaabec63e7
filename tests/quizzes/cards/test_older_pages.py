"""What an older page of a card sends: it changes nothing that stands now, and what was sent is shown again.

Trust, section 2, "double click, two tabs": what an older page sends is refused with everything in place.
"""

import re

import pytest

from quizzes.models import CardTry
from tests.quizzes.cards.decks import HERE, PARTS, card, point, rated, row, sheet, shelve_cards
from tests.quizzes.goods import AT

pytestmark = pytest.mark.django_db
RATE, HEADS = f"{HERE}one/rate/", ({}, {"HX-Request": "true", "HX-Target": "kept"})


@pytest.fixture
def cards(db):
    shelve_cards(card("one"), card("two"))


def text(answer):
    return answer.content.decode()


def form(client):
    """What the form of the opened card holds, hidden fields and ticked points."""
    body = text(client.get(f"{HERE}one/"))
    inner = body[body.index('<form class="back-of"') :]
    return dict(re.findall(r'type="hidden" name="(try|wording)" value="([^"]*)"', inner))


def kept():
    rows = CardTry.objects.order_by("begun_at", "pk")
    return [(one.words, one.ratings, bool(one.rated_at), bool(one.undone_at)) for one in rows]


def test_form_says_which_try_and_which_words_it_is_about(cards, signed_in):
    signed_in.post(f"{HERE}one/compare/", {"words": "mine"})
    assert form(signed_in) == {"try": str(CardTry.objects.get().pk), "wording": row("one").fingerprint}


@pytest.mark.parametrize("head", HEADS)
def test_old_ratings_do_not_land_on_a_newer_try(cards, signed_in, learner, head):
    signed_in.post(f"{HERE}one/compare/", {"words": "first"})
    old = form(signed_in)
    rated(learner.pk, "one", 2)
    signed_in.post(f"{HERE}one/compare/?again=1", {"words": "second", "after": old["try"]})
    before = kept()
    answer = signed_in.post(
        RATE, {**old, "point-one-short": "missed", "point-one-depth": "partly"}, headers=head
    )
    assert (answer.status_code, kept()) == (409, before)
    if not head:
        body = text(answer)
        assert "None of these ratings is kept yet. Those that fit the points below are chosen there" in body
        assert '<div class="words">second</div>' in body
        ticked = re.findall(r'name="(point-[a-z-]+)" value="([a-z]+)" checked', body)
        assert ticked == [("point-one-short", "missed"), ("point-one-depth", "partly")]
        assert 'role="alert" tabindex="-1" autofocus' in body
        signed_in.post(RATE, {**form(signed_in), **dict(ticked)})
        assert kept()[-1][1]["one-short"] == 0


def test_old_ratings_of_a_card_that_was_rated_elsewhere_are_told(cards, signed_in, learner):
    signed_in.post(f"{HERE}one/compare/", {"words": "mine"})
    rated(learner.pk, "one", 2)
    before = kept()
    answer = signed_in.post(RATE, {**sheet(), "point-one-short": "said", "point-one-mistakes": "missed"})
    body = text(answer)
    assert (answer.status_code, kept()) == (409, before)
    told = body[body.index("Chosen on the other page") : body.index("<h2 id=") if "<h2 id=" in body else None]
    assert re.findall(r"(Common mistakes, point 1|Short answer, point 1|made it)", told)[:2] == [
        "Common mistakes, point 1",
        "made it",
    ]


@pytest.mark.parametrize("stage", ["front", "again", "none"])
def test_old_ratings_open_no_back(cards, signed_in, learner, stage):
    first = rated(learner.pk, "one", 2)
    if stage == "none":
        CardTry.objects.all().delete()
    elif stage == "front":
        for _ in range(2):
            signed_in.post(f"{HERE}one/undo/", sheet())
    else:
        signed_in.post(f"{HERE}one/words/?again=1", {"words": "anew", "after": first.pk})
    answer = signed_in.post(RATE, {"try": first.pk, "point-one-short": "missed"})
    body = text(answer)
    assert answer.status_code == 409
    assert [f"one {part}" in body for part in PARTS] == [False] * 5
    assert ("Short answer, point 1" in body, "missed" in body) == (True, True)


def test_ratings_of_other_words_are_not_kept(cards, signed_in):
    signed_in.post(f"{HERE}one/compare/", {"words": "mine"})
    old = form(signed_in)
    shelve_cards(
        card("one", point("Other words", slug="one-short"), point("M", "mistakes", slug="one-mistakes"))
    )
    answer = signed_in.post(RATE, {**old, "point-one-short": "said", "point-one-depth": "missed"})
    body = text(answer)
    assert (answer.status_code, CardTry.objects.get().ratings) == (409, {})
    assert 'name="point-one-short" value="said" checked' in body
    assert ("In depth, taken out since" in body, "one depth" in body) == (True, True)


def test_ratings_sent_twice_are_kept_once(cards, signed_in):
    signed_in.post(f"{HERE}one/compare/", {"words": "mine"})
    sent = {**form(signed_in), "point-one-short": "said"}
    assert [signed_in.post(RATE, sent).status_code for _ in range(2)] == [303, 303]
    assert len(kept()) == 1


@pytest.mark.parametrize("act", ["words", "compare"])
@pytest.mark.parametrize("seen", ["none", "the old one"])
def test_old_words_begin_no_new_answer_to_a_card_that_was_rated_since(cards, signed_in, learner, act, seen):
    old = rated(learner.pk, "one", 0, at=AT).pk if seen == "the old one" else 0
    signed_in.post(f"{HERE}one/compare/?again=1", {"words": "newer", "after": old})
    signed_in.post(RATE, {**sheet(), "point-one-short": "said"})
    before = kept()
    answer = signed_in.post(f"{HERE}one/{act}/?again=1", {"words": "of the old page", "after": old})
    assert (answer.status_code, kept()) == (409, before)
    assert signed_in.post(f"{HERE}one/{act}/", {"words": "of the old page", "after": old}).status_code == 409
    body = text(signed_in.post(f"{HERE}one/{act}/", {"words": "of the old page", "after": old}))
    assert ('<div class="words">of the old page</div>' in body, "not kept" in body) == (True, True)


def test_words_go_on_while_they_are_typed_and_answer_again_begins_anew(cards, signed_in, learner):
    for words in ("a", "ab"):  # the page knows of no try yet
        assert signed_in.post(f"{HERE}one/words/", {"words": words, "after": "0"}).status_code == 303
    signed_in.post(f"{HERE}one/compare/", {"words": "abc", "after": "0"})
    signed_in.post(RATE, {**sheet(), "point-one-short": "said"})
    page = text(signed_in.get(f"{HERE}one/?again=1"))
    after = re.search(r'name="after" value="(\d+)"', page).group(1)
    assert after == str(sheet()["try"])
    for words in ("x", "xy"):
        signed_in.post(f"{HERE}one/words/?again=1", {"words": words, "after": after})
    assert [one[0] for one in kept()] == ["abc", "xy"]
