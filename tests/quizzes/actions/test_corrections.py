"""A key put right moves marks in one statement, everywhere at once, and undo puts all of it back."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chapters.models import ObjectiveEvidence
from quizzes.actions import apply_correction, start_attempt, undo_correction
from quizzes.actions.corrections import LaterCorrection, OtherKey, Overtaken
from quizzes.models import Attempt, Correction, Rescored, Response, Slot
from quizzes.queries.corrections import moved_by, moves_of
from quizzes.queries.remarking import NotComparable, remarked
from studyhub.accounts.auditing import COMMAND, Actor
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, option, question, shelve_quiz, typed
from tests.quizzes.play import send, slot_of
from tests.studyhub.web.ledger import table_prints

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(days=1)
AUDIT = {"quizzes_correction", "quizzes_rescored", "accounts_auditevent", "accounts_user", "accounts_session"}


def keyed(right, points=1):
    words = ("alpha", "beta", "gamma")
    options = tuple(option(word, word == right, slug=word) for word in words)
    return question("one", options=options, points=points)


@pytest.fixture
def takers(db):
    return [User.objects.create(email=f"taker{n}@example.org") for n in range(3)]


def answered(quiz, taker, word):
    attempt = start_attempt(learner_id=taker.pk, quiz=quiz, fresh=True, at=AT)
    slot = slot_of(attempt, 1)
    send(attempt, 1, raw=[slot.tokens[slot.order.index(word)]])
    return attempt


def answered_before_it_was_seen(correction, word):
    """Somebody answers the earlier version in a process that does not know of the correction yet."""
    late = User.objects.create(email="late@example.org")
    attempt = start_attempt(learner_id=late.pk, quiz=Attempt.objects.first().quiz, fresh=False, at=AT)
    Slot.objects.filter(attempt=attempt).update(version=correction.before)
    applied_at = Correction.objects.get(pk=correction.pk).applied_at
    Correction.objects.filter(pk=correction.pk).update(applied_at=None)
    slot = slot_of(attempt, 1)
    send(attempt, 1, raw=[slot.tokens[slot.order.index(word)]])
    Correction.objects.filter(pk=correction.pk).update(applied_at=applied_at)


@pytest.fixture
def corrected(takers):
    """Three answers to a key that said alpha; then the key says beta."""
    quiz = shelve_quiz(keyed("alpha"))
    for taker, word in zip(takers, ("alpha", "beta", "gamma"), strict=True):
        answered(quiz, taker, word)
    shelve_quiz(keyed("beta"))
    return Correction.objects.get()


MOVED = [("right", "wrong", -1.0), ("wrong", "right", 1.0)]


def ahead(correction):
    """Who would move."""
    marked = remarked(correction, correction.after)
    return moves_of({pk: (one.mark.state, one.mark.fraction) for one in marked for pk in one.ids})


def states():
    return list(Response.objects.order_by("learner_id").values_list("state", flat=True))


def sums_agree():
    """Slots, attempts and evidence say what the first responses say."""
    for attempt in Attempt.objects.all():
        first = Response.objects.filter(slot__attempt=attempt, number=1)
        assert attempt.right == first.filter(state="right").count()
        points = sum(one.fraction * one.version.points for one in first.select_related("version"))
        assert attempt.score == pytest.approx(points)
    for slot in Slot.objects.exclude(state=""):
        assert slot.state == slot.responses.get(number=1).state
    rightly = ObjectiveEvidence.objects.aggregate(n=Sum("right"))["n"] or 0
    assert rightly == Response.objects.filter(number=1, state="right").count()


def test_loading_another_key_moves_nobody_by_itself(corrected):
    assert (corrected.applied_at, states()) == (None, ["right", "wrong", "wrong"])


def test_reworded_question_makes_no_correction(takers):
    answered(shelve_quiz(keyed("alpha")), takers[0], "alpha")
    shelve_quiz(question("one", options=keyed("alpha").options, stem_html="<p>Other words?</p>"))
    assert not Correction.objects.exists()


def test_key_of_a_question_without_answers_makes_no_correction(db):
    shelve_quiz(keyed("alpha"))
    shelve_quiz(keyed("beta"))
    assert not Correction.objects.exists()


def test_preview_names_who_moves_and_by_how_much_and_writes_nothing(corrected):
    before = table_prints(())
    assert [(one.state, one.state_after, one.change) for one in ahead(corrected).firsts] == MOVED
    assert table_prints(()) == before


def test_preview_tells_first_answers_and_later_tries_apart(corrected):
    for attempt, word in zip(Attempt.objects.order_by("learner_id"), ("beta", "beta", "alpha"), strict=True):
        slot = slot_of(attempt, 1)
        send(attempt, 1, raw=[slot.tokens[slot.order.index(word)]], again=True)
    told = ahead(corrected)
    assert (told.answers, told.tries) == (3, 3)
    assert (told.moving, told.up, told.down, told.tries_moving) == (2, 1, 1, 3)


def test_what_was_moved_stays_on_record_after_undo_and_is_written_anew_by_the_next_time(
    corrected, takers, learner
):
    apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER)
    assert [(one.state, one.state_after, one.change) for one in moved_by(corrected.pk).firsts] == MOVED
    undo_correction(correction_id=corrected.pk, by=COMMAND, at=LATER)
    assert [(one.state, one.state_after, one.change) for one in moved_by(corrected.pk).firsts] == MOVED
    takers[0].delete()
    apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER)
    assert [(one.state, one.state_after, one.change) for one in moved_by(corrected.pk).firsts] == MOVED[1:]
    undo_correction(correction_id=corrected.pk, by=COMMAND, at=LATER)
    assert states() == ["wrong", "wrong"]
    sums_agree()


def test_apply_moves_every_mark_in_one_statement(corrected, learner):
    with CaptureQueriesContext(connection) as seen:
        assert apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER) == 2
    assert sum("UPDATE quizzes_response" in one["sql"] for one in seen) == 1
    assert states() == ["wrong", "right", "wrong"]
    assert set(Rescored.objects.values_list("state_before", "state_after")) == {
        ("right", "wrong"),
        ("wrong", "right"),
    }
    sums_agree()


def test_pages_kept_before_are_old_for_those_who_moved(corrected, takers, learner):
    before = [User.objects.get(pk=one.pk).changes for one in takers]
    apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER)
    after = [User.objects.get(pk=one.pk).changes for one in takers]
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 1, 0]


def test_second_who_applies_is_told_and_who_wants_the_later_ones_too_moves_them(corrected, learner):
    def act(again=False):
        return apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER, again=again)

    with pytest.raises(Overtaken):
        act(again=True)
    assert act() == 2
    with pytest.raises(Overtaken):
        act()
    assert act(again=True) == 0
    answered_before_it_was_seen(corrected, "beta")
    assert act(again=True) == 1
    assert states() == ["wrong", "right", "wrong", "right"]
    sums_agree()


def test_undo_leaves_every_table_as_it_was(corrected, learner):
    before = table_prints(AUDIT)
    apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER)
    assert table_prints(AUDIT) != before
    assert undo_correction(correction_id=corrected.pk, by=COMMAND, at=LATER) == 2
    with pytest.raises(Overtaken):
        undo_correction(correction_id=corrected.pk, by=COMMAND, at=LATER)
    assert table_prints(AUDIT) == before


@pytest.mark.parametrize(
    "after",
    [
        question("one", options=(*keyed("beta").options, option("delta", slug="delta"))),
        typed("one"),
        keyed("alpha", points=3),
    ],
    ids=["other options", "another kind", "other points"],
)
def test_what_no_new_key_can_mark_or_would_mark_otherwise_makes_no_correction(takers, after):
    answered(shelve_quiz(keyed("alpha")), takers[0], "alpha")
    shelve_quiz(after)
    assert (Correction.objects.count(), states()) == (0, ["right"])


def test_correction_to_other_options_is_refused(takers, learner):
    quiz = shelve_quiz(keyed("alpha"))
    before = quiz.questions.get().current
    answered(quiz, takers[0], "alpha")
    shelve_quiz(question("one", options=(*keyed("beta").options, option("delta", slug="delta"))))
    row = quiz.questions.get()
    made = Correction.objects.create(question=row, before=before, after=row.current, made_at=AT)
    with pytest.raises(NotComparable):
        apply_correction(correction_id=made.pk, by=Actor(learner.pk), at=LATER)
    assert states() == ["right"]


def test_third_key_leads_the_first_takers_on_and_undo_keeps_the_order(corrected, learner):
    apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER)
    shelve_quiz(keyed("gamma"))
    second = Correction.objects.latest("pk")
    assert (second.before.number, second.after.number) == (1, 3)
    assert apply_correction(correction_id=second.pk, by=Actor(learner.pk), at=LATER + timedelta(hours=1)) == 2
    assert states() == ["wrong", "wrong", "right"]
    with pytest.raises(LaterCorrection):
        undo_correction(correction_id=corrected.pk, by=COMMAND, at=LATER)
    undo_correction(correction_id=second.pk, by=COMMAND, at=LATER)
    undo_correction(correction_id=corrected.pk, by=COMMAND, at=LATER)
    assert states() == ["right", "wrong", "wrong"]
    sums_agree()


def test_key_that_the_course_does_not_hold_any_more_is_not_applied(corrected, learner):
    apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER)
    undo_correction(correction_id=corrected.pk, by=COMMAND, at=LATER)
    shelve_quiz(keyed("gamma"))
    before = table_prints(())
    with pytest.raises(OtherKey):
        apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER)
    assert table_prints(()) == before


def test_applied_again_out_of_order_still_comes_back_to_the_first_marks(corrected, learner):
    def act(correction, undo=False, hours=0):
        at = LATER + timedelta(hours=hours)
        if undo:
            return undo_correction(correction_id=correction.pk, by=COMMAND, at=at)
        return apply_correction(correction_id=correction.pk, by=Actor(learner.pk), at=at)

    act(corrected)
    act(corrected, undo=True)
    shelve_quiz(keyed("gamma"))
    second = Correction.objects.latest("pk")
    act(second, hours=1)
    shelve_quiz(keyed("beta"))  # the course holds the first one's key again
    act(corrected, hours=2)
    assert states() == ["wrong", "right", "wrong"]
    with pytest.raises(LaterCorrection):
        act(second, undo=True)
    with pytest.raises(LaterCorrection):
        apply_correction(correction_id=second.pk, by=Actor(learner.pk), at=LATER, again=True)
    act(corrected, undo=True)
    assert states() == ["wrong", "wrong", "right"]
    act(second, undo=True)
    assert states() == ["right", "wrong", "wrong"]
    sums_agree()


def test_answer_that_comes_after_a_correction_is_marked_by_the_key_that_counts(corrected, takers, learner):
    late = User.objects.create(email="late@example.org")
    attempt = start_attempt(learner_id=late.pk, quiz=Attempt.objects.first().quiz, fresh=False, at=AT)
    Slot.objects.filter(attempt=attempt).update(version=corrected.before)
    apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER)
    slot = slot_of(attempt, 1)
    send(attempt, 1, raw=[slot.tokens[slot.order.index("beta")]])
    assert states()[-1] == "right"
    undo_correction(correction_id=corrected.pk, by=COMMAND, at=LATER)
    assert states() == ["right", "wrong", "wrong", "wrong"]
    sums_agree()


def test_correction_that_was_never_applied_makes_place_for_the_next(corrected):
    shelve_quiz(keyed("gamma"))
    assert [(one.before.number, one.after.number) for one in Correction.objects.all()] == [(1, 3)]


def test_typed_answers_are_marked_by_the_new_range(takers, learner):
    quiz = shelve_quiz(typed("one"))
    attempt = start_attempt(learner_id=takers[0].pk, quiz=quiz, fresh=False, at=AT)
    send(attempt, 1, raw=["9"])
    goods = typed("one")
    entry = {**goods.key["accepted"][0], "low": "9", "high": "9", "text": "9"}
    shelve_quiz(replace(goods, key={**goods.key, "accepted": [entry]}))
    apply_correction(correction_id=Correction.objects.get().pk, by=Actor(learner.pk), at=LATER)
    assert states() == ["right"]
    sums_agree()


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["alpha", "beta", "gamma"]), min_size=1, max_size=8), st.integers(1, 5))
def test_sums_equal_recomputation_whatever_was_answered(takers, learner, words, points):
    quiz = shelve_quiz(keyed("alpha", points))
    before = set(Correction.objects.values_list("pk", flat=True))
    for index, word in enumerate(words):
        answered(quiz, takers[index % 3], word)
    shelve_quiz(keyed("beta", points))
    for made in Correction.objects.exclude(pk__in=before):
        apply_correction(correction_id=made.pk, by=Actor(learner.pk), at=LATER)
    sums_agree()
