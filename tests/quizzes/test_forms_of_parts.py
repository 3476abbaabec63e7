"""Typed words, matches, orders and clozes through the views: refused, kept, recorded, explained, reviewed."""

import re

import pytest
from django.utils import timezone

from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import QuestionVersion, Quiz, Response
from quizzes.queries import question_page, review_page
from studyhub.accounts.auditing import COMMAND
from studyhub.packs.actions import load_pack
from tests.studyhub.packs import forms, small

from .play import counted, form, raw_right, raw_wrong, send, slot_of

pytestmark = pytest.mark.django_db
SIGNS = {"order": ("✓ comes first", "✕ should come first")}
HEADS = [{}, {"HX-Request": "true", "HX-Target": "question"}]
PLACES = list(enumerate(forms.QUESTIONS, start=1))
WORDS = {name: word for name, word in forms.canaries().items() if name.count(":") == 1}


@pytest.fixture
def folder(tmp_path):
    return forms.write(tmp_path)


@pytest.fixture
def attempt(folder, learner):
    load_pack(folder=folder, by=COMMAND, at=timezone.now())
    quiz = Quiz.objects.get(course__slug="tiny", slug="forms")
    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())


def post(client, attempt, number, head, **extra):
    return client.post(f"/attempts/{attempt.pk}/", form(slot_of(attempt, number), **extra), headers=head)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(("number", "kind"), PLACES)
def test_nothing_given_is_refused_with_what_to_do(signed_in, attempt, number, kind, head):
    answer = post(signed_in, attempt, number, head, choice=[])
    assert answer.status_code == 422
    assert 'id="error"' in answer.content.decode()
    assert Response.objects.count() == 0


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(("number", "kind"), PLACES[1:])
def test_what_was_given_stays_in_a_refused_form(signed_in, attempt, number, kind, head):
    raw = raw_right(slot_of(attempt, number))
    given = [*raw[:-1], ""]
    answer = post(signed_in, attempt, number, head, choice=given)
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert shown.count('aria-invalid="true"') == 1
    for value in [one for one in given[:1] if kind != "order"] + given[1:-1:2] * (kind == "order"):
        assert re.search(rf'value="{value}"( selected| aria-label)', shown)


def test_place_given_twice_is_told(signed_in, attempt):
    raw = raw_right(slot_of(attempt, 3))
    shown = post(signed_in, attempt, 3, {}, choice=[*raw[:-1], "#1"]).content.decode()
    assert "Place 1 is given twice" in shown
    assert shown.count('aria-invalid="true"') == 2


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(("number", "kind"), PLACES)
@pytest.mark.parametrize("right", [True, False])
def test_answer_is_recorded_and_told(signed_in, attempt, number, kind, right, head):
    post(signed_in, attempt, number, head, right=right)
    response = Response.objects.get()
    assert response.state == ("right" if right else "wrong")
    shown = signed_in.get(f"/attempts/{attempt.pk}/?q={number}", headers=head).content.decode()
    assert 'id="verdict"' in shown
    well, badly = SIGNS.get(kind, ("✓ right", "✕ wrong"))
    assert (well in shown) is (right and kind != "short")
    assert (badly in shown) is (not right and kind != "short")


@pytest.mark.parametrize(
    ("number", "state", "fraction", "detail"),
    [
        (2, "partly", 0.5, "1 of 2 rows right"),
        (3, "partly", 0.5, "1 of 2 neighbouring pairs right"),
        (4, "partly", 0.5, "1 of 2 gaps right"),
    ],
)
def test_partial_credit(attempt, number, state, fraction, detail):
    slot = slot_of(attempt, number)
    right, wrong = raw_right(slot), raw_wrong(slot)
    raw = {2: [right[0], wrong[1]], 4: [right[0], wrong[1]]}.get(number)
    if raw is None:  # the last item first
        first, second, third = right[::2]
        raw = [third, "#1", first, "#2", second, "#3"]
    response = send(attempt, number, raw=raw)
    assert (response.state, response.fraction, response.detail) == (state, fraction, detail)


def test_rest_of_the_answer_stays_as_it_was_given(attempt):
    given = [send(attempt, number, right=True) for number, _ in PLACES]
    assert given[0].typed == WORDS["short:accepted"]
    assert len(given[1].parts) == 2
    assert len(given[2].options) == 3
    assert given[3].parts == [WORDS["cloze:first"], WORDS["cloze:second"]]


def test_review_says_every_answer_as_text(attempt, learner, signed_in):
    for number, _ in PLACES:
        send(attempt, number, right=True)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=timezone.now())
    assert [one.said for one in review_page(attempt.pk, learner.pk).items] == [
        WORDS["short:accepted"],
        "Half: one; Whole: two",
        "1. Set it to zero; 2. Put the apple on; 3. Read the needle",
        f"Gap 1: {WORDS['cloze:first']}; Gap 2: {WORDS['cloze:second']}",
    ]
    shown = signed_in.get(f"/attempts/{attempt.pk}/review/").content.decode()
    assert shown.count('data-rationale="part-') == 7


@pytest.mark.parametrize(("number", "kind"), PLACES)
def test_answer_costs_no_further_query(signed_in, attempt, number, kind):
    sent = form(slot_of(attempt, number))
    signed_in.get(f"/attempts/{attempt.pk}/?q={number}")
    _, asked = counted(lambda: signed_in.post(f"/attempts/{attempt.pk}/", sent))
    assert len(asked) <= 9


def test_form_before_the_answer(attempt, learner):
    match, order, cloze = (question_page(attempt.pk, learner.pk, number) for number in (2, 3, 4))
    assert [(len(page.fields), len(page.options)) for page in (match, order, cloze)] == [
        (2, 3),
        (3, 0),
        (2, 0),
    ]
    assert [one.hint for one in cloze.fields] == ["a part", ""]


@pytest.mark.parametrize(
    ("old", "new", "number", "wording"),
    [
        ("| Half | one |", "| Half. | one |", 1, 2),
        ("| Whole | two |", "| Whole | twos |", 1, 2),
        ("1. Set it to zero", "1. Set it to zero.", 1, 2),
        ("| Half | one |\n| Whole | two |", "| Half | two |\n| Whole | one |", 2, 1),
    ],
)
def test_rewording_keeps_the_version_and_another_key_makes_one(folder, attempt, old, new, number, wording):
    kind = "order" if old[0] == "1" else "match"
    small.edit(folder, "quizzes/forms.quiz.md", old, new)
    if "Half." in new:
        small.edit(folder, "quizzes/forms.quiz.md", "- Half {mis", "- Half. {mis")
    load_pack(folder=folder, by=COMMAND, at=timezone.now())
    newest = QuestionVersion.objects.filter(kind=kind).order_by("-pk")[0]
    assert (newest.number, newest.wording) == (number, wording)
