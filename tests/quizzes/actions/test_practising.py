"""Practice on one's own mistakes: what is asked, when it leaves, what it does not count in."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from chapters.models import ObjectiveEvidence
from quizzes.actions import NothingToAsk, finish_attempt, start_attempt, start_practice
from quizzes.models import Attempt, Question, Quiz, Response
from quizzes.queries.mistakes import MOST, mistakes_of
from tests.quizzes.goods import AT, option, question, quiz_goods, shelve_course, shelve_quiz
from tests.quizzes.play import at_once, send, slot_of

pytestmark = pytest.mark.django_db
ZONE = ZoneInfo("UTC")
DAY = timedelta(days=1)


def believing(slug, belief):
    """A question whose wrong options all name ``belief``."""
    options = tuple(
        option(f"{slug} {word}", word == "alpha", misconception="" if word == "alpha" else belief)
        for word in ("alpha", "beta", "gamma")
    )
    return question(slug, options=options)


def practise(learner, quiz, *, fresh=False, at=AT):
    return start_practice(learner_id=learner.pk, course=quiz.course, zone=ZONE, fresh=fresh, at=at)


def asked(attempt):
    slots = attempt.slots.order_by("position")
    return list(slots.values_list("version__question__slug", flat=True))


def missed(learner, quiz, *positions, at=AT, **extra):
    """An attempt at the quiz in which these questions are missed."""
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=at)
    for position in positions:
        send(attempt, position, right=False, at=at, **extra)
    return attempt


def waiting(learner, quiz):
    slugs = dict(Question.objects.values_list("pk", "slug"))
    return [slugs[one.question_pk] for one in mistakes_of(learner.pk, quiz.course_id, ZONE) if not one.left]


def held(learner, quiz, at):
    """A session of practice in which everything is right."""
    attempt = practise(learner, quiz, fresh=True, at=at)
    for position in range(1, attempt.size + 1):
        send(attempt, position, at=at)
    return attempt


def test_nothing_missed_is_nothing_to_practise(learner):
    quiz = shelve_quiz(question("one"))
    send(start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT), 1)
    with pytest.raises(NothingToAsk):
        practise(learner, quiz)
    assert Attempt.objects.filter(quiz__purpose="mistakes").count() == 0


def test_practice_is_an_attempt_on_the_course_s_own_quiz(learner):
    quiz = shelve_quiz(question("one"), question("two"))
    missed(learner, quiz, 2)
    attempt = practise(learner, quiz)
    assert asked(attempt) == ["two"]
    own = attempt.quiz
    assert (own.course_id, own.chapter_id, own.purpose) == (quiz.course_id, None, "mistakes")
    assert (own.slug, own.title) == ("mistakes", "Practise my mistakes")
    assert (attempt.size, attempt.number) == (1, 1)


def test_sure_and_wrong_come_first_then_the_oldest(learner):
    quiz = shelve_quiz(*(question(slug) for slug in ("old", "new", "fairly", "sure", "unsure")))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
    for position, (days, certainty) in enumerate([(0, None), (4, None), (3, 2), (5, 3), (1, 1)], start=1):
        send(attempt, position, right=False, certainty=certainty, at=AT + days * DAY)
    assert asked(practise(learner, quiz, at=AT + 6 * DAY)) == ["sure", "fairly", "old", "unsure", "new"]


def test_two_right_answers_on_two_study_days_let_a_question_go(learner):
    quiz = shelve_quiz(question("one"))
    missed(learner, quiz, 1)
    held(learner, quiz, AT + DAY)
    assert waiting(learner, quiz) == ["one"]
    held(learner, quiz, AT + 2 * DAY)
    assert waiting(learner, quiz) == []
    with pytest.raises(NothingToAsk):
        practise(learner, quiz, at=AT + 3 * DAY)


def test_what_was_right_today_is_not_asked_again_today(learner):
    quiz = shelve_quiz(question("one"))
    missed(learner, quiz, 1)
    night = AT.replace(hour=23) + DAY
    held(learner, quiz, night)
    with pytest.raises(NothingToAsk):
        practise(learner, quiz, fresh=True, at=night + timedelta(hours=4))  # before 04:00: the same study day
    assert asked(practise(learner, quiz, fresh=True, at=night + timedelta(hours=6))) == ["one"]


def test_study_days_are_those_of_the_learner_s_zone(learner):
    quiz = shelve_quiz(question("one"))
    missed(learner, quiz, 1)
    first = AT.replace(hour=2) + DAY
    held(learner, quiz, first)
    again = start_practice(
        learner_id=learner.pk,
        course=quiz.course,
        zone=ZoneInfo("Asia/Tokyo"),
        fresh=True,
        at=first + timedelta(hours=18),
    )
    assert asked(again) == ["one"]  # 20:00 UTC is 05:00 of the next day there


def test_another_miss_begins_the_count_anew(learner):
    quiz = shelve_quiz(question("one"))
    missed(learner, quiz, 1)
    held(learner, quiz, AT + DAY)
    send(practise(learner, quiz, fresh=True, at=AT + 2 * DAY), 1, right=False, at=AT + 2 * DAY)
    held(learner, quiz, AT + 3 * DAY)
    assert waiting(learner, quiz) == ["one"]
    held(learner, quiz, AT + 4 * DAY)
    assert waiting(learner, quiz) == []


def test_a_right_answer_in_the_quiz_itself_lets_nothing_go(learner):
    quiz = shelve_quiz(question("one"))
    missed(learner, quiz, 1)
    for days in (1, 2, 3):
        send(
            start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT + days * DAY),
            1,
            at=AT + days * DAY,
        )
    assert waiting(learner, quiz) == ["one"]


def test_a_retry_in_practice_counts_for_nothing(learner):
    quiz = shelve_quiz(question("one"))
    missed(learner, quiz, 1)
    for days in (1, 2):
        attempt = practise(learner, quiz, fresh=True, at=AT + days * DAY)
        send(attempt, 1, right=False, at=AT + days * DAY)
        send(attempt, 1, again=True, at=AT + days * DAY)
    found = mistakes_of(learner.pk, quiz.course_id, ZONE)
    assert [(len(one.slips), one.right_on) for one in found] == [(3, ())]


def test_questions_of_several_quizzes_are_drawn_and_retired_ones_are_not(learner):
    two = quiz_goods(question("three"), question("four"), slug="other-quiz", title="Other quiz")
    one = quiz_goods(question("one"), question("two"))
    course, _ = shelve_course(one, two)
    first, second = (
        Quiz.objects.select_related("course").get(course=course, slug=s) for s in ("small-quiz", "other-quiz")
    )
    missed(learner, first, 1, 2)
    missed(learner, second, 1, 2, at=AT + DAY)
    assert waiting(learner, first) == ["one", "two", "three", "four"]
    Question.objects.filter(slug="two").update(retired_at=AT)
    assert waiting(learner, first) == ["one", "three", "four"]
    Quiz.objects.filter(pk=second.pk).update(retired_at=AT)
    assert asked(practise(learner, first)) == ["one"]


def test_practice_asks_the_wording_of_today(learner):
    quiz = shelve_quiz(question("one"))
    missed(learner, quiz, 1)
    shelve_quiz(question("one", stem_html="<p>Said anew?</p>", stem_text="Said anew?"))
    attempt = practise(learner, quiz)
    assert slot_of(attempt, 1).version.stem_html == "<p>Said anew?</p>"


def test_after_every_two_mistakes_comes_a_sibling_of_theirs(learner):
    quiz = shelve_quiz(
        *(believing(f"wide-{n}", "wide") for n in range(1, 4)),
        *(believing(f"deep-{n}", "deep") for n in range(1, 4)),
        question("plain"),
    )
    missed(learner, quiz, 1)
    missed(learner, quiz, 7, at=AT + DAY)
    missed(learner, quiz, 4, at=AT + 2 * DAY)
    missed(learner, quiz, 5, at=AT + 3 * DAY)
    found = asked(practise(learner, quiz, at=AT + 4 * DAY))
    assert found == ["wide-1", "plain", "wide-2", "deep-1", "deep-2", "deep-3"]


def test_a_sibling_answered_lately_is_left_out_and_one_of_long_ago_is_not(learner):
    quiz = shelve_quiz(*(believing(f"wide-{n}", "wide") for n in range(1, 5)), question("plain"))
    before = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT - 40 * DAY)
    send(before, 3, at=AT - 40 * DAY)
    send(before, 2, at=AT - 3 * DAY)
    missed(learner, quiz, 1, 5)
    assert asked(practise(learner, quiz)) == ["wide-1", "plain", "wide-4"]
    Response.objects.filter(version__question__slug="wide-4").delete()
    now = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
    send(now, 4)
    assert asked(practise(learner, quiz, fresh=True)) == ["wide-1", "plain", "wide-3"]


def test_a_session_has_at_most_twenty_questions(learner):
    quiz = shelve_quiz(*(believing(f"q{n}", "wide") for n in range(40)))
    missed(learner, quiz, *range(1, 31))
    attempt = practise(learner, quiz)
    assert (attempt.size, len(set(asked(attempt)))) == (MOST, MOST)
    assert asked(attempt)[:6] == ["q0", "q1", "q30", "q2", "q3", "q31"]


def test_the_open_session_goes_on_until_it_is_answered_or_begun_anew(learner):
    quiz = shelve_quiz(question("one"), question("two"))
    missed(learner, quiz, 1, 2)
    first = practise(learner, quiz, at=AT + DAY)
    send(first, 1, at=AT + DAY)
    assert practise(learner, quiz, at=AT + 2 * DAY) == first
    second = practise(learner, quiz, fresh=True, at=AT + 2 * DAY)
    assert (second.number, Attempt.objects.get(pk=first.pk).finished_at) == (2, AT + 2 * DAY)
    for position in (1, 2):
        send(second, position, right=False, at=AT + 2 * DAY)
    assert practise(learner, quiz, at=AT + 3 * DAY).number == 3


def test_an_open_session_is_not_ended_for_nothing(learner):
    quiz = shelve_quiz(question("one"))
    missed(learner, quiz, 1)
    attempt = practise(learner, quiz)
    Question.objects.update(retired_at=AT)
    with pytest.raises(NothingToAsk):
        practise(learner, quiz, fresh=True)
    assert Attempt.objects.get(pk=attempt.pk).finished_at is None


def test_practice_adds_no_evidence(learner):
    quiz = shelve_quiz(question("one"), believing("two", "wide"))
    missed(learner, quiz, 1, 2)
    before = list(ObjectiveEvidence.objects.of(learner.pk).values())
    attempt = practise(learner, quiz)
    send(attempt, 1)
    send(attempt, 2, right=False)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=AT)
    assert [(one["answered"], one["right"]) for one in before] == [(2, 0)]
    assert list(ObjectiveEvidence.objects.of(learner.pk).values()) == before
    assert Response.objects.filter(slot__attempt=attempt).count() == 2
    done = Attempt.objects.get(pk=attempt.pk)
    assert (done.answered, done.right) == (2, 1)


def test_mistakes_of_others_wait_for_others(learner, other):
    quiz = shelve_quiz(question("one"))
    missed(other, quiz, 1)
    assert waiting(learner, quiz) == []
    assert waiting(other, quiz) == ["one"]


@pytest.mark.django_db(transaction=True)
def test_simultaneous_starts_make_one_session(learner):
    quiz = shelve_quiz(question("one"), question("two"))
    missed(learner, quiz, 1, 2)
    found = at_once([lambda: practise(learner, quiz)] * 6)
    assert len({one.pk for one in found}) == 1
    assert Quiz.objects.filter(purpose="mistakes").count() == 1


def test_practice_stays_when_the_pack_is_loaded_anew(learner):
    quiz = shelve_quiz(question("one"))
    missed(learner, quiz, 1)
    attempt = practise(learner, quiz)
    shelve_quiz(question("one"), question("two"))
    assert practise(learner, quiz) == attempt


def test_how_sure_one_was_stays_when_practice_is_answered_without_saying(learner):
    quiz = shelve_quiz(question("first"), believing("sure", "wide"))
    missed(learner, quiz, 1, certainty=1)
    missed(learner, quiz, 2, certainty=3, at=AT + DAY)
    again = practise(learner, quiz, at=AT + 2 * DAY)
    assert asked(again) == ["sure", "first"]
    send(again, 1, right=False, at=AT + 2 * DAY)
    found = mistakes_of(learner.pk, quiz.course_id, ZONE)[0]
    assert (found.certainty, found.misconceptions, len(found.slips)) == (3, ("wide",), 2)
