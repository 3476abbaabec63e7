"""Question pages are kept in the process, and feedback comes with its answer: the same pages, fewer statements."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.actions import start_attempt
from studyhub.accounts.models import User

from .goods import AT, question, several, shelve_quiz, typed
from .play import counted, form, send, slot_of

pytestmark = pytest.mark.django_db
BACKEND = "studyhub.accounts.backends.Backend"
HTMX = {"headers": {"HX-Request": "true", "HX-Target": "question"}}


@pytest.fixture
def going(learner):
    quiz = shelve_quiz(
        question("one", body_html="<p>Given.</p>"),
        several("two", score="partial"),
        typed("three"),
        question("four"),
    )
    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)


@pytest.fixture
def stranger(other):
    client = Client()
    client.force_login(other, BACKEND)
    return client


def at(attempt, name="attempt"):
    return reverse(name, args=[attempt.pk])


def text(response):
    return response.content.decode()


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("position", [1, 2, 3])
def test_feedback_that_comes_with_the_answer_is_the_question_page_s_region(signed_in, going, position, right):
    slot = slot_of(going, position)
    signed_in.get(at(going))  # a first look, so that nothing of the attempt is new to the process
    told = signed_in.post(at(going), form(slot, right=right), **HTMX)
    seen = signed_in.get(f"{at(going)}?q={position}", **HTMX)
    assert (told.status_code, seen.status_code) == (200, 200)
    assert without_tokens(text(told)) == without_tokens(text(seen))
    assert 'id="verdict"' in text(told)


def test_author_s_feedback_has_the_way_to_the_history_either_way(signed_in, going, learner):
    User.objects.filter(pk=learner.pk).update(is_author=True)
    signed_in.get(at(going))
    told = signed_in.post(at(going), form(slot_of(going, 1)), **HTMX)
    seen = signed_in.get(f"{at(going)}?q=1", **HTMX)
    assert without_tokens(text(told)) == without_tokens(text(seen))
    assert text(told).count(f'href="{at(going, "question_past")}?q=1"') == 1


def without_tokens(page):
    return re.sub(r'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[A-Za-z0-9]{64}', r"\1", page)


@pytest.mark.parametrize("history", [0, 2])
def test_first_answer_costs_four_statements_whatever_the_history(signed_in, going, stranger, other, history):
    theirs = start_attempt(learner_id=other.pk, quiz=going.quiz, fresh=False, at=AT)
    stranger.post(at(theirs), form(slot_of(theirs, 4)), **HTMX)  # the process has seen this question
    send(going, 1)  # and this attempt
    for position in range(2, 2 + history):
        send(going, position)
    sent = form(slot_of(going, 4))
    told, statements = counted(lambda: signed_in.post(at(going), sent, **HTMX))
    assert told.status_code == 200
    # Session and person, the answer, and how questions stand, which is asked twice where nothing is kept a moment.
    assert len(statements) == 4, statements


def test_question_page_is_kept_until_something_of_the_learner_changes(signed_in, going):
    first = signed_in.get(f"{at(going)}?q=1")
    again, statements = counted(lambda: signed_in.get(f"{at(going)}?q=1"))
    assert without_tokens(text(first)) == without_tokens(text(again))
    assert len(statements) == 2, statements  # session and person, what is on the shelf
    for act, words in (
        (lambda: signed_in.post(at(going, "flag"), {"q": "1"}), "Take the flag off"),
        (lambda: signed_in.post(at(going, "skip"), {"q": "1"}), ", skipped"),
        (lambda: send(going, 1), 'id="verdict"'),
        (lambda: signed_in.post(at(going, "finish")), 'id="verdict"'),
    ):
        act()
        assert words in text(signed_in.get(f"{at(going)}?q=1"))


def test_kept_page_of_an_attempt_is_nobody_else_s(signed_in, going, stranger):
    assert signed_in.get(f"{at(going)}?q=1").status_code == 200
    assert stranger.get(f"{at(going)}?q=1").status_code == 404
    assert stranger.post(at(going), form(slot_of(going, 1))).status_code == 404


def test_tokens_of_a_kept_page_differ_and_hold(going, learner):
    client = Client(enforce_csrf_checks=True)
    client.force_login(learner, BACKEND)
    address = f"{at(going)}?q=1"
    found = [re.search(r'csrfmiddlewaretoken" value="(\w{64})"', text(client.get(address)))[1] for _ in "ab"]
    assert found[0] != found[1]
    for token in found:
        sent = client.post(at(going, "flag"), {"q": "1", "csrfmiddlewaretoken": token})
        assert sent.status_code == 303
    assert client.post(at(going, "flag"), {"q": "1", "csrfmiddlewaretoken": "a" * 64}).status_code == 403
