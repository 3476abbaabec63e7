"""Two pages of one card before its back is opened: neither takes the other's words away unseen."""

import re

import pytest

from quizzes.models import CardTry
from tests.quizzes.cards.decks import HERE, card, shelve_cards

pytestmark = pytest.mark.django_db
KEPT = {"HX-Request": "true", "HX-Target": "kept"}
SAYS = "Another page kept other words on this card in the meantime"


@pytest.fixture(autouse=True)
def cards(db):
    shelve_cards(card("one"))


def text(answer):
    return answer.content.decode()


def stamp_on(answer):
    return re.search(r'name="seen" value="(\w*)"', text(answer)).group(1)


def kept():
    return [(one.words, one.shown_at is not None) for one in CardTry.objects.all()]


@pytest.mark.parametrize("act", ["words", "compare"])
@pytest.mark.parametrize("seen", [{}, {"seen": ""}, {"seen": "0123456789abcdef"}])
def test_words_that_were_not_seen_are_not_overwritten_and_both_are_shown(signed_in, act, seen):
    signed_in.post(f"{HERE}one/words/", {"words": "of the <first> tab", "after": "0"})
    answer = signed_in.post(f"{HERE}one/{act}/", {"words": "second tab", "after": "0", **seen})
    assert (answer.status_code, kept()) == (409, [("of the <first> tab", False)])
    body = text(answer)
    shown = '<p class="wrote">of the &lt;first&gt; tab</p>' in body, "second tab</textarea>" in body
    assert (SAYS in body, *shown) == (True, True, True)
    again = {"words": "second tab", "after": "0", "seen": stamp_on(answer)}
    assert signed_in.post(f"{HERE}one/{act}/", again).status_code == 303
    assert kept() == [("second tab", act == "compare")]


def test_no_answer_of_a_page_that_saw_no_words_does_not_take_them_away(signed_in):
    signed_in.post(f"{HERE}one/words/", {"words": "first"})
    answer = signed_in.post(f"{HERE}one/compare/", {"words": "", "no_answer": "1"})
    assert (answer.status_code, kept()) == (409, [("first", False)])


def test_words_that_go_on_or_were_seen_are_kept(signed_in):
    first = signed_in.post(f"{HERE}one/words/", {"words": "abc"}, headers=KEPT)
    on = signed_in.post(f"{HERE}one/words/", {"words": "abcd"}, headers=KEPT)
    assert (first.status_code, on.status_code, kept()) == (200, 200, [("abcd", False)])
    changed = {"words": "xbcd", "seen": stamp_on(on)}
    assert signed_in.post(f"{HERE}one/words/", changed, headers=KEPT).status_code == 200
    loaded = stamp_on(signed_in.get(f"{HERE}one/"))
    assert signed_in.post(f"{HERE}one/compare/", {"words": "y", "seen": loaded}).status_code == 303
    assert kept() == [("y", True)]


def test_what_is_typed_on_below_the_words_of_another_page_is_refused_until_compare(signed_in):
    signed_in.post(f"{HERE}one/words/", {"words": "first"}, headers=KEPT)
    seen = ""
    for words in ("s", "se"):
        answer = signed_in.post(f"{HERE}one/words/", {"words": words, "seen": seen}, headers=KEPT)
        assert (answer.status_code, text(answer).startswith('<div id="kept">')) == (409, True)
        assert (SAYS in text(answer), '<p class="wrote">first</p>' in text(answer)) == (True, True)
        seen = stamp_on(answer)
    assert kept() == [("first", False)]
    page = signed_in.post(f"{HERE}one/compare/", {"words": "se", "seen": seen})
    assert page.status_code == 409
    assert signed_in.post(f"{HERE}one/compare/", {"words": "se", "seen": stamp_on(page)}).status_code == 303
    assert kept() == [("se", True)]
