from datetime import timedelta
from uuid import uuid4

import pytest
from django.db.models import Sum

from chapters.models import ObjectiveEvidence
from quizzes.actions import (
    AlreadyAnswered,
    Submission,
    answer_question,
    finish_attempt,
    skip_question,
    start_attempt,
)
from quizzes.kinds.shapes import AnswerProblem
from quizzes.models import Attempt, RejectedResponse, Response
from tests.quizzes.goods import AT, question, several, shelve_quiz, typed
from tests.quizzes.play import at_once, raw_right, raw_wrong, send, slot_of
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(hours=1)


@pytest.fixture
def attempt(learner):
    quiz = shelve_quiz(
        question("one", objectives=("weigh",)),
        several("two", score="partial", points=4, objectives=("weigh", "measure")),
        typed("three", objectives=("choose",)),
    )
    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)


def evidence(attempt):
    rows = ObjectiveEvidence.objects.of(attempt.learner_id)
    return {row.objective.slug: (row.answered, row.right) for row in rows.select_related("objective")}


def sums(attempt):
    attempt.refresh_from_db()
    return attempt.answered, attempt.right, attempt.score


def assert_sums_match(attempt):
    """The stored sums are what the first responses and their versions say."""
    first = Response.objects.filter(slot__attempt=attempt, number=1).select_related("version")
    assert sums(attempt) == (
        len(first),
        sum(one.state == "right" for one in first),
        pytest.approx(sum(one.fraction * one.version.points for one in first)),
    )
    states = {one.pk: one.state for one in attempt.slots.all()}
    assert {pk: state for pk, state in states.items() if state} == {one.slot_id: one.state for one in first}


def test_answer_is_recorded_with_version_options_and_moment(attempt):
    response = send(attempt, 1, certainty=3, at=LATER)
    slot = slot_of(attempt, 1)
    assert (response.number, response.state, response.fraction, response.at) == (1, "right", 1.0, LATER)
    assert (response.version_id, response.learner_id) == (slot.version_id, attempt.learner_id)
    assert response.options == [slot.order[slot.tokens.index(raw_right(slot)[0])]]
    attempt.refresh_from_db()
    assert attempt.saved_at == LATER


def test_sums_add_up_over_every_kind(attempt):
    send(attempt, 1)
    assert sums(attempt) == (1, 1, 1.0)
    send(attempt, 2, raw=raw_right(slot_of(attempt, 2))[:1])
    assert sums(attempt) == (2, 1, 3.0)  # half of four points
    send(attempt, 3, right=False)
    assert sums(attempt) == (3, 1, 3.0)
    assert_sums_match(attempt)


def test_same_key_and_answer_again_returns_the_stored_response(attempt):
    key = uuid4()
    first = send(attempt, 1, key=key)
    before = table_prints()
    assert send(attempt, 1, key=key, at=LATER) == first
    assert changed_tables(before) == []


def test_same_key_with_another_answer_is_kept_aside(attempt):
    key = uuid4()
    send(attempt, 1, key=key)
    assert send(attempt, 1, key=key, right=False) == AlreadyAnswered("key")
    assert sums(attempt) == (1, 1, 1.0)
    kept = RejectedResponse.objects.get()
    assert (kept.reason, kept.key, kept.slot_id) == ("key", key, slot_of(attempt, 1).pk)


def test_second_answer_does_not_count_and_is_kept_aside(attempt):
    send(attempt, 1, right=False)
    assert send(attempt, 1) == AlreadyAnswered("answered")
    assert sums(attempt) == (1, 0, 0.0)
    assert list(RejectedResponse.objects.values_list("reason", flat=True)) == ["answered"]
    assert evidence(attempt) == {"weigh": (1, 0)}


def test_retry_is_stored_and_counts_nowhere(attempt):
    send(attempt, 1, right=False, certainty=1)
    before = (sums(attempt), evidence(attempt))
    response = send(attempt, 1, again=True, certainty=3, at=LATER)
    assert (response.number, response.state) == (2, "right")
    assert (sums(attempt), evidence(attempt)) == before
    slot = slot_of(attempt, 1)
    assert (slot.state, slot.certainty) == ("wrong", 1)
    assert attempt.saved_at == LATER
    assert_sums_match(attempt)


def test_retry_sent_twice_is_stored_once(attempt):
    send(attempt, 1, right=False)
    key = uuid4()
    first = send(attempt, 1, again=True, key=key)
    assert send(attempt, 1, again=True, key=key) == first
    assert Response.objects.count() == 2


def test_first_answer_sent_again_after_a_retry_is_the_recorded_one(attempt):
    key = uuid4()
    first = send(attempt, 1, right=False, key=key)
    send(attempt, 1, again=True)
    assert send(attempt, 1, right=False, key=key) == first
    assert Response.objects.count() == 2


def test_answer_called_a_retry_that_is_the_first_counts(attempt):
    assert send(attempt, 1, again=True).number == 1
    assert sums(attempt) == (1, 1, 1.0)


@pytest.mark.parametrize("answered", [False, True])
def test_answer_after_the_end_is_refused_and_kept(attempt, answered):
    if answered:
        send(attempt, 1)
    finish_attempt(attempt_id=attempt.pk, learner_id=attempt.learner_id, at=LATER)
    before = sums(attempt)
    assert send(attempt, 1, again=answered) == AlreadyAnswered("finished")
    assert sums(attempt) == before
    assert list(RejectedResponse.objects.values_list("reason", "learner")) == [
        ("finished", attempt.learner_id)
    ]


