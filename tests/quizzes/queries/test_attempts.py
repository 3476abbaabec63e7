"""The question that is shown, and what is read for it."""

from itertools import product

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chapters.actions import confirm_release
from quizzes.actions import finish_attempt, flag_question, skip_question, start_attempt
from quizzes.models import Attempt, Slot
from quizzes.queries import first_open_position, question_page
from quizzes.queries.going import Stop, going_of
from quizzes.queries.ready import frame_of, opened_of, shown_of
from tests.quizzes.goods import AT, course_goods, question, quiz_goods, replace, shelve_course, shelve_quiz
from tests.quizzes.play import send

pytestmark = pytest.mark.django_db


@pytest.fixture
def going(learner):
    quiz = shelve_quiz(question("one"), question("two"), question("three"))
    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)


def page(attempt, position=None, **extra):
    return question_page(attempt.pk, attempt.learner_id, position, **extra)


@pytest.mark.parametrize("states", list(product(["unseen", "skipped", "right"], repeat=3)))
def test_question_without_a_number_is_the_one_the_line_says_is_next(going, states):
    for position, state in enumerate(states, start=1):
        Slot.objects.filter(attempt=going, position=position).update(
            skipped=state == "skipped", state="right" if state == "right" else ""
        )
    found = going_of(going.pk, going.learner_id, None)
    assert found.told[0].position == (first_open_position(found.stops) or 1)


@pytest.mark.parametrize(
    ("states", "after", "following"),
    [
        (["", "", ""], 1, 2),
        (["", "", ""], 3, 1),
        (["right", "skipped", ""], 3, 3),
        (["right", "skipped", "right"], 1, 2),
        (["skipped", "wrong", "skipped"], 1, 3),
        (["right", "wrong", "partly"], 1, None),
    ],
)
def test_next_question_goes_on_and_round_and_comes_to_skipped_ones_last(states, after, following):
    stops = [
        Stop(position, "" if state == "skipped" else state, state == "skipped", False, None)
        for position, state in enumerate(states, start=1)
    ]
    assert first_open_position(stops, after) == following


def test_line_shows_every_question(going):
    send(going, 1, right=False, certainty=1)
    skip_question(attempt_id=going.pk, learner_id=going.learner_id, position=2, at=AT)
    flag_question(attempt_id=going.pk, learner_id=going.learner_id, position=3, flagged=True, at=AT)
    assert [tuple(one) for one in page(going, 3).dots] == [
        (1, "wrong", False, True, False),
        (2, "skipped", False, False, False),
        (3, "unseen", True, False, True),
    ]


def test_last_try_is_explained_and_the_first_stays_recorded(going):
    send(going, 1, right=False)
    send(going, 1, again=True, certainty=3)
    shown = page(going, 1)
    assert (shown.verdict.state, shown.verdict.retry, shown.verdict.first_state) == ("right", True, "wrong")
    assert (shown.verdict.answered_at, shown.certainty) == (AT, 3)


def test_missing_and_foreign_attempts_and_questions_look_alike(going, other):
    with pytest.raises(Attempt.DoesNotExist):
        question_page(going.pk, other.pk, 1)
    with pytest.raises(Slot.DoesNotExist):
        page(going, 4)


def test_no_key_is_read_before_the_answer_and_none_for_another_try(going):
    def asked(**extra):
        for kept in (frame_of, shown_of, opened_of):
            kept.cache_clear()
        with CaptureQueriesContext(connection) as seen:
            page(going, 1, **extra)
        return any("quizzes_questionkey" in one["sql"] for one in seen), opened_of.cache_info().currsize

    assert asked() == (False, 0)
    send(going, 1)
    assert asked() == (True, 1)
    assert asked(again=True) == (False, 0)


def test_renamed_quiz_and_moved_paragraph_are_shown_with_the_next_release(learner):
    shelve_course(quiz_goods(question("one", read="small#here"), title="Before"))
    quiz = shelve_quiz(question("one", read="small#here"), title="Before")
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    send(attempt, 1)
    before = page(attempt, 1)
    goods = quiz_goods(question("one", read="small#there"), title="After")
    shelve_course(goods, course=course_goods(title="Another course"))
    after = page(attempt, 1)
    assert (before.quiz_title, before.read.url.partition("#")[2]) == ("Before", "here")
    assert (after.quiz_title, after.read.url.partition("#")[2]) == ("After", "there")
    assert after.course.title == "Another course"


def test_renamed_question_has_its_new_name_though_the_release_stays(going):
    before = page(going, 1)
    quiz = quiz_goods(replace(question("one"), slug="uno", was="one"), question("two"), question("three"))
    course, tally = shelve_course(quiz)
    assert tally.quiet
    confirm_release(course=course, fingerprint="another")
    after = page(going, 1)
    assert (before.question_slug, after.question_slug) == ("one", "uno")
    assert after.course.revision != before.course.revision


def test_ended_attempt_has_no_form_again(going):
    send(going, 1)
    finish_attempt(attempt_id=going.pk, learner_id=going.learner_id, at=AT)
    assert page(going, 1, again=True).retrying is False
