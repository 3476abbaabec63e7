"""What stays of answers when their learner leaves: counts of a question's own options, and no words (trust.md 1.19)."""

import pytest

from quizzes.actions import start_attempt
from quizzes.models import AnswerCount, Attempt, Response
from quizzes.queries.anonymous import AnonymousCount, anonymous_counts
from studyhub.accounts.actions import erase_person
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, question, shelve_quiz
from tests.quizzes.play import at_once, send, slot_of


def attempts_of(quiz, number):
    people = [User.objects.create_user(f"p{n}@example.org", "pw") for n in range(number)]
    return [start_attempt(learner_id=one.pk, quiz=quiz, fresh=False, at=AT) for one in people]


@pytest.mark.django_db
def test_counts_tell_first_answers_from_later_tries_and_options_from_answers(learner):
    attempt = start_attempt(learner_id=learner.pk, quiz=shelve_quiz(question("one")), fresh=False, at=AT)
    first = send(attempt, 1, right=False)
    second = send(attempt, 1, right=True, again=True)
    assert (first.number, second.number) == (1, 2)
    version = slot_of(attempt, 1).version_id
    erase_person(person_id=learner.pk)
    assert anonymous_counts([version]) == [
        AnonymousCount(version, "", True, "wrong", 1),
        AnonymousCount(version, "", False, "right", 1),
        *sorted(
            [
                AnonymousCount(version, first.options[0], True, "wrong", 1),
                AnonymousCount(version, second.options[0], False, "right", 1),
            ],
            key=lambda one: one.option,
        ),
    ]
    assert anonymous_counts([version + 1]) == []


@pytest.mark.django_db
def test_option_that_the_question_does_not_name_is_in_no_count(learner):
    attempt = start_attempt(learner_id=learner.pk, quiz=shelve_quiz(question("one")), fresh=False, at=AT)
    send(attempt, 1)
    Response.objects.update(options=["words of a person"])
    erase_person(person_id=learner.pk)
    assert list(AnswerCount.objects.values_list("option", "n")) == [("", 1)]


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.django_db
def test_reading_counts_costs_one_query(django_assert_num_queries, rows):
    quiz = shelve_quiz(*(question(f"q{n}") for n in range(rows)))
    (attempt,) = attempts_of(quiz, 1)
    for position in range(1, rows + 1):
        send(attempt, position)
    versions = [one.version_id for one in attempt.slots.all()]
    erase_person(person_id=attempt.learner_id)
    with django_assert_num_queries(1):
        assert len(anonymous_counts(versions)) == 2 * rows


@pytest.mark.django_db(transaction=True)
def test_people_who_leave_at_once_are_all_counted():
    quiz = shelve_quiz(*(question(f"q{n}") for n in range(4)))
    attempts = attempts_of(quiz, 12)
    for attempt in attempts:
        for position in (1, 2, 3, 4):
            send(attempt, position)
    at_once([lambda one=one.learner_id: erase_person(person_id=one) for one in attempts])
    assert sorted(AnswerCount.objects.filter(option="").values_list("n", flat=True)) == [12] * 4
    assert not Attempt.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_answer_under_way_while_its_learner_leaves_is_counted_or_finds_nobody():
    quiz = shelve_quiz(*(question(f"q{n}") for n in range(3)))
    attempts = attempts_of(quiz, 12)
    counted = []

    def answer(attempt, position):
        try:
            counted.append(send(attempt, position).pk)
        except Exception as problem:
            return type(problem).__name__
        return ""

    acts = []
    for attempt in attempts:
        acts += [
            lambda a=attempt: answer(a, 1),
            lambda a=attempt: erase_person(person_id=a.learner_id),
            lambda a=attempt: answer(a, 2),
        ]
    assert set(at_once(acts, threads=6)) <= {"", "DoesNotExist", None}
    assert not User.objects.exists()
    assert not Response.objects.exists()
    assert sum(AnswerCount.objects.filter(option="").values_list("n", flat=True)) == len(counted)
