"""Home and progress."""

import pytest

from chapters.actions import mark_section
from chapters.models import Section
from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import Quiz
from studyhub.desk.queries import home_page, progress_page
from tests.conftest import COURSE
from tests.quizzes.goods import AT, question, shelve_quiz, typed
from tests.quizzes.play import send
from tests.quizzes.test_views import counted

pytestmark = pytest.mark.django_db


@pytest.fixture
def small(db):
    return shelve_quiz(question("one", objectives=("weigh", "measure")), typed("two"), question("three"))


def card(page, slug="small-course"):
    return next(one for one in page.courses if one.course.slug == slug)


def text(response):
    return response.content.decode()


def test_home_for_a_visitor_offers_the_first_chapter(small):
    found = card(home_page(None, AT))
    assert (found.first_chapter_slug, found.place, found.sections, found.sections_read) == (
        "small",
        None,
        2,
        0,
    )
    assert home_page(None, AT).known is False


def test_home_continues_where_the_learner_was(small, learner, signed_in):
    section = Section.objects.get(chapter__course=small.course, slug="there")
    mark_section(learner_id=learner.pk, section=section, read=True, at=AT)
    found = card(home_page(learner, AT))
    assert (found.place.section_slug, found.place.anchor, found.sections_read) == ("there", "there", 1)
    body = text(signed_in.get("/"))
    assert "Continue: There" in body
    assert 'href="/c/small-course/small/#there"' in body


def test_home_offers_to_go_on_with_open_attempts(small, learner, signed_in):
    attempt = start_attempt(learner_id=learner.pk, quiz=small, fresh=False, at=AT)
    assert [one.id for one in card(home_page(learner, AT)).open_attempts] == [str(attempt.pk)]
    assert f'href="/attempts/{attempt.pk}/"' in text(signed_in.get("/"))
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=AT)
    assert card(home_page(learner, AT)).open_attempts == ()


def test_progress_of_a_visitor_is_empty(client, small):
    assert progress_page(None).courses == ()
    assert client.get("/progress/").status_code == 200


def test_retired_chapter_is_not_counted(small, learner):
    section = Section.objects.get(chapter__course=small.course, slug="there")
    mark_section(learner_id=learner.pk, section=section, read=True, at=AT)
    type(section.chapter).objects.filter(course=small.course).update(retired_at=AT)
    found = card(home_page(learner, AT))
    assert (found.place, found.sections_read, found.sections) == (None, 0, 0)
    assert card(progress_page(learner)).domains == ()


@pytest.mark.parametrize("address", ["/", "/progress/"])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "main"}])
def test_page_is_whole_with_and_without_htmx(small, signed_in, address, headers):
    answer = signed_in.get(address, headers=headers)
    assert text(answer).startswith("<!doctype html>")
    assert {"HX-Request", "HX-Target"} <= {name.strip() for name in answer["Vary"].split(",")}


@pytest.mark.parametrize(("address", "most"), [("/", 9), ("/progress/", 12)])
def test_page_asks_as_often_with_one_row_as_with_three(small, course, learner, signed_in, address, most):
    other = Quiz.objects.get(course__slug=COURSE, slug="model-optimization-practice")
    counts = []
    for rows in (1, 3):
        for quiz in (small, other):
            for _ in range(rows):
                attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
                for position in range(1, rows + 1):
                    send(attempt, position, right=False)
        for slug in ("here", "there")[:rows]:
            signed_in.post("/c/small-course/small/read/", {"section": slug, "state": "read"})
        signed_in.get(address)
        counts.append(len(counted(lambda: signed_in.get(address))[1]))
    assert counts[0] == counts[1] <= most


def test_practice_is_named_on_home_with_how_much_waits(small, learner, signed_in):
    attempt = start_attempt(learner_id=learner.pk, quiz=small, fresh=False, at=AT)
    link = '<a href="/c/small-course/mistakes/">Practise my mistakes</a>'
    assert link not in text(signed_in.get("/"))
    send(attempt, 1, right=False)
    assert f'{link} <span class="label">1 question waits today</span>' in text(signed_in.get("/"))
    send(attempt, 2, right=False)
    assert f'{link} <span class="label">2 questions wait today</span>' in text(signed_in.get("/"))
    signed_in.post("/c/small-course/mistakes/start/")
    body = text(signed_in.get("/"))
    assert (link in body, "Go on with Practise my mistakes" in body) == (False, True)


@pytest.mark.parametrize("address", ["/", "/progress/"])
def test_visitor_is_told_nothing_of_others(small, learner, client, address):
    send(start_attempt(learner_id=learner.pk, quiz=small, fresh=False, at=AT), 1, right=False)
    body = text(client.get(address))
    assert ("What is new" in body, "mistakes" in body) == (False, False)


def test_rule_for_firm_and_weak_stands_on_both_pages(small, signed_in):
    for address in ("/progress/", "/c/small-course/small/"):
        assert "firm where" in text(signed_in.get(address))
