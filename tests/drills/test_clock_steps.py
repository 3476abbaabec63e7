"""trust.md 2, row "clock jump", and pass mark 22: a server clock that is put on or back by up to two hours while an
attempt goes on drops no answer, ends nothing and signs nobody out.
"""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from quizzes.models import Attempt, Quiz, RejectedResponse, Response
from studyhub.accounts.models import User
from tests.drills.learners import POSED, intents_of

HOURS = (0, 2, -2, 1, -2, 2, 0, -1)
SetClock = Callable[[float], datetime]


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Puts the server's clock so many hours off; gives what it shows."""
    begun = timezone.now()

    def put(hours: float) -> datetime:
        shown = begun + timedelta(hours=hours)
        monkeypatch.setattr(timezone, "now", lambda: shown)
        return shown

    return put


def rows_of(attempt: str) -> list[tuple[object, ...]]:
    """What the attempt poses, with the keys."""
    with connection.cursor() as cursor:
        cursor.execute(POSED, [attempt])
        return [(*shown, json.loads(key)) for *shown, key in cursor.fetchall()]


@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true", "HX-Target": "question"}], ids=["plain", "htmx"])
@pytest.mark.parametrize("last", [-2, 2])
def test_no_answer_is_dropped(
    signed_in: Client, learner: User, quiz: Quiz, set_clock: SetClock, last: int, htmx: dict[str, str]
) -> None:
    started = set_clock(0)
    begun = signed_in.post(f"/c/{quiz.course.slug}/quizzes/{quiz.slug}/start/")
    attempt = begun["Location"].split("/")[2]
    intents = intents_of(attempt, rows_of(attempt), random.Random(1))[: len(HOURS)]
    for hours, intent in zip(HOURS, intents, strict=True):
        set_clock(hours)
        sent = {"q": intent.position, "key": str(uuid.uuid4()), "choice": intent.choice}
        for _ in range(2):  # the second one came late: it is the same answer
            answer = signed_in.post(f"/attempts/{attempt}/", sent, headers=htmx)
            assert answer.status_code == (200 if htmx else 303)
        assert signed_in.get(f"/attempts/{attempt}/").status_code == 200
    kept = Response.objects.order_by("id").values_list("number", "state", "at")
    assert list(kept) == [
        (1, intent.expected, started + timedelta(hours=hours))
        for hours, intent in zip(HOURS, intents, strict=True)
    ]
    set_clock(last)
    assert signed_in.post(f"/attempts/{attempt}/finish/").status_code == 303
    assert signed_in.get(f"/attempts/{attempt}/review/").status_code == 200
    ended = Attempt.objects.get(pk=attempt)
    assert (ended.answered, RejectedResponse.objects.count()) == (len(HOURS), 0)
    assert ended.finished_at == started + timedelta(hours=last)
    assert signed_in.get("/").status_code == 200
