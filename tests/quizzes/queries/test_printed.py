"""A quiz on paper: no key of an unanswered question, boxes in an order that tells nothing."""

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from quizzes.actions import start_attempt
from quizzes.models import Quiz
from quizzes.queries.printed import printed_quiz
from studyhub.accounts.auditing import COMMAND
from studyhub.packs.actions import load_pack
from tests.quizzes.goods import question, shelve_quiz, typed
from tests.quizzes.play import counted, send
from tests.studyhub.packs import small

pytestmark = pytest.mark.django_db
PRINT = "/c/tiny/quizzes/first/print/"
ORDER = ("one", "two", "three")
ALL = frozenset().union(*(small.secrets_of(one) for one in ORDER))


@pytest.fixture
def tiny(tmp_path):
    load_pack(folder=small.write(tmp_path), by=COMMAND, at=timezone.now())
    return Quiz.objects.select_related("course").get(course__slug="tiny", slug="first")


def begun(quiz, person):
    return start_attempt(learner_id=person.pk, quiz=quiz, fresh=False, at=timezone.now())


def seen(answer):
    body = answer.content.decode()
    return {one for one in ALL if one in body}


def test_no_key_is_printed_before_an_answer(tiny, signed_in, learner):
    begun(tiny, learner)
    for headers in ({}, {"HX-Request": "true", "HX-Target": "question"}):
        assert seen(signed_in.get(PRINT, headers=headers)) == set()


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("right", [True, False])
def test_only_the_answered_question_prints_its_key_and_only_for_its_learner(
    tiny, signed_in, learner, other, number, right
):
    name = ORDER[number - 1]
    send(begun(tiny, learner), number, right=right)
    begun(tiny, other)
    told = seen(signed_in.get(PRINT))
    others = frozenset().union(*(small.secrets_of(one) for one in ORDER if one != name))
    assert told & small.secrets_of(name)
    assert told & (others - small.secrets_of(name)) == set()
    theirs = Client()
    theirs.force_login(other, "studyhub.accounts.backends.Backend")
    assert seen(theirs.get(PRINT)) == set()


def test_paper_ends_with_title_version_licence_and_day(tiny, signed_in, learner):
    send(begun(tiny, learner), 1)
    body = signed_in.get(PRINT).content.decode()
    (line,) = [one for one in body.splitlines() if 'class="colophon"' in one]
    said, course = strip_tags(line), tiny.course
    assert said.startswith(f"{tiny.title}. {course.title}, revision 1·")
    assert f"Course text: {course.licence}." in said
    assert said.endswith(f"Printed {timezone.localdate():%-d %b %Y}.")
    assert body.index('class="questions"') < body.index('class="answers"') < body.index('class="colophon"')


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "question"}])
def test_visitor_is_told_to_start_first(tiny, client, headers):
    answer = client.get(PRINT, headers=headers)
    body = answer.content.decode()
    assert (answer.status_code, seen(answer), 'class="questions"' in body) == (200, set(), False)
    assert "Start this quiz first" in body
    assert f'<a href="{PRINT.removesuffix("print/")}">Go to the quiz</a>' in body
    assert 'class="colophon"' not in body
    client.post(f"{PRINT.removesuffix('print/')}start/")
    assert client.get(PRINT).content.decode().count('<li id="q') == 3


@pytest.mark.parametrize("address", [PRINT.replace("first", "last"), PRINT.replace("tiny", "huge")])
def test_quiz_that_is_not_there_is_404(tiny, client, signed_in, address):
    assert [one.get(address).status_code for one in (Client(), signed_in)] == [404, 404]


def test_key_of_a_wording_that_was_not_answered_stays_closed(learner):
    quiz = shelve_quiz(question("first"))
    send(begun(quiz, learner), 1)
    shelve_quiz(question("first", stem_html="<p>Another?</p>", stem_text="Another?"))
    again = Quiz.objects.select_related("course__release", "chapter").get(pk=quiz.pk)
    (printed,) = printed_quiz(again, learner.pk).questions
    assert (printed.stem_html, printed.answer) == ("<p>Another?</p>", None)


def test_order_of_the_boxes_stays_and_differs_between_learners(learner, other):
    quiz = shelve_quiz(*(question(f"q{n}") for n in range(8)))
    quiz = Quiz.objects.select_related("course__release", "chapter").get(pk=quiz.pk)

    def orders(person):
        return [[one.html for one in q.options] for q in printed_quiz(quiz, person.pk).questions]

    assert orders(learner) == orders(learner)
    assert orders(learner) != orders(other)
    firsts = {one[0].split()[-1] for one in orders(learner)}
    assert firsts != {"alpha"}  # the right one does not stand first


@pytest.mark.parametrize("rows", [1, 3])
def test_printing_costs_three_queries_whatever_its_length(learner, rows):
    quiz = shelve_quiz(*(question(f"q{n}") for n in range(rows)), typed("number"))
    attempt = begun(quiz, learner)
    for number in range(1, rows + 1):
        send(attempt, number)
    quiz = Quiz.objects.select_related("course__release", "chapter").get(pk=quiz.pk)
    printed, statements = counted(lambda: printed_quiz(quiz, learner.pk))
    assert (len(printed.questions), len(printed.answered), len(statements)) == (rows + 1, rows, 3)
