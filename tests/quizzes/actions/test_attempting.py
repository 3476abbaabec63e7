import random
from datetime import timedelta

import pytest

from quizzes.actions import (
    AttemptFinished,
    NothingToAsk,
    finish_attempt,
    flag_question,
    skip_question,
    start_attempt,
)
from quizzes.actions.attempting import SHUFFLER
from quizzes.models import Attempt, QuestionKey, Slot
from tests.quizzes.goods import AT, question, replace, several, shelve_quiz, typed
from tests.quizzes.play import at_once, send, slot_of
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(hours=1)


@pytest.fixture
def quiz(db):
    return shelve_quiz(question("one"), several("two"), typed("three"))


def start(learner, quiz, fresh=False, at=AT):
    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=fresh, at=at)


def test_start_twice_gives_the_same_attempt(quiz, learner):
    first = start(learner, quiz)
    before = table_prints()
    assert start(learner, quiz, at=LATER) == first
    assert changed_tables(before) == []


def test_start_asks_every_published_question_in_order(quiz, learner):
    attempt = start(learner, quiz)
    asked = attempt.slots.order_by("position").values_list("position", "version__question__slug")
    assert list(asked) == [(1, "one"), (2, "two"), (3, "three")]
    assert (attempt.size, attempt.number, attempt.answered, attempt.score) == (3, 1, 0, 0.0)


def test_fresh_start_ends_the_open_attempt_and_counts_on(quiz, learner):
    first = start(learner, quiz)
    second = start(learner, quiz, fresh=True, at=LATER)
    first.refresh_from_db()
    assert (first.finished_at, second.number, second.finished_at) == (LATER, 2, None)


def pressed(learner, quiz, seconds):
    at = AT + timedelta(seconds=seconds)
    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=at, within=timedelta(seconds=2))


@pytest.mark.parametrize(("seconds", "number"), [(-0.1, 1), (0, 1), (1.9, 1), (2, 2), (60, 2)])
def test_fresh_start_that_is_pressed_twice_begins_one_attempt(quiz, learner, seconds, number):
    first = pressed(learner, quiz, 0)
    assert pressed(learner, quiz, seconds).number == number
    assert Attempt.objects.get(pk=first.pk).finished_at == (
        AT + timedelta(seconds=seconds) if number > 1 else None
    )


def test_fresh_start_after_an_answer_begins_another_at_once(quiz, learner):
    send(pressed(learner, quiz, 0), 1)
    assert pressed(learner, quiz, 1).number == 2


@pytest.mark.django_db(transaction=True)
def test_six_fresh_starts_at_once_end_the_open_one_and_begin_one(quiz, learner):
    old = start(learner, quiz, at=AT - timedelta(hours=1))
    done = at_once([lambda: pressed(learner, quiz, 0).pk] * 6)
    assert (len(set(done)), old.pk in done, Attempt.objects.count()) == (1, False, 2)


def test_start_after_the_end_begins_another(quiz, learner):
    first = start(learner, quiz)
    finish_attempt(attempt_id=first.pk, learner_id=learner.pk, at=LATER)
    assert start(learner, quiz).number == 2


def test_start_of_an_empty_quiz_is_refused(learner):
    quiz = shelve_quiz(replace(question("one"), draft=True))
    with pytest.raises(NothingToAsk):
        start(learner, quiz)
    assert Attempt.objects.count() == 0


def test_two_learners_have_attempts_of_their_own(quiz, learner, other):
    assert start(learner, quiz) != start(other, quiz)
    assert [one.number for one in Attempt.objects.all()] == [1, 1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fresh", [False, True])
def test_forty_starts_at_once_leave_one_open_attempt(quiz, learner, fresh):
    started = at_once([lambda: start(learner, quiz, fresh=fresh).pk] * 40)
    assert Attempt.objects.of(learner.pk).open().count() == 1
    numbers = list(Attempt.objects.of(learner.pk).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, 41 if fresh else 2))
    assert len(set(started)) == len(numbers)
    assert Slot.objects.filter(attempt__learner=learner).count() == 3 * len(numbers)


def test_options_have_other_ids_in_every_attempt(quiz, learner):
    first = start(learner, quiz)
    second = start(learner, quiz, fresh=True)
    tokens = [set(slot_of(one, 1).tokens) for one in (first, second)]
    assert [len(one) for one in tokens] == [4, 4]
    assert tokens[0] & tokens[1] == set()


def test_ids_of_options_say_nothing_of_them(quiz, learner):
    slot = slot_of(start(learner, quiz), 1)
    assert all(len(token) == 8 and int(token, 16) >= 0 for token in slot.tokens)
    assert not any(token in slug or slug in token for token in slot.tokens for slug in slot.order)


