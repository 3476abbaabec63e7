"""put_quiz: what stays, what becomes another wording, what becomes another version."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from chapters.draft import Tally
from quizzes.actions import Submission, answer_question, put_quiz, retire_quizzes, start_attempt
from quizzes.actions.content import match_options
from quizzes.models import Question, QuestionKey, QuestionObjective, QuestionVersion, Quiz, Response
from tests.quizzes.goods import AT, option, question, quiz_goods, several, shelve_course, shelve_quiz, typed
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(days=1)


def put(quiz, *questions, **extra):
    tally = Tally()
    row = put_quiz(course=quiz.course, goods=quiz_goods(*questions, **extra), tally=tally, at=LATER)
    return row, tally.counts


def current(slug):
    version = Question.objects.get(slug=slug, quiz__slug="small-quiz").current
    return version and (version.number, version.wording)


def changed(goods, index, **fields):
    """The question with one option replaced."""
    options = list(goods.options)
    options[index] = replace(options[index], **fields)
    return replace(goods, options=tuple(options))


def test_first_load_makes_version_1_wording_1():
    shelve_quiz(question("one"), several("two"), typed("three"))
    assert [current(slug) for slug in ("one", "two", "three")] == [(1, 1)] * 3
    assert QuestionVersion.objects.filter(question__quiz__slug="small-quiz").count() == 3


def test_same_goods_again_change_no_row():
    quiz = shelve_quiz(question("one"), several("two", score="partial"), typed("three"))
    before = table_prints()
    _, counts = put(quiz, question("one"), several("two", score="partial"), typed("three"))
    assert changed_tables(before) == []
    assert counts == {"quiz": {"untouched": 1}, "question": {"untouched": 3}}


@pytest.mark.parametrize(
    "reword",
    [
        lambda goods: replace(goods, stem_html="<p>Said better?</p>", stem_text="Said better?"),
        lambda goods: replace(goods, body_html="<p>A table.</p>"),
        lambda goods: replace(goods, explanation_html="<p>In short.</p>"),
        lambda goods: replace(goods, body={"shuffle": False}),
        lambda goods: changed(goods, 1, rationale="<p>Another reason.</p>"),
        lambda goods: changed(goods, 1, text="one betas", html="one betas"),
        lambda goods: changed(goods, 1, misconception="wide", belief="Wider is faster"),
        lambda goods: replace(goods, options=tuple(reversed(goods.options))),
    ],
)
def test_rewording_keeps_the_number_and_counts_the_wording(reword):
    quiz = shelve_quiz(question("one"))
    _, counts = put(quiz, reword(question("one")))
    assert (current("one"), counts["question"]) == ((1, 2), {"reworded": 1})


@pytest.mark.parametrize(
    "change",
    [
        lambda goods: changed(changed(goods, 0, right=False), 1, right=True),
        lambda goods: replace(goods, options=goods.options[:3]),
        lambda goods: replace(goods, options=(*goods.options, option("quite another epsilon"))),
        lambda goods: changed(goods, 2, weight=0.5),
        lambda goods: changed(goods, 3, text="nothing of the kind at all", html="nothing"),
        lambda goods: replace(goods, points=2),
        lambda goods: replace(goods, kind="multiple"),
        lambda goods: typed("one"),
    ],
)
def test_changed_key_options_kind_or_points_make_the_next_number(change):
    quiz = shelve_quiz(question("one"))
    _, counts = put(quiz, change(question("one")))
    assert (current("one"), counts["question"]) == ((2, 1), {"changed": 1})
    assert [
        one.number for one in QuestionVersion.objects.filter(question__slug="one").order_by("number")
    ] == [1, 2]


def test_changed_tolerance_makes_the_next_number_and_changed_unit_too():
    quiz = shelve_quiz(typed("three"))
    wider = typed("three")
    key = {**wider.key, "accepted": [{**wider.key["accepted"][0], "high": "3.7"}]}
    put(quiz, replace(wider, key=key))
    assert current("three") == (2, 1)
    put(quiz, replace(wider, key=key, body={"unit": "GiB"}))
    assert current("three") == (3, 1)


def test_versions_are_never_edited():
    quiz = shelve_quiz(question("one"))
    old = QuestionVersion.objects.filter(question__slug="one").values().get()
    old_key = QuestionKey.objects.filter(version__question__slug="one").values().get()
    put(quiz, replace(question("one"), stem_html="<p>Other</p>"))
    put(quiz, changed(changed(question("one"), 0, right=False), 1, right=True))
    assert QuestionVersion.objects.filter(pk=old["id"]).values().get() == old
    assert QuestionKey.objects.filter(pk=old["id"]).values().get() == old_key
    assert current("one") == (2, 1)


def test_removed_question_is_retired_and_comes_back_as_it_was():
    quiz = shelve_quiz(question("one"), question("two"))
    row = Question.objects.get(slug="two")
    _, counts = put(quiz, question("one"))
    row.refresh_from_db()
    assert (row.retired_at, counts["question"]) == (LATER, {"retired": 1, "untouched": 1})
    put(quiz, question("one"))
    row.refresh_from_db()
    assert row.retired_at == LATER
    put(quiz, question("one"), question("two"))
    row.refresh_from_db()
    assert (row.retired_at, current("two")) == (None, (1, 1))


def test_retired_question_is_not_asked():
    quiz = shelve_quiz(question("one"), question("two"))
    put(quiz, question("two"))
    from studyhub.accounts.models import User

    person = User.objects.create(guest=True)
    attempt = start_attempt(learner_id=person.pk, quiz=quiz, fresh=False, at=LATER)
    assert list(attempt.slots.values_list("version__question__slug", flat=True)) == ["two"]


def test_was_renames_a_question_and_keeps_its_history():
    quiz = shelve_quiz(question("one"))
    row = Question.objects.get(slug="one")
    renamed = replace(question("one"), slug="uno", was="one")
    _, counts = put(quiz, renamed)
    assert (Question.objects.get(slug="uno").pk, counts["question"]) == (row.pk, {"untouched": 1})
    _, counts = put(quiz, renamed)
    assert counts["question"] == {"untouched": 1}


def test_was_leaves_alone_a_new_question_under_the_old_id():
    quiz = shelve_quiz(question("one"))
    row = Question.objects.get(slug="one")
    renamed, new = replace(question("one"), slug="uno", was="one"), question("one")
    put(quiz, renamed)
    put(quiz, renamed, new)
    put(quiz, renamed, new)
    assert Question.objects.get(slug="uno").pk == row.pk
    assert Question.objects.filter(quiz=quiz, retired_at__isnull=True).count() == 2


def test_was_renames_a_quiz():
    quiz = shelve_quiz(question("one"))
    row, counts = put(quiz, question("one"), slug="new-quiz", was="small-quiz")
    assert (row.pk, row.slug, counts["quiz"]) == (quiz.pk, "new-quiz", {"changed": 1})


def test_removed_quiz_is_retired_and_comes_back():
    quiz = shelve_quiz(question("one"))
    retire_quizzes(course=quiz.course, keep=[], tally=Tally(), at=LATER)
    quiz.refresh_from_db()
    assert quiz.retired_at == LATER
    put(quiz, question("one"))
    quiz.refresh_from_db()
    assert quiz.retired_at is None


def test_draft_stays_unpublished_and_is_not_asked():
    quiz = shelve_quiz(question("one"), replace(question("two"), draft=True))
    assert (current("one"), current("two")) == ((1, 1), None)
    from studyhub.accounts.models import User

    attempt = start_attempt(learner_id=User.objects.create(guest=True).pk, quiz=quiz, fresh=False, at=LATER)
    assert attempt.size == 1


def test_published_question_that_becomes_a_draft_stays_as_published():
    quiz = shelve_quiz(question("one"))
    _, counts = put(quiz, replace(question("one"), stem_html="<p>Half done</p>", draft=True))
    assert (current("one"), counts["question"]) == ((1, 1), {"draft": 1})


def test_objectives_follow_the_pack():
    quiz = shelve_quiz(replace(question("one"), objectives=("weigh", "measure")))
    put(quiz, replace(question("one"), objectives=("measure", "choose", "unknown")))
    aims = QuestionObjective.objects.filter(question__slug="one").values_list("objective__slug", flat=True)
    assert sorted(aims) == ["choose", "measure"]


def test_objectives_of_another_chapter_with_the_same_id_are_not_meant():
    from chapters.actions import put_chapter
    from tests.quizzes.goods import chapter_goods

    quiz = shelve_quiz(question("one"))
    put_chapter(
        course=quiz.course,
        goods=replace(chapter_goods(), slug="second", domain="second", number=2),
        tally=Tally(),
        at=AT,
    )
    put(quiz, question("one"))
    aims = QuestionObjective.objects.filter(question__slug="one").values_list(
        "objective__chapter__slug", flat=True
    )
    assert list(aims) == ["small"]


def test_old_responses_keep_their_version_and_mark(learner):
    quiz = shelve_quiz(question("one"))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    slot = attempt.slots.get()
    version = slot.version_id
    right = slot.tokens[slot.order.index(slot.version.body["options"][0]["slug"])]
    put(quiz, changed(changed(question("one"), 0, right=False), 1, right=True))
    sent = Submission(position=1, raw=[right], certainty=None, key=uuid4(), again=False)
    response = answer_question(attempt_id=attempt.pk, learner_id=learner.pk, submission=sent, at=LATER)
    assert (response.version_id, response.state) == (version, "right")  # marked by what was shown
    put(quiz, question("two"))
    assert Response.objects.get(slot=slot).version_id == version
    assert current("one") == (2, 1)


def options(*pairs):
    return [option(text, slug=slug) for slug, text in pairs]


def test_options_match_by_the_authors_id_first():
    earlier = [("left", "alpha beta"), ("right", "gamma delta")]
    assert match_options(options(("right", "alpha beta"), ("left", "gamma delta")), earlier) == [
        "right",
        "left",
    ]


def test_options_match_by_equal_text_whatever_the_order():
    earlier = [("o1", "alpha"), ("o2", "beta"), ("o3", "gamma")]
    assert match_options(options(("", "gamma"), ("", "alpha"), ("", "beta")), earlier) == ["o3", "o1", "o2"]


def test_options_match_when_at_least_eight_tenths_alike():
    earlier = [("o1", "abcdefghij")]
    assert match_options(options(("", "abcdefghXY")), earlier) == ["o1"]  # likeness 0.8
    assert match_options(options(("", "abcdefgXYZ")), earlier) != ["o1"]  # 0.7


def test_equal_text_goes_before_likeness():
    earlier = [("o1", "abcdefghij"), ("o2", "abcdefghik")]
    assert match_options(options(("", "abcdefghik"), ("", "abcdefghil")), earlier) == ["o2", "o1"]


def test_earlier_id_is_given_once():
    given = match_options(options(("", "abcdefghij"), ("", "abcdefghik")), [("o1", "abcdefghij")])
    assert given[0] == "o1"
    assert len(set(given)) == 2


def test_new_option_gets_an_id_from_its_text():
    first, second = match_options(options(("", "alpha"), ("", "beta")), [])
    assert match_options(options(("", "beta"), ("", "alpha")), []) == [second, first]
    assert first != second


def test_questions_of_another_quiz_are_left_alone():
    quiz = shelve_quiz(question("one"))
    course, _ = shelve_course(quiz_goods(question("one"), slug="other-quiz"))
    put(quiz, question("two"))
    assert Quiz.objects.get(course=course, slug="other-quiz").questions.get().retired_at is None
