"""How many statements a page of an attempt and an answer cost, whatever the history and however new the process."""

import pytest
from django.urls import reverse

from chapters.queries import paragraph_labels, sheet_of
from quizzes.actions import start_attempt
from quizzes.queries import ready

from .goods import AT, question, shelve_quiz
from .play import counted, form, send, slot_of

pytestmark = pytest.mark.django_db


def at(attempt):
    return reverse("attempt", args=[attempt.pk])


def with_history(learner, answers):
    """Stored first answers of this learner in attempts of another quiz."""
    quiz = shelve_quiz(
        *(question(f"old-{n}", objectives=("weigh", "measure")) for n in range(50)), slug="old-quiz"
    )
    for _ in range(answers // 50):
        attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
        for position in range(1, 51):
            send(attempt, position, right=position % 2 == 0)


def forget():
    """As if the process had just begun."""
    for kept in (ready.frame_of, ready.shown_of, ready.opened_of, sheet_of, paragraph_labels):
        kept.cache_clear()


@pytest.mark.parametrize("cold", [False, True])
@pytest.mark.parametrize(("questions", "history"), [(1, 0), (3, 0), (3, 500)])
def test_query_budgets_of_question_and_answer(signed_in, learner, questions, history, cold):
    begin = forget if cold else list
    with_history(learner, history)
    quiz = shelve_quiz(
        *(question(f"q{n}", objectives=("weigh", "measure", "choose")) for n in range(questions))
    )
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    begin()
    _, before = counted(lambda: signed_in.get(f"{at(attempt)}?q=1"))
    sent = form(slot_of(attempt, 1), right=False)
    begin()
    answer, posted = counted(lambda: signed_in.post(at(attempt), sent))
    begin()
    shown, after = counted(lambda: signed_in.get(answer["Location"]))
    begin()
    _, again = counted(lambda: signed_in.post(at(attempt), sent))
    signed_in.post(at(attempt), form(slot_of(attempt, 1), again="1"))
    begin()
    _, retried = counted(lambda: signed_in.get(answer["Location"]))
    assert "verdict wrong" in shown.content.decode()
    assert len(before) <= 6
    assert len(posted) <= 9, posted
    assert len(after) <= 6, after
    assert len(again) <= 9
    assert len(retried) <= 6
