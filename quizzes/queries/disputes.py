"""Reports as their reporter and as authors see them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.urls import reverse

from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer, PartRemark, Remark
from quizzes.models import Correction, QuestionKey, QuestionReport, QuestionVersion, Response, Slot
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
CLAIM = "My answer “{}” should count, because "
MOST_SAID = 300  # characters of an answer that the form says again


@dataclass(frozen=True, slots=True)
class ReportForm:
    """What the page for a report shows: the question, its options by their ids in the attempt."""

    attempt_id: str
    position: int
    stem_html: str
    options: Sequence[tuple[str, str]]  # id in the attempt, HTML
    going_on: QuestionReport | None  # what the learner said before and is not settled
    given: Mapping[str, str]  # reason and option of it, as the form gives them, and the words to begin with
    back: str


def report_form(attempt_id: uuid.UUID, learner_id: int, position: int, *, claims: bool = False) -> ReportForm:
    """The question of the learner's attempt (two queries). Raises Slot.DoesNotExist.

    ``claims``: the learner holds their last typed answer to be right; the form begins with it (one more query), unless
    it is longer than 300 characters.
    """
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
        given={
            **(_claim(slot) if claims else {}),
            **({"reason": going_on.reason, "option": tokens.get(going_on.option, "")} if going_on else {}),
        },
        back=f"{address('attempt', attempt_id)}?q={position}",
    )


def _claim(slot: Slot) -> dict[str, str]:
    last = Response.objects.filter(slot=slot).order_by("-number").first()
    if last is None or not (last.typed or any(last.parts)):
        return {}
    answer = Answer(tuple(last.options), last.typed, tuple(last.parts))
    said = KINDS[slot.version.kind].said(answer, slot.version.body)
    return {"reason": "key", **({"text": CLAIM.format(said)} if len(said) <= MOST_SAID else {})}


@dataclass(frozen=True, slots=True)
class Marks:
    """What became of the marks of answers to the version that a report is about, where another version mended it."""

    correction_pk: int
    state: str  # waiting, aside, applied or undone
    at: datetime | None  # when it was applied or undone


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One report in a list."""

    pk: int
    stamp: str
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
    place: str  # address of the question: in the reporter's attempt, or for authors its history; "" for none
    marks: Marks | None  # of a report that is fixed


def own_reports(learner_id: int) -> list[ReportLine]:
    """The learner's reports, newest first, each with its question in the learner's last attempt at it (two queries)."""
    slots = Slot.objects.filter(
        attempt__learner_id=learner_id, version__question=OuterRef("question")
    ).order_by("-attempt__started_at", "-pk")
    told = JSONObject(attempt="attempt_id", position="position", ended=Q(attempt__finished_at__isnull=False))
    rows = list(
        QuestionReport.objects.of(learner_id)
        .select_related("version", "fixed_in")
        .annotate(place=Subquery(slots.values(told=told)[:1]))
        .order_by("-at")[:MOST]
    )
    marks = _marks_of(rows)
    return [_line(one, place=_place(one.place), marks=marks.get(one.pk)) for one in rows]


def _place(told: Mapping[str, Any] | None) -> str:
    """The address of a question in an attempt: in its review, once that has ended."""
    if told is None:
        return ""
    if told["ended"]:
        return f"{address('review', told['attempt'])}#q{told['position']}"
    return f"{address('attempt', told['attempt'])}?q={told['position']}"


def _marks_of(rows: Iterable[QuestionReport]) -> dict[int, Marks]:
    """By report that another version mended: the correction of the marks it is about (one query)."""
    fixed = {one.pk: one for one in rows if one.fixed_in is not None and one.state == "fixed"}
    made = Correction.objects.filter(question__in={one.question_id for one in fixed.values()})
    known = {
        (one.question_id, one.before.number, one.after.number): Marks(
            one.pk, one.state, one.undone_at or one.applied_at
        )
        for one in made.select_related("before", "after")
    }
    places = {
        pk: (one.question_id, one.version.number, one.fixed_in.number)
        for pk, one in fixed.items()
        if one.fixed_in is not None
    }
    return {pk: known[place] for pk, place in places.items() if place in known}


def new_answers(learner_id: int) -> int:
    """How many reports of the learner have an answer that was not seen (one query)."""
    return QuestionReport.objects.of(learner_id).filter(~Q(state="open"), seen_at__isnull=True).count()


def _line(row: QuestionReport, *, others: int = 0, place: str = "", marks: Marks | None = None) -> ReportLine:
    return ReportLine(
        pk=row.pk,
        stamp=row.stamp,
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
        place=place,
        marks=marks,
    )


