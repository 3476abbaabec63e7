"""Interview cards in the browser: front, back, rating, undo, filter, with and without htmx, for guests too."""

import pytest
from django.test import Client

from quizzes.models import CardTry
from studyhub.accounts.models import User
from tests.quizzes.cards.decks import HERE, PARTS, card, point, rated, row, sheet, shelve_cards
from tests.quizzes.goods import question, shelve_quiz
from tests.quizzes.play import counted

pytestmark = pytest.mark.django_db
KEPT = {"HX-Request": "true", "HX-Target": "kept"}


@pytest.fixture
def cards(db):
    shelve_cards(
        card("one", topics=("weights", "cost")),
        card("two", level="senior"),
        card("three", level="senior", topics=("cost",)),
    )


def ratings(slug, value="said", **other):
    return {f"point-{slug}-{part}": other.get(part, value) for part in PARTS} | sheet()


def text(answer):
    return answer.content.decode()


def test_list_shows_every_card_to_a_stranger(cards, client):
    body = text(client.get(HERE))
    assert [f"Why {slug}?" in body for slug in ("one", "two", "three")] == [True, True, True]
    assert body.count("not answered") == 3
    assert CardTry.objects.count() == 0


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", ["one", "two", "three"]),
        ("?level=senior", ["two", "three"]),
        ("?topic=cost", ["one", "three"]),
        ("?level=senior&topic=cost", ["three"]),
        ("?level=beginner&topic=nothing", []),
        ("?level=wizard", ["one", "two", "three"]),
        ("?topic=" + "x" * 41, ["one", "two", "three"]),
    ],
)
def test_list_is_filtered_by_level_and_topic(cards, client, query, shown):
    body = text(client.get(HERE + query))
    assert [slug for slug in ("one", "two", "three") if f"Why {slug}?" in body] == shown


def test_list_of_a_course_without_cards_offers_a_first_step(client):
    shelve_cards()
    answer = client.get(HERE)
    assert "Interview cards will be here" in text(answer)


@pytest.mark.parametrize("address", ["/c/nothing/cards/", "/c/nothing/cards/one/", f"{HERE}nothing/"])
def test_what_is_not_there_is_404(cards, signed_in, address):
    assert signed_in.get(address).status_code == 404


@pytest.mark.parametrize("act", ["words", "compare", "rate", "undo"])
def test_acts_on_a_card_that_is_not_there_are_404(cards, signed_in, act):
    assert signed_in.post(f"{HERE}nothing/{act}/", {"words": "x"}).status_code == 404
    assert signed_in.get(f"{HERE}one/{act}/").status_code == 405


@pytest.mark.parametrize("headers", [{}, KEPT])
def test_words_are_kept_while_typing_and_by_the_button(cards, signed_in, learner, headers):
    answer = signed_in.post(
        f"{HERE}one/words/?level=beginner", {"words": "Because\r\nit is"}, headers=headers
    )
    if headers:
        assert (answer.status_code, text(answer).startswith('<div id="kept">')) == (200, True)
        assert "Saved" in text(answer)
    else:
        assert (answer.status_code, answer["Location"]) == (303, f"{HERE}one/?level=beginner")
    kept = CardTry.objects.get()
    assert (kept.words, kept.learner_id, kept.shown_at) == ("Because\nit is", learner.pk, None)
    assert "Because\nit is</textarea>" in text(signed_in.get(f"{HERE}one/"))


def test_empty_words_are_not_worth_a_row(cards, signed_in):
    signed_in.post(f"{HERE}one/words/", {"words": "  "})
    assert CardTry.objects.count() == 0


@pytest.mark.parametrize("act", ["words", "compare"])
def test_words_with_a_nul_are_refused(cards, signed_in, act):
    assert signed_in.post(f"{HERE}one/{act}/", {"words": "nul\x00"}).status_code == 400
    assert CardTry.objects.count() == 0


