"""Reports that a question looks wrong, and what authors decide."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Q, Value
from django.db.models.functions import Greatest

from quizzes.kinds.words import folded
from quizzes.models import NewsSeen, QuestionReport, Slot
from quizzes.queries.disputes import newer_than
from studyhub.accounts.actions import note_change
from studyhub.accounts.auditing import Act, Actor, Kind, Thing, record

MOST_A_DAY = 20  # reports of one learner within 24 hours
LONGEST = 2000  # characters of one report, and of an author's answer
MOST_ROOM = 10_000  # characters of a report with all that was added to it
MOST_SHOWN = 100  # answers that one page shows
UNSETTLED = ("open", "accepted")


class TooManyReports(Exception):
    """The learner has reported as much as one day allows; nothing was kept."""


class ReportFull(Exception):
    """What is added has no room in the report that is open already; nothing was kept. ``room``: characters left."""

    def __init__(self, room: int) -> None:
        super().__init__(f"{room} characters left")
        self.room = room


class Superseded(Exception):
    """Somebody decided the report, or its reporter added to it, since it was looked at. Nothing was decided."""


class NotDecided(ValueError):
    """A decision that lacks something; the text says what."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a learner says is wrong. ``option`` is its id in the attempt, "" for the whole question."""

    position: int
    reason: str
    option: str
    text: str


@transaction.atomic
def report_question(*, attempt_id: uuid.UUID, learner_id: int, doubt: Doubt, at: datetime) -> QuestionReport:
    """Keep a report on a question of the learner's own attempt.

    One report of a learner on a question is open at a time: what is said again is added to it, and its reason and
    option take the place of the earlier ones. Raises Slot.DoesNotExist for what is not this learner's,
    TooManyReports, ReportFull, and ValueError for a text that is too long.
    """
    if len(doubt.text) > LONGEST:
        raise ValueError(f"a report has at most {LONGEST} characters")
    slot = Slot.objects.select_related("version").get(
        attempt_id=attempt_id, attempt__learner_id=learner_id, position=doubt.position
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [0x0D15, learner_id % 2**31])
    option = dict(zip(slot.tokens, slot.order, strict=True)).get(doubt.option, "")
    mine = QuestionReport.objects.of(learner_id)
    same = mine.filter(question_id=slot.version.question_id, state__in=UNSETTLED)
    going_on = same.select_for_update().first()  # an author may be settling it just now
    if going_on is None and mine.filter(at__gt=at - timedelta(days=1)).count() >= MOST_A_DAY:
        raise TooManyReports
    note_change(learner_id=learner_id)
    if going_on is not None:
        return _add(going_on, doubt, option)
    return QuestionReport.objects.create(
        question_id=slot.version.question_id,
        version=slot.version,
        learner_id=learner_id,
        reason=doubt.reason,
        option=option,
        text=doubt.text,
        at=at,
    )


def _add(report: QuestionReport, doubt: Doubt, option: str) -> QuestionReport:
    """Put what is new into a report that is open already; sent twice it is there once. Raises ReportFull."""
    if doubt.text and report.text != doubt.text and not report.text.endswith(f"\n\n{doubt.text}"):
        text = "\n\n".join(filter(None, [report.text, doubt.text]))
        if len(text) > MOST_ROOM:
            raise ReportFull(max(0, MOST_ROOM - len(report.text) - 2))
        report.text = text
    report.reason, report.option = doubt.reason, option
    report.save(update_fields=["text", "reason", "option"])
    return report


@dataclass(frozen=True, slots=True)
class Decision:
    """What an author decides: a state, words for the reporter, and for fixed the version it is fixed in."""

    state: str
    answer: str
    fixed_in: int | None = None  # id of a later version of the same question
    seen: str | None = None  # the stamp of the report that was looked at; None: whatever it is now


@transaction.atomic
def decide_report(*, report_id: int, by: Actor, decision: Decision, at: datetime) -> QuestionReport:
    """Settle a report, or open it again. The reporter sees the answer as new. Is audited.

    Raises QuestionReport.DoesNotExist, Superseded, and NotDecided: a declined report needs a reason, a fixed one a
    version that is newer than the one reported, and the answer is at most LONGEST characters long.
    """
    report = QuestionReport.objects.select_for_update(of=["self"]).select_related("version").get(pk=report_id)
    if decision.seen is not None and decision.seen != report.stamp:
        raise Superseded
    answer = decision.answer.strip()
    if len(answer) > LONGEST:
        raise NotDecided(
            f"Write at most {LONGEST:,} characters; this is {len(answer):,}. Nothing was sent yet."
        )
    if decision.state == "declined" and not folded(answer):
        raise NotDecided("Say why it is declined: the reporter will read it.")
    fixed_in = None
    if decision.state == "fixed":
        fixed_in = newer_than(report.version).filter(pk=decision.fixed_in or 0).first()
        if fixed_in is None:
            raise NotDecided("Choose the revision that fixes it: one that is newer than what was reported.")
    before = _facts(report)
    report.state, report.answer, report.fixed_in = decision.state, answer, fixed_in
    settled = decision.state != "open"
    report.decided_at, report.decided_by_id = (at, by.person_id) if settled else (None, None)
    report.seen_at = None
    report.save()
    if report.learner_id is not None:
        note_change(learner_id=report.learner_id)
    what = Thing(Kind.REPORT, report.pk)
    record(by=by, act=Act.REPORT_DECIDED, what=what, at=at, before=before, after=_facts(report))
    return report


def _facts(report: QuestionReport) -> dict[str, str | int | None]:
    """What the audit log says of a report."""
    return {"state": report.state, "fixed_in": report.fixed_in_id}


@transaction.atomic
def note_answers_seen(*, learner_id: int, shown: Mapping[int, str], at: datetime) -> int:
    """The learner was shown the answers to these of their reports, by number and stamp; returns how many were new.

    What was decided or added since is another stamp, and stays new.
    """
    rows = QuestionReport.objects.of(learner_id).filter(pk__in=list(shown)[:MOST_SHOWN])
    new = rows.filter(~Q(state="open"), seen_at__isnull=True).order_by("pk").select_for_update()
    seen = [one.pk for one in new if one.stamp == shown[one.pk]]
    if seen:
        QuestionReport.objects.filter(pk__in=seen).update(seen_at=at)
        note_change(learner_id=learner_id)
    return len(seen)


@transaction.atomic
def note_news_seen(*, learner_id: int, until: datetime, at: datetime) -> None:
    """The learner has seen what became of keys up to a moment: at most now, and never earlier than before."""
    until = max(min(until, at), at - timedelta(days=30))
    row, made = NewsSeen.objects.get_or_create(learner_id=learner_id, defaults={"at": until})
    if not made and row.at < until:
        row.at = until
        row.save(update_fields=["at"])
    note_change(learner_id=learner_id)


@transaction.atomic(savepoint=False)
def merge_reports(guest_id: int, into_id: int) -> None:
    """Give a guest's reports to an account, and up to when the guest has seen what became of keys."""
    QuestionReport.objects.of(guest_id).update(learner_id=into_id)
    seen = NewsSeen.objects.of(guest_id).first()
    if seen is not None:
        NewsSeen.objects.update_or_create(
            learner_id=into_id,
            defaults={"at": Greatest(F("at"), Value(seen.at))},
            create_defaults={"at": seen.at},
        )
        seen.delete()
