"""Practise my mistakes: what waits and why, in which order it is asked, and what has left.

A mistake is a question of the course whose last first answer that was not right is still open: it leaves after two
right answers in practice on two study days since. What is no longer on the shelf waits nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import Max, QuerySet

from chapters.models import Course, Misconception
from chapters.queries import CourseView, course_view
from quizzes.models import Attempt, Question, Response
from quizzes.queries.attempts import attempt_lines
from quizzes.queries.feedback import SURE
from quizzes.queries.shapes import AttemptLine
from studyhub.rhythm.calendar import study_day

DAYS = 2  # study days with a right answer in practice, after which a question leaves
MOST = 20  # questions of one session
BETWEEN = 2  # mistakes between two siblings
LONG_AGO = timedelta(days=14)  # since an answer, after which a sibling may be asked again
MOST_LINES = 100  # shown on the page

# Questions on the shelf of a course whose key names one of these misconceptions, with the misconception; for choosing
# what is asked, never for a page.
NAMING = """
SELECT DISTINCT question.id, question.quiz_id, question.position, named.slug #>> '{}'
FROM quizzes_question AS question
JOIN quizzes_quiz AS quiz ON quiz.id = question.quiz_id
JOIN quizzes_questionkey AS key ON key.version_id = question.current_id
CROSS JOIN LATERAL jsonb_path_query(key.key, 'strict $.**.misconception') AS named(slug)
WHERE quiz.course_id = %s AND quiz.purpose = 'quiz' AND quiz.retired_at IS NULL AND question.retired_at IS NULL
    AND named.slug #>> '{}' = ANY(%s)
ORDER BY question.quiz_id, question.position, question.id
"""


@dataclass(frozen=True, slots=True)
class Slip:
    """A first answer that was not right."""

    state: str  # wrong, partly
    certainty: int | None
    misconceptions: tuple[str, ...]  # slugs
    at: datetime
    attempt_id: str
    position: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """A question that was missed: its slips, the oldest first, and the study days it was right on since the last."""

    question_pk: int
    slips: tuple[Slip, ...]
    right_on: tuple[date, ...]

    @property
    def last(self) -> Slip:
        """The slip that is to be made good."""
        return self.slips[-1]

    @property
    def certainty(self) -> int | None:
        """How sure the learner was of a wrong answer, when they said so last; None where they never did."""
        said = [one.certainty for one in self.slips if one.state == "wrong" and one.certainty]
        return said[-1] if said else None

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """The beliefs that its wrong answers named, the newest first (slugs)."""
        return tuple(dict.fromkeys(slug for one in reversed(self.slips) for slug in one.misconceptions))

    @property
    def left(self) -> bool:
        """Whether it waits no more."""
        return len(self.right_on) >= DAYS

    @property
    def rank(self) -> tuple[int, datetime]:
        """Sure and wrong first, the surer the sooner; then by age, the oldest first."""
        return {3: 0, 2: 1}.get(self.certainty or 0, 2), self.last.at


@dataclass(frozen=True, slots=True)
class MistakeLine:
    """A missed question on the page."""

    quiz_title: str
    stem_html: str
    beliefs: tuple[str, ...]  # the misconceptions in words
    times: int
    partly: bool
    sure: str  # "you were sure (above 80 %)", "" where nothing was said
    missed_at: datetime
    attempt_id: str  # where that answer is
    position: int
    right_on: tuple[date, ...]


@dataclass(frozen=True, slots=True)
class MistakesPage:
    """What waits in one course."""

    course: CourseView
    waiting: int
    today: int  # of them are asked today
    lines: tuple[MistakeLine, ...]  # in the order they are asked, at most 100
    resting: tuple[MistakeLine, ...]  # right in practice today, asked again on another day
    left: tuple[MistakeLine, ...]  # newest first, at most 100
    going_on: AttemptLine | None


def mistakes_of(learner_id: int, course_pk: int, zone: ZoneInfo) -> list[Mistake]:
    """Every question on the course's shelf that this learner missed, in the order they are asked (three queries)."""
    slips = _slips(learner_id, course_pk)
    held = _held(learner_id, course_pk) if slips else {}
    shelf = set(on_shelf(course_pk).filter(pk__in=slips).values_list("pk", flat=True)) if slips else set()
    found = []
    for question in shelf:
        own = slips[question]
        days = {study_day(at, zone) for at in held.get(question, ()) if at > own[-1].at}
        found.append(Mistake(question, tuple(own), tuple(sorted(days))))
    return sorted(found, key=lambda one: (*one.rank, one.question_pk))


def on_shelf(course_pk: int) -> QuerySet[Question]:
    """The questions that quizzes of the course ask now (no query yet)."""
    return Question.objects.filter(
        quiz__course_id=course_pk,
        quiz__purpose="quiz",
        quiz__retired_at__isnull=True,
        retired_at__isnull=True,
        current__isnull=False,
    )


def _firsts(learner_id: int, course_pk: int) -> QuerySet[Response]:
    return Response.objects.filter(
        learner_id=learner_id, number=1, slot__attempt__quiz__course_id=course_pk
    ).order_by("at", "pk")


