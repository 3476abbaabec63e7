"""What a course offers and how far one learner is: on the page of the course, on Today, on the chapter's rail."""

import pytest
from django.test import Client

from quizzes.actions import keep_words, open_back, rate_card, start_attempt, undo_card
from quizzes.models import CardTry
from quizzes.queries.offered import CardsOffer, Offer, QuizOffer, cards_of, offers_of
from tests.quizzes.cards.decks import card, rated, row, shelve_cards
from tests.quizzes.goods import AT, question, shelve_quiz
from tests.quizzes.play import counted, send

pytestmark = pytest.mark.django_db
COURSE, CHAPTER = "/c/small-course/", "/c/small-course/small/"


@pytest.fixture
def quiz(db):
    return shelve_quiz(question("one"), question("two"), question("three"))


@pytest.fixture
def cards(quiz):
    shelve_cards(card("one"), card("two"), card("three"))


def text(answer):
    return answer.content.decode()


def of_chapter(person=None):
    return offers_of("small-course", person and person.pk)["small"]


def open_cards(person):
    return [(one.slug, one.state, one.points) for one in cards_of(person.pk)[row("one").course_id].open]


def test_quiz_counts_each_question_once_over_all_attempts(cards, quiz, learner, other):
    for _ in range(2):
        attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
        send(attempt, 1)
        send(attempt, 1, right=False)
    send(attempt, 3, right=False)
    assert of_chapter(learner).quizzes == (QuizOffer("small-quiz", "Small quiz", 3, 2),)
    assert of_chapter(other) == of_chapter() == Offer((QuizOffer("small-quiz", "Small quiz", 3, 0),), 3, 0)


def test_question_that_left_the_shelf_counts_nowhere(quiz, learner):
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
    send(attempt, 1)
    shelve_quiz(question("two"), question("three"))
    (found,) = of_chapter(learner).quizzes
    assert (found.questions, found.answered) == (2, 0)


def test_cards_count_as_compared_while_a_back_was_opened(cards, learner, other):
    keep_words(learner_id=learner.pk, card=row("one"), words="x", at=AT)
    assert (of_chapter(learner).cards, of_chapter(learner).compared) == (3, 0)
    opened = open_back(learner_id=learner.pk, card=row("one"), words="x", no_answer=False, at=AT)
    rated(learner.pk, "two", 2)
    assert (of_chapter(learner).compared, of_chapter(other).compared) == (2, 0)
    undo_card(learner_id=learner.pk, card=row("one"), try_id=opened.pk, at=AT)
    assert of_chapter(learner).compared == 1


def test_open_cards_are_those_with_words_opened_backs_or_open_points(cards, learner, other):
    course = row("one").course_id
    assert cards_of(None)[course] == cards_of(learner.pk)[course] == CardsOffer(3, 0)
    keep_words(learner_id=learner.pk, card=row("one"), words="x", at=AT)
    assert open_cards(learner) == [("one", "begun", 0)]
    open_back(learner_id=learner.pk, card=row("one"), words="x", no_answer=False, at=AT)
    assert open_cards(learner) == [("one", "shown", 0)]
    rate_card(learner_id=learner.pk, card=row("one"), ratings={"one-short": 2}, at=AT)
    assert open_cards(learner) == [("one", "rated", 4)]
    rated(learner.pk, "one", 2)
    assert open_cards(learner) == open_cards(other) == []
    assert cards_of(learner.pk)[course] == CardsOffer(3, 1)


def test_new_answer_to_a_rated_card_is_open_and_the_card_stays_compared(cards, learner):
    rated(learner.pk, "one", 2)
    CardTry.objects.update(begun_at="2026-01-01T00:00Z")
    keep_words(learner_id=learner.pk, card=row("one"), words="again", at=AT)
    assert open_cards(learner) == [("one", "begun", 0)]
    assert cards_of(learner.pk)[row("one").course_id].compared == 1


def test_only_the_newest_five_open_cards_are_named(quiz, learner):
    shelve_cards(*(card(f"c{n}") for n in range(7)))
    for n in range(7):
        keep_words(learner_id=learner.pk, card=row(f"c{n}"), words="x", at=AT.replace(hour=n))
    found = cards_of(learner.pk)[row("c0").course_id]
    assert ([one.slug for one in found.open], found.more) == (["c6", "c5", "c4", "c3", "c2"], 2)


HEADS = ({}, {"HX-Request": "true", "HX-Target": "main"})


@pytest.mark.parametrize("head", HEADS)
def test_course_page_lists_quizzes_and_cards_of_each_chapter(cards, quiz, learner, signed_in, head):
    send(start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT), 1)
    rated(learner.pk, "one", 2)
    body = text(signed_in.get(COURSE, headers=head))
    assert 'href="/c/small-course/quizzes/small-quiz/">Quiz: Small quiz</a>' in body
    assert "1 of 3 questions answered" in body
    assert "1 of 3 cards compared" in body
    assert "0 of 3 questions answered" in text(Client().get(COURSE, headers=head))


@pytest.mark.parametrize("head", HEADS)
def test_today_names_open_cards_in_the_words_of_their_list(cards, learner, signed_in, head):
    for slug in ("one", "two", "three"):
        keep_words(learner_id=learner.pk, card=row(slug), words="x", at=AT)
    for slug in ("two", "three"):
        open_back(learner_id=learner.pk, card=row(slug), words="x", no_answer=False, at=AT)
    rate_card(learner_id=learner.pk, card=row("three"), ratings={"three-short": 2}, at=AT)
    body = text(signed_in.get("/", headers=head))
    told = body[body.index("Interview cards") :]
    assert "2 of 3 compared" in told
    for words in ("your words are kept", "opened, not rated", ", 4 open"):
        assert (words in told, words in text(signed_in.get("/c/small-course/cards/"))) == (True, True)
    stranger = text(Client().get("/", headers=head))
    assert ("0 of 3 compared" in stranger, "your words are kept" in stranger) == (True, False)


def test_chapter_rail_leads_to_the_cards(cards, signed_in):
    body = text(signed_in.get(CHAPTER))
    rail = body[body.index('id="rail"') : body.index('id="main"')]
    assert '<li><a href="/c/small-course/cards/">Interview cards</a></li>' in rail


@pytest.mark.parametrize("address", ["/", COURSE])
def test_pages_ask_as_often_with_one_card_and_quiz_as_with_three(learner, signed_in, address):
    counts, strangers = [], []
    for rows in (1, 3):
        slugs = ("one", "two", "three")[:rows]
        for slug in slugs:
            quiz = shelve_quiz(question(slug), slug=f"quiz-{slug}")
            send(start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT), 1)
        shelve_cards(*map(card, slugs))
        for slug in slugs:
            rated(learner.pk, slug, 0)
        counts.append(len(counted(lambda: signed_in.get(address))[1]))
        strangers.append(len(counted(lambda: Client().get(address))[1]))
    assert counts[0] == counts[1] <= (9 if address == "/" else 6)
    assert strangers[0] == strangers[1] <= 4
