"""The key never reaches a browser before the answer: every page of the site, for every kind of question."""

import base64
from itertools import product

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.actions import finish_attempt, start_attempt
from quizzes.kinds import KINDS
from quizzes.models import Question, QuestionVersion, Quiz
from studyhub.accounts.auditing import COMMAND
from studyhub.packs.actions import load_pack
from tests.studyhub.packs import forms, small
from tests.studyhub.web.addresses import addresses

from .play import form, send, slot_of

pytestmark = pytest.mark.django_db
BACKEND = "studyhub.accounts.backends.Backend"
QUESTIONS = ("one", "two", "three")
ALL = frozenset().union(*(small.secrets_of(one) for one in QUESTIONS))


@pytest.fixture
def quiz(tmp_path):
    load_pack(folder=small.write(tmp_path), by=COMMAND, at=timezone.now())
    return Quiz.objects.select_related("course").get(course__slug="tiny")


def browser(person):
    client = Client()
    client.force_login(person, BACKEND)
    return client


def forms_of(secret):
    raw = secret.encode()
    return [secret, secret[::-1], raw.hex(), base64.b64encode(raw).decode().rstrip("=")]


def seen(*responses, secrets=ALL):
    """The secrets that stand in any of the answers, head or body, in any form."""
    texts = ["\n".join([str(one.headers), one.content.decode("utf-8", "replace")]) for one in responses]
    return {secret for secret in secrets if any(form in text for text in texts for form in forms_of(secret))}


def crawl(client, attempt, quiz="first", questions=QUESTIONS):
    """Every address asked whole and as a region, the attempt's questions one by one, and with a query."""
    found = addresses(course="tiny", chapter="scales", quiz=quiz, attempt_id=attempt.pk)
    places = range(1, len(questions) + 1)
    queries = [
        "",
        *(f"?q={n}" for n in places),
        *(f"?q={n}&again=1" for n in places),
        *(f"?at={one}" for one in questions),
    ]
    heads = [{}, {"HX-Request": "true", "HX-Target": "question"}, {"HX-Request": "true", "HX-Target": "rail"}]
    for name, address in found.items():
        mine = queries if name in {"attempt", "quiz"} else [""]
        for query, head in product(mine, heads):
            yield client.get(address + query, headers=head)


def refused(client, attempt, questions=QUESTIONS, nonsense="nonsense"):
    """What comes back for answers that cannot be read, and for options of another question."""
    for position in range(1, len(questions) + 1):
        slot = slot_of(attempt, position)
        yield client.post(f"/attempts/{attempt.pk}/", form(slot, choice=[]))
        yield client.post(f"/attempts/{attempt.pk}/", form(slot, choice=[nonsense]))
        yield client.post(f"/attempts/{attempt.pk}/", {"q": position})
        for act in ("flag", "skip"):
            yield client.get(
                client.post(f"/attempts/{attempt.pk}/{act}/", {"q": position}).headers.get("Location", "/")
            )


def test_every_secret_is_in_the_key_and_none_in_what_is_shown(quiz):
    versions = QuestionVersion.objects.filter(question__quiz=quiz)
    assert {one.kind for one in versions} == set(KINDS) - set(forms.KINDS)
    shown = " ".join(f"{one.stem_html} {one.stem_text} {one.body_html} {one.body}" for one in versions)
    assert [secret for secret in ALL if secret in shown] == []


def test_nobody_sees_a_secret_before_the_answer(quiz, learner, client):
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())
    pages = [*crawl(browser(learner), attempt), *refused(browser(learner), attempt)]
    assert len(pages) > 100
    assert seen(*pages) == set()
    assert seen(*crawl(client, attempt)) == set()


@pytest.mark.parametrize(("number", "question"), [(1, "one"), (2, "two"), (3, "three")])
@pytest.mark.parametrize("right", [True, False])
def test_answer_opens_its_own_secrets_to_its_own_learner_only(quiz, learner, other, number, question, right):
    mine = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())
    theirs = start_attempt(learner_id=other.pk, quiz=quiz, fresh=False, at=timezone.now())
    sent = browser(learner).post(f"/attempts/{mine.pk}/", form(slot_of(mine, number), right=right))
    answered = browser(learner).get(sent["Location"])
    others = frozenset().union(*(small.secrets_of(one) for one in QUESTIONS if one != question))
    told = seen(answered, *crawl(browser(learner), mine))
    assert told & (others - small.secrets_of(question)) == set()
    if question == "three":  # of the expected mistakes only the one that was made is told
        told |= {small.EXPECTED, small.BELIEF, small.canaries()["three:mistake"]}
    assert told == small.secrets_of(question)
    assert seen(*crawl(browser(other), theirs), *refused(browser(other), theirs)) == set()
    assert seen(*crawl(browser(other), mine), *crawl(Client(), mine)) == set()


def test_form_for_another_try_shows_no_secret(quiz, learner):
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())
    for number in (1, 2, 3):
        send(attempt, number, right=False)
        assert seen(browser(learner).get(f"/attempts/{attempt.pk}/?q={number}&again=1")) == set()


def test_review_opens_everything_and_only_to_its_learner(quiz, learner, other):
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())
    for number in (1, 2):
        send(attempt, number, right=False)
    assert seen(browser(learner).get(f"/attempts/{attempt.pk}/review/", follow=True)) & small.secrets_of(
        "three"
    ) <= {small.BELIEF}
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=timezone.now())
    told = seen(browser(learner).get(f"/attempts/{attempt.pk}/review/"))
    assert ALL - told == {small.EXPECTED, small.canaries()["three:mistake"]}
    assert seen(*crawl(browser(other), attempt)) == set()


def test_next_attempt_is_closed_again(quiz, learner):
    first = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())
    send(first, 1)
    second = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=timezone.now())
    pages = [browser(learner).get(f"/attempts/{second.pk}/?q={n}") for n in (1, 2, 3)]
    assert seen(*pages, browser(learner).get(f"/attempts/{second.pk}/review/", follow=True)) == set()


def test_answer_page_weighs_the_same_whichever_option_is_right(quiz, learner):
    """The page before the answer has the same length for every order of the options."""
    sizes = set()
    client = browser(learner)
    for _ in range(6):
        attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=timezone.now())
        sizes.add(len(client.get(f"/attempts/{attempt.pk}/?q=1").content))
    assert len(sizes) == 1
    assert Question.objects.filter(quiz=quiz).count() == 3
