"""After the end of an attempt its pages say so: no form that cannot be used, and the way to the review."""

import pytest

from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import Attempt, Response
from tests.studyhub.web.ledger import changed_tables, table_prints

from .goods import AT, question, shelve_quiz, typed
from .play import form, send, slot_of
from .test_kept_pages import HTMX, at, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(learner):
    quiz = shelve_quiz(question("one"), typed("two"), question("three"))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    send(attempt, 1, right=False)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=AT)
    return attempt


def test_bare_address_of_an_ended_attempt_leads_to_its_review(signed_in, ended):
    response = signed_in.get(at(ended))
    assert (response.status_code, response["Location"]) == (303, at(ended, "review"))


@pytest.mark.parametrize("htmx", [{}, HTMX])
def test_open_question_of_an_ended_attempt_has_no_form(signed_in, ended, htmx):
    page = text(signed_in.get(f"{at(ended)}?q=2", **htmx))
    assert 'id="answer"' not in page
    assert "This attempt ended" in page
    assert at(ended, "review") in page
    assert at(ended, "finish") not in page


def test_answered_question_of_an_ended_attempt_cannot_be_tried_again(signed_in, ended):
    page = text(signed_in.get(f"{at(ended)}?q=1"))
    assert 'id="verdict"' in page
    assert "Try it again" not in page
    assert "See the review" in page


def test_late_answer_says_that_the_attempt_ended_and_where_its_review_is(signed_in, ended):
    late = signed_in.post(at(ended), form(slot_of(ended, 3)), **HTMX)
    assert late.status_code == 409
    assert "This attempt has ended" in text(late)
    assert at(ended, "review") in text(late)


def test_flag_in_a_retry_keeps_the_retry(signed_in, learner):
    going = start_attempt(learner_id=learner.pk, quiz=shelve_quiz(question("one")), fresh=False, at=AT)
    send(going, 1)
    flagged = signed_in.post(at(going, "flag"), {"q": 1, "again": 1})
    assert flagged["Location"] == f"{at(going)}?q=1&again=1"
    assert 'id="answer"' in text(signed_in.get(flagged["Location"]))


def test_flag_is_a_thing_saved(signed_in, learner):
    going = start_attempt(learner_id=learner.pk, quiz=shelve_quiz(question("one")), fresh=False, at=AT)
    signed_in.post(at(going, "flag"), {"q": 1})
    assert Attempt.objects.get().saved_at > AT


def test_retries_of_two_tabs_are_two_tries_and_each_counts_once(signed_in, learner):
    going = start_attempt(learner_id=learner.pk, quiz=shelve_quiz(question("one")), fresh=False, at=AT)
    send(going, 1)
    slot, key = slot_of(going, 1), "6f0e8e6c-5a0c-4c5c-9a53-0d8a6a6a2f11"
    for right in (True, False, True, False):  # each is sent again, as after a lost response
        sent = form(slot, right=right, again=1, key=key)
        assert signed_in.post(at(going), sent, **HTMX).status_code == 200
    states = list(Response.objects.order_by("number").values_list("number", "state"))
    assert states == [(1, "right"), (2, "right"), (3, "wrong")]


def test_wrong_number_is_called_a_number(signed_in, learner):
    going = start_attempt(learner_id=learner.pk, quiz=shelve_quiz(typed("one")), fresh=False, at=AT)
    told = signed_in.post(at(going), form(slot_of(going, 1), right=False), **HTMX)
    assert "Not this number" in text(told)


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "question"}])
def test_review_of_an_open_attempt_says_so_and_writes_nothing_at_all(signed_in, learner, headers):
    going = start_attempt(learner_id=learner.pk, quiz=shelve_quiz(question("one")), fresh=False, at=AT)
    before = table_prints(())
    answer = signed_in.get(at(going, "review"), headers=headers)
    assert (answer.status_code, "The review opens when you finish" in text(answer)) == (200, True)
    assert f'href="{at(going)}"' in text(answer)
    assert f'action="{at(going, "finish")}"' in text(answer)
    assert changed_tables(before, ()) == []