@pytest.mark.parametrize("words", ["x" * 20_001])
@pytest.mark.parametrize("act", ["words", "compare"])
def test_words_that_cannot_be_kept_are_422_and_stay_in_the_form(cards, signed_in, words, act):
    answer = signed_in.post(f"{HERE}one/{act}/", {"words": words})
    assert answer.status_code == 422
    assert "Nothing was kept" in text(answer)
    assert CardTry.objects.count() == 0


def test_words_of_another_learner_are_seen_by_nobody_else(cards, signed_in, other, client):
    signed_in.post(f"{HERE}one/words/", {"words": "mysecretwords"})
    stranger, theirs = Client(), Client()
    theirs.force_login(other, "studyhub.accounts.backends.Backend")
    for browser in (stranger, theirs):
        assert "mysecretwords" not in text(browser.get(f"{HERE}one/"))
        assert "not answered" in text(browser.get(HERE))


def test_compare_without_words_asks_for_a_tick(cards, signed_in):
    answer = signed_in.post(f"{HERE}one/compare/", {"words": "\n"})
    assert answer.status_code == 422
    assert "tick that you have no answer yet" in text(answer)
    assert "one short" not in text(answer)
    assert CardTry.objects.count() == 0
    ticked = signed_in.post(f"{HERE}one/compare/", {"words": "", "no_answer": "1"})
    assert (ticked.status_code, ticked["Location"]) == (303, f"{HERE}one/#compared")
    assert "You had no answer yet" in text(signed_in.get(f"{HERE}one/"))


def test_compare_shows_every_part_beside_the_words(cards, signed_in):
    sent = signed_in.post(f"{HERE}one/compare/?topic=cost", {"words": "My <b>own</b> words"})
    assert sent["Location"] == f"{HERE}one/?topic=cost#compared"
    body = text(signed_in.get(sent["Location"]))
    assert "My &lt;b&gt;own&lt;/b&gt; words" in body
    assert [f"one {part}" in body for part in PARTS] == [True] * 5
    assert body.count('type="radio"') == 15
    assert f'action="{HERE}one/rate/?topic=cost"' in body


def test_words_stand_once_the_back_was_opened(cards, signed_in):
    signed_in.post(f"{HERE}one/compare/", {"words": "first"})
    late = signed_in.post(f"{HERE}one/words/", {"words": "second"}, headers=KEPT)
    assert text(late).startswith('<div id="kept">')
    assert "stand as they were" in text(late)
    for act in ("words", "compare"):
        answer = signed_in.post(f"{HERE}one/{act}/", {"words": "third\r\n<b>"})
        assert (answer.status_code, "stand as they were" in text(answer)) == (409, True)
        assert '<div class="words">third\n&lt;b&gt;</div>' in text(answer)  # nothing typed is lost
    assert CardTry.objects.get().words == "first"
    assert signed_in.post(f"{HERE}one/compare/", {"words": "first"}).status_code == 303


def test_rating_is_kept_and_told(cards, signed_in):
    signed_in.post(f"{HERE}one/compare/", {"words": "mine"})
    sent = signed_in.post(
        f"{HERE}one/rate/?level=beginner", ratings("one", depth="partly", mistakes="missed")
    )
    assert (sent.status_code, sent["Location"]) == (303, f"{HERE}one/?level=beginner#outcome")
    body = text(signed_in.get(f"{HERE}one/"))
    assert "3 of 5 points said, 1 partly, 1 missed" in body
    assert CardTry.objects.get().ratings == {
        "one-short": 2,
        "one-depth": 1,
        "one-example": 2,
        "one-mistakes": 0,
        "one-follow-ups": 2,
    }
    assert "1 missed, 1 partly" in text(signed_in.get(HERE))