def test_recorded_answer_sent_again_after_the_end_is_still_the_recorded_one(attempt):
    key = uuid4()
    first = send(attempt, 1, key=key)
    finish_attempt(attempt_id=attempt.pk, learner_id=attempt.learner_id, at=LATER)
    assert send(attempt, 1, key=key) == first
    assert RejectedResponse.objects.count() == 0


@pytest.mark.parametrize("certainty", [None, 1, 2, 3])
def test_certainty_is_kept_and_never_scored(attempt, certainty):
    response = send(attempt, 1, certainty=certainty)
    assert (response.certainty, slot_of(attempt, 1).certainty, sums(attempt)) == (
        certainty,
        certainty,
        (1, 1, 1.0),
    )


def test_evidence_counts_first_answers_for_every_objective(attempt):
    send(attempt, 1)
    send(attempt, 2, right=False)
    send(attempt, 3)
    assert evidence(attempt) == {"weigh": (2, 1), "measure": (1, 0), "choose": (1, 1)}


def test_evidence_says_when_last(attempt):
    send(attempt, 1, at=LATER)
    send(attempt, 2, at=AT)
    assert ObjectiveEvidence.objects.get(objective__slug="weigh").last_at == LATER


def test_misconceptions_of_what_was_chosen_are_kept(attempt):
    response = send(attempt, 3, raw=["28"])
    assert (response.state, response.misconceptions) == ("wrong", ["wide"])


def test_options_of_another_slot_are_refused_and_nothing_is_stored(attempt):
    before = table_prints()
    for raw in (raw_right(slot_of(attempt, 2)), ["alpha"], [slot_of(attempt, 1).order[0]], [""], []):
        with pytest.raises(AnswerProblem):
            send(attempt, 1, raw=raw)
    assert changed_tables(before) == []


def test_options_of_another_attempt_are_refused(attempt, other):
    foreign = start_attempt(learner_id=other.pk, quiz=attempt.quiz, fresh=False, at=AT)
    with pytest.raises(AnswerProblem):
        send(attempt, 1, raw=raw_right(slot_of(foreign, 1)))


def test_stranger_finds_no_question(attempt, other):
    sent = Submission(
        position=1, raw=raw_right(slot_of(attempt, 1)), certainty=None, key=uuid4(), again=False
    )
    before = table_prints()
    with pytest.raises(Attempt.DoesNotExist):
        answer_question(attempt_id=attempt.pk, learner_id=other.pk, submission=sent, at=AT)
    assert changed_tables(before) == []


def test_points_are_of_the_version_shown(learner):
    quiz = shelve_quiz(question("one", points=3))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    shelve_quiz(question("one", points=7))
    send(attempt, 1)
    assert sums(attempt) == (1, 1, 3.0)


@pytest.mark.django_db(transaction=True)
def test_same_key_at_once_makes_one_response(attempt):
    key = uuid4()
    results = at_once([lambda: send(attempt, 1, key=key)] * 16)
    assert {one.pk for one in results} == {Response.objects.get().pk}
    assert RejectedResponse.objects.count() == 0
    assert sums(attempt) == (1, 1, 1.0)
    assert evidence(attempt) == {"weigh": (1, 1)}


@pytest.mark.django_db(transaction=True)
def test_other_keys_at_once_record_one_and_keep_the_others_aside(attempt):
    results = at_once([lambda right=n % 2 == 0: send(attempt, 1, right=right) for n in range(16)])
    recorded = [one for one in results if isinstance(one, Response)]
    assert [one.pk for one in recorded] == [Response.objects.get().pk]
    assert [one for one in results if one not in recorded] == [AlreadyAnswered("answered")] * 15
    assert RejectedResponse.objects.count() == 15
    assert_sums_match(attempt)


@pytest.mark.django_db(transaction=True)
def test_answers_to_all_questions_at_once_add_up(attempt):
    at_once(
        [
            lambda p=position, r=right: send(attempt, p, right=r)
            for position in (1, 2, 3)
            for right in (True, False)
        ]
    )
    assert_sums_match(attempt)
    total = ObjectiveEvidence.objects.of(attempt.learner_id).aggregate(n=Sum("answered"))
    assert total == {"n": 4}  # question two tests two objectives


@pytest.mark.django_db(transaction=True)
def test_two_attempts_of_one_learner_share_evidence_without_losing_any(learner):
    """Answers of two tabs on two quizzes touch the same objectives at once."""
    quizzes = [
        shelve_quiz(
            *(question(f"{slug}{n}", objectives=("weigh", "measure", "choose")) for n in range(6)), slug=slug
        )
        for slug in ("left", "right")
    ]
    attempts = [start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT) for quiz in quizzes]
    at_once([lambda a=attempt, p=position: send(a, p) for position in range(1, 7) for attempt in attempts])
    assert evidence(attempts[0]) == {"weigh": (12, 12), "measure": (12, 12), "choose": (12, 12)}


def test_wrong_raw_of_multiple_is_wrong(attempt):
    assert send(attempt, 2, raw=raw_wrong(slot_of(attempt, 2))).state == "wrong"


@pytest.mark.django_db(transaction=True)
def test_skipping_and_answering_the_same_question_at_once_wait_for_each_other(attempt):
    """Both lock the attempt first; in another order one of them would be ended by the database."""
    where = {"attempt_id": attempt.pk, "learner_id": attempt.learner_id}
    at_once([lambda: send(attempt, 1), lambda: skip_question(**where, position=1, at=AT)] * 12)
    slot = slot_of(attempt, 1)
    assert (slot.state, slot.skipped) == ("right", False)
    assert_sums_match(attempt)
