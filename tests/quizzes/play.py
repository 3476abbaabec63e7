"""Answering as a learner does, for tests: by the ids of the options in the attempt."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext

from quizzes.actions import Submission, answer_question
from quizzes.models import Attempt, QuestionKey, Slot

from .goods import AT


def counted(act: Callable[[], Any]) -> tuple[Any, list[str]]:
    """What ``act`` gives, and the statements it sends; beginning and ending a transaction is not asking anything."""
    with CaptureQueriesContext(connection) as seen:
        response = act()
    control = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
    return response, [one["sql"] for one in seen if not one["sql"].startswith(control)]


def slot_of(attempt: Attempt, position: int) -> Slot:
    """The slot with its version."""
    return attempt.slots.select_related("version").get(position=position)


def raw_right(slot: Slot) -> list[str]:
    """What the form sends for the right answer."""
    key, body = QuestionKey.objects.get(pk=slot.version_id).key, slot.version.body
    known = dict(zip(slot.order, slot.tokens, strict=True))
    if slot.version.kind == "short":
        return [key["accepted"][0]["text"]]
    if slot.version.kind == "cloze":
        return [gap["accepted"][0] for gap in key["gaps"]]
    if slot.version.kind == "match":
        return [known[body["options"][body["rows"] + at]["slug"]] for at in key["pairs"]]
    if slot.version.kind == "order":
        items = [known[body["options"][at]["slug"]] for at in key["sequence"]]
        return [value for at, item in enumerate(items, start=1) for value in (item, f"#{at}")]
    if not slot.order:
        return [key["accepted"][0]["low"]]
    return [token for slug, token in known.items() if key["options"][slug]["right"]]


def raw_wrong(slot: Slot) -> list[str]:
    """What the form sends for a wrong answer: one wrong option, odd words, the reversed order, each row's neighbour."""
    key, kind = QuestionKey.objects.get(pk=slot.version_id).key, slot.version.kind
    known = dict(zip(slot.order, slot.tokens, strict=True))
    if kind == "cloze":
        return ["zzz"] * len(key["gaps"])
    if kind == "match":
        body = slot.version.body
        choices = [one["slug"] for one in body["options"][body["rows"] :]]
        return [known[choices[at - 1]] for at in key["pairs"]]
    if kind == "order":
        items = raw_right(slot)[::2][::-1]
        return [value for at, item in enumerate(items, start=1) for value in (item, f"#{at}")]
    if not slot.order:
        return ["-987654"]
    return [token for slug, token in known.items() if not key["options"][slug]["right"]][:1]


def send(
    attempt: Attempt,
    position: int = 1,
    *,
    right: bool = True,
    key: UUID | None = None,
    raw: list[str] | None = None,
    certainty: int | None = None,
    again: bool = False,
    at: datetime = AT,
) -> Any:
    slot = slot_of(attempt, position)
    given = raw if raw is not None else raw_right(slot) if right else raw_wrong(slot)
    sent = Submission(position=position, raw=given, certainty=certainty, key=key or uuid4(), again=again)
    return answer_question(attempt_id=attempt.pk, learner_id=attempt.learner_id, submission=sent, at=at)


def form(slot: Slot, *, right: bool = True, **extra: Any) -> dict[str, Any]:
    """The form fields of an answer."""
    given = raw_right(slot) if right else raw_wrong(slot)
    return {"q": slot.position, "key": str(uuid4()), "choice": given, **extra}


def at_once(acts: list[Callable[[], Any]], threads: int = 8) -> list[Any]:
    """Do all of it in threads of their own, the first ``threads`` at the same moment; results in order."""
    gate = Barrier(min(threads, len(acts)))

    def run(index: int) -> Any:
        try:
            if index < gate.parties:
                gate.wait(timeout=30)
            return acts[index]()
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(len(acts))))
