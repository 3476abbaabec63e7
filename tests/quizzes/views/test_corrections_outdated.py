"""Corrections whose key or preview is not today's any more are not applied, and acts that no form sends are 404."""

from datetime import timedelta

import pytest
from django.urls import reverse

from quizzes.actions import apply_correction, set_aside, take_up, undo_correction
from quizzes.models import Correction, Response
from studyhub.accounts.auditing import COMMAND
from tests.quizzes.goods import AT, shelve_quiz
from tests.quizzes.views.test_corrections import (
    HEADS,
    LATER,
    answered,
    corrected,
    keyed,
    stamp_on,
    text,
)

__all__ = ["corrected"]

pytestmark = pytest.mark.django_db
SAYS = "The course holds another key now: see the newer correction"


def post(correction, author, head=None, **sent):
    return author.post(reverse("correct", args=[correction.pk]), sent, headers=head or {})


def look(correction, author):
    return text(author.get(reverse("correction", args=[correction.pk])))


@pytest.mark.parametrize("act", ["zzz", "apply ", "Undo", "0"])
def test_act_that_no_form_sends_is_404_and_moves_nothing(corrected, author, act):
    before = list(Response.objects.order_by("pk").values_list("state", flat=True))
    assert post(corrected, author, act=act, reason="x").status_code == 404
    corrected.refresh_from_db()
    assert corrected.state == "waiting"
    assert list(Response.objects.order_by("pk").values_list("state", flat=True)) == before


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("state", ["undone", "aside", "waiting"])
def test_key_that_the_course_does_not_hold_is_refused_and_not_offered(corrected, author, state, head):
    if state == "aside":
        set_aside(correction_id=corrected.pk, by=COMMAND, reason="Ask", at=LATER)
    elif state == "undone":
        apply_correction(correction_id=corrected.pk, by=COMMAND, at=LATER)
        undo_correction(correction_id=corrected.pk, by=COMMAND, at=LATER)
    shelve_quiz(keyed("gamma"))
    newer = Correction.objects.latest("pk")
    if state == "waiting":  # loading drops those; one that is left over is not offered either
        corrected.pk = None
        corrected.save(force_insert=True)
    body = look(corrected, author)
    link = f'another key now: see the <a href="{reverse("correction", args=[newer.pk])}">newer correction</a>'
    assert (link in body, "Apply: mark all" in body, "Take it up again" in body) == (True, False, False)
    answer = post(corrected, author, head, act="up" if state == "aside" else "")
    assert (answer.status_code, SAYS in text(answer), link in text(answer)) == (409, True, True)
    corrected.refresh_from_db()
    assert corrected.state == state
    assert SAYS not in look(newer, author)
    assert post(newer, author, seen=stamp_on(look(newer, author))).status_code == 302


def test_key_that_was_changed_and_changed_back_can_be_taken_up(corrected, author):
    set_aside(correction_id=corrected.pk, by=COMMAND, reason="Ask", at=LATER)
    for key in ("gamma", "beta"):
        shelve_quiz(keyed(key))
    assert "Take it up again" in look(corrected, author)
    take_up(correction_id=corrected.pk, by=COMMAND, at=LATER)


@pytest.mark.parametrize("undone", [False, True])
def test_preview_that_another_correction_of_the_question_made_old_is_refused(
    corrected, author, learner, undone
):
    answered(corrected.question.quiz, learner, "beta")
    shelve_quiz(keyed("gamma"))
    first, second = Correction.objects.order_by("before__number")
    seen = stamp_on(look(second, author))
    apply_correction(correction_id=first.pk, by=COMMAND, at=AT)
    if undone:
        undo_correction(correction_id=first.pk, by=COMMAND, at=AT + timedelta(hours=1))
    answer = post(second, author, seen=seen)
    assert (answer.status_code, "since you opened this page" in text(answer)) == (409, True)
    assert Correction.objects.get(pk=second.pk).state == "waiting"
    assert post(second, author, seen=stamp_on(text(answer))).status_code == 302
