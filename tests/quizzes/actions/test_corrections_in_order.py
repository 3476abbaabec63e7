"""Whatever keys a question had, one after the other, every answer stands by the key that counts for it (issue 3.3).

A key that is changed and changed back is the newest key too; and answers that come while a correction is applied or
undone, in a process that has not heard of it, are marked by what counts from then on.
"""

import threading
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quizzes.actions import apply_correction, finish_attempt, start_attempt, undo_correction
from quizzes.actions.corrections import LaterCorrection, OtherKey
from quizzes.models import Correction, Response
from quizzes.queries import standing as standings
from studyhub.accounts.auditing import COMMAND, Actor
from studyhub.accounts.models import User
from tests.quizzes.actions.test_corrections import keyed, sums_agree
from tests.quizzes.goods import AT, option, question, several, shelve_quiz
from tests.quizzes.play import at_once, counted, send, slot_of

WORDS = ("alpha", "beta", "gamma")
HOUR = timedelta(hours=1)
QUIZZES = count()
MANY = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


class Course:
    """A question whose key changes, and what must hold of the answers to it."""

    def __init__(self, people):
        self.slug, self.people, self.hours = f"quiz-{next(QUIZZES)}", people, count(1)
        self.keys: list[str] = []  # by number of the version, from 1
        self.stacks: dict[
            int, list[tuple[int, str]]
        ] = {}  # by number: corrections that stand, with their keys

    def load(self, key):
        self.keys.append(key)
        self.quiz = shelve_quiz(keyed(key), slug=self.slug, title=self.slug)

    def now(self):
        return AT + next(self.hours) * HOUR

    def answer(self):
        """Everybody answers with another word; the last one only begins."""
        for taker, word in zip(self.people, (*WORDS, ""), strict=True):
            attempt = start_attempt(learner_id=taker.pk, quiz=self.quiz, fresh=True, at=AT)
            if word:
                slot = slot_of(attempt, 1)
                send(attempt, 1, raw=[slot.tokens[slot.order.index(word)]])

    def counts(self, number):
        """The key that counts for answers to a version."""
        stack = self.stacks.get(number)
        return stack[-1][1] if stack else self.keys[number - 1]

    def waiting(self):
        return list(
            Correction.objects.filter(question__quiz=self.quiz, applied_at=None).select_related("before")
        )

    def apply(self):
        for one in self.waiting():
            apply_correction(correction_id=one.pk, by=COMMAND, at=self.now())
            self.stacks.setdefault(one.before.number, []).append((one.pk, self.keys[-1]))

    def undo(self, pk, number):
        """Undo a correction that stands, or be told that a later one stands on it."""
        stack = self.stacks[number]
        if stack[-1][0] != pk:
            with pytest.raises(LaterCorrection):
                undo_correction(correction_id=pk, by=COMMAND, at=self.now())
            return
        undo_correction(correction_id=pk, by=COMMAND, at=self.now())
        stack.pop()

    def check(self):
        rows = Response.objects.filter(version__question__quiz=self.quiz).select_related("version")
        wrong = [
            (one.version.number, one.options, one.state)
            for one in rows
            if (one.state == "right") is not (one.options == [self.counts(one.version.number)])
        ]
        assert wrong == []
        sums_agree()


@pytest.fixture
def people(db):
    return [User.objects.create(email=f"taker{n}@example.org") for n in range(4)]


KEYS = st.lists(st.sampled_from(WORDS), min_size=2, max_size=5).map(
    lambda keys: [key for at, key in enumerate(keys) if at == 0 or key != keys[at - 1]]
)


@MANY
@given(keys=KEYS, applied=st.lists(st.booleans(), min_size=5, max_size=5), undone=st.randoms())
@pytest.mark.django_db
def test_any_keys_in_any_order_leave_every_answer_by_the_key_that_counts(people, keys, applied, undone):
    course = Course(people)
    for key, applies in zip(keys, applied, strict=False):
        course.load(key)
        wanted = {number for number in range(1, len(course.keys)) if course.counts(number) != course.keys[-1]}
        assert {one.before.number for one in course.waiting()} == wanted
        if applies:
            course.apply()
        course.check()
        course.answer()
        course.check()
    while standing := [(pk, number) for number, stack in course.stacks.items() for pk, _ in stack]:
        course.undo(*undone.choice(standing))
        course.check()