def test_rating_of_some_points_leaves_the_others_open(cards, signed_in):
    signed_in.post(f"{HERE}one/compare/", {"words": "mine"})
    sent = {"point-one-short": "said", "point-one-depth": "odd", "point-one-mistakes": "missed", **sheet()}
    assert signed_in.post(f"{HERE}one/rate/", sent).status_code == 303
    body = text(signed_in.get(f"{HERE}one/"))
    assert "1 of 5 points said, 1 missed, 3 open" in body
    assert "2 of 5 rated; the other 3 stay open and count neither as said nor as missed." in body
    assert (body.count("left open"), body.count('type="radio"')) == (3, 9)
    assert "1 missed, 3 open" in text(signed_in.get(HERE))
    signed_in.post(f"{HERE}one/rate/", {"point-one-depth": "said", "point-one-example": "said", **sheet()})
    body = text(signed_in.get(f"{HERE}one/"))
    assert "3 of 5 points said, 1 missed, 1 open" in body
    assert "4 of 5 rated; the other stays open and counts neither" in body
    signed_in.post(f"{HERE}one/rate/", {"point-one-follow-ups": "said", **sheet()})
    body = text(signed_in.get(f"{HERE}one/"))
    assert ("4 of 5 points said, 1 missed</h2>" in body, 'type="radio"' in body) == (True, False)


@pytest.mark.parametrize("sent", [{}, {"point-one-depth": "odd"}, {"point-nothing": "said"}])
def test_rating_of_no_point_is_422_and_says_so(cards, signed_in, sent):
    signed_in.post(f"{HERE}one/compare/", {"words": "mine"})
    answer = signed_in.post(f"{HERE}one/rate/", {**sent, **sheet()})
    assert (answer.status_code, "No open point was rated" in text(answer)) == (422, True)
    assert 'role="alert" tabindex="-1" autofocus' in text(answer)
    assert CardTry.objects.get().ratings == {}


def test_rating_that_was_undone_is_still_chosen(cards, signed_in, learner):
    first = rated(learner.pk, "one", 2, 0)
    sent = signed_in.post(f"{HERE}one/undo/", {"try": first.pk, "stage": "rated"})
    assert sent["Location"] == f"{HERE}one/#compared"
    body = text(signed_in.get(f"{HERE}one/"))
    assert (body.count(" checked"), "5 of 5 rated" in body) == (5, True)


def test_rating_before_the_back_was_opened_is_409_and_shows_no_back(cards, signed_in):
    signed_in.post(f"{HERE}one/words/", {"words": "mine"})
    answer = signed_in.post(f"{HERE}one/rate/", ratings("one"))
    assert answer.status_code == 409
    assert "one short" not in text(answer)
    assert CardTry.objects.get().rated_at is None


@pytest.mark.parametrize("act", ["rate", "undo"])
def test_stranger_has_nothing_to_rate_or_undo(cards, act):
    assert Client().post(f"{HERE}one/{act}/", {"try": "1"}).status_code == 404
    assert User.objects.count() == 0


def test_missed_points_lead_to_their_questions_and_paragraphs(signed_in, learner):
    shelve_quiz(question("asked"))
    shelve_cards(
        card(
            "one",
            point(
                "First", read=("small#there",), questions=(("small-quiz", "asked"), ("small-quiz", "gone"))
            ),
            point("Second", "mistakes"),
        )
    )
    rated(learner.pk, "one", 0, 2)
    body = text(signed_in.get(f"{HERE}one/?topic=weights"))
    assert 'href="/c/small-course/quizzes/small-quiz/?at=asked"' in body
    assert "Question: Which one, asked?" in body
    back = "/c/small-course/cards/one/%3Ftopic%3Dweights"
    assert f'href="/c/small-course/small/?back={back}#there"' in body
    assert "?at=gone" not in body


@pytest.mark.parametrize("act", ["words", "compare"])
def test_tick_is_kept_when_words_are_refused(cards, signed_in, act):
    answer = signed_in.post(f"{HERE}one/{act}/", {"words": "x" * 20_001, "no_answer": "1"})
    body = text(answer)
    assert (answer.status_code, 'name="no_answer" value="1" checked' in body) == (422, True)
    assert 'aria-invalid="true" autofocus' in body


