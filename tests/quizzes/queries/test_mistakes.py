"""The order of a session, and which questions are siblings."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.models import Question
from quizzes.queries.mistakes import MOST, Mistake, Slip, arranged, siblings_of
from tests.quizzes.goods import question, quiz_goods, shelve_course, shelve_quiz, typed

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)


def mistake(pk, *beliefs, days=0, **extra):
    slip = {"state": "wrong", "certainty": None, "attempt_id": "", "position": 1, **extra}
    return Mistake(pk, (Slip(misconceptions=beliefs, at=AT + timedelta(days=days), **slip),), ())


@pytest.mark.parametrize(
    ("siblings", "found"),
    [
        ({}, [1, 2, 3, 4, 5]),
        ({"a": [7]}, [1, 2, 7, 3, 4, 5]),
        ({"a": [7, 8], "c": [7, 9]}, [1, 2, 7, 3, 4, 9, 5]),
        ({"e": [7]}, [1, 2, 3, 4, 5]),  # after an odd one none comes
        ({"b": [3]}, [1, 2, 3, 4, 5]),  # it is among the mistakes
    ],
)
def test_siblings_come_after_every_two(siblings, found):
    own = [mistake(n, belief) for n, belief in enumerate("abcde", start=1)]
    assert arranged(own, siblings) == found


@given(
    st.lists(
        st.tuples(st.integers(1, 60), st.sampled_from("abc")), max_size=40, unique_by=lambda pair: pair[0]
    ),
    st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(30, 90), unique=True)),
)
def test_a_session_repeats_nothing_and_keeps_the_order(own, siblings):
    mistakes = [mistake(pk, belief) for pk, belief in own]
    found = arranged(mistakes, siblings)
    pks = [pk for pk, _ in own]
    assert len(found) == len(set(found)) <= MOST
    assert [pk for pk in found if pk in pks] == pks[: len([pk for pk in found if pk in pks])]
    assert len([pk for pk in found if pk not in pks]) <= len(pks) / 2


@pytest.mark.parametrize(
    ("state", "certainty", "rank"),
    [("wrong", 3, 0), ("wrong", 2, 1), ("wrong", 1, 2), ("wrong", None, 2), ("partly", 3, 2)],
)
def test_rank_is_by_certainty_of_a_wrong_answer_only(state, certainty, rank):
    assert mistake(1, state=state, certainty=certainty).rank == (rank, AT)


@pytest.mark.django_db
def test_siblings_of_every_kind_are_found_by_what_their_keys_name(learner, course):
    quiz = shelve_quiz(question("one"), typed("number"), question("other"))
    other, _ = shelve_course(
        quiz_goods(typed("late"), slug="second"), quiz_goods(question("one"), typed("number"))
    )
    pks = dict(Question.objects.filter(quiz__course=other).values_list("slug", "pk"))
    found = siblings_of(learner.pk, quiz.course_id, [mistake(pks["one"], "wide")], AT)
    assert found == {"wide": [pks["number"], pks["late"]]}
    Question.objects.filter(slug="late").update(retired_at=AT)
    assert siblings_of(learner.pk, quiz.course_id, [mistake(pks["one"], "wide")], AT) == {
        "wide": [pks["number"]]
    }
    assert siblings_of(learner.pk, quiz.course_id, [mistake(pks["number"], "wide")], AT) == {}
    assert siblings_of(learner.pk, course.pk, [mistake(pks["one"], "wide")], AT) == {}
    assert siblings_of(learner.pk, quiz.course_id, [mistake(pks["one"])], AT) == {}