def test_number_question_has_no_order(quiz, learner):
    slot = slot_of(start(learner, quiz), 3)
    assert (slot.order, slot.tokens) == ([], [])


def test_fixed_order_is_the_authors(learner):
    quiz = shelve_quiz(question("one", body={"shuffle": False}))
    slot = slot_of(start(learner, quiz), 1)
    assert slot.order == [one["slug"] for one in slot.version.body["options"]]


CHI_SQUARE = 30.66  # 3 degrees of freedom, p = 1e-6


def test_position_of_the_right_option_is_uniform(learner):
    """Also where the author always puts it first, and of its id among the ids in their own order."""
    quiz = shelve_quiz(*(question(f"q{n}") for n in range(8)))
    places, ranks, rounds = [0] * 4, [0] * 4, 125
    assert isinstance(SHUFFLER, random.SystemRandom)
    for _ in range(rounds):
        attempt = start(learner, quiz, fresh=True)
        slots = list(attempt.slots.all())
        keys = QuestionKey.objects.in_bulk([one.version_id for one in slots])
        for slot in slots:
            right = next(
                n for n, slug in enumerate(slot.order) if keys[slot.version_id].key["options"][slug]["right"]
            )
            places[right] += 1
            ranks[sorted(slot.tokens).index(slot.tokens[right])] += 1
    expected = rounds * 8 / 4
    for counts in (places, ranks):
        assert sum((count - expected) ** 2 / expected for count in counts) < CHI_SQUARE, counts


def test_finish_twice_changes_nothing(quiz, learner):
    attempt = start(learner, quiz)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=LATER)
    before = table_prints()
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=LATER + timedelta(days=1))
    assert changed_tables(before) == []


@pytest.mark.django_db(transaction=True)
def test_finish_and_answers_at_once_leave_sums_that_match(quiz, learner):
    attempt = start(learner, quiz)
    finish = [lambda: finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=LATER)] * 4
    answers = [lambda position=position: send(attempt, position) for position in (1, 2, 3) for _ in range(3)]
    at_once([*finish, *answers])
    attempt.refresh_from_db()
    recorded = [one for slot in attempt.slots.all() for one in slot.responses.filter(number=1)]
    assert attempt.finished_at == LATER
    assert (attempt.answered, attempt.right) == (len(recorded), sum(one.state == "right" for one in recorded))


def test_stranger_finds_nothing_to_finish_flag_or_skip(quiz, learner, other):
    attempt = start(learner, quiz)
    before = table_prints()
    with pytest.raises(Attempt.DoesNotExist):
        finish_attempt(attempt_id=attempt.pk, learner_id=other.pk, at=LATER)
    with pytest.raises(Attempt.DoesNotExist):
        skip_question(attempt_id=attempt.pk, learner_id=other.pk, position=1, at=LATER)
    with pytest.raises(Slot.DoesNotExist):
        flag_question(attempt_id=attempt.pk, learner_id=other.pk, position=1, flagged=True, at=LATER)
    assert changed_tables(before) == []


def test_flag_goes_on_and_off_also_after_the_end(quiz, learner):
    attempt = start(learner, quiz)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=LATER)
    for flagged in (True, False):
        flag_question(attempt_id=attempt.pk, learner_id=learner.pk, position=2, flagged=flagged, at=LATER)
        assert slot_of(attempt, 2).flagged is flagged
    assert slot_of(attempt, 1).flagged is False


def test_skip_puts_an_open_question_off_and_leaves_an_answered_one(quiz, learner):
    attempt = start(learner, quiz)
    send(attempt, 2)
    for position in (1, 2):
        skip_question(attempt_id=attempt.pk, learner_id=learner.pk, position=position, at=LATER)
    assert [slot_of(attempt, position).skipped for position in (1, 2, 3)] == [True, False, False]
    send(attempt, 1)
    assert slot_of(attempt, 1).skipped is False


def test_skip_of_no_question_changes_nothing(quiz, learner):
    attempt = start(learner, quiz)
    before = table_prints()
    with pytest.raises(Slot.DoesNotExist):
        skip_question(attempt_id=attempt.pk, learner_id=learner.pk, position=4, at=LATER)
    assert changed_tables(before) == []


def test_skip_after_the_end_is_refused(quiz, learner):
    attempt = start(learner, quiz)
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=LATER)
    with pytest.raises(AttemptFinished):
        skip_question(attempt_id=attempt.pk, learner_id=learner.pk, position=1, at=LATER)
