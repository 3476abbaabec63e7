"""Start an attempt, flag, skip, finish; and what becomes of a guest's attempts."""

from __future__ import annotations

import random
import secrets
import uuid
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Max
from django.db.models.functions import Coalesce

from quizzes.kinds import KINDS
from quizzes.models import Attempt, QuestionVersion, Quiz, RejectedResponse, Response, Slot
from studyhub.accounts.actions import note_change

SHUFFLER = random.SystemRandom()


class NothingToAsk(Exception):
    """The quiz has no published question."""


class AttemptFinished(Exception):
    """The attempt is over; its answers stand as they are."""


@transaction.atomic
def start_attempt(
    *, learner_id: int, quiz: Quiz, fresh: bool, at: datetime, within: timedelta = timedelta(0)
) -> Attempt:
    """Begin an attempt, or return the open one; with ``fresh`` the open one is finished first, unless it was begun
    less than ``within`` ago and has no answer: then it is the fresh one of somebody who pressed twice.

    Options get an order and random ids of their own in every attempt, so neither tells the key. Simultaneous
    starts of one learner wait for each other and get the same attempt. Raises NothingToAsk.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [learner_id % 2**31, quiz.pk % 2**31])
    mine = Attempt.objects.of(learner_id).filter(quiz=quiz)
    going_on = mine.open().first()
    if going_on is not None and not (fresh and _worn(going_on, at, within)):
        return going_on
    if going_on is not None:
        finish_attempt(attempt_id=going_on.pk, learner_id=learner_id, at=at)
    versions = list(
        QuestionVersion.objects.filter(
            question__quiz=quiz, question__retired_at__isnull=True, question__current_id=F("pk")
        ).order_by("question__position")
    )
    if not versions:
        raise NothingToAsk(quiz.title)
    number = (mine.aggregate(last=Max("number"))["last"] or 0) + 1
    attempt = Attempt.objects.create(
        learner_id=learner_id, quiz=quiz, number=number, started_at=at, saved_at=at, size=len(versions)
    )
    Slot.objects.bulk_create(
        make_slot(attempt, position, version) for position, version in enumerate(versions, start=1)
    )
    return attempt


def _worn(attempt: Attempt, at: datetime, within: timedelta) -> bool:
    """Whether an attempt has answers or was begun ``within`` ago or earlier; clocks of two requests may cross."""
    return attempt.answered > 0 or abs(at - attempt.started_at) >= within


def make_slot(attempt: Attempt, position: int, version: QuestionVersion) -> Slot:
    """One question's place in an attempt, not saved yet: its options in an order and with random ids of their own."""
    pieces = KINDS[version.kind].pieces(version.body)
    order = list(pieces.mixed)
    if pieces.shuffle:
        SHUFFLER.shuffle(order)
    tokens: list[str] = []
    while len(tokens) < len(order):
        token = secrets.token_hex(4)
        if token not in tokens:
            tokens.append(token)
    return Slot(
        attempt=attempt,
        position=position,
        version=version,
        order=[*order, *pieces.fixed],
        tokens=[*tokens, *pieces.fixed],
    )


def _locked(attempt_id: uuid.UUID, learner_id: int) -> Attempt:
    """The learner's open attempt, locked until commit. Raises Attempt.DoesNotExist, AttemptFinished."""
    attempt = Attempt.objects.of(learner_id).select_for_update().get(pk=attempt_id)
    if attempt.finished_at is not None:
        raise AttemptFinished
    return attempt


@transaction.atomic
def flag_question(
    *, attempt_id: uuid.UUID, learner_id: int, position: int, flagged: bool, at: datetime
) -> None:
    """Flag or unflag a question, to find it again; possible after the end too. Raises Slot.DoesNotExist."""
    Attempt.objects.of(learner_id).filter(pk=attempt_id).update(saved_at=at)
    slots = Slot.objects.filter(attempt_id=attempt_id, attempt__learner_id=learner_id, position=position)
    if not slots.update(flagged=flagged):
        raise Slot.DoesNotExist
    note_change(learner_id=learner_id)


@transaction.atomic
def skip_question(*, attempt_id: uuid.UUID, learner_id: int, position: int, at: datetime) -> None:
    """Put a question off; it stays unanswered and is offered again at the end. An answered one stays as it is.

    Raises Attempt.DoesNotExist, Slot.DoesNotExist, AttemptFinished.
    """
    attempt = _locked(attempt_id, learner_id)
    slot = Slot.objects.get(attempt=attempt, position=position)
    if not slot.state:
        slot.skipped = True
        slot.save(update_fields=["skipped"])
    attempt.saved_at = at
    attempt.save(update_fields=["saved_at"])
    note_change(learner_id=learner_id)


@transaction.atomic
def finish_attempt(*, attempt_id: uuid.UUID, learner_id: int, at: datetime) -> Attempt:
    """End an attempt; ending it twice changes nothing. Raises Attempt.DoesNotExist."""
    attempt = Attempt.objects.of(learner_id).select_for_update().get(pk=attempt_id)
    if attempt.finished_at is None:
        attempt.finished_at = at
        attempt.saved_at = at
        attempt.save(update_fields=["finished_at", "saved_at"])
        note_change(learner_id=learner_id)
    return attempt


@transaction.atomic(savepoint=False)
def merge_attempts(guest_id: int, into_id: int) -> None:
    """Give a guest's attempts to an account, numbered after its own. Where both have one open on the same quiz,
    the guest's stays open and the account's ends where it was left: both keep every answer.
    """
    for attempt in Attempt.objects.of(guest_id).select_for_update().order_by("started_at"):
        mine = Attempt.objects.of(into_id).filter(quiz_id=attempt.quiz_id)
        if attempt.finished_at is None:
            mine.open().update(finished_at=Coalesce("saved_at", "started_at"))
        attempt.number = (mine.aggregate(last=Max("number"))["last"] or 0) + 1
        attempt.learner_id = into_id
        attempt.save(update_fields=["number", "learner"])
    Response.objects.filter(learner_id=guest_id).update(learner_id=into_id)
    RejectedResponse.objects.filter(learner_id=guest_id).update(learner_id=into_id)
