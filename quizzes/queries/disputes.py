"""Reports as their reporter and as authors see them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q
from django.urls import reverse

from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer, PartRemark, Remark
from quizzes.models import QuestionKey, QuestionReport, QuestionVersion, Slot
from quizzes.queries.ready import address, shown

REASONS = {
    "key": "The key seems wrong",
    "unclear": "The question is unclear",
    "outdated": "It is outdated",
    "typo": "A slip of the pen",
    "paragraph": "The paragraph does not settle it",
    "other": "Something else",
}
STATES = {"open": "open", "accepted": "accepted", "fixed": "fixed in a revision", "declined": "declined"}
MOST = 50  # reports on one page


@dataclass(frozen=True, slots=True)
class ReportForm:
    """What the page for a report shows: the question, its options by their ids in the attempt."""

    attempt_id: str
    position: int
    stem_html: str
    options: Sequence[tuple[str, str]]  # id in the attempt, HTML
    going_on: QuestionReport | None  # what the learner said before and is not settled
    given: Mapping[str, str]  # reason and option of it, as the form gives them
    back: str


def report_form(attempt_id: uuid.UUID, learner_id: int, position: int) -> ReportForm:
    """The question of the learner's attempt (two queries). Raises Slot.DoesNotExist."""
    slot = Slot.objects.select_related("version").get(
        attempt_id=attempt_id, attempt__learner_id=learner_id, position=position
    )
    said = shown(slot.version)
    mine = QuestionReport.objects.of(learner_id).filter(question_id=slot.version.question_id)
    going_on = mine.filter(state__in=["open", "accepted"]).first()
    tokens = dict(zip(slot.order, slot.tokens, strict=True))
    return ReportForm(
        attempt_id=str(attempt_id),
        position=position,
        stem_html=said.stem_html,
        options=[
            (token, said.texts[slug])
            for slug, token in zip(slot.order, slot.tokens, strict=True)
            if slug in said.texts
        ],
        going_on=going_on,
        given={"reason": going_on.reason, "option": tokens.get(going_on.option, "")} if going_on else {},
        back=f"{address('attempt', attempt_id)}?q={position}",
    )


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One report in a list."""

    pk: int
    stem_html: str
    reason: str
    text: str
    at: datetime
    state: str
    said: str  # the state in words
    answer: str
    decided_at: datetime | None
    new: bool  # the reporter has not seen the answer
    others: int  # unsettled reports of others on the same question


def own_reports(learner_id: int) -> list[ReportLine]:
    """The learner's reports, newest first (one query)."""
    rows = QuestionReport.objects.of(learner_id).select_related("version").order_by("-at")[:MOST]
    return [_line(one) for one in rows]


def new_answers(learner_id: int) -> int:
    """How many reports of the learner have an answer that was not seen (one query)."""
    return QuestionReport.objects.of(learner_id).filter(~Q(state="open"), seen_at__isnull=True).count()


def _line(row: QuestionReport, others: int = 0) -> ReportLine:
    return ReportLine(
        pk=row.pk,
        stem_html=row.version.stem_html,
        reason=REASONS[row.reason],
        text=row.text,
        at=row.at,
        state=row.state,
        said=STATES[row.state],
        answer=row.answer,
        decided_at=row.decided_at,
        new=row.state != "open" and row.seen_at is None,
        others=others,
    )


@dataclass(frozen=True, slots=True)
class Inbox:
    """Reports in one state, oldest first, and how many there are in each."""

    state: str
    counts: Sequence[tuple[str, str, int]]  # state, in words, number
    lines: Sequence[ReportLine]
    next_page: int | None


def inbox(state: str, page: int) -> Inbox:
    """One page of the inbox (three queries)."""
    found = dict(QuestionReport.objects.values_list("state").annotate(n=Count("pk")))
    order = "at" if state in {"open", "accepted"} else "-decided_at"
    rows = list(
        QuestionReport.objects.filter(state=state)
        .select_related("version")
        .order_by(order)[(page - 1) * MOST : page * MOST + 1]
    )
    same = dict(
        QuestionReport.objects.filter(
            question__in=[one.question_id for one in rows], state__in=["open", "accepted"]
        )
        .values_list("question_id")
        .annotate(n=Count("pk"))
    )
    return Inbox(
        state=state,
        counts=[(name, words, found.get(name, 0)) for name, words in STATES.items()],
        lines=[
            _line(one, max(0, same.get(one.question_id, 0) - (one.state in {"open", "accepted"})))
            for one in rows[:MOST]
        ],
        next_page=page + 1 if len(rows) > MOST else None,
    )


@dataclass(frozen=True, slots=True)
class ReportPage:
    """One report with the question and its key, for authors."""

    line: ReportLine
    question: str  # its slug
    path: str  # file and line in the pack
    stem_html: str
    body_html: str
    remarks: Sequence[tuple[Remark, str, bool]]  # with the option's HTML; whether the report is about it
    parts: Sequence[PartRemark]  # of a question of several parts
    explanation_html: str
    versions: Sequence[QuestionVersion]  # later ones first
    reporters: int
    history: str  # address
    given: Mapping[str, object]  # what was decided, as the form gives it


def report_page(report_id: int) -> ReportPage:
    """One report (four queries). Raises QuestionReport.DoesNotExist."""
    row = QuestionReport.objects.select_related("version", "question__quiz__course").get(pk=report_id)
    quiz = row.question.quiz
    key = QuestionKey.objects.get(pk=row.version_id)
    said = shown(row.version)
    remarks = KINDS[said.kind].remarks(Answer(), said.body, key.key)
    versions = QuestionVersion.objects.filter(question=row.question_id).order_by("-number", "-wording")
    same = QuestionReport.objects.filter(question=row.question_id, state__in=["open", "accepted"])
    return ReportPage(
        line=_line(row),
        question=row.question.slug,
        path=f"{row.question.source_path}:{row.question.source_line}",
        stem_html=said.stem_html,
        body_html=said.body_html,
        remarks=[(one, said.texts.get(one.slug, one.title), one.slug == row.option) for one in remarks],
        parts=KINDS[said.kind].parts(Answer(), said.body, key.key),
        explanation_html=key.explanation_html,
        versions=list(versions.only("number", "wording", "made_at")),
        reporters=same.values("learner_id").distinct().count(),
        history=reverse("question_history", args=[quiz.course.slug, quiz.slug, row.question.slug]),
        given={
            "state": row.state if row.state != "open" else "",
            "version": str(row.fixed_in_id or ""),
            "answer": row.answer,
        },
    )
