"""A typed answer that nobody foresaw teaches all the same, and its giver can say that it is right."""

import re

import pytest
from django.utils import timezone

from quizzes.actions import finish_attempt, start_attempt
from quizzes.actions.corrections import remarked
from quizzes.kinds.shapes import Answer
from quizzes.models import Correction, QuestionKey, Quiz
from quizzes.queries.feedback import Given, verdict_of
from studyhub.accounts.auditing import COMMAND
from studyhub.packs.actions import load_pack
from tests.studyhub.packs import forms

from .play import send, slot_of

pytestmark = pytest.mark.django_db
HEADS = [{}, {"HX-Request": "true", "HX-Target": "question"}]
CANARY = forms.canaries()
CLAIM = "Tell the authors that it is right"
OPEN = re.compile(r"<details open>.*?</details>", re.DOTALL)


@pytest.fixture
def folder(tmp_path):
    return forms.write(tmp_path)


@pytest.fixture
def attempt(folder, learner):
    return started(folder, learner)


def started(folder, learner):
    load_pack(folder=folder, by=COMMAND, at=timezone.now())
    quiz = Quiz.objects.get(course__slug="tiny", slug="forms")
    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=timezone.now())


def page(client, attempt, number, head=None):
    return client.get(f"/attempts/{attempt.pk}/?q={number}", headers=head or {}).content.decode()


@pytest.mark.parametrize("head", HEADS)
def test_unforeseen_words_stand_beside_the_accepted_ones_with_reason_explanation_and_paragraph(
    signed_in, attempt, head
):
    assert CLAIM not in page(signed_in, attempt, 1, head)
    near = f"the {CANARY['short:accepted']} thing"
    send(attempt, 1, raw=[near])
    shown = page(signed_in, attempt, 1, head)
    yours, accepted = OPEN.findall(shown)
    assert f"Your answer: {near}" in yours
    assert '<span class="away">not in it: </span>thing</del>' in yours
    assert f"Accepted: {CANARY['short:accepted']}" in accepted
    assert CANARY["short:why"] in accepted
    assert CANARY["short:in-short"] in shown
    assert 'class="paragraph"' in shown
    assert f'<a class="doubt-link" href="/attempts/{attempt.pk}/report/?q=1&amp;mine=1">{CLAIM}</a>' in shown
    assert CANARY["short:lesson"] not in shown


@pytest.mark.parametrize(("number", "right"), [(1, True), (2, False), (3, False), (4, True)])
def test_claim_stands_at_typed_answers_that_do_not_count_in_full_only(signed_in, attempt, number, right):
    send(attempt, number, right=right)
    assert CLAIM not in page(signed_in, attempt, number)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(("number", "raw"), [(1, ["?!"]), (4, ["?", "_"])])
def test_mere_signs_claim_nothing(signed_in, attempt, number, raw, head):
    assert send(attempt, number, raw=raw).state == "wrong"
    assert CLAIM not in page(signed_in, attempt, number, head)


@pytest.mark.parametrize(
    ("kind", "answer", "state", "arguable"),
    [
        ("short", Answer(typed="a pear"), "wrong", True),
        ("short", Answer(typed="7"), "partly", True),
        ("short", Answer(typed="a pear"), "right", False),
        ("short", Answer(typed="…"), "wrong", False),
        ("cloze", Answer(parts=("", "b")), "partly", True),
        ("cloze", Answer(parts=("", "-")), "wrong", False),
        ("number", Answer(typed="3.5 GB"), "wrong", False),
        ("match", Answer(parts=("a", "b")), "wrong", False),
    ],
)
def test_only_words_that_do_not_count_in_full_are_arguable(kind, answer, state, arguable):
    given = Given(1, state, "", None, timezone.now())
    assert verdict_of(given, state, kind, answer).arguable is arguable


def test_claim_stands_in_the_review_too(signed_in, attempt, learner):
    for number in (1, 2, 4):
        send(attempt, number, right=False)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=timezone.now())
    assert signed_in.get(f"/attempts/{attempt.pk}/review/").content.decode().count(CLAIM) == 2


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(
    ("number", "raw", "begins"),
    [
        (1, ["<b>a pear</b>"], "My answer “&lt;b&gt;a pear&lt;/b&gt;” should count, because "),
        (4, ["a", "b"], "My answer “Gap 1: a; Gap 2: b” should count, because "),
        (4, ["a" * 200, "b" * 200], ""),
    ],
)
def test_report_begins_with_the_typed_answer_where_it_is_short(signed_in, attempt, number, raw, begins, head):
    send(attempt, number, raw=raw)
    form = signed_in.get(f"/attempts/{attempt.pk}/report/?q={number}&mine=1", headers=head).content.decode()
    assert f'aria-describedby="text-help">{begins}</textarea>' in form
    assert 'value="key" checked' in form
    plain = signed_in.get(f"/attempts/{attempt.pk}/report/?q={number}", headers=head).content.decode()
    assert 'aria-describedby="text-help"></textarea>' in plain
    assert "checked" not in plain


def test_report_before_any_answer_and_of_a_stranger(client, signed_in, attempt, other):
    address = f"/attempts/{attempt.pk}/report/?q=1&mine=1"
    assert "checked" not in signed_in.get(address).content.decode()
    client.force_login(other, "studyhub.accounts.backends.Backend")
    assert client.get(address).status_code == 404


def test_words_that_follow_a_gap_are_kept_with_the_key_and_may_be_typed(attempt):
    slot = slot_of(attempt, 4)
    assert [gap["after"] for gap in QuestionKey.objects.get(pk=slot.version_id).key["gaps"]] == [
        "tells",
        "of a thing",
    ]
    raw = [f"the {CANARY['cloze:first']} tells", f"{CANARY['cloze:other']} of a thing."]
    assert send(attempt, 4, raw=raw).state == "right"


def test_strict_question_keeps_every_sign(folder, learner):
    quiz = folder / "quizzes/forms.quiz.md"
    quiz.write_text(quiz.read_text().replace("{#short}\n", "{#short}\ncase: strict\n"))
    attempt = started(folder, learner)
    assert slot_of(attempt, 1).version.body == {"exact": True, "strict": True}
    assert send(attempt, 1, raw=[f"the {CANARY['short:accepted']}"]).state == "wrong"


def test_answers_given_before_are_marked_by_the_wider_key_in_the_preview(folder, learner):
    given = ["the peel.", "peel (skin)", "a core"]
    for words in given:
        send(started(folder, learner), 1, raw=[words])
    quiz = folder / "quizzes/forms.quiz.md"
    more = "".join(f"- [=] {one}\n  > It is what weighs, by another name.\n" for one in ("peel", "skin"))
    quiz.write_text(quiz.read_text().replace("- [!] ", f"{more}- [!] ", 1))
    load_pack(folder=folder, by=COMMAND, at=timezone.now())
    correction = Correction.objects.get()
    states = sorted(one.mark.state for one in remarked(correction, correction.after))
    assert states == ["right", "right", "wrong"]


def test_needless_form_changes_no_key(folder, learner):
    send(started(folder, learner), 1, right=False)
    quiz = folder / "quizzes/forms.quiz.md"
    needless = f"- [=] the {CANARY['short:accepted']}.\n  > It is what weighs, by another name.\n"
    quiz.write_text(quiz.read_text().replace("- [!] ", f"{needless}- [!] ", 1))
    load_pack(folder=folder, by=COMMAND, at=timezone.now())
    assert not Correction.objects.exists()
