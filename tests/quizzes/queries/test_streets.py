"""From a question to the paragraph that settles it: its name, its page, and the way back, from practice too."""

from datetime import timedelta
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest

from quizzes.actions import finish_attempt, start_attempt, start_practice
from quizzes.queries import question_page, review_page
from tests.quizzes.goods import AT, question, shelve_quiz
from tests.quizzes.play import counted, send

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
READS = {"one": "small#here-p1", "two": "small#lab-p1", "three": "small#lab", "four": "gone#away"}


@pytest.fixture
def quiz(db):
    return shelve_quiz(*(question(slug, read=read) for slug, read in READS.items()))


def missed(learner, quiz):
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
    for position in range(1, len(READS) + 1):
        send(attempt, position, right=False, at=AT)
    return attempt


def practised(learner, quiz):
    missed(learner, quiz)
    attempt = start_practice(
        learner_id=learner.pk, course=quiz.course, zone=ZoneInfo("UTC"), fresh=True, at=AT + DAY
    )
    for position in range(1, len(READS) + 1):
        send(attempt, position, at=AT + DAY)
    return attempt


def told(attempt, position):
    link = question_page(attempt.pk, attempt.learner_id, position).read
    return link.label, link.url.replace(quote(f"/attempts/{attempt.pk}/?q={position}"), "…")


@pytest.mark.parametrize("begin", [missed, practised])
def test_paragraph_is_named_and_opens_on_its_own_page(quiz, learner, begin):
    attempt = begin(learner, quiz)
    assert [told(attempt, position) for position in range(1, 5)] == [
        ("Here, paragraph 1", "/c/small-course/small/?back=…#here-p1"),
        ("Lab, paragraph 1", "/c/small-course/small/lab/?back=…#lab-p1"),
        ("Lab", "/c/small-course/small/lab/?back=…#lab"),
        ("the paragraph", "/c/small-course/gone/?back=…#away"),
    ]


def test_review_of_practice_names_the_same_paragraphs_and_itself(quiz, learner, signed_in):
    attempt = practised(learner, quiz)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=AT + DAY)
    found = review_page(attempt.pk, learner.pk)
    assert [one.read.label for one in found.items[:2]] == ["Here, paragraph 1", "Lab, paragraph 1"]
    assert (found.attempt.quiz_title, found.attempt.number) == ("Practise my mistakes", 1)
    body = signed_in.get(f"/attempts/{attempt.pk}/review/").content.decode()
    assert '<a href="/c/small-course/quizzes/mistakes/">Practise my mistakes</a>' in body
    assert signed_in.get("/c/small-course/quizzes/mistakes/")["Location"] == "/c/small-course/mistakes/"


def test_home_names_open_practice_and_the_quiz_apart(quiz, learner, signed_in):
    attempt = practised(learner, quiz)
    assert "Go on with Practise my mistakes" not in signed_in.get("/").content.decode()  # all is answered
    fresh = start_practice(
        learner_id=learner.pk, course=quiz.course, zone=ZoneInfo("UTC"), fresh=True, at=AT + 2 * DAY
    )
    body = signed_in.get("/").content.decode()
    assert f'<a href="/attempts/{fresh.pk}/">Go on with Practise my mistakes</a>' in body
    assert '<span class="label">0 of 4 answered' in body
    assert "Go on with Small quiz" in body
    assert str(attempt.pk) not in body


def test_names_cost_nothing_once_they_are_known(quiz, learner):
    attempt = practised(learner, quiz)
    question_page(attempt.pk, learner.pk, 1)
    _, statements = counted(lambda: question_page(attempt.pk, learner.pk, 2))
    assert not any("chapters_chaptersheet" in one for one in statements)
