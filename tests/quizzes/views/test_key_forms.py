"""Typed answers on the pages of authors and in the review: what a key puts in and takes out, and few forms of many."""

from datetime import timedelta

import pytest
from django.urls import reverse

from quizzes.actions import apply_correction, finish_attempt, report_question, start_attempt
from quizzes.actions.disputes import Doubt
from quizzes.models import Correction
from quizzes.queries.corrected_keys import keys_beside
from quizzes.queries.key_forms import forms_of, groups_of
from studyhub.accounts.auditing import Actor
from tests.quizzes.goods import AT, question, shelve_quiz
from tests.quizzes.kinds.forms import about
from tests.quizzes.play import counted, send

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(days=1)
MANY = tuple(f"{letter}word" for letter in "abcdefghijk")
HEADS = [{}, {"HX-Request": "true", "HX-Target": "main"}]


def text(response):
    return " ".join(response.content.decode().split())


def entry(form, weight=None):
    return {"text": form, **about(form, weight=weight)}


def short(*forms, mistakes=(), exact=False):
    key = {"accepted": [entry(*one) if isinstance(one, tuple) else entry(one) for one in forms]}
    key["mistakes"] = [entry(one) for one in mistakes]
    return question("one", kind="short", body={"exact": exact}, key=key, options=())


def cloze(*gaps):
    key = {"score": "all", "gaps": [{"accepted": list(one), **about("gap")} for one in gaps]}
    body = {"gaps": [{"hint": ""} for _ in gaps], "exact": False}
    return question("one", kind="cloze", body=body, key=key, options=())


def taken(learner, before, *raw):
    attempt = start_attempt(learner_id=learner.pk, quiz=shelve_quiz(before), fresh=True, at=AT)
    send(attempt, 1, raw=list(raw))
    return attempt


def told(groups):
    return [(one.title, [(form.text, form.said) for form in one.changes], one.same) for one in groups]


@pytest.mark.parametrize(
    ("before", "after", "groups"),
    [
        (short(*MANY), short(*MANY, "new"), [("", [("new", "now accepted")], 11)]),
        (short("FP-8", "x"), short("FP 8"), [("", [("x", "no longer accepted")], 1)]),
        (
            short("a", ("b", 0.9), "c", mistakes=["d", "e"]),
            short("a", "b", ("f", 0.5), mistakes=["c", "e"]),
            [
                (
                    "",
                    [
                        ("b", "was accepted for 90 %, is accepted in full"),
                        ("f", "now accepted for 50 %"),
                        ("c", "was accepted, is an expected mistake"),
                        ("d", "no longer an expected mistake"),
                    ],
                    2,
                )
            ],
        ),
        (
            cloze(["a", "b"], ["c"]),
            cloze(["a", "b"], ["d", "c"]),
            [("Gap 1", [], 2), ("Gap 2", [("d", "now accepted")], 1)],
        ),
    ],
    ids=["added", "compared", "weights", "gaps"],
)
def test_only_forms_that_changed_are_named(learner, before, after, groups):
    taken(learner, before, *["other"] * (2 if before.kind == "cloze" else 1))
    shelve_quiz(after)
    keys = keys_beside(Correction.objects.get())
    assert (told(keys.groups), list(keys.lines)) == (groups, [])


def test_numbers_are_compared_by_their_range_and_told_with_their_unit():
    def key(*ranges):
        accepted = [{**entry(f"{low}..{high}"), "low": low, "high": high} for low, high in ranges]
        return {"accepted": accepted, "mistakes": []}

    body = {"unit": "GB"}
    old, new = (forms_of("number", body, one) for one in (key("12", "34"), key(("1.0", "2.0"), "56")))
    assert told(groups_of(old, new)) == [
        ("", [("5 to 6 GB", "now accepted"), ("3 to 4 GB", "no longer accepted")], 1)
    ]


@pytest.mark.parametrize("head", HEADS)
def test_page_of_a_correction_tells_one_form_that_was_put_in_and_counts_the_others(learner, author, head):
    taken(learner, short(*MANY), "other")
    shelve_quiz(short(*MANY, "<new>", exact=True))
    body = text(author.get(reverse("correction", args=[Correction.objects.get().pk]), headers=head))
    assert "<span>&lt;new&gt;</span> <b>now accepted</b><p>Why <new>.</p>" in body
    assert "<b>Was the same, is told apart</b>" in body
    assert ("11 forms stay as they were." in body, "bword" in body, "not in the key" in body) == (
        True,
        False,
        False,
    )


def reported(attempt):
    doubt = Doubt(1, "key", "", "Look.")
    row = report_question(attempt_id=attempt.pk, learner_id=attempt.learner_id, doubt=doubt, at=AT)
    return reverse("inbox_report", args=[row.pk])


@pytest.mark.parametrize("head", HEADS)
def test_report_tells_authors_the_first_answer_few_forms_and_the_correction_that_waits(
    learner, author, other, head
):
    attempt = taken(learner, short(*MANY), "<mine>")
    send(attempt, 1, raw=["again"], again=True)
    page = reported(attempt)
    body, asked = counted(lambda: text(author.get(page, headers=head)))
    assert "<p>Their answer: <b>&lt;mine&gt;</b></p>" in body
    assert "fword, gword and 4 more" in body
    assert "Marks of earlier answers" not in body
    shelve_quiz(short(*MANY, "mine"))
    made = Correction.objects.get()
    link = f'The <a href="{reverse("correction", args=[made.pk])}">correction to version 2</a> waits. '
    said = f"{link}Marks of earlier answers move only when it is applied."
    body, more = counted(lambda: text(author.get(page, headers=head)))
    assert (said in body, len(more) <= len(asked)) == (True, True)
    apply_correction(correction_id=made.pk, by=Actor(other.pk), at=LATER)
    assert "Marks of earlier answers" not in text(author.get(page, headers=head))


def test_report_on_a_question_that_was_not_answered_names_no_answer(learner, author):
    attempt = start_attempt(learner_id=learner.pk, quiz=shelve_quiz(short("a")), fresh=True, at=AT)
    assert "Their answer" not in text(author.get(reported(attempt)))


def test_review_names_seven_forms_and_of_a_corrected_key_the_ones_that_changed(learner, other, signed_in):
    attempt = taken(learner, short(*MANY), "new")
    shelve_quiz(short(*MANY, "new"))
    apply_correction(correction_id=Correction.objects.get().pk, by=Actor(other.pk), at=LATER)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=LATER)
    body = text(signed_in.get(reverse("review", args=[attempt.pk])))
    assert "aword; also accepted: bword, cword, dword, eword, fword, gword and 4 more" in body
    assert "aword; also accepted: new, bword, cword, dword, eword, fword and 5 more" in body
    assert "kword" not in body


def test_review_of_what_was_left_out_names_seven_forms(learner, signed_in):
    quiz = shelve_quiz(short(*MANY))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=LATER)
    body = text(signed_in.get(reverse("review", args=[attempt.pk])))
    assert ("gword and 4 more" in body, "hword" in body) == (True, False)
