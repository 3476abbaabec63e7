"""Partly right is never told as nothing: wherever right answers are counted, those that are partly right stand beside."""

import re
from pathlib import Path

import pytest
from django.utils import timezone

from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import Quiz
from quizzes.queries import open_attempts, quiz_page, review_page
from quizzes.queries.progress import newest_attempts, newest_wrong, sums_by_chapter
from quizzes.queries.quiz import quiz_named
from quizzes.templatetags.quizzes import SIGNS
from studyhub.accounts.auditing import COMMAND
from studyhub.packs.actions import load_pack
from tests.studyhub.packs import forms

from .play import raw_right, raw_wrong, send, slot_of

pytestmark = pytest.mark.django_db
CSS = Path(__file__).resolve().parents[2] / "static" / "css" / "parts"
MATCH, CLOZE, SHORT, ORDER = 2, 4, 1, 3


@pytest.fixture
def quiz(tmp_path):
    load_pack(folder=forms.write(tmp_path), by=COMMAND, at=timezone.now())
    return Quiz.objects.get(course__slug="tiny", slug="forms")


@pytest.fixture
def attempt(quiz, learner):
    """One answer right, two partly right, one wrong."""
    begun = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())
    send(begun, SHORT, at=timezone.now())
    for position in (MATCH, CLOZE):
        slot = slot_of(begun, position)
        send(begun, position, raw=[raw_right(slot)[0], raw_wrong(slot)[1]], at=timezone.now())
    send(begun, ORDER, right=False, at=timezone.now())
    return begun


def ended(attempt):
    finish_attempt(attempt_id=attempt.pk, learner_id=attempt.learner_id, at=timezone.now())


def words(response):
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def test_every_line_of_an_attempt_counts_them(attempt, learner):
    (going,) = open_attempts(learner.pk)
    ended(attempt)
    (listed,) = quiz_page(quiz_named("tiny", "forms"), learner.pk, "").attempts
    (newest,) = newest_attempts(learner.pk)["tiny"]
    reviewed = review_page(attempt.pk, learner.pk).attempt
    told = [(one.answered, one.right, one.partly, one.of) for one in (going, listed, newest, reviewed)]
    assert told == [(4, 1, 2, 4)] * 4


def test_another_try_is_not_counted(attempt, learner):
    send(attempt, MATCH, right=True, again=True, at=timezone.now())
    assert open_attempts(learner.pk)[0].partly == 2


def test_sums_count_them_and_wrong_lines_say_so(attempt, learner):
    ((sums),) = sums_by_chapter(learner.pk).values()
    assert sorted((one.kind, one.n, one.right, one.partly) for one in sums) == [
        ("cloze", 1, 0, 1),
        ("match", 1, 0, 1),
        ("order", 1, 0, 0),
        ("short", 1, 1, 0),
    ]
    lines = newest_wrong(learner.pk)["tiny"]
    assert sorted((one.position, one.partly) for one in lines) == [
        (MATCH, True),
        (ORDER, False),
        (CLOZE, True),
    ]


def test_pages_say_so(attempt, signed_in):
    ended(attempt)
    assert "1 of 4 right, 2 partly right" in words(signed_in.get(f"/attempts/{attempt.pk}/review/"))
    assert "4 of 4 1, 2 partly" in words(signed_in.get("/c/tiny/quizzes/forms/"))
    progress = words(signed_in.get("/progress/"))
    for told in ("1 of 4 first answers right, 2 partly, 25 %", "partly right 2", "1 of 4, 2 partly"):
        assert told in progress
    assert len(re.findall(r", partly right [^,.]+, question \d", progress)) == 2


def test_map_says_so_with_the_verdict_s_sign(attempt, signed_in):
    ended(attempt)
    shown = signed_in.get(f"/attempts/{attempt.pk}/review/").content.decode()
    signs = re.findall(
        r'<a class="partly" href="#q(\d)">\d<span class="away">, ([^<]*)</span><span class="sign"[^>]*>(.)',
        shown,
    )
    assert signs == [(str(at), "partly right", "◐") for at in (MATCH, CLOZE)]
    assert {one.verdict.sign for one in review_page(attempt.pk, attempt.learner_id).items} == {
        SIGNS[state] for state in ("right", "wrong", "partly")
    }


def test_half_right_has_one_colour():
    text = "".join((CSS / name).read_text(encoding="utf-8") for name in ("answering.css", "cards.css"))
    rules = re.findall(r"\.partly[^{]*\{([^}]*)\}", text)
    assert len(rules) >= 4
    assert {colour for rule in rules for colour in re.findall(r"var\((--\w+)\)", rule)} == {"--unsure"}


def test_nothing_is_said_where_none_is(quiz, learner, signed_in):
    begun = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=timezone.now())
    for position in (SHORT, MATCH, ORDER):
        send(begun, position, at=timezone.now())
    ended(begun)
    pages = (f"/attempts/{begun.pk}/review/", "/c/tiny/quizzes/forms/", "/progress/")
    said = [re.findall(r"\d partly|partly right \d", words(signed_in.get(one))) for one in pages]
    assert said == [[], [], []]