@pytest.mark.django_db
def test_key_that_is_changed_back_is_a_correction_too(people):
    course = Course(people)
    course.load("alpha")
    course.answer()
    course.load("beta")
    course.apply()
    course.load("alpha")
    assert [(one.before.number, one.after.number) for one in course.waiting()] == [(1, 3)]
    course.apply()
    course.check()
    assert Response.objects.get(options=["alpha"]).state == "right"


@pytest.mark.django_db
def test_older_key_is_not_applied_again_once_the_key_was_changed_back(people):
    course = Course(people)
    course.load("alpha")
    course.answer()
    course.load("beta")
    (old,) = course.waiting()
    course.apply()
    undo_correction(correction_id=old.pk, by=COMMAND, at=course.now())
    course.load("alpha")
    assert course.waiting() == []
    with pytest.raises(OtherKey):
        apply_correction(correction_id=old.pk, by=COMMAND, at=course.now())
    assert course.waiting() == []
    course.stacks.clear()
    course.check()


@pytest.mark.django_db
def test_correction_of_a_question_that_is_posed_and_not_answered_yet_is_made(people):
    course = Course(people)
    course.load("alpha")
    attempt = start_attempt(learner_id=people[0].pk, quiz=course.quiz, fresh=True, at=AT)
    course.load("beta")
    course.apply()
    slot = slot_of(attempt, 1)
    assert send(attempt, 1, raw=[slot.tokens[slot.order.index("beta")]]).state == "right"
    ended = start_attempt(learner_id=people[1].pk, quiz=course.quiz, fresh=True, at=AT)
    finish_attempt(attempt_id=ended.pk, learner_id=people[1].pk, at=AT)
    course.load("gamma")
    assert [one.before.number for one in course.waiting()] == [1]


def lists(kind, pairs, slugs="abc"):
    """A match or an order whose options come in the order of their words."""
    options = tuple(option(word, False, slug=word) for word in slugs)
    if kind == "order":
        return question("one", kind=kind, options=options, key={"sequence": pairs, "score": "all"})
    rows = tuple(option(f"row: {n}", False, slug=f"row{n}") for n in range(2))
    return question(
        "one", kind=kind, options=(*rows, *options), body={"rows": 2}, key={"pairs": pairs, "score": "all"}
    )


@pytest.mark.parametrize("kind", ["match", "order"])
@pytest.mark.django_db
def test_keys_that_name_places_are_read_in_the_body_they_are_for(people, kind):
    """The options come in another order with the new key: it means the same options all the same."""
    quiz = shelve_quiz(lists(kind, [0, 1] if kind == "match" else [0, 1, 2]))
    told = ["b", "c"] if kind == "match" else ["b", "c", "a"]
    attempt = start_attempt(learner_id=people[0].pk, quiz=quiz, fresh=True, at=AT)
    late = start_attempt(learner_id=people[1].pk, quiz=quiz, fresh=True, at=AT)

    def sent(one):
        slot = slot_of(one, 1)
        tokens = dict(zip(slot.order, slot.tokens, strict=True))
        raw = [tokens[slug] for slug in told]
        if kind == "order":
            raw = [value for at, item in enumerate(raw, start=1) for value in (item, f"#{at}")]
        return send(one, 1, raw=raw)

    assert sent(attempt).state == "wrong"
    places = {slug: at for at, slug in enumerate("cab")}
    shelve_quiz(lists(kind, [places[slug] for slug in told], "cab"))
    made = Correction.objects.get()
    assert apply_correction(correction_id=made.pk, by=COMMAND, at=AT) == 1
    assert sent(late).state == "right"
    assert undo_correction(correction_id=made.pk, by=COMMAND, at=AT) == 2
    sums_agree()


