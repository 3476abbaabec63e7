"""The progress page: what counts, in which order, at what cost."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from quizzes.actions import start_attempt, start_practice
from quizzes.models import Attempt, QuestionVersion, Quiz, Response, Slot
from studyhub.desk.queries import progress_page
from studyhub.rhythm.calendar import zone_or_utc
from tests.quizzes.goods import AT, question, quiz_goods, several, shelve_course, shelve_quiz, typed
from tests.quizzes.play import counted, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def small(db):
    return shelve_quiz(question("one", objectives=("weigh", "measure")), typed("two"), question("three"))


def card(learner):
    return next(one for one in progress_page(learner).courses if one.course.slug == "small-course")


def text(response):
    return response.content.decode()


def began(learner, quiz):
    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)


def answers(learner, quiz, many, *, state="right", certainty=None):
    """So many finished attempts at the first question of a quiz, put straight into the tables."""
    version = QuestionVersion.objects.filter(question__quiz=quiz).order_by("question__position").first()
    last = Attempt.objects.filter(learner=learner, quiz=quiz).count()
    own = {"learner": learner, "quiz": quiz, "started_at": AT, "finished_at": AT, "size": 1}
    right = int(state == "right")
    attempts = Attempt.objects.bulk_create(
        Attempt(number=last + n, answered=1, right=right, score=right, **own) for n in range(1, many + 1)
    )
    slots = Slot.objects.bulk_create(
        Slot(attempt=one, position=1, version=version, state=state, certainty=certainty) for one in attempts
    )
    said = {"number": 1, "learner": learner, "version": version, "certainty": certainty}
    mark = {"state": state, "fraction": right, "at": AT}
    Response.objects.bulk_create(Response(slot=one, key=uuid4(), **said, **mark) for one in slots)


def test_progress_counts_what_was_read_ticked_and_answered(small, learner, signed_in):
    attempt = began(learner, small)
    send(attempt, 1)
    send(attempt, 2, right=False)
    signed_in.post("/c/small-course/small/read/", {"section": "here", "state": "read"})
    for state in ("ticked", "cleared"):
        signed_in.post("/c/small-course/small/tick/", {"checkpoint": "two", "state": state})
    signed_in.post("/c/small-course/small/tick/", {"checkpoint": "one", "state": "ticked"})
    found = card(learner)
    (domain,) = found.domains
    (chapter,) = domain.chapters
    assert (chapter.sections, chapter.sections_read) == (domain.sections, domain.sections_read) == (2, 1)
    assert (chapter.checkpoints, chapter.checkpoints_ticked) == (2, 1)
    assert [
        (one.slug, one.sections, one.sections_read, one.figure.n, one.figure.right)
        for one in chapter.objectives
    ] == [
        ("weigh", 2, 1, 2, 1),
        ("measure", 0, 0, 1, 1),
        ("choose", 0, 0, 0, 0),
    ]
    assert (domain.figure, chapter.figure) == (found.figure, found.figure)
    assert (found.figure.n, found.figure.right, len(found.attempts)) == (2, 1, 1)
    assert [(one.position, one.stem_html) for one in found.wrong] == [(2, "<p>Which one, two?</p>")]
    assert f'href="/attempts/{attempt.pk}/?q=2"' in text(signed_in.get("/progress/"))


def test_progress_counts_every_attempt_and_lists_the_newest_fifty(learner):
    quiz = shelve_quiz(question("one"))
    answers(learner, quiz, 52)
    found = card(learner)
    assert (found.figure.n, found.figure.right, len(found.attempts)) == (52, 52, 50)


def test_progress_of_a_retry_is_that_of_the_first_answer(small, learner):
    attempt = began(learner, small)
    send(attempt, 1, right=False)
    send(attempt, 1, again=True)
    found = card(learner)
    assert (found.figure.n, found.figure.right, len(found.wrong)) == (1, 0, 1)


def test_progress_leaves_practice_out(small, learner):
    attempt = began(learner, small)
    send(attempt, 1, right=False, certainty=3)
    before = card(learner)
    practice = start_practice(
        learner_id=learner.pk,
        course=small.course,
        zone=zone_or_utc("UTC"),
        fresh=False,
        at=AT + timedelta(days=1),
    )
    send(practice, 1, right=False, certainty=1, at=AT + timedelta(days=1))
    assert card(learner) == before


def test_progress_shows_nothing_of_others(small, learner, other):
    send(began(other, small), 1, right=False)
    found = card(learner)
    assert (found.figure.n, found.attempts, found.wrong, found.weak) == (0, (), (), ())


def test_guesses_are_taken_off_by_kind_and_options(learner):
    quiz = shelve_quiz(question("one"), typed("two"), several("three"))
    for right in (True, True, True, False):
        attempt = began(learner, quiz)
        for position in (1, 2, 3):
            send(attempt, position, right=right)
    found = card(learner).figure
    chance = (4 / 4 + 0 + 4 / 15) / 12
    assert (found.n, found.right) == (12, 9)
    assert found.known == pytest.approx((0.75 - chance) / (1 - chance))


def test_weakest_objectives_and_domains_come_first(learner, signed_in):
    quiz = shelve_quiz(
        question("one"), question("two", objectives=("measure",)), question("three", objectives=("choose",))
    )
    for number in range(4):
        attempt = began(learner, quiz)
        send(attempt, 1)
        send(attempt, 2, right=number > 1)
        if number < 2:
            send(attempt, 3, right=False)
    found = card(learner)
    (domain,) = found.domains
    assert [one.slug for one in domain.chapters[0].objectives] == ["measure", "weigh", "choose"]
    assert [one.slug for one in found.weak] == ["measure"]  # nothing of weigh went wrong
    body = text(signed_in.get("/progress/"))
    assert body.count("too few answers") > 0
    assert "2 of 4 first answers right, 50 %" in body


def test_every_figure_has_its_explanation(small, learner, signed_in):
    answers(learner, small, 12, state="wrong", certainty=3)
    answers(learner, small, 3, certainty=2)
    body = text(signed_in.get("/progress/"))
    asked = {part.split('"')[0] for part in body.split('popovertarget="')[1:]}
    told = [part.split('"')[0] for part in body.split(' popover id="')[1:]]
    assert len(told) == len(set(told)) > 3
    assert asked == set(told)
    assert "overconfident: you were right less often than you said" in body
    assert "Without lucky guesses" in body


def test_other_courses_keep_their_own_figures(small, course, learner):
    answers(learner, small, 5)
    answers(learner, Quiz.objects.filter(course=course, purpose="quiz").first(), 2, state="wrong")
    found = {one.course.slug: one for one in progress_page(learner).courses}
    assert (found["small-course"].figure.n, found[course.slug].figure.n) == (5, 2)
    assert (len(found["small-course"].wrong), len(found[course.slug].wrong)) == (0, 2)


@pytest.mark.parametrize("rows", [1, 3])
def test_page_asks_as_often_with_one_quiz_as_with_three(learner, signed_in, rows):
    goods = [quiz_goods(question(f"q{n}"), slug=f"quiz-{n}", title=f"Quiz {n}") for n in range(rows)]
    course, _ = shelve_course(*goods)
    for quiz in Quiz.objects.filter(course=course):
        send(began(learner, quiz), 1, right=False, certainty=2)
    signed_in.get("/progress/")
    assert len(counted(lambda: signed_in.get("/progress/"))[1]) == 11


@pytest.mark.parametrize("many", [10, 1000])
def test_page_asks_as_often_after_ten_answers_as_after_a_thousand(small, learner, signed_in, many):
    answers(learner, small, many // 2, certainty=3)
    answers(learner, small, many // 2, state="wrong", certainty=1)
    signed_in.get("/progress/")
    assert len(counted(lambda: signed_in.get("/progress/"))[1]) == 11
    assert card(learner).figure.n == many


def test_page_of_a_guest_is_their_own(small, client):
    client.post("/c/small-course/quizzes/small-quiz/start/")
    attempt = Attempt.objects.get()
    send(attempt, 1, at=timezone.now())
    assert card(attempt.learner).figure.n == 1
    assert text(client.get("/progress/")).count("first answers</dt><dd>1<") == 1
