"""Every named constraint of storey 4, broken once."""

from uuid import uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import Attempt, Question, QuestionObjective, QuestionVersion, Quiz, Response, Slot

from .goods import AT, question, shelve_quiz
from .play import send

pytestmark = pytest.mark.django_db


def twin(row):
    """The same row once more."""
    row.pk = uuid4() if isinstance(row, Attempt) else None
    row._state.adding = True
    row.save(force_insert=True)


def change(model, **columns):
    model.objects.filter(pk=model.objects.latest("pk").pk).update(**columns)


def twin_of_finished():
    attempt = Attempt.objects.get()
    finish_attempt(attempt_id=attempt.pk, learner_id=attempt.learner_id, at=AT)
    twin(Attempt.objects.get())


def second_open():
    attempt = Attempt.objects.get()
    attempt.number = 2
    twin(attempt)


def second_response(**columns):
    row = Response.objects.get()
    for name, value in columns.items():
        setattr(row, name, value)
    twin(row)


BREAKS = {
    "quiz_slug_once": lambda: twin(Quiz.objects.get(slug="small-quiz")),
    "question_slug_once": lambda: twin(Question.objects.get(slug="one")),
    "question_facet": lambda: change(Question, facet="colour"),
    "question_objective_once": lambda: twin(QuestionObjective.objects.latest("pk")),
    "version_once": lambda: twin(QuestionVersion.objects.latest("pk")),
    "attempt_number_once": twin_of_finished,
    "attempt_one_open": second_open,
    "attempt_sums_in_bounds": lambda: change(Attempt, right=2),
    "slot_position_once": lambda: twin(Slot.objects.get()),
    "slot_state": lambda: change(Slot, state="perhaps"),
    "response_number_once": lambda: second_response(key=uuid4()),
    "response_key_once": lambda: second_response(number=2),
    "response_state": lambda: change(Response, state=""),
    "response_fraction": lambda: change(Response, fraction=1.5),
    "response_certainty": lambda: change(Response, certainty=4),
}


@pytest.fixture
def rows(learner):
    quiz = shelve_quiz(question("one"))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    send(attempt, 1)
    return attempt


def test_every_constraint_has_a_case():
    from .test_models_around import BREAKS as AROUND

    models = apps.get_app_config("quizzes").get_models()
    assert {one.name for model in models for one in model._meta.constraints} == {*BREAKS, *AROUND}


@pytest.mark.parametrize("name", BREAKS)
def test_constraint_holds(rows, name):
    with pytest.raises(IntegrityError) as broken, transaction.atomic():
        BREAKS[name]()
    assert broken.value.__cause__.diag.constraint_name == name


@pytest.mark.parametrize(
    ("model", "columns", "name"),
    [
        (Attempt, {"answered": 2}, "attempt_sums_in_bounds"),
        (Response, {"fraction": -0.1}, "response_fraction"),
        (Response, {"certainty": 0}, "response_certainty"),
    ],
)
def test_constraint_holds_at_its_other_end(rows, model, columns, name):
    with pytest.raises(IntegrityError) as broken, transaction.atomic():
        change(model, **columns)
    assert broken.value.__cause__.diag.constraint_name == name
