"""Search never tells a stem that was not answered, nor ever a key or rationale, whoever asks and whatever for."""

import re
import textwrap

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.actions import start_attempt
from quizzes.models import QuestionVersion, Quiz
from studyhub.accounts.auditing import COMMAND
from studyhub.packs.actions import load_pack
from tests.quizzes.play import send
from tests.studyhub.packs import small

pytestmark = pytest.mark.django_db
PAGE = "/c/tiny/search/"
BACKEND = "studyhub.accounts.backends.Backend"


@pytest.fixture
def quiz(tmp_path):
    load_pack(folder=small.write(tmp_path), by=COMMAND, at=timezone.now())
    return Quiz.objects.select_related("course").get(course__slug="tiny")


@pytest.fixture
def asked(quiz, tmp_path):
    """Every word of the quiz and of what it names, a few in each question, each also by itself where it is secret."""
    secrets = {*small.canaries().values(), small.BELIEF, small.ACCEPTED, small.EXPECTED}
    text = (tmp_path / small.QUIZ_FILE).read_text() + small.BELIEF
    words = sorted(set(re.findall(r"[A-Za-z]{3,40}", text)) - {"and", "not"})
    some = textwrap.wrap(" or ".join(words), 180)
    return [*(one.removeprefix("or ").removesuffix(" or") for one in some), *secrets, *words[:20]]


def told(client, asked):
    """The results of every question, and what was suggested beyond the words that were asked."""
    pieces = []
    for words in asked:
        for number in (1, 2):
            page = client.get(PAGE, {"q": words, "page": number}).content.decode()
            pieces += re.findall(r'<ol class="found".*?</ol>', page, re.DOTALL)
            meant = " ".join(re.findall(r"Did you mean <a [^>]*>([^<]*)", page))
            pieces += set(meant.split()) - set(words.split())
    return re.sub(r"</?mark>", "", "\n".join(pieces))


def seen_of(client, asked):
    """(secrets, stems) that came back."""
    text = told(client, asked)
    secrets = {*small.canaries().values(), small.BELIEF, small.ACCEPTED, small.EXPECTED}
    stems = set(
        QuestionVersion.objects.filter(question__quiz__course__slug="tiny").values_list(
            "stem_text", flat=True
        )
    )
    assert stems
    return {one for one in secrets if one in text}, {one for one in stems if one in text}


def browser(person):
    client = Client()
    client.force_login(person, BACKEND)
    return client


def test_stranger_guest_and_learner_with_an_open_attempt_see_nothing_of_a_question(quiz, asked, learner):
    start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())
    guest = Client()
    guest.post("/c/tiny/quizzes/first/start/")
    for client in (Client(), guest, browser(learner)):
        assert seen_of(client, asked) == (set(), set())


@pytest.mark.parametrize("right", [True, False])
def test_answer_lets_its_own_learner_find_its_stem_and_no_key(quiz, asked, learner, other, right):
    mine = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())
    start_attempt(learner_id=other.pk, quiz=quiz, fresh=False, at=timezone.now())
    send(mine, 1, right=right)
    stem = mine.slots.get(position=1).version.stem_text
    assert seen_of(browser(learner), asked) == (set(), {stem})
    assert seen_of(browser(other), asked) == (set(), set())
    assert seen_of(Client(), asked) == (set(), set())
