"""Leaving while something of one's own is on its way: it is in before or finds nobody, and is never a failure."""

import pytest
from django.test import Client

from chapters.models import Checkpoint, Section
from quizzes.actions import start_attempt
from quizzes.models import Card, Quiz
from studyhub.accounts.models import Session, User
from tests.conftest import CHAPTER, COURSE, NOON, QUIZ
from tests.quizzes.play import at_once, form, slot_of

PEOPLE = 6
ROOT = f"/c/{COURSE}/"


def everything_one_does(person, browser):
    """Requests of one person, each in a browser of their own: two tabs and a slow line."""
    quiz = Quiz.objects.get(course__slug=COURSE, slug=QUIZ)
    attempt = start_attempt(learner_id=person.pk, quiz=quiz, fresh=False, at=NOON)
    section = Section.objects.filter(kind="section", chapter__slug=CHAPTER).order_by("pk").first().slug
    checkpoint = Checkpoint.objects.filter(chapter__slug=CHAPTER).first().slug
    card = Card.objects.filter(course__slug=COURSE).order_by("pk").first().slug
    return [
        (browser, f"/attempts/{attempt.pk}/", form(slot_of(attempt, 1))),
        (browser, f"{ROOT}{CHAPTER}/note/", {"section": section, "text": "words"}),
        (browser, f"{ROOT}{CHAPTER}/tick/", {"checkpoint": checkpoint, "state": "ticked"}),
        (browser, "/settings/", {"name": "Ada", "time_zone": "UTC"}),
        (browser, "/settings/delete/", {"word": "delete"}),
        (browser, f"/attempts/{attempt.pk}/", form(slot_of(attempt, 2))),
        (browser, f"{ROOT}{CHAPTER}/read/", {"section": section, "state": "read"}),
        (browser, f"{ROOT}cards/{card}/words/", {"words": "words"}),
        (browser, f"{ROOT}quizzes/model-optimization-practice/start/", {}),
    ]


def ask(key, address, body):
    browser = Client(raise_request_exception=False)
    browser.cookies["session"] = key
    return f"{address.rsplit('/', 2)[-2]} {browser.post(address, body).status_code}"


@pytest.mark.django_db(transaction=True)
def test_whatever_is_on_its_way_while_one_leaves_fails_nowhere(course):
    acts = []
    for n in range(PEOPLE):
        person = User.objects.create_user(f"p{n}@example.org", "correct horse battery")
        browser = Client()
        browser.force_login(person, "studyhub.accounts.backends.Backend")
        browser.post("/accounts/reauthenticate/", {"password": "correct horse battery"})
        key = browser.session.session_key
        acts += [lambda one=one: ask(*one) for one in everything_one_does(person, key)]
    said = at_once(acts, threads=7)
    assert [one for one in said if int(one.split()[1]) >= 500] == []
    assert said.count("delete 303") == PEOPLE
    assert not User.objects.filter(guest=False).exists()
    people = User.objects.values("pk")  # guests: who goes on in a browser afterwards begins anew
    assert not Session.objects.exclude(person=None).exclude(person__in=people).exists()
