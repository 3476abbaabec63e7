"""Practise my mistakes in the browser."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import Attempt, Question, QuestionKey
from quizzes.queries.ready import frame_of, shown_of
from tests.quizzes.goods import option, question, quiz_goods, shelve_course, shelve_quiz
from tests.quizzes.play import counted, form, send, slot_of

pytestmark = pytest.mark.django_db
PAGE, START = "/c/small-course/mistakes/", "/c/small-course/mistakes/start/"


def text(response):
    return response.content.decode()


def wide(slug):
    """A question whose wrong options name the belief of the small course."""
    wrong = [
        option(f"{slug} {word}", misconception="wide", belief="Wider is faster") for word in ("beta", "gamma")
    ]
    return question(slug, options=(option(f"{slug} alpha", right=True), *wrong))


@pytest.fixture
def small(db):
    return shelve_quiz(wide("one"), question("two"), wide("three"))


def missed(learner, quiz, *positions, days=1, **extra):
    at = timezone.now() - timedelta(days=days)
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=at)
    for position in positions:
        send(attempt, position, right=False, at=at, **extra)
    return attempt


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "main"}])
@pytest.mark.parametrize("who", ["visitor", "learner"])
def test_page_with_nothing_missed_says_what_will_be_here(small, signed_in, headers, who):
    answer = (Client() if who == "visitor" else signed_in).get(PAGE, headers=headers)
    assert text(answer).startswith("<!doctype html>")
    assert "No question waits." in text(answer)
    assert "Practise now" not in text(answer)


def test_page_says_how_many_wait_and_why(small, learner, signed_in):
    missed(learner, small, 1, days=3)
    attempt = missed(learner, small, 1, certainty=3)
    missed(learner, small, 2)
    body = text(signed_in.get(PAGE))
    assert "2 questions wait, 2 of them today" in " ".join(body.split())
    assert "The belief behind it: Wider is faster" in body
    assert "Missed 2 times, last on" in body
    assert "; you were sure (above 80 %)." in body
    assert "Missed once on" in body
    assert f'href="/attempts/{attempt.pk}/?q=1"' in body
    assert body.index("Which one, one?") < body.index("Which one, two?")


def test_start_leads_to_a_question_that_the_page_of_attempts_shows(small, learner, signed_in):
    missed(learner, small, 1, 2)
    answer = signed_in.post(START)
    attempt = Attempt.objects.get(quiz__purpose="mistakes")
    assert (answer.status_code, answer["Location"]) == (303, f"/attempts/{attempt.pk}/")
    body = text(signed_in.get(answer["Location"]))
    assert "Question 1 of 3" in body
    assert "Practise my mistakes" in body
    assert 'href="/c/small-course/quizzes/mistakes/"' in body
    signed_in.post(answer["Location"], form(slot_of(attempt, 1)))
    said = text(signed_in.get(f"/attempts/{attempt.pk}/?q=1"))
    assert "Right" in said
    assert f"/c/small-course/small/?back=/attempts/{attempt.pk}/%3Fq%3D1#here" in said
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=timezone.now())
    assert "1 of 3 right" in text(signed_in.get(f"/attempts/{attempt.pk}/review/"))


def test_practice_poses_questions_of_every_quiz_of_the_course(learner, signed_in):
    goods = [quiz_goods(question(f"q{n}"), slug=f"quiz-{n}", title=f"Quiz {n}") for n in (1, 2)]
    course, _ = shelve_course(*goods)
    for one in Question.objects.filter(quiz__course=course).select_related("quiz"):
        missed(learner, one.quiz, 1)
    signed_in.post(START)
    attempt = Attempt.objects.get(quiz__purpose="mistakes")
    for position in (1, 2):
        assert signed_in.get(f"/attempts/{attempt.pk}/?q={position}").status_code == 200
        send(attempt, position, right=False, at=timezone.now())
        assert signed_in.get(f"/attempts/{attempt.pk}/?q={position}").status_code == 200


def test_nothing_of_a_key_is_told_before_the_answer(small, learner, signed_in):
    missed(learner, small, 1, 2)
    signed_in.post(START)
    attempt = Attempt.objects.get(quiz__purpose="mistakes")
    pages = [text(signed_in.get(PAGE))]
    pages += [text(signed_in.get(f"/attempts/{attempt.pk}/?q={n}")) for n in (1, 2, 3)]
    for key in QuestionKey.objects.filter(version__question__quiz=small):
        for slug, about in key.key["options"].items():
            assert all(about["rationale"] not in page and slug not in page for page in pages)


def test_the_open_session_is_offered_until_it_is_over(small, learner, signed_in):
    missed(learner, small, 1, 2)
    signed_in.post(START)
    attempt = Attempt.objects.get(quiz__purpose="mistakes")
    assert "Go on, 0 of 3 answered" in text(signed_in.get(PAGE))
    assert signed_in.post(START)["Location"] == f"/attempts/{attempt.pk}/"
    assert signed_in.post(START, {"fresh": "1"})["Location"] != f"/attempts/{attempt.pk}/"
    assert Attempt.objects.filter(quiz__purpose="mistakes").count() == 2


def test_what_was_right_today_rests_and_what_was_right_twice_has_left(small, learner, signed_in):
    missed(learner, small, 1, days=4)
    missed(learner, small, 2, days=4)
    signed_in.post(START)
    attempt = Attempt.objects.get(quiz__purpose="mistakes")
    for days, position in ((2, 1), (0, 2)):
        send(attempt, position, at=timezone.now() - timedelta(days=days))
    body = text(signed_in.get(PAGE))
    assert "1 of them today" in body
    assert body.index("What waits") < body.index("Right today, once more on another day")
    signed_in.post(START, {"fresh": "1"})
    send(Attempt.objects.get(quiz__purpose="mistakes", number=2), 1, at=timezone.now())
    body = text(signed_in.get(PAGE))
    assert "All of it was right today." in body
    assert "What has left" in body
    assert "Practise now" not in body
    answer = signed_in.post(START, {"fresh": "1"}, follow=True)
    assert "Nothing waits to be practised today." in text(answer)


def test_mistakes_of_others_are_not_shown(small, learner, other, signed_in):
    missed(other, small, 1)
    assert "No question waits." in text(signed_in.get(PAGE))
    assert signed_in.post(START)["Location"] == PAGE
    assert Attempt.objects.filter(quiz__purpose="mistakes").count() == 0


def test_guest_practises_too_and_a_stranger_has_nothing_to_begin(small, client):
    client.post("/c/small-course/quizzes/small-quiz/start/")
    send(Attempt.objects.get(), 1, right=False, at=timezone.now())
    assert client.post(START).status_code == 303
    assert Client().post(START).status_code == 404


@pytest.mark.parametrize(
    ("address", "method", "status"),
    [(PAGE, "post", 405), (START, "get", 405), ("/c/nothing/mistakes/", "get", 404),
     ("/c/nothing/mistakes/start/", "post", 404)],
)  # fmt: skip
def test_other_ways_in_are_closed(small, signed_in, address, method, status):
    assert getattr(signed_in, method)(address).status_code == status


def test_the_practice_s_own_quiz_page_leads_here(small, signed_in):
    assert signed_in.get("/c/small-course/quizzes/mistakes/")["Location"] == PAGE
    assert signed_in.post("/c/small-course/quizzes/mistakes/start/").status_code == 404


@pytest.mark.parametrize("rows", [1, 3])
def test_page_asks_as_often_with_one_mistake_as_with_three(small, learner, signed_in, rows):
    missed(learner, small, *range(1, rows + 1))
    signed_in.get(PAGE)
    assert len(counted(lambda: signed_in.get(PAGE))[1]) == 8


def test_question_of_practice_asks_little_even_in_a_new_process(small, learner, signed_in):
    missed(learner, small, 1, 2)
    signed_in.post(START)
    attempt = Attempt.objects.get(quiz__purpose="mistakes")
    for store in (frame_of, shown_of):
        store.cache_clear()
    assert len(counted(lambda: signed_in.get(f"/attempts/{attempt.pk}/"))[1]) <= 6