def _slips(learner_id: int, course_pk: int) -> dict[int, list[Slip]]:
    """Every first answer that was not right, by question, the oldest first."""
    found: dict[int, list[Slip]] = defaultdict(list)
    rows = _firsts(learner_id, course_pk).filter(state__in=("wrong", "partly"))
    for question, state, certainty, named, at, attempt, position in rows.values_list(
        "version__question_id",
        "state",
        "certainty",
        "misconceptions",
        "at",
        "slot__attempt_id",
        "slot__position",
    ):
        found[question].append(Slip(state, certainty, tuple(named), at, str(attempt), position))
    return found


def _held(learner_id: int, course_pk: int) -> dict[int, list[datetime]]:
    """When each question was answered right in practice."""
    found: dict[int, list[datetime]] = defaultdict(list)
    rows = _firsts(learner_id, course_pk).filter(state="right", slot__attempt__quiz__purpose="mistakes")
    for question, at in rows.values_list("version__question_id", "at"):
        found[question].append(at)
    return found


def siblings_of(
    learner_id: int, course_pk: int, mistakes: Sequence[Mistake], at: datetime
) -> dict[str, list[int]]:
    """By misconception, other questions of the course that name it: never answered first, then those of long ago.

    Questions among ``mistakes``, and such as were answered within two weeks, are none (two queries).
    """
    wanted = sorted({slug for one in mistakes for slug in one.misconceptions})
    if not wanted:
        return {}
    own = {one.question_pk for one in mistakes}
    with connection.cursor() as cursor:
        cursor.execute(NAMING, [course_pk, wanted])
        rows = [(pk, slug) for pk, _, _, slug in cursor.fetchall() if pk not in own]
    answered = Response.objects.filter(
        learner_id=learner_id, number=1, version__question_id__in={pk for pk, _ in rows}
    )
    last = dict(answered.values_list("version__question_id").annotate(last=Max("at")))
    found: dict[str, list[int]] = defaultdict(list)
    for pk, slug in rows:
        if pk not in last or last[pk] <= at - LONG_AGO:
            found[slug].append(pk)
    never = datetime.min.replace(tzinfo=at.tzinfo)
    return {slug: sorted(pks, key=lambda pk: last.get(pk, never)) for slug, pks in found.items()}


def arranged(
    mistakes: Sequence[Mistake], siblings: Mapping[str, Sequence[int]], most: int = MOST
) -> list[int]:
    """The questions of a session in order: after every two mistakes a sibling of theirs, where there is one.

    Each question comes once, and there are at most ``most``; ``mistakes`` are taken in their order.
    """
    own, drawn = {one.question_pk for one in mistakes}, list[int]()
    recent: list[str] = []
    for number, one in enumerate(mistakes, start=1):
        drawn.append(one.question_pk)
        recent.extend(one.misconceptions)
        if number % BETWEEN == 0:
            others = (pk for slug in recent for pk in siblings.get(slug, ()) if pk not in own)
            drawn.extend([pk for pk in others if pk not in drawn][:1])
            recent = []
    return drawn[:most]


def mistakes_page(course: Course, learner_id: int | None, zone: ZoneInfo, at: datetime) -> MistakesPage:
    """What waits in a course for this learner, and what has left (six queries at most, whatever the history)."""
    release = course.release
    assert release is not None
    release.course = course
    view = course_view(release)
    if learner_id is None:
        return MistakesPage(view, 0, 0, (), (), (), None)
    mistakes, today = mistakes_of(learner_id, course.pk, zone), study_day(at, zone)
    waiting = [one for one in mistakes if not one.left]
    asked = [one for one in waiting if today not in one.right_on]
    resting = [one for one in waiting if today in one.right_on]
    left = sorted((one for one in mistakes if one.left), key=lambda one: one.right_on, reverse=True)
    shown = [some[:MOST_LINES] for some in (asked, resting, left)]
    lines = _lines(course.pk, [one for some in shown for one in some])
    told = [tuple(lines[one.question_pk] for one in some) for some in shown]
    going_on = _going_on(learner_id, course.pk)
    return MistakesPage(view, len(waiting), len(asked), told[0], told[1], told[2], going_on)


def _going_on(learner_id: int, course_pk: int) -> AttemptLine | None:
    """The session that was begun and still has questions (one query)."""
    rows = Attempt.objects.of(learner_id).open().filter(quiz__course_id=course_pk, quiz__purpose="mistakes")
    lines = attempt_lines(rows.with_partly().select_related("quiz__course"))
    return next((one for one in lines if one.answered < one.of), None)


def _lines(course_pk: int, mistakes: Sequence[Mistake]) -> dict[int, MistakeLine]:
    """What the page says of each, by question (two queries)."""
    if not mistakes:
        return {}
    asked = Question.objects.filter(pk__in=[one.question_pk for one in mistakes])
    told = {
        pk: (title, stem) for pk, title, stem in asked.values_list("pk", "quiz__title", "current__stem_html")
    }
    named = {slug for one in mistakes for slug in one.misconceptions}
    words = dict(
        Misconception.objects.filter(course_id=course_pk, slug__in=named).values_list("slug", "text")
    )
    return {
        one.question_pk: MistakeLine(
            *told[one.question_pk],
            beliefs=tuple(words[slug] for slug in one.misconceptions if slug in words),
            times=len(one.slips),
            partly=one.last.state == "partly",
            sure=SURE.get(one.certainty or 0, ""),
            missed_at=one.last.at,
            attempt_id=one.last.attempt_id,
            position=one.last.position,
            right_on=one.right_on,
        )
        for one in mistakes
    }
