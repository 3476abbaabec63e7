"""The history of questions and of the course, for authors and admins only."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from chapters.models import Release
from chapters.queries.history import ROWS
from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import Attempt, Question, Quiz
from quizzes.queries.history import question_history
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, option, question, quiz_goods, shelve_course, typed
from tests.quizzes.play import send
from tests.quizzes.test_views import counted

pytestmark = pytest.mark.django_db
ADDRESS = "/c/small-course/quizzes/small-quiz/one/history/"
COURSE = "/c/small-course/history/"


def load(*questions, days=0):
    shelve_course(quiz_goods(*questions), at=AT + timedelta(days=days))


def rekeyed(one, right):
    """The same question with another right option."""
    options = tuple(replace(each, right=each.text == right) for each in one.options)
    return replace(one, options=options)


@pytest.fixture
def author(signed_in, learner):
    User.objects.filter(pk=learner.pk).update(is_author=True)
    return signed_in


def text(response):
    return " ".join(response.content.decode().split())


def history():
    return question_history("small-course", "small-quiz", "one", "")


def steps(version):
    return [(one.group, one.label, one.diff) for one in version.changes]


def test_first_version_is_shown_whole_and_has_its_release(db):
    load(question("one"))
    version = history().versions[0]
    assert (version.number, version.wording, version.release, version.first, version.current) == (
        1, 1, 1, True, True,
    )  # fmt: skip
    assert ("stem", "Stem", (("same", "Which one, one?"),)) in steps(version)
    assert ("rationales", "“one beta”: rationale", (("same", "Because one beta."),)) in steps(version)


def test_new_stem_is_a_wording_with_its_words(db):
    load(question("one"))
    load(question("one", stem_text="Which of them?", stem_html="<p>Which of them?</p>"), days=1)
    load(question("one", stem_text="Which of them?", stem_html="<p>Which <em>of</em> them?</p>"), days=2)
    newest, middle, first = history().versions
    assert (newest.number, newest.wording, newest.release, newest.groups) == (1, 3, 3, ())
    assert steps(middle) == [
        ("stem", "Stem", (("same", "Which"), ("gone", "one, one?"), ("new", "of them?"))),
    ]
    assert (middle.current, first.first) == (False, True)


def test_another_key_is_a_version_and_says_which_option(db):
    one = question("one")
    load(one)
    load(rekeyed(one, "one beta"), days=1)
    version = history().versions[0]
    assert (version.number, version.wording, version.groups) == (2, 1, ("key",))
    assert steps(version) == [
        ("key", "“one alpha”", (("gone", "right"), ("new", "wrong"))),
        ("key", "“one beta”", (("gone", "wrong"), ("new", "right"))),
    ]


@pytest.mark.parametrize(
    ("change", "group"),
    [
        ({"explanation_html": "<p>In short.</p>"}, "explanation"),
        ({"body_html": "<p>A table.</p>", "explanation_html": ""}, "context"),
        ({"points": 3}, "points"),
    ],
)
def test_parts_of_a_step_are_named(db, change, group):
    load(question("one"))
    load(question("one", **change), days=1)
    assert history().versions[0].groups == (group,)


def test_rationale_option_and_link_are_told_apart(db):
    one = question("one")
    load(one)
    first, *others = one.options
    load(
        replace(one, options=(replace(first, rationale="<p>For once.</p>", read="small#there"), *others)),
        days=1,
    )
    assert history().versions[0].groups == ("rationales", "links")
    reworded = replace(
        first, text="one alpha too", html="one alpha too", rationale="<p>For once.</p>", read="small#there"
    )
    load(replace(one, options=(reworded, *others)), days=2)
    assert steps(history().versions[0]) == [
        ("options", "“one alpha too”", (("same", "one alpha"), ("new", "too"))),
    ]


def test_new_option_and_lost_option(db):
    one = question("one")
    load(one)
    load(replace(one, options=(*one.options[:3], option("entirely else"))), days=1)
    told = {(group, label) for group, label, _ in steps(history().versions[0])}
    assert {("options", "“one delta”"), ("options", "“entirely else”")} <= told


def test_another_kind_is_a_step_too(db):
    load(question("one"))
    load(typed("one"), days=1)
    version = history().versions[0]
    assert version.groups[0] == "kind"
    assert ("kind", "Kind", (("gone", "single choice"), ("new", "number"))) in steps(version)


def test_page_shows_the_diff_in_words_and_signs(author):
    one = question("one")
    load(one)
    load(rekeyed(one, "one beta"), days=1)
    body = text(author.get(ADDRESS))
    assert "Version 2, wording 1" in body
    assert "Changed: key." in body
    assert '<del><span class="away">taken out: </span>wrong</del>' in body
    assert '<ins><span class="away">put in: </span>right</ins>' in body
    assert "release 2, single choice" in body


def test_markup_in_a_question_stays_text(author):
    load(question("one", options=(option("<i>x</i>", True), option("beta"))))
    body = text(author.get(ADDRESS))
    assert "<i>x</i>" not in body
    assert "&lt;i&gt;x&lt;/i&gt;" in body


@pytest.mark.parametrize("who", ["visitor", "guest", "learner"])
@pytest.mark.parametrize("address", [ADDRESS, COURSE])
def test_it_is_not_there_for_others(signed_in, who, address):
    load(question("one"))
    browser = signed_in if who == "learner" else Client()
    if who == "guest":
        browser.post("/c/small-course/quizzes/small-quiz/start/")
    answer = browser.get(address)
    assert (answer.status_code, answer.content) == (404, Client().get("/there-is-no-such-page/").content)


def test_admin_may_see_it_too(signed_in, learner):
    User.objects.filter(pk=learner.pk).update(is_admin=True)
    load(question("one"))
    assert signed_in.get(ADDRESS).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/c/nothing/history/",
        "/c/small-course/quizzes/small-quiz/nothing/history/",
        "/c/small-course/quizzes/nothing/one/history/",
        "/c/nothing/quizzes/small-quiz/one/history/",
    ],
)
def test_what_is_not_there_is_404(author, address):
    load(question("one"))
    assert author.get(address).status_code == 404


def test_retired_question_and_draft_have_their_pages(author):
    load(question("one"), question("two", draft=True))
    load(question("two", draft=True), days=1)
    assert "Left the quiz" in text(author.get(ADDRESS))
    assert "no version was published yet" in text(author.get(ADDRESS.replace("/one/", "/two/")))


def test_course_page_leads_to_the_questions_of_a_quiz(author):
    load(question("one"), question("two"))
    assert ADDRESS not in text(author.get(COURSE))
    body = text(author.get(f"{COURSE}?quiz=small-quiz"))
    assert f'<a href="{ADDRESS}">Which one, one?</a> <span class="label">1 version</span>' in body
    assert "Release 1" in body


@pytest.mark.parametrize("query", ["?quiz=%00", "?quiz=nothing", "?page=x", "?page=9", "?page=%00"])
def test_odd_queries_give_a_page(author, query):
    load(question("one"))
    assert author.get(COURSE + query).status_code == 200
    assert author.get(ADDRESS + query).status_code == 200


@pytest.mark.parametrize("head", [{}, {"HX-Request": "true", "HX-Target": "question"}])
@pytest.mark.parametrize("address", [ADDRESS, f"{COURSE}?quiz=small-quiz"])
def test_page_is_whole_and_asks_as_often_for_one_version_as_for_three(author, address, head):
    one, counts = question("one"), []
    for days, right in enumerate(["one alpha", "one beta", "one gamma"]):
        load(rekeyed(one, right), *(question(f"more-{n}") for n in range(days)), days=days)
        author.get(address)
        answer, asked = counted(lambda: author.get(address, headers=head))
        assert answer.content.startswith(b"<!doctype html>")
        counts.append(len(asked))
    assert counts == [counts[0]] * 3
    assert counts[0] <= 9


@pytest.mark.parametrize("head", [{}, {"HX-Request": "true", "HX-Target": "question"}])
def test_feedback_and_review_lead_authors_to_the_history_and_nobody_else(author, learner, other, head):
    load(question("one"), question("two"))
    quiz = Quiz.objects.get(slug="small-quiz")
    ways = {}
    for person in (learner, other):
        browser = Client()
        browser.force_login(person, "studyhub.accounts.backends.Backend")
        attempt = start_attempt(learner_id=person.pk, quiz=quiz, fresh=False, at=AT)
        way = f"/attempts/{attempt.pk}/history/?q=1"
        page = f"/attempts/{attempt.pk}/?q=1"
        before = text(browser.get(page, headers=head))
        send(attempt, 1)
        after = text(browser.get(page, headers=head))
        finish_attempt(attempt_id=attempt.pk, learner_id=person.pk, at=AT)
        pages = (before, after, text(browser.get(f"/attempts/{attempt.pk}/review/")))
        ways[person.pk] = [f'href="{way}"' in one for one in pages]
        answer = browser.get(way)
        assert (answer.status_code, answer.headers.get("Location")) == (
            (302, ADDRESS) if person == learner else (404, None)
        )
    assert ways == {learner.pk: [False, True, True], other.pk: [False, False, False]}


@pytest.mark.parametrize("query", ["", "?q=9", "?q=x", "?q=%00"])
def test_way_to_the_history_of_no_question_is_404(author, learner, other, query):
    load(question("one"))
    quiz = Quiz.objects.get(slug="small-quiz")
    mine = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    theirs = start_attempt(learner_id=other.pk, quiz=quiz, fresh=False, at=AT)
    assert author.get(f"/attempts/{mine.pk}/history/{query}").status_code == 404
    assert author.get(f"/attempts/{theirs.pk}/history/?q=1").status_code == 404


def test_practised_question_leads_to_its_history_in_its_own_quiz(author, learner):
    load(question("one"))
    own = start_attempt(learner_id=learner.pk, quiz=Quiz.objects.get(slug="small-quiz"), fresh=False, at=AT)
    send(own, 1, right=False)
    author.post("/c/small-course/mistakes/start/")
    practice = Attempt.objects.get(quiz__purpose="mistakes")
    assert author.get(f"/attempts/{practice.pk}/history/?q=1").headers["Location"] == ADDRESS


def test_course_page_says_what_waits_and_what_loads_did(author, learner):
    one = question("one")
    load(one)
    attempt = start_attempt(
        learner_id=learner.pk, quiz=Quiz.objects.get(slug="small-quiz"), fresh=False, at=AT
    )
    send(attempt, 1)
    load(rekeyed(one, "one beta"), days=1)
    body = text(author.get(COURSE))
    assert "1 corrected key waits to be looked at; no mark moves before." in body
    assert 'href="/authors/corrections/"' in body
    assert "1 question changed" in body
    load(days=2)
    assert "1 question taken out" in text(author.get(COURSE))


def test_every_row_that_a_load_counts_has_its_words(db):
    load(question("one"))
    counted_rows = Release.objects.get(course__slug="small-course").report
    assert set(counted_rows) <= set(ROWS)
    assert set(Release.objects.get(course__slug="llm-inference").report) <= set(ROWS)


def test_long_history_has_pages_and_the_step_across_them(author):
    one = question("one")
    for days in range(22):
        load(rekeyed(one, ("one alpha", "one beta")[days % 2]), days=days)
    assert Question.objects.get(slug="one").versions.count() == 22
    last = question_history("small-course", "small-quiz", "one", "1").versions[-1]
    assert (last.number, last.first, last.groups) == (3, False, ("key",))
    assert "Page 2 of 2" in text(author.get(f"{ADDRESS}?page=2"))
