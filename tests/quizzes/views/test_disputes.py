"""Reports on the pages of both sides: one decision at a time, what was shown is seen, and keys that follow."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from quizzes.actions import (
    apply_correction,
    decide_report,
    finish_attempt,
    report_question,
    start_attempt,
    undo_correction,
)
from quizzes.actions.disputes import Decision, Doubt
from quizzes.models import Correction, QuestionReport
from studyhub.accounts.auditing import COMMAND, Actor
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, option, question, shelve_quiz
from tests.quizzes.play import counted, send, slot_of

pytestmark = pytest.mark.django_db
BACKEND = "studyhub.accounts.backends.Backend"
DAY = timedelta(days=1)
HEADS = [{}, {"HX-Request": "true", "HX-Target": "new"}]


def text(response):
    return " ".join(response.content.decode().split())


def keyed(right, slug="one"):
    options = tuple(option(word, word == right, slug=word) for word in ("alpha", "beta"))
    return question(slug, options=options)


@pytest.fixture
def going(learner):
    """Three questions, the first one answered with beta by a key that says alpha."""
    quiz = shelve_quiz(keyed("alpha"), question("two"), question("three"))
    going = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    slot = slot_of(going, 1)
    send(going, 1, raw=[slot.tokens[slot.order.index("beta")]])
    return going


def reported(going, position=1, words="Look."):
    doubt = Doubt(position, "key", "", words)
    return report_question(attempt_id=going.pk, learner_id=going.learner_id, doubt=doubt, at=AT)


def decided(row, other, state="accepted", **more):
    decision = Decision(state, "So it is.", **more)
    return decide_report(report_id=row.pk, by=Actor(other.pk), decision=decision, at=AT + DAY)


def address_of(row):
    return reverse("inbox_report", args=[row.pk])


def seen_on(page):
    return re.findall('name="seen" value="(.*?)"', page)[0]


@pytest.mark.parametrize("head", HEADS)
def test_of_two_authors_the_second_is_shown_what_the_first_decided_and_keeps_their_words(
    going, author, other, head
):
    row = reported(going)
    given = {"state": "declined", "answer": "I say no.", "seen": seen_on(text(author.get(address_of(row))))}
    decided(row, other)
    refused = author.post(address_of(row), given, headers=head)
    body = text(refused)
    assert refused.status_code == 409
    assert "Somebody decided this report, or its reporter added to it, while you wrote." in body
    assert "<b>Bob answered</b><p>So it is.</p>" in body
    assert (">I say no.</textarea>" in body, 'value="declined" checked>' in body) == (True, True)
    row.refresh_from_db()
    assert (row.state, row.answer) == ("accepted", "So it is.")
    assert author.post(address_of(row), {**given, "seen": seen_on(body)}).status_code == 302
    row.refresh_from_db()
    assert row.state == "declined"


def test_decision_on_words_that_were_added_to_meanwhile_is_refused(going, author):
    row = reported(going)
    seen = seen_on(text(author.get(address_of(row))))
    reported(going, words="And figure 2.")
    refused = author.post(address_of(row), {"state": "accepted", "seen": seen})
    assert (refused.status_code, "And figure 2." in text(refused)) == (409, True)


def shown_on(page):
    return re.findall('name="shown" value="(.*?)"', page)


@pytest.mark.parametrize("head", HEADS)
def test_only_answers_that_were_shown_are_seen(signed_in, going, other, head):
    first, second, third = (reported(going, position) for position in (1, 2, 3))
    for row in (first, second):
        decided(row, other)
    shown = shown_on(text(signed_in.get("/reports/")))
    assert {one.split(".")[0] for one in shown} == {str(first.pk), str(second.pk)}
    decided(third, other)  # after the page was made
    decided(second, other, "declined")  # another answer than was shown
    answer = signed_in.post("/reports/seen/", {"shown": shown}, headers=head)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/reports/")
    seen = list(QuestionReport.objects.order_by("pk").values_list("seen_at", flat=True))
    assert [one is not None for one in seen] == [True, False, False]
    assert "2 new answers" in text(signed_in.get("/"))


def test_region_of_the_form_is_empty_once_all_is_seen_and_looking_writes_nothing(signed_in, going, other):
    row = decided(reported(going), other)
    region = text(signed_in.get("/reports/", headers=HEADS[1]))
    assert region.startswith('<div id="new"><form')
    assert 'hx-trigger="load, submit"' in region
    assert QuestionReport.objects.get().seen_at is None
    signed_in.post("/reports/seen/", {"shown": [f"{row.pk}.{row.stamp}"]})
    assert text(signed_in.get("/reports/", headers=HEADS[1])) == '<div id="new"></div>'


@pytest.mark.parametrize("shown", ["", ".", "x.y", "1", f"{10**30}.a", "٣.a"])
def test_shown_that_names_nothing_marks_nothing(signed_in, going, other, shown):
    decided(reported(going), other)
    assert signed_in.post("/reports/seen/", {"shown": shown}).status_code == 302
    assert QuestionReport.objects.get().seen_at is None


def test_answer_to_somebody_else_is_not_marked(signed_in, going, other, author):
    row = decided(reported(going), other)
    author.post("/reports/seen/", {"shown": f"{row.pk}.{row.stamp}"})
    assert QuestionReport.objects.get().seen_at is None


def test_reporter_gets_to_the_question_in_the_attempt_and_then_in_its_review(signed_in, going, author):
    reported(going, 2)
    assert f'<a href="/attempts/{going.pk}/?q=2">' in text(signed_in.get("/reports/"))
    finish_attempt(attempt_id=going.pk, learner_id=going.learner_id, at=AT)
    assert f'<a href="/attempts/{going.pk}/review/#q2">' in text(signed_in.get("/reports/"))
    history = 'href="/c/small-course/quizzes/small-quiz/two/history/">History of this question</a>'
    assert history in text(author.get("/authors/reports/"))


def test_report_of_an_attempt_that_is_gone_has_no_way_to_it(signed_in, going):
    reported(going)
    going.delete()
    assert "<a href=" not in text(signed_in.get("/reports/")).split("doubt-line")[1].split("</article>")[0]


@pytest.mark.parametrize("rows", [1, 3])
def test_own_reports_cost_the_same_for_any_number(signed_in, going, other, rows):
    made = [reported(going, position) for position in range(1, rows + 1)]
    shelve_quiz(*(question(slug, stem_html="<p>Other?</p>") for slug in ("one", "two", "three")))
    for row in made:
        row.question.refresh_from_db()
        decided(row, other, "fixed", fixed_in=row.question.current_id)
    signed_in.get("/reports/")
    answer, asked = counted(lambda: signed_in.get("/reports/"))
    assert answer.content.count(b'<article class="doubt-line') == rows
    assert len(asked) == 3  # session and account, reports, their corrections


def test_report_that_was_fixed_says_what_became_of_the_marks_and_is_news_then(
    signed_in, going, author, other, learner
):
    row = reported(going)
    fixed = shelve_quiz(keyed("beta"), question("two"), question("three")).questions.get(slug="one").current
    made = Correction.objects.get()
    decided(row, other, "fixed", fixed_in=fixed.pk)
    waits, applied, undone = "waits.", "are marked by the new key since", "were put back"

    def told(client, address):
        body = text(client.get(address))
        return [words in body for words in (waits, applied, undone)]

    def news():
        own = text(signed_in.get("/reports/"))
        signed_in.post("/reports/seen/", {"shown": shown_on(own)})
        return len(shown_on(own))

    for_authors = ("/authors/reports/?state=fixed", address_of(row))
    assert [told(author, one) for one in for_authors] == [[True, False, False]] * 2
    assert (told(signed_in, "/reports/"), news()) == ([False] * 3, 1)
    before = User.objects.get(pk=learner.pk).changes
    apply_correction(correction_id=made.pk, by=Actor(other.pk), at=AT + DAY)
    assert User.objects.get(pk=learner.pk).changes > before
    assert [told(author, one) for one in for_authors] == [[False, True, False]] * 2
    assert (told(signed_in, "/reports/"), news(), news()) == ([False, True, False], 1, 0)
    undo_correction(correction_id=made.pk, by=COMMAND, at=AT + 2 * DAY)
    assert [told(author, one) for one in for_authors] == [[False, False, True]] * 2
    assert (told(signed_in, "/reports/"), news()) == ([False, False, True], 1)


def test_taker_is_told_what_counts_now_once_and_with_every_change(signed_in, going, author, other):
    where = f"/attempts/{going.pk}/?q=1"

    def load(key):
        shelve_quiz(keyed(key), question("two"), question("three"))
        return Correction.objects.latest("pk").pk

    first = load("beta")
    apply_correction(correction_id=first, by=Actor(other.pk), at=AT + DAY)
    body = text(signed_in.get(where))
    assert (
        "Corrected on 1 Dec: the key of this question was wrong. Your first answer counted as wrong" in body
    )
    assert "All changes of this key" not in body
    second = load("alpha")
    apply_correction(correction_id=second, by=Actor(other.pk), at=AT + 2 * DAY)
    body = text(signed_in.get(where))
    assert body.count('class="notice corrected"') == 1
    assert (
        "Corrected on 2 Dec: the key of this question was wrong. Your first answer counted as right" in body
    )
    assert "<ol><li>changed 1 Dec</li><li>changed 2 Dec</li></ol>" in body
    for pk, at in ((second, AT + 3 * DAY), (first, AT + 4 * DAY)):
        undo_correction(correction_id=pk, by=COMMAND, at=at)
    finish_attempt(attempt_id=going.pk, learner_id=going.learner_id, at=AT)
    for address in (where, f"/attempts/{going.pk}/review/"):
        body = text(signed_in.get(address))
        assert (
            "The key of this question was changed on 1 Dec, and the change was taken back on 4 Dec: "
            "the key before it counts again. Your first answer counts as wrong again." in body
        )
        assert "Corrected on" not in body
        assert "<li>changed 2 Dec, taken back 3 Dec</li>" in body
