"""How many mistakes wait: the same as the page of practice says, for every course in one query."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from quizzes.actions import finish_attempt, start_attempt, start_practice
from quizzes.models import Question, Quiz, Response
from quizzes.queries.mistakes import mistakes_page
from studyhub.desk.queries.waiting import Waiting, waiting_of
from tests.quizzes.goods import AT, question, quiz_goods, shelve_course, shelve_quiz
from tests.quizzes.play import counted, send

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def quiz(db):
    return shelve_quiz(*(question(slug) for slug in ("one", "two", "three")))


def missed(learner, quiz, *positions, at=AT):
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=at)
    for position in positions:
        send(attempt, position, right=False, at=at)


def practised(learner, quiz, at, *, zone=BERLIN, right=True):
    """A session in which the first question is answered; what else it asks stays open."""
    attempt = start_practice(learner_id=learner.pk, course=quiz.course, zone=zone, fresh=True, at=at)
    send(attempt, 1, right=right, at=at)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=at)


def told(learner, quiz, at, zone=BERLIN):
    """What waits by the one query, which is what the page of practice says."""
    page = mistakes_page(quiz.course, learner.pk, zone, at)
    found = waiting_of(learner.pk, zone, at).get(quiz.course_id, Waiting(0, 0))
    assert found == Waiting(page.waiting, page.today)
    return found


def test_nothing_missed_is_nothing_to_name(quiz, learner, other):
    missed(other, quiz, 1)
    assert (told(learner, quiz, AT), waiting_of(learner.pk, BERLIN, AT)) == (Waiting(0, 0), {})


def test_question_waits_rests_for_a_day_and_leaves_after_two(quiz, learner):
    missed(learner, quiz, 1, 2)
    assert told(learner, quiz, AT) == Waiting(2, 2)
    practised(learner, quiz, AT + DAY)
    assert told(learner, quiz, AT + DAY) == Waiting(2, 1)
    assert told(learner, quiz, AT + 2 * DAY) == Waiting(2, 2)
    practised(learner, quiz, AT + 2 * DAY)
    assert told(learner, quiz, AT + 2 * DAY) == Waiting(1, 1)


@pytest.mark.parametrize(
    ("first", "second", "waits"),
    [
        ("24 09:00", "24 21:00", 1),
        ("24 23:00", "25 02:30", 1),  # one study day, which lasts 25 hours: the clock goes back
        ("24 04:00", "25 03:59", 1),
        ("24 23:00", "25 04:30", 0),
        ("24 03:00", "24 05:00", 0),
        ("24 09:00", "27 09:00", 0),
    ],
)
def test_two_right_answers_count_by_the_study_days_of_the_learner(quiz, learner, first, second, waits):
    missed(learner, quiz, 1, at=datetime(2026, 10, 20, tzinfo=UTC))
    for day, told_at in enumerate((first, second), start=21):
        practised(learner, quiz, datetime(2026, 10, day, 12, tzinfo=UTC))
        at = datetime.strptime(f"2026 10 {told_at}", "%Y %m %d %H:%M").replace(tzinfo=BERLIN)
        newest = Response.objects.filter(learner=learner).order_by("pk").last()
        Response.objects.filter(pk=newest.pk).update(at=at)
    assert told(learner, quiz, datetime(2026, 11, 3, tzinfo=UTC)).all == waits


def test_missed_again_in_practice_waits_anew(quiz, learner):
    missed(learner, quiz, 1)
    for days, right in enumerate((True, False, True), start=1):
        practised(learner, quiz, AT + days * DAY, right=right)
    assert told(learner, quiz, AT + 4 * DAY) == Waiting(1, 1)


def test_what_is_no_longer_on_the_shelf_waits_nowhere(quiz, learner):
    missed(learner, quiz, 1, 2)
    Question.objects.filter(slug="one").update(retired_at=AT)
    assert told(learner, quiz, AT) == Waiting(1, 1)
    Quiz.objects.filter(pk=quiz.pk).update(retired_at=AT)
    assert told(learner, quiz, AT) == Waiting(0, 0)


@pytest.mark.parametrize("rows", [1, 3])
def test_one_query_whatever_waits(learner, course, rows):
    goods = [quiz_goods(question(f"q{n}"), slug=f"quiz-{n}", title=f"Quiz {n}") for n in range(rows)]
    small, _ = shelve_course(*goods)
    for quiz in Quiz.objects.filter(course__in=[small, course], purpose="quiz"):
        missed(learner, quiz, 1)
    found, statements = counted(lambda: waiting_of(learner.pk, BERLIN, AT))
    assert (len(statements), found[small.pk], found[course.pk].all > 0) == (1, Waiting(rows, rows), True)
