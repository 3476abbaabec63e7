"""Learners to measure with, put straight into the site's database, and the requests their browsers send."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.test import Client
from django.utils import timezone

from chapters.actions import mark_checkpoint, mark_section
from chapters.models import Checkpoint, ObjectiveEvidence, Section
from quizzes.actions import Submission, answer_question, finish_attempt, start_attempt
from quizzes.models import Attempt, Quiz, Response, Slot
from studyhub.accounts.models import User

QUIZZES = ("inference-optimization", "model-optimization-practice")
CHAPTER = "/c/llm-inference/model-optimization/"
BACKEND = "studyhub.accounts.backends.Backend"
TOKEN = "b" * 32  # a CSRF secret, known to the form because the bench sets the cookie
HTMX = "HX-Request: true\r\nHX-Target: question\r\n"


@dataclass(frozen=True, slots=True)
class Browser:
    """A learner with a signed-in browser."""

    learner: User
    cookies: str
    session: str


def newcomer() -> Browser:
    """A learner with an account who has kept nothing yet."""
    learner = User.objects.create(
        email=f"bench-{uuid.uuid4().hex}@example.org", name="Bench", seen_on=timezone.now().date()
    )
    client = Client()
    client.force_login(learner, BACKEND)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    cookies = f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={TOKEN}"
    return Browser(learner, cookies, session)


def reader() -> Browser:
    """A learner in the middle of the chapter: four sections read, three checkpoints ticked."""
    browser, at = newcomer(), timezone.now()
    for section in Section.objects.filter(retired_at__isnull=True, kind="section").order_by("position")[:4]:
        mark_section(learner_id=browser.learner.pk, section=section, read=True, at=at)
    for checkpoint in Checkpoint.objects.filter(retired_at__isnull=True).order_by("position")[:3]:
        mark_checkpoint(learner_id=browser.learner.pk, checkpoint=checkpoint, ticked=True, at=at)
    return browser


def attempts(browser: Browser) -> list[Attempt]:
    """An open attempt on every shipped quiz whose questions one choice or number answers."""
    at = timezone.now()
    quizzes = Quiz.objects.on_shelf().filter(slug__in=QUIZZES).order_by("position")
    return [start_attempt(learner_id=browser.learner.pk, quiz=quiz, fresh=False, at=at) for quiz in quizzes]


def some_choice(slot: Slot) -> list[str]:
    """An answer that can be marked: the first option, or a number."""
    return list(slot.tokens[:1]) or ["1"]


def answer_much(browser: Browser, wanted: int) -> int:
    """Give the learner at least ``wanted`` stored first answers in finished attempts; returns how many there are."""
    learner_id, at = browser.learner.pk, timezone.now()
    done = attempts(browser)
    for attempt in done:
        for slot in Slot.objects.filter(attempt=attempt).order_by("position"):
            sent = Submission(slot.position, some_choice(slot), None, uuid.uuid4(), again=False)
            answer_question(attempt_id=attempt.pk, learner_id=learner_id, submission=sent, at=at)
        finish_attempt(attempt_id=attempt.pk, learner_id=learner_id, at=at)
    first = Response.objects.filter(learner_id=learner_id).count()
    times = -(-wanted // first)
    for attempt in Attempt.objects.of(learner_id):
        _repeat(attempt, times - 1)
    ObjectiveEvidence.objects.of(learner_id).update(answered=F("answered") * times, right=F("right") * times)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return Response.objects.filter(learner_id=learner_id).count()


def _repeat(attempt: Attempt, times: int) -> None:
    """The same attempt so many times more, with its own slots and responses."""
    slots = list(Slot.objects.filter(attempt=attempt).order_by("position"))
    answers = {one.slot_id: one for one in Response.objects.filter(slot__attempt=attempt)}
    copies = [_copy(attempt, id=uuid.uuid4(), number=attempt.number + turn) for turn in range(1, times + 1)]
    Attempt.objects.bulk_create(copies)
    made = Slot.objects.bulk_create([_copy(slot, id=None, attempt=one) for one in copies for slot in slots])
    given = [
        _copy(answers[slot.pk], id=None, slot=copy, key=uuid.uuid4())
        for slot, copy in zip(itertools.cycle(slots), made, strict=False)
    ]
    Response.objects.bulk_create(given, batch_size=2000)


def _copy(row: Any, **changes: Any) -> Any:
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    names = {f"{name}_id" for name in changes} & set(values)
    return type(row)(**{name: value for name, value in values.items() if name not in names} | changes)


def get(path: str, browser: Browser | None = None, extra: str = "") -> bytes:
    """A GET as a browser sends it."""
    cookies = f"Cookie: {browser.cookies}\r\n" if browser else ""
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nAccept-Encoding: gzip, deflate, br\r\n"
    return f"{head}{cookies}{extra}\r\n".encode()


def post(path: str, browser: Browser, fields: Sequence[tuple[str, str]], extra: str = "") -> bytes:
    """A form sent as a browser sends it."""
    body = urlencode([("csrfmiddlewaretoken", TOKEN), *fields])
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nAccept-Encoding: gzip, deflate, br\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
    )
    return f"{head}Cookie: {browser.cookies}\r\n{extra}\r\n{body}".encode()


def answers(learners: int) -> list[bytes]:
    """For every open question of so many newcomers the answer, which htmx sends and gets its feedback for.

    Sorted so that the same attempt comes again only after all the others.
    """
    rows: list[tuple[int, int, bytes]] = []
    for turn in range(learners):
        browser = newcomer()
        before = 0
        for attempt in attempts(browser):
            path = f"/attempts/{attempt.pk}/"
            for slot in Slot.objects.filter(attempt=attempt).order_by("position"):
                fields = [("q", str(slot.position)), ("key", str(uuid.uuid4())), ("certainty", "2")]
                chosen = [("choice", one) for one in some_choice(slot)]
                rows.append((before + slot.position, turn, post(path, browser, fields + chosen, HTMX)))
            before += attempt.size
    return [one[2] for one in sorted(rows, key=lambda one: one[:2])]
