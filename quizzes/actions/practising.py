"""Begin a session of practice on one's own mistakes, drawn from all quizzes of a course."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db import connection, transaction
from django.db.models import F, Max

from chapters.models import Course
from quizzes.actions.attempting import NothingToAsk, finish_attempt, make_slot
from quizzes.models import Attempt, QuestionVersion, Quiz, Slot
from quizzes.queries.mistakes import arranged, mistakes_of, siblings_of
from studyhub.accounts.actions import note_change
from studyhub.rhythm.calendar import study_day

SLUG, TITLE = "mistakes", "Practise my mistakes"


@transaction.atomic
def start_practice(*, learner_id: int, course: Course, zone: ZoneInfo, fresh: bool, at: datetime) -> Attempt:
    """Begin a session of at most 20 questions, or return the one that still has open questions.

    With ``fresh`` an open session is ended first, as one that is answered through always is; its answers stay.
    What was right in practice on this study day of ``zone`` is not asked again today. Simultaneous starts of one
    learner wait for each other and get the same session. Raises NothingToAsk.
    """
    quiz, _ = Quiz.objects.get_or_create(
        course=course, purpose="mistakes", defaults={"slug": SLUG, "title": TITLE}
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [learner_id % 2**31, quiz.pk % 2**31])
    mine = Attempt.objects.of(learner_id).filter(quiz=quiz)
    going_on = mine.open().first()
    if going_on is not None and going_on.answered < going_on.size and not fresh:
        return going_on
    versions = _drawn(learner_id, course, zone, at)
    if not versions:
        raise NothingToAsk(quiz.title)
    if going_on is not None:
        finish_attempt(attempt_id=going_on.pk, learner_id=learner_id, at=at)
    number = (mine.aggregate(last=Max("number"))["last"] or 0) + 1
    attempt = Attempt.objects.create(
        learner_id=learner_id, quiz=quiz, number=number, started_at=at, saved_at=at, size=len(versions)
    )
    Slot.objects.bulk_create(
        make_slot(attempt, position, version) for position, version in enumerate(versions, start=1)
    )
    note_change(learner_id=learner_id)
    return attempt


def _drawn(learner_id: int, course: Course, zone: ZoneInfo, at: datetime) -> Sequence[QuestionVersion]:
    """The session's questions, as they are asked now."""
    today = study_day(at, zone)
    mistakes = mistakes_of(learner_id, course.pk, zone)
    waiting = [one for one in mistakes if not one.left]
    asked = [one for one in waiting if today not in one.right_on]
    order = arranged(asked, siblings_of(learner_id, course.pk, waiting, at))
    versions = {
        one.question_id: one
        for one in QuestionVersion.objects.filter(question__in=order, question__current_id=F("pk"))
    }
    return [versions[pk] for pk in order]
