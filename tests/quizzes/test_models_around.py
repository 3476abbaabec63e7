"""Every named constraint of cards, reports and corrections, broken once."""

import pytest
from django.db import IntegrityError, transaction

from quizzes.actions import start_attempt
from quizzes.models import (
    AnswerCount,
    Card,
    CardTry,
    Correction,
    QuestionReport,
    QuestionVersion,
    Quiz,
    Rescored,
    Response,
)

from .goods import AT, question, shelve_quiz
from .play import send
from .test_models import change, twin

pytestmark = pytest.mark.django_db

BREAKS = {
    "quiz_has_chapter": lambda: change(Quiz, chapter=None),
    "card_slug_once": lambda: twin(Card.objects.get(slug="why")),
    "card_level": lambda: change(Card, level="wizard"),
    "card_one_open_try": lambda: twin(CardTry.objects.get()),
    "card_shown_before_rated": lambda: change(CardTry, rated_at=AT),
    "report_reason": lambda: change(QuestionReport, reason="mood"),
    "report_state": lambda: change(QuestionReport, state="lost", decided_at=AT),
    "report_decided": lambda: change(QuestionReport, state="accepted"),
    "report_declined_with_reason": lambda: change(QuestionReport, state="declined", decided_at=AT),
    "correction_once": lambda: twin(Correction.objects.get()),
    "correction_undone_after": lambda: change(Correction, undone_at=AT),
    "correction_set_aside": lambda: change(Correction, set_aside_at=AT),
    "rescored_once": lambda: twin(Rescored.objects.get()),
    "answer_count_once": lambda: twin(AnswerCount.objects.get()),
    "answer_count_state": lambda: change(AnswerCount, state="perhaps"),
}


@pytest.fixture
def rows(learner):
    quiz = shelve_quiz(question("one"))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    send(attempt, 1)
    version = QuestionVersion.objects.get(question__quiz=quiz)
    AnswerCount.objects.create(version=version, option="", first=True, state="right", n=3)
    card = Card.objects.create(
        course=quiz.course, chapter=quiz.chapter, slug="why", deck="deck", level="beginner"
    )
    CardTry.objects.create(learner=learner, card=card, begun_at=AT)
    QuestionReport.objects.create(
        question=version.question, version=version, learner=learner, reason="key", at=AT
    )
    correction = Correction.objects.create(
        question=version.question, before=version, after=version, made_at=AT
    )
    Rescored.objects.create(
        correction=correction,
        response=Response.objects.get(),
        state_before="right",
        fraction_before=1,
        state_after="wrong",
        fraction_after=0,
    )


@pytest.mark.parametrize("name", BREAKS)
def test_constraint_holds(rows, name):
    with pytest.raises(IntegrityError) as broken, transaction.atomic():
        BREAKS[name]()
    assert broken.value.__cause__.diag.constraint_name == name