@pytest.mark.parametrize(
    ("stage", "to"), [("front", "#outcome"), ("back", "#words"), ("rated", "#compared"), ("x", ""), ("", "")]
)
def test_undo_leads_to_what_it_brings_back(cards, signed_in, stage, to):
    sent = signed_in.post(f"{HERE}one/undo/?topic=cost", {"try": "1", "stage": stage})
    assert sent["Location"] == f"{HERE}one/?topic=cost{to}"


@pytest.mark.parametrize(
    ("stage", "anchor"), [("front", "words"), ("back", "compared"), ("rated", "outcome")]
)
def test_every_stage_has_the_place_that_the_focus_goes_to(cards, signed_in, learner, stage, anchor):
    if stage == "back":
        signed_in.post(f"{HERE}one/compare/", {"words": "mine"})
    if stage == "rated":
        rated(learner.pk, "one", 2)
    body = text(signed_in.get(f"{HERE}one/"))
    assert [f' id="{one}"' in body for one in ("words", "compared", "outcome")] == [
        one == anchor for one in ("words", "compared", "outcome")
    ]
    assert f'name="stage" value="{stage}"' in body or stage == "front"


def test_undo_takes_the_rating_back_then_the_back(cards, signed_in, learner):
    first = rated(learner.pk, "one", 2)
    undo = f"{HERE}one/undo/?level=beginner"
    sent = signed_in.post(undo, {"try": first.pk})
    assert (sent.status_code, sent["Location"]) == (303, f"{HERE}one/?level=beginner")
    assert "Keep the ratings" in text(signed_in.get(f"{HERE}one/"))
    signed_in.post(undo, {"try": first.pk})  # a second click changes nothing
    assert "Keep the ratings" in text(signed_in.get(f"{HERE}one/"))
    second = CardTry.objects.get(undone_at__isnull=True)
    signed_in.post(undo, {"try": second.pk})
    body = text(signed_in.get(f"{HERE}one/"))
    assert ("Mine.</textarea>" in body, "one short" in body) == (True, False)
    assert CardTry.objects.filter(undone_at__isnull=False).count() == 2


@pytest.mark.parametrize("try_id", ["", "x", "9" * 30, "-1"])
def test_undo_of_nothing_changes_nothing(cards, signed_in, learner, try_id):
    rated(learner.pk, "one", 2)
    assert signed_in.post(f"{HERE}one/undo/", {"try": try_id}).status_code == 303
    assert CardTry.objects.filter(undone_at__isnull=False).count() == 0


def test_card_can_be_answered_again_and_the_earlier_answer_stays(cards, signed_in, learner):
    rated(learner.pk, "one", 0)
    body = text(signed_in.get(f"{HERE}one/?again=1"))
    assert ("one short" in body, "You answered this card" in body) == (False, True)
    assert signed_in.post(f"{HERE}one/compare/?again=1", {"words": ""}).status_code == 422
    signed_in.post(f"{HERE}one/words/?again=1", {"words": "better"})
    body = text(signed_in.get(f"{HERE}one/"))
    assert ("better</textarea>" in body, "5 missed" in body) == (True, True)
    newest = CardTry.objects.get(rated_at__isnull=True)
    signed_in.post(f"{HERE}one/undo/", {"try": newest.pk})
    assert "0 of 5 points said" in text(signed_in.get(f"{HERE}one/"))


def test_next_and_previous_stay_within_the_filter(cards, signed_in):
    all_of_them = text(signed_in.get(f"{HERE}two/"))
    assert 'rel="prev" href="/c/small-course/cards/one/"' in all_of_them
    assert 'rel="next" href="/c/small-course/cards/three/"' in all_of_them
    cost = text(signed_in.get(f"{HERE}one/?topic=cost"))
    assert "card 1 of 2" in cost
    assert 'rel="next" href="/c/small-course/cards/three/?topic=cost"' in cost
    assert 'rel="prev"' not in cost
    assert 'rel="next"' not in text(signed_in.get(f"{HERE}three/?topic=cost"))


