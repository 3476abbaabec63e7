"""The key of typed words, matches, orders and clozes never reaches a browser before the answer."""

import pytest
from django.utils import timezone

from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import QuestionVersion, Quiz
from studyhub.accounts.auditing import COMMAND
from studyhub.packs.actions import load_pack
from tests.studyhub.packs import forms, small

from .play import form, send, slot_of
from .test_canary import browser, crawl, refused, seen

pytestmark = pytest.mark.django_db
ALL = frozenset().union(*(forms.secrets_of(one) for one in forms.QUESTIONS))
MISTAKE = {forms.canaries()["short:mistake"], forms.canaries()["short:lesson"]}  # told to whoever makes it
PLACES = list(enumerate(forms.QUESTIONS, start=1))


@pytest.fixture
def quiz(tmp_path):
    load_pack(folder=forms.write(tmp_path), by=COMMAND, at=timezone.now())
    return Quiz.objects.select_related("course").get(course__slug="tiny", slug="forms")


@pytest.fixture
def attempt(quiz, learner):
    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())


def pages_of(client, attempt):
    return crawl(client, attempt, "forms", forms.QUESTIONS)


def test_no_secret_in_what_is_shown_and_no_order_in_it(quiz):
    versions = {one.kind: one for one in QuestionVersion.objects.filter(question__quiz=quiz)}
    assert set(versions) == set(forms.KINDS)
    shown = " ".join(f"{v.stem_html} {v.stem_text} {v.body_html} {v.body}" for v in versions.values())
    assert [secret for secret in ALL if secret in shown] == []
    assert [one["text"] for one in versions["order"].body["options"]] == [
        "Put the apple on",
        "Read the needle",
        "Set it to zero",
    ]
    assert versions["cloze"].stem_text == "Fill in what a ____ tells."


def test_nobody_sees_a_secret_before_the_answer(attempt, learner, client):
    mine = browser(learner)
    pages = [*pages_of(mine, attempt), *refused(mine, attempt, forms.QUESTIONS, " ")]
    assert len(pages) > 100
    assert seen(*pages, secrets=ALL) == set()
    assert seen(*pages_of(client, attempt), secrets=ALL) == set()


@pytest.mark.parametrize(("number", "question"), PLACES)
@pytest.mark.parametrize("right", [True, False])
def test_answer_opens_its_own_secrets_to_its_own_learner_only(
    attempt, learner, other, number, question, right
):
    mine = browser(learner)
    theirs = start_attempt(learner_id=other.pk, quiz=attempt.quiz, fresh=False, at=timezone.now())
    sent = mine.post(f"/attempts/{attempt.pk}/", form(slot_of(attempt, number), right=right))
    told = seen(mine.get(sent["Location"]), *pages_of(mine, attempt), secrets=ALL)
    unsaid = MISTAKE if question == "short" else set()
    belief = {small.BELIEF}
    assert told - belief == forms.secrets_of(question) - unsaid - belief
    assert (small.BELIEF in told) == (not right and question != "short")
    assert seen(*pages_of(browser(other), theirs), secrets=ALL) == set()
    assert seen(*pages_of(browser(other), attempt), secrets=ALL) == set()


def test_form_for_another_try_shows_no_secret(attempt, learner):
    for number, _ in PLACES:
        send(attempt, number, right=False)
        page = browser(learner).get(f"/attempts/{attempt.pk}/?q={number}&again=1")
        assert seen(page, secrets=ALL) == set()


def test_review_opens_everything_and_only_to_its_learner(attempt, learner, other):
    send(attempt, 2, right=False)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=timezone.now())
    told = seen(browser(learner).get(f"/attempts/{attempt.pk}/review/"), secrets=ALL)
    assert ALL - told == MISTAKE
    assert seen(*pages_of(browser(other), attempt), secrets=ALL) == set()


@pytest.mark.parametrize(("number", "question"), PLACES)
def test_page_before_the_answer_weighs_the_same_in_every_order(quiz, learner, number, question):
    client, sizes = browser(learner), set()
    for _ in range(6):
        attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=timezone.now())
        sizes.add(len(client.get(f"/attempts/{attempt.pk}/?q={number}").content))
    assert len(sizes) == 1
