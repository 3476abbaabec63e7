"""Twelve people at the door, each with a browser and an attempt of their own where they can have one."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from chapters.actions import keep_note
from chapters.models import Section
from quizzes.actions import keep_words, open_back, report_question, start_attempt
from quizzes.actions.disputes import Doubt
from quizzes.models import Attempt, Card, Quiz
from studyhub.accounts.models import Cohort, Membership, User
from studyhub.accounts.sessions import GUEST, SessionStore
from tests.conftest import COURSE, NOON, QUIZ
from tests.quizzes.play import send

ACTORS = ("visitor", "guest", "owner", "learner", "classmate", "exmember", "inactive", "instructor", "assistant",
          "exinstructor", "author", "admin")  # fmt: skip
CANARY = "zq-canary"  # stands in everything the owner typed
BACKEND = "studyhub.accounts.backends.Backend"
HALVES = {
    "classmate": ("learner", False),
    "owner": ("learner", False),
    "exmember": ("learner", True),
    "instructor": ("instructor", False),
    "assistant": ("assistant", False),
    "exinstructor": ("instructor", True),
}


@dataclass
class Actor:
    """A browser; who sits before it; an attempt of theirs."""

    name: str
    browser: Client
    user: User | None = None
    attempt: Attempt | None = field(default=None)


def everyone() -> dict[str, Actor]:
    """All twelve; the owner has left a trace in everything that a person can write."""
    quiz = Quiz.objects.select_related("course").get(course__slug=COURSE, slug=QUIZ)
    cohort = Cohort.objects.create(course=COURSE, title="Autumn", created_at=NOON)
    made = {}
    for name in ACTORS:
        browser = Client()
        actor = made[name] = Actor(name, browser)
        if name == "visitor":
            continue
        actor.user = _person(name)
        actor.attempt = start_attempt(learner_id=actor.user.pk, quiz=quiz, fresh=False, at=NOON)
        if name in HALVES:
            role, left = HALVES[name]
            Membership.objects.create(
                cohort=cohort, user=actor.user, role=role, joined_at=NOON,
                left_at=NOON + timedelta(days=1) if left else None,
            )  # fmt: skip
        _sit_down(actor)
    User.objects.filter(pk=made["inactive"].user.pk).update(is_active=False)
    _leave_traces(made["owner"])
    return made


def _sit_down(actor: Actor) -> None:
    """A guest's browser knows its guest; everybody else has signed in."""
    if actor.name != "guest":
        actor.browser.force_login(actor.user, BACKEND)
        return
    session = SessionStore()
    session[GUEST] = actor.user.pk
    session.save()
    actor.browser.cookies["session"] = session.session_key


def _person(name: str) -> User:
    if name == "guest":
        return User.objects.create(guest=True, seen_on=timezone.now().date())
    person = User.objects.create_user(
        f"{CANARY}-{name}@example.org" if name == "owner" else f"{name}@example.org",
        "correct horse battery",
        name=f"{CANARY}-name" if name == "owner" else "",
        is_author=name == "author",
        is_admin=name == "admin",
        seen_on=timezone.now().date(),
    )
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    return person


def _leave_traces(owner: Actor) -> None:
    learner_id = owner.user.pk
    later = owner.attempt.slots.filter(position__gt=3).order_by("position")
    send(owner.attempt, 1)
    send(owner.attempt, later.filter(version__kind="number")[0].position, raw=["-98765.4321"])
    send(owner.attempt, later.filter(version__kind="multiple")[0].position)
    report_question(
        attempt_id=owner.attempt.pk, learner_id=learner_id, doubt=Doubt(1, "other", "", f"{CANARY}-report"), at=NOON
    )  # fmt: skip
    section = Section.objects.filter(kind="section", chapter__course__slug=COURSE).first()
    keep_note(learner_id=learner_id, section=section, text=f"{CANARY}-note", at=NOON)
    card = Card.objects.filter(course__slug=COURSE).order_by("pk").first()
    keep_words(learner_id=learner_id, card=card, words=f"{CANARY}-words", at=NOON)
    open_back(learner_id=learner_id, card=card, words=f"{CANARY}-words", no_answer=False, at=NOON)