@dataclass(frozen=True, slots=True)
class Inbox:
    """Reports in one state, oldest first, and how many there are in each."""

    state: str
    counts: Sequence[tuple[str, str, int]]  # state, in words, number
    lines: Sequence[ReportLine]
    next_page: int | None


def inbox(state: str, page: int) -> Inbox:
    """One page of the inbox (four queries)."""
    found = dict(QuestionReport.objects.values_list("state").annotate(n=Count("pk")))
    order = "at" if state in {"open", "accepted"} else "-decided_at"
    rows = list(
        QuestionReport.objects.filter(state=state)
        .select_related("version", "fixed_in", "question__quiz__course")
        .order_by(order)[(page - 1) * MOST : page * MOST + 1]
    )
    same = dict(
        QuestionReport.objects.filter(
            question__in=[one.question_id for one in rows], state__in=["open", "accepted"]
        )
        .values_list("question_id")
        .annotate(n=Count("pk"))
    )
    marks = _marks_of(rows)
    return Inbox(
        state=state,
        counts=[(name, words, found.get(name, 0)) for name, words in STATES.items()],
        lines=[
            _line(
                one,
                others=max(0, same.get(one.question_id, 0) - (one.state in {"open", "accepted"})),
                place=_history(one),
                marks=marks.get(one.pk),
            )
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
    versions: Sequence[QuestionVersion]  # newer than what was reported, the newest first
    reporters: int
    decided_by: str  # the name of who decided it, "" where nobody did or is known
    given: Mapping[str, object]  # what was decided, as the form gives it
    theirs: str  # the reporter's first answer to that version in plain words, "" for none
    waiting: Correction | None  # the correction of that version's marks that waits to be applied


def report_page(report_id: int) -> ReportPage:
    """One report (seven queries). Raises QuestionReport.DoesNotExist."""
    rows = QuestionReport.objects.select_related(
        "version", "fixed_in", "question__quiz__course", "decided_by"
    )
    row = rows.get(pk=report_id)
    key = QuestionKey.objects.get(pk=row.version_id)
    said = shown(row.version)
    remarks = KINDS[said.kind].remarks(Answer(), said.body, key.key)
    versions = newer_than(row.version).order_by("-number", "-wording")
    same = QuestionReport.objects.filter(question=row.question_id, state__in=["open", "accepted"])
    return ReportPage(
        line=_line(row, place=_history(row), marks=_marks_of([row]).get(row.pk)),
        question=row.question.slug,
        path=f"{row.question.source_path}:{row.question.source_line}",
        stem_html=said.stem_html,
        body_html=said.body_html,
        remarks=[(one, said.texts.get(one.slug, one.title), one.slug == row.option) for one in remarks],
        parts=KINDS[said.kind].parts(Answer(), said.body, key.key),
        explanation_html=key.explanation_html,
        versions=list(versions.only("number", "wording", "made_at")),
        reporters=same.values("learner_id").distinct().count(),
        decided_by=(row.decided_by.name or row.decided_by.email or "") if row.decided_by else "",
        given={
            "state": row.state if row.state != "open" else "",
            "version": str(row.fixed_in_id or ""),
            "answer": row.answer,
        },
        theirs=_theirs(row),
        waiting=_waiting(row.version),
    )


def _theirs(row: QuestionReport) -> str:
    """The recorded answer of the reporter to what they reported, the first of several attempts (one query)."""
    if row.learner_id is None:
        return ""
    found = Response.objects.filter(learner_id=row.learner_id, version_id=row.version_id, number=1)
    first = found.order_by("at", "pk").first()
    if first is None:
        return ""
    answer = Answer(tuple(first.options), first.typed, tuple(first.parts))
    return KINDS[row.version.kind].said(answer, row.version.body)


def _waiting(version: QuestionVersion) -> Correction | None:
    """The newest correction of the marks of a version that waits (one query)."""
    rows = Correction.objects.filter(
        question=version.question_id,
        before__number=version.number,
        applied_at__isnull=True,
        set_aside_at__isnull=True,
    )
    return rows.select_related("after").order_by("-made_at", "-pk").first()


def newer_than(version: QuestionVersion) -> QuerySet[QuestionVersion]:
    """Later versions and wordings of its question."""
    later = Q(number__gt=version.number) | Q(number=version.number, wording__gt=version.wording)
    return QuestionVersion.objects.filter(later, question=version.question_id)


def _history(row: QuestionReport) -> str:
    """The address of the history of its question, for authors."""
    quiz = row.question.quiz
    return reverse("question_history", args=[quiz.course.slug, quiz.slug, row.question.slug])
