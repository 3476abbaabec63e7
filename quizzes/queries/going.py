"""How an attempt goes: its questions in order, and the one that is looked at with its answers."""

from __future__ import annotations

import sys
import uuid
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection

from quizzes.models import Attempt, Response, Slot
from quizzes.queries.ready import Frame, frame_of

# Every question of an attempt in order, as a number (see MEANING).
STOPS = """
    SELECT array_agg(COALESCE(array_position(ARRAY['right', 'wrong', 'partly'], state::text), 0) + 4 * skipped::int
        + 8 * flagged::int + 16 * COALESCE(certainty, 0) ORDER BY position)
    FROM quizzes_slot WHERE attempt_id = attempt.id
"""
RELEASE = """
JOIN quizzes_quiz AS quiz ON quiz.id = attempt.quiz_id
JOIN chapters_course AS course ON course.id = quiz.course_id
JOIN chapters_release AS release ON release.id = course.release_id
"""

# One row for a learner's attempt: quiz, release of its course (id, fingerprint), STOPS, moments; and of the question at
# a position, or of the next open one where that is null, a list for each answer, oldest first, or a single one before
# the first, with number null (a Told).
GOING = f"""
SELECT attempt.quiz_id, release.id, release.fingerprint, ({STOPS}), attempt.saved_at, attempt.finished_at, (
    SELECT json_agg(json_build_array(slot.position, slot.version_id, slot."order", slot.tokens, given.number,
        given.version_id, given.options, given.typed, given.parts, given.certainty, given.state, given.detail, given.at)
        ORDER BY given.number)
    FROM quizzes_slot AS slot LEFT JOIN quizzes_response AS given ON given.slot_id = slot.id
    WHERE slot.attempt_id = attempt.id AND slot.position = COALESCE(%s::int, (
        SELECT position FROM quizzes_slot WHERE attempt_id = attempt.id
        ORDER BY state <> '', skipped, position LIMIT 1
    ))
)
FROM quizzes_attempt AS attempt {RELEASE}
WHERE attempt.id = %s AND attempt.learner_id = %s
"""  # noqa: S608 our own text


class Stop(NamedTuple):
    """One question of an attempt, without its texts."""

    position: int
    state: str
    skipped: bool
    flagged: bool
    certainty: int | None


# What the number of a question in STOPS says: state, skipped, flagged, certainty.
MEANING = {
    state + 4 * skipped + 8 * flagged + 16 * certainty: (
        name,
        bool(skipped),
        bool(flagged),
        certainty or None,
    )
    for state, name in enumerate(("", "right", "wrong", "partly"))
    for skipped in (0, 1)
    for flagged in (0, 1)
    for certainty in (0, 1, 2, 3)
}


class Told(NamedTuple):
    """A question of an attempt as it was shown, and one answer to it; before the first all behind tokens is null."""

    position: int
    version_pk: int
    order: Sequence[str]
    tokens: Sequence[str]
    number: int | None
    answered_pk: int  # the version that was answered
    options: Sequence[str]
    typed: str
    parts: Sequence[str]
    certainty: int | None
    state: str
    detail: str
    at: str  # ISO 8601


@dataclass(frozen=True, slots=True)
class Going:
    """A learner's attempt: its questions in order, and the answers to the one that is looked at."""

    attempt_id: uuid.UUID
    frame: Frame
    saved_at: datetime | None
    finished_at: datetime | None
    stops: Sequence[Stop]  # in the order of their positions, from 1 without a gap
    told: Sequence[Told]

    @property
    def here(self) -> Stop:
        """The question that is looked at."""
        return self.stops[self.told[0].position - 1]

    def answered(self, response: Response) -> Going:
        """The same after its first answer."""
        stop, told = self.here, self.told[0]
        after = stop._replace(state=response.state, skipped=False, certainty=response.certainty)
        said = told._replace(
            number=response.number,
            answered_pk=response.version_id,
            options=response.options,
            typed=response.typed,
            parts=response.parts,
            certainty=response.certainty,
            state=response.state,
            detail=response.detail,
            at=response.at.isoformat(),
        )
        stops = [after if one is stop else one for one in self.stops]
        return replace(self, saved_at=response.at, stops=stops, told=[said])


def going_of(attempt_id: uuid.UUID, learner_id: int, position: int | None) -> Going:
    """The learner's attempt at a question, without ``position`` the next open one: unseen, then skipped, then first.

    One query. Raises Attempt.DoesNotExist, Slot.DoesNotExist.
    """
    with connection.cursor() as cursor:
        cursor.execute(GOING, [position, attempt_id, learner_id])
        row = cursor.fetchone()
    if row is None:
        raise Attempt.DoesNotExist
    quiz_pk, release_pk, fingerprint, stops, saved_at, finished_at, told = row
    if not told:
        raise Slot.DoesNotExist
    return Going(
        attempt_id=attempt_id,
        frame=frame_of(quiz_pk, release_pk, fingerprint),
        saved_at=saved_at,
        finished_at=finished_at,
        stops=_stops(stops),
        told=[Told(*one) for one in told],
    )


def _stops(codes: Iterable[int]) -> list[Stop]:
    return [_stop(position, code) for position, code in enumerate(codes, start=1)]


@lru_cache(maxsize=4096)
def _stop(position: int, code: int) -> Stop:
    return Stop(position, *MEANING[code])


class Posed(NamedTuple):
    """A question as an attempt poses it, which never changes: its slot, its version, its options and their ids."""

    slot_pk: int
    version_pk: int
    order: Sequence[str]
    tokens: Sequence[str]


POSED: OrderedDict[tuple[uuid.UUID, int], Sequence[Posed]] = OrderedDict()
MOST_POSED = 256  # attempts whose questions are kept in each process, some 25 KB each


def posed_of(attempt_id: uuid.UUID, learner_id: int, position: int) -> Posed:
    """The question that this learner's attempt poses at a position (one query the first time in a process).

    An attempt can still change hands, when a guest signs up: whoever writes makes sure of its learner.
    Raises Attempt.DoesNotExist, Slot.DoesNotExist.
    """
    key = (attempt_id, learner_id)
    questions = POSED.get(key)
    if questions is None:
        slots = Slot.objects.filter(attempt_id=attempt_id, attempt__learner_id=learner_id).order_by(
            "position"
        )
        rows = slots.values_list("pk", "version_id", "order", "tokens")
        questions = [
            Posed(pk, version, tuple(map(sys.intern, order)), tokens) for pk, version, order, tokens in rows
        ]
        if not questions:
            raise Attempt.DoesNotExist
        POSED[key] = questions
        while len(POSED) > MOST_POSED:
            POSED.popitem(last=False)
    POSED.move_to_end(key)
    if position > len(questions):
        raise Slot.DoesNotExist
    return questions[position - 1]


def going_with(attempt_id: uuid.UUID, position: int, posed: Posed, row: Sequence[Any]) -> Going:
    """The attempt before its first answer to a question, from what that answer's statement returned."""
    _, quiz_pk, release_pk, fingerprint, stops = row
    told = Told(position, posed.version_pk, posed.order, posed.tokens, None, 0, (), "", (), None, "", "", "")
    return Going(attempt_id, frame_of(quiz_pk, release_pk, fingerprint), None, None, _stops(stops), [told])
