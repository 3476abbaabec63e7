"""What first answers came to, summed up in SQL: the same few queries and about as many rows whatever the history.

First answers to the quizzes of a course count, each in every attempt. Retries and practice count nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from quizzes.models import Attempt, Response
from quizzes.queries.attempts import attempt_lines
from quizzes.queries.shapes import AttemptLine, WrongLine

MOST_ATTEMPTS, MOST_WRONG = 50, 10  # of each course, the newest

# First answers of a learner by version and certainty; only then is anything else looked up.
GIVEN = """
WITH given AS (
    SELECT answer.version_id, answer.certainty, count(*) AS n, count(*) FILTER (WHERE answer.state = 'right') AS hits,
        count(*) FILTER (WHERE answer.state = 'partly') AS partly
    FROM quizzes_response AS answer
    JOIN quizzes_slot AS slot ON slot.id = answer.slot_id
    JOIN quizzes_attempt AS attempt ON attempt.id = slot.attempt_id
    JOIN quizzes_quiz AS quiz ON quiz.id = attempt.quiz_id
    WHERE answer.learner_id = %s AND answer.number = 1 AND quiz.purpose = 'quiz'
    GROUP BY answer.version_id, answer.certainty
)
"""
OPTIONS = "CASE WHEN version.body ? 'options' THEN jsonb_array_length(version.body -> 'options') ELSE 0 END"
COUNTS = "sum(given.n)::int, sum(given.hits)::int, sum(given.partly)::int"
BY_CHAPTER = f"""
{GIVEN}
SELECT quiz.chapter_id, version.kind, {OPTIONS}, given.certainty, {COUNTS}
FROM given JOIN quizzes_questionversion AS version ON version.id = given.version_id
JOIN quizzes_question AS question ON question.id = version.question_id
JOIN quizzes_quiz AS quiz ON quiz.id = question.quiz_id
GROUP BY 1, 2, 3, 4
"""  # noqa: S608 our own text
BY_OBJECTIVE = f"""
{GIVEN}
SELECT aim.objective_id, version.kind, {OPTIONS}, NULL::int, {COUNTS}
FROM given JOIN quizzes_questionversion AS version ON version.id = given.version_id
JOIN quizzes_questionobjective AS aim ON aim.question_id = version.question_id
GROUP BY 1, 2, 3
"""  # noqa: S608 our own text


@dataclass(frozen=True, slots=True)
class Sum:
    """First answers of one sort: to questions of a kind with so many options, given with a certainty."""

    kind: str
    options: int  # 0 for kinds without
    certainty: int | None
    n: int
    right: int
    partly: int = 0  # partly right


def sums_by_chapter(learner_id: int) -> dict[int, list[Sum]]:
    """This learner's first answers by the chapter of their quiz (one query)."""
    return _sums(BY_CHAPTER, learner_id)


def sums_by_objective(learner_id: int) -> dict[int, list[Sum]]:
    """This learner's first answers by objective; a question with several counts for each (one query).

    Certainties are added up, so that it is None in all of them.
    """
    return _sums(BY_OBJECTIVE, learner_id)


def _sums(statement: str, learner_id: int) -> dict[int, list[Sum]]:
    found: dict[int, list[Sum]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(statement, [learner_id])
        for whose, *columns in cursor.fetchall():
            found[whose].append(Sum(*columns))
    return found


def newest_attempts(learner_id: int) -> dict[str, Sequence[AttemptLine]]:
    """The newest 50 attempts of each course by its slug, practice left out (one query)."""
    place = Window(RowNumber(), partition_by="quiz__course_id", order_by=[F("started_at").desc(), F("pk")])
    rows = Attempt.objects.of(learner_id).filter(quiz__purpose="quiz")
    newest = rows.annotate(place=place).filter(place__lte=MOST_ATTEMPTS).order_by().values("pk")
    found: dict[str, list[AttemptLine]] = defaultdict(list)
    shown = Attempt.objects.filter(pk__in=newest).with_partly().select_related("quiz__course")
    for line in attempt_lines(shown.order_by("-started_at", "pk")):
        found[line.course_slug].append(line)
    return dict(found)


def newest_wrong(learner_id: int) -> dict[str, Sequence[WrongLine]]:
    """The newest 10 first answers of each course that were not right, by its slug, practice left out (one query)."""
    found: dict[str, list[WrongLine]] = defaultdict(list)
    for one in _wrong(learner_id):
        quiz = one.slot.attempt.quiz
        line = WrongLine(
            str(one.slot.attempt_id),
            one.slot.position,
            quiz.title,
            one.version.stem_html,
            one.at,
            one.state == "partly",
        )
        found[quiz.course.slug].append(line)
    return dict(found)


def _wrong(learner_id: int) -> QuerySet[Response]:
    course = "slot__attempt__quiz__course_id"
    place = Window(RowNumber(), partition_by=course, order_by=[F("at").desc(), F("pk").desc()])
    rows = Response.objects.filter(
        learner_id=learner_id,
        number=1,
        state__in=("wrong", "partly"),
        slot__attempt__quiz__purpose="quiz",
    ).select_related("version", "slot__attempt__quiz__course")
    return rows.annotate(place=place).filter(place__lte=MOST_WRONG).order_by("place")