@pytest.mark.django_db
def test_question_of_several_with_another_score_is_corrected(people):
    quiz = shelve_quiz(several("one"))
    attempt = start_attempt(learner_id=people[0].pk, quiz=quiz, fresh=True, at=AT)
    slot = slot_of(attempt, 1)
    send(attempt, 1, raw=[slot.tokens[0]])
    shelve_quiz(several("one", score="partial"))
    assert Correction.objects.count() == 1


class OwnList:
    """What a process keeps, as if each thread were a process."""

    def __init__(self):
        self.local = threading.local()

    def _here(self):
        return self.local.__dict__.setdefault("kept", [])

    def __bool__(self):
        return bool(self._here())

    def __getitem__(self, at):
        return self._here()[at]

    def __setitem__(self, at, value):
        self._here()[at] = value


@pytest.fixture
def processes(monkeypatch, settings):
    """Every thread takes for granted what it has seen of corrections, for longer than any test runs."""
    settings.READY_SECONDS = 600.0
    monkeypatch.setattr(standings, "LOOKED", OwnList())


def in_another_process(act):
    return at_once([act])[0]


@pytest.mark.django_db(transaction=True)
def test_answer_in_a_process_that_has_not_heard_is_marked_by_the_key_that_counts(people, processes):
    course = Course(people)
    course.load("alpha")
    attempts = [
        start_attempt(learner_id=one.pk, quiz=course.quiz, fresh=True, at=AT) for one in people for _ in "ab"
    ]

    def beta(attempt):
        slot = slot_of(attempt, 1)
        raw = [slot.tokens[slot.order.index("beta")]]
        return send(attempt, 1, raw=raw).state, send(attempt, 1, raw=raw, again=True).state

    course.load("beta")
    (made,) = course.waiting()
    assert beta(attempts[1]) == ("wrong", "wrong")
    in_another_process(lambda: apply_correction(correction_id=made.pk, by=COMMAND, at=AT))
    assert beta(attempts[3]) == ("right", "right")
    in_another_process(lambda: undo_correction(correction_id=made.pk, by=COMMAND, at=AT))
    assert beta(attempts[5]) == ("wrong", "wrong")
    sums_agree()


@pytest.mark.django_db(transaction=True)
def test_answers_while_a_correction_comes_and_goes_are_all_marked_by_what_counts_in_the_end(
    people, processes
):
    author = User.objects.create(email="author@example.org")
    course = Course([])
    course.load("alpha")
    quizzes = [course.quiz]
    takers = [User.objects.create(email=f"many{n}@example.org") for n in range(90)]
    attempts = [start_attempt(learner_id=one.pk, quiz=quizzes[0], fresh=True, at=AT) for one in takers]
    course.load("beta")
    (made,) = course.waiting()

    def answering(lane):
        def act():
            for attempt in attempts[lane::3]:
                slot = slot_of(attempt, 1)
                send(attempt, 1, raw=[slot.tokens[slot.order.index("beta")]])

        return act

    def correcting():
        for _ in range(8):
            apply_correction(correction_id=made.pk, by=Actor(author.pk), at=AT)
            undo_correction(correction_id=made.pk, by=Actor(author.pk), at=AT)
        apply_correction(correction_id=made.pk, by=Actor(author.pk), at=AT)

    at_once([correcting, *(answering(lane) for lane in range(3))], threads=4)
    assert Response.objects.filter(state="right").count() == len(takers)
    undo_correction(correction_id=made.pk, by=Actor(author.pk), at=AT)
    assert Response.objects.filter(state="wrong").count() == len(takers)
    sums_agree()


@pytest.mark.django_db
def test_answer_costs_one_statement_as_before(people, processes):
    course = Course(people)
    course.load("alpha")
    course.answer()
    attempt = start_attempt(learner_id=people[0].pk, quiz=course.quiz, fresh=True, at=AT)
    standings.standing()
    slot = slot_of(attempt, 1)
    _, asked = counted(lambda: send(attempt, 1, raw=[slot.tokens[0]]))
    assert sum("INSERT INTO quizzes_response" in one for one in asked) == 1
    assert not any("quizzes_correction" in one for one in asked)