def test_guest_may_do_all_of_it(cards, client):
    client.post(f"{HERE}one/words/", {"words": "mine"})
    client.post(f"{HERE}one/compare/", {"words": "mine too"})
    client.post(f"{HERE}one/rate/", ratings("one"))
    assert "5 of 5 points said" in text(client.get(f"{HERE}one/"))
    assert CardTry.objects.get().learner.guest is True


def test_answer_to_a_card_that_changed_says_so(cards, signed_in, learner):
    rated(learner.pk, "one", 2)
    shelve_cards(card("one", point("one short", slug="one-short"), point("New", "mistakes")))
    body = text(signed_in.get(f"{HERE}one/"))
    assert "The card has changed since: 1 of its points is new" in body
    assert "new since you answered" in body
    assert "changed since" in text(signed_in.get(HERE))


def test_retired_card_is_gone_for_everybody(cards, signed_in, learner):
    rated(learner.pk, "one", 2)
    shelve_cards(card("two"))
    assert signed_in.get(f"{HERE}one/").status_code == 404
    assert CardTry.objects.count() == 1


@pytest.mark.parametrize("number", [1, 3])
def test_list_costs_the_same_for_one_card_and_for_three(signed_in, learner, number):
    slugs = ("one", "two", "three")[:number]
    shelve_cards(*map(card, slugs))
    for slug in slugs:
        rated(learner.pk, slug, 0)
    _, asked = counted(lambda: signed_in.get(HERE))
    assert len(asked) == 4  # the session with its person, course, cards, tries


@pytest.mark.parametrize("number", [1, 3])
def test_card_costs_the_same_whatever_stands_beside_it(signed_in, learner, number):
    shelve_quiz(question("asked"))
    points = [
        point(f"P{n}", read=("small#here",), questions=(("small-quiz", "asked"),)) for n in range(number)
    ]
    shelve_cards(*(card(f"c{n}", *points, point("M", "mistakes")) for n in range(number)))
    _, front = counted(lambda: signed_in.get(f"{HERE}c0/"))
    rated(learner.pk, "c0", 0)
    signed_in.get(f"{HERE}c0/")  # labels of the chapter's paragraphs are read once in a process
    _, told = counted(lambda: signed_in.get(f"{HERE}c0/"))
    assert (len(front), len(told)) == (4, 6)  # and the back, the questions


def test_region_that_a_page_does_not_have_gives_the_whole_page(cards, signed_in):
    answer = signed_in.get(f"{HERE}one/", headers={"HX-Request": "true", "HX-Target": "other"})
    assert "<html" in text(answer)
    assert "HX-Target" in answer["Vary"]


def test_every_change_makes_kept_pages_old(cards, signed_in, learner):
    def changes():
        return User.objects.get(pk=learner.pk).changes

    seen = [changes()]
    for act, data in (
        ("words", {"words": "a"}),
        ("compare", {"words": "ab"}),
        ("rate", ratings("one")),
    ):
        signed_in.post(f"{HERE}one/{act}/", {**data, **sheet()})
        seen.append(changes())
    signed_in.post(f"{HERE}one/undo/", {"try": CardTry.objects.get().pk})
    seen.append(changes())
    assert seen == [seen[0] + step for step in range(5)]


def test_card_leads_to_its_chapter_and_course(cards, client):
    assert row("one").chapter.slug == "small"
    assert 'href="/c/small-course/small/"' in text(client.get(f"{HERE}one/"))
    for address in ("/c/small-course/", "/c/small-course/small/"):
        assert f'href="{HERE}"' in text(client.get(address))
