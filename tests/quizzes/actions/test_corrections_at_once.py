"""Corrections that come together: with each other, and with learners who are answering."""

from datetime import timedelta

import pytest
from django.db import connection, transaction

from quizzes.actions import apply_correction, merge_attempts, start_attempt, undo_correction
from quizzes.actions.corrections import LaterCorrection, Overtaken
from quizzes.models import Attempt, Correction, Quiz, Rescored, Response, Slot
from studyhub.accounts.auditing import COMMAND, Actor
from studyhub.accounts.models import User
from tests.quizzes.actions.test_corrections import keyed, sums_agree
from tests.quizzes.goods import AT, quiz_goods, replace, shelve_course
from tests.quizzes.play import at_once, send, slot_of

pytestmark = pytest.mark.django_db(transaction=True)
LATER = AT + timedelta(days=1)
ROUNDS = 100  # of applying and undoing, for each of two corrections
WORDS = ("alpha", "beta", "gamma")


def load(right):
    """Two quizzes whose questions have one objective: the first has two questions with this key."""
    first = quiz_goods(*(replace(keyed(right), slug=slug) for slug in ("one", "two")))
    second = quiz_goods(replace(keyed("alpha"), slug="three"), slug="other-quiz", title="Other quiz")
    shelve_course(first, second)


def answered(slug, taker, word, position=1, attempt=None):
    attempt = attempt or start_attempt(
        learner_id=taker.pk, quiz=Quiz.objects.get(slug=slug), fresh=True, at=AT
    )
    slot = slot_of(attempt, position)
    send(attempt, position, raw=[slot.tokens[slot.order.index(word)]])
    return attempt


@pytest.fixture
def takers(db):
    """Four people who answered both questions twice by a key that said alpha; then the key says beta."""
    people = [User.objects.create(email=f"taker{n}@example.org") for n in range(4)]
    load("alpha")
    for turn in range(2):
        for index, taker in enumerate(people):
            attempt = answered("small-quiz", taker, WORDS[(index + turn) % 3])
            answered("small-quiz", taker, WORDS[index % 3], 2, attempt)
    load("beta")
    return people


@pytest.fixture
def authors(db):
    return [User.objects.create(email=f"author{n}@example.org", is_author=True) for n in range(2)]


def states():
    return list(Response.objects.order_by("pk").values_list("state", flat=True))


def tried(act):
    """What an act gives, or the name of what it is told."""
    try:
        return act()
    except (Overtaken, LaterCorrection) as told:
        return type(told).__name__


def applying(correction, author):
    return lambda: tried(lambda: apply_correction(correction_id=correction.pk, by=Actor(author.pk), at=LATER))


def undoing(correction):
    return lambda: tried(lambda: undo_correction(correction_id=correction.pk, by=COMMAND, at=LATER))


def test_two_authors_apply_at_once_and_one_is_told(takers, authors):
    first = Correction.objects.earliest("pk")
    done = at_once([applying(first, one) for one in authors])
    moved = Rescored.objects.count()
    assert sorted(done, key=str) == [moved, "Overtaken"]
    first.refresh_from_db()
    assert first.applied_by == authors[done.index(moved)]
    sums_agree()


def test_two_authors_undo_at_once_and_one_is_told(takers, authors):
    first, before = Correction.objects.earliest("pk"), states()
    moved = applying(first, authors[0])()
    assert sorted(at_once([undoing(first)] * 2), key=str) == [moved, "Overtaken"]
    assert states() == before
    sums_agree()


def test_eight_clicks_at_once_apply_once(takers, authors):
    first = Correction.objects.earliest("pk")
    done = at_once([applying(first, authors[0])] * 8)
    assert sorted(done, key=str) == [Rescored.objects.count(), *["Overtaken"] * 7]
    sums_agree()


def test_apply_and_undo_at_once_leave_one_of_the_two(takers, authors):
    first, before = Correction.objects.earliest("pk"), states()
    for _ in range(5):
        at_once([applying(first, authors[0]), undoing(first)])
        first.refresh_from_db()
        standing = first.applied_at is not None and first.undone_at is None
        assert (states() == before) is not standing
        sums_agree()
        if standing:
            undoing(first)()


def test_two_corrections_of_one_question_at_once_move_in_one_order(takers, authors, monkeypatch):
    """Though the course holds one of the two keys alone: that is not what orders them."""
    monkeypatch.setattr("quizzes.actions.corrections.held", lambda row: True)
    load("gamma")
    waiting = [one for one in Correction.objects.order_by("pk") if one.question.slug == "one"]
    assert [(one.before.number, one.after.number) for one in waiting] == [(1, 3)]
    row = waiting[0]
    other = Correction.objects.create(
        question=row.question,
        before=row.before,
        after=row.question.versions.get(number=2),
        made_at=AT,
    )
    before = states()
    done = at_once([applying(row, authors[0]), applying(other, authors[1])])
    assert all(isinstance(one, int) for one in done)
    sums_agree()
    earlier, later = Correction.objects.filter(pk__in=[row.pk, other.pk]).order_by("applied_at")
    assert earlier.applied_at < later.applied_at
    assert undoing(earlier)() == "LaterCorrection"
    undoing(later)()
    undoing(earlier)()
    assert states() == before
    sums_agree()


def test_answers_and_corrections_never_end_each_other_and_the_sums_are_right(takers, authors):
    """Two authors apply and undo, each their own correction, while four people answer in other attempts, some of
    them to the very versions that are corrected: nobody is sent away, and every sum is that of its answers.
    """
    corrections = list(Correction.objects.order_by("pk"))
    old = {one.question_id: one.before for one in corrections}

    def correcting(correction, author):
        def act():
            for _ in range(ROUNDS):
                assert isinstance(applying(correction, author)(), int)
                assert isinstance(undoing(correction)(), int)

        return act

    def answering(taker):
        def act():
            for turn in range(ROUNDS // 4):
                answered("other-quiz", taker, WORDS[turn % 3])
                attempt = start_attempt(
                    learner_id=taker.pk, quiz=Quiz.objects.get(slug="small-quiz"), fresh=True, at=AT
                )
                for slot in Slot.objects.filter(attempt=attempt).select_related("version"):
                    Slot.objects.filter(pk=slot.pk).update(version=old[slot.version.question_id])
                answered("small-quiz", taker, WORDS[turn % 3], 1, attempt)
                answered("small-quiz", taker, WORDS[turn % 3], 2, attempt)

        return act

    acts = [correcting(*pair) for pair in zip(corrections, authors, strict=True)]
    at_once([*acts, *(answering(taker) for taker in takers)])
    assert Response.objects.count() == 16 + 4 * 3 * (ROUNDS // 4)
    sums_agree()


def test_correction_that_meets_a_merge_in_a_deadlock_is_done_again(takers, authors):
    """A merge locks people first and attempts afterwards; the correction has them the other way round."""
    first = Correction.objects.earliest("pk")
    guest = User.objects.create(guest=True)
    Attempt.objects.filter(learner=takers[0]).update(learner=guest)
    Response.objects.filter(learner=takers[0]).update(learner=guest)

    def merge():
        with transaction.atomic():
            list(User.objects.filter(pk__in=[guest.pk, takers[1].pk]).order_by("pk").select_for_update())
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_sleep(0.3)")
            merge_attempts(guest.pk, takers[1].pk)

    done = at_once([merge, applying(first, authors[0])])
    assert done[1] == Rescored.objects.count() > 0
    assert not Response.objects.filter(learner=guest).exists()
