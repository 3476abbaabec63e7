"""The pages of corrections: the preview, what was moved, undo; and the menu that says what waits for authors."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.actions import (
    apply_correction,
    decide_report,
    report_question,
    set_aside,
    start_attempt,
    undo_correction,
)
from quizzes.actions.disputes import Decision, Doubt
from quizzes.models import Attempt, Correction, QuestionKey, QuestionReport, Quiz, Response
from quizzes.queries.corrected_keys import keys_beside
from quizzes.queries.corrections import moves_of
from quizzes.queries.ready import opened_of
from studyhub.accounts.auditing import COMMAND, Actor
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, option, question, quiz_goods, replace, shelve_course, shelve_quiz, typed
from tests.quizzes.play import counted, send, slot_of

pytestmark = pytest.mark.django_db
BACKEND = "studyhub.accounts.backends.Backend"
LATER = AT + timedelta(days=1)
HEADS = [{}, {"HX-Request": "true", "HX-Target": "main"}]


def text(response):
    return " ".join(response.content.decode().split())


def keyed(right, slug="one"):
    words = ("alpha", "beta", "gamma")
    return question(slug, options=tuple(option(word, word == right, slug=word) for word in words))


def retyped(text):
    """The number question with another number."""
    goods = typed("one")
    entry = {**goods.key["accepted"][0], "low": text, "high": text, "text": text}
    return replace(goods, key={**goods.key, "accepted": [entry]})


def order_of(*sequence):
    options = tuple(option(word, False, slug=word) for word in ("alpha", "beta", "gamma"))
    return question("one", kind="order", options=options, key={"sequence": list(sequence), "score": "all"})


def answered(quiz, taker, *words):
    """A first answer to the first question, and later tries."""
    attempt = start_attempt(learner_id=taker.pk, quiz=quiz, fresh=True, at=AT)
    slot = slot_of(attempt, 1)
    for again, word in enumerate(words):
        send(attempt, 1, raw=[slot.tokens[slot.order.index(word)]], again=bool(again))
    return attempt


@pytest.fixture
def corrected(learner):
    """Three first answers and two tries of one learner to a key that said alpha; then it says beta."""
    quiz = shelve_quiz(keyed("alpha"))
    answered(quiz, learner, "alpha", "beta")
    answered(quiz, learner, "beta", "beta")
    answered(quiz, learner, "gamma")
    shelve_quiz(keyed("beta"))
    return Correction.objects.get()


def page_of(correction, author, **head):
    return text(author.get(reverse("correction", args=[correction.pk]), headers=head))


def act(correction, author, **sent):
    return text(author.post(reverse("correct", args=[correction.pk]), sent, follow=True))


@pytest.mark.parametrize("head", HEADS)
def test_preview_says_answers_and_tries_apart(corrected, author, head):
    body = page_of(corrected, author, **head)
    assert "3 first answers and 2 later tries to the earlier version" in body
    assert "1 first answer goes up, 1 goes down; 2 later tries get another mark, which counts nowhere" in body
    assert body.count('<th scope="row">no.') == 2
    assert "Apply: mark all answers by the new key" in body


def test_applied_correction_keeps_the_list_of_who_moved_and_so_does_an_undone_one(corrected, author):
    applied = act(corrected, author)
    assert "Answers marked anew: 4." in applied
    for body in (applied, act(corrected, author, act="undo")):
        assert "Who moved" in body
        assert "By Bob. 1 first answer went up, 1 down; 2 later tries got another mark" in body
        assert "<td>wrong</td><td>right</td><td>+1</td>" in body
        assert "<td>right</td><td>wrong</td><td>−1</td>" in body
    assert ("Undo: give every answer" in applied, "undone " in applied) == (True, False)
    assert ("Undo: give every answer" in body, "have their earlier mark again: undone by Bob." in body) == (
        False, True,
    )  # fmt: skip
    assert "Apply: mark all answers by the new key" in body
    assert "4 answers moved; undone " in text(author.get(reverse("corrections")))


@pytest.mark.parametrize(
    ("done", "sent", "words"),
    [
        ("apply", "", "this correction is applied already"),
        ("", "undo", "this correction waits again"),
        ("", "again", "this correction waits again"),
        ("undo", "undo", "this correction is not applied any more, it was undone"),
        ("aside", "", "this correction was set aside"),
        ("", "up", "this correction waits again"),
    ],
)
def test_second_author_is_told_that_somebody_was_quicker(corrected, author, other, done, sent, words):
    by = Actor(other.pk)
    if done == "aside":
        set_aside(correction_id=corrected.pk, by=by, reason="Ask", at=LATER)
    elif done:
        apply_correction(correction_id=corrected.pk, by=by, at=LATER)
    if done == "undo":
        undo_correction(correction_id=corrected.pk, by=COMMAND, at=LATER)
    for head in HEADS:
        given = {"act": sent, "reason": "x"}
        answer = author.post(reverse("correct", args=[corrected.pk]), given, headers=head)
        assert answer.status_code == 409
        assert f"Somebody was quicker: {words}. Nothing more was done" in text(answer)


def stamp_on(page):
    return re.findall('name="seen" value="(.*?)"', page)[0]


def test_act_on_what_stands_otherwise_than_it_was_looked_at_is_refused(corrected, author):
    """Applied and undone by somebody in between, it could be applied again: but not by who never saw that."""
    seen = stamp_on(page_of(corrected, author))
    act(corrected, author)
    act(corrected, author, act="undo")
    where = reverse("correct", args=[corrected.pk])
    assert author.post(where, {"seen": seen}).status_code == 409
    assert author.post(where, {"seen": stamp_on(page_of(corrected, author))}).status_code == 302


def test_preview_sets_the_keys_side_by_side_above_the_button(corrected, author):
    key = QuestionKey.objects.get(pk=corrected.after_id)
    key.key["options"]["beta"]["rationale"] = "<p>Because of two.</p>"
    key.save()
    opened_of.cache_clear()
    body = page_of(corrected, author)
    keys = body[body.index("The key before and now") : body.index("If you apply it")]
    assert "Before: version 1, loaded" in keys
    assert "Now: version 2, loaded" in keys
    alpha, beta, gamma = keys.split("<li")[1:]
    assert ("<span>alpha</span>" in alpha, "<b>Was right, is wrong</b><p>Because alpha" in alpha) == (
        True,
        True,
    )
    assert ("<span>beta</span>" in beta, "<b>Was wrong</b><p>Because beta" in beta) == (True, True)
    assert "<b>Is right</b><p>Because of two." in beta
    assert ("<span>gamma</span>" in gamma, "<b>stays wrong</b>" in gamma) == (True, True)
    assert alpha.count("Because alpha") == 1


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (typed("one"), retyped("9"), ["9 GB: now accepted", "3.5 ± 0.1 GB: no longer accepted"]),
        (order_of(0, 1, 2), order_of(1, 0, 2), ["place 1|place 2, right after 1"]),
    ],
    ids=["number", "order"],
)
def test_keys_of_every_kind_are_set_side_by_side(learner, before, after, lines):
    quiz = shelve_quiz(before)
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
    send(attempt, 1)
    shelve_quiz(after)
    keys = keys_beside(Correction.objects.get())
    told = [f"{one.was_html}|{one.is_html}" for one in keys.lines]
    forms = [f"{one.text}: {one.said}" for group in keys.groups for one in group.changes]
    assert set(lines) <= {*told, *forms}


def test_correction_is_set_aside_with_a_reason_and_taken_up_again(corrected, author):
    assert (author.post(reverse("correct", args=[corrected.pk]), {"act": "aside"})).status_code == 422
    long = author.post(reverse("correct", args=[corrected.pk]), {"act": "aside", "reason": "y" * 2001})
    assert (long.status_code, "y" * 2001 in text(long)) == (422, True)
    body = act(corrected, author, act="aside", reason="The old stem meant alpha.")
    assert "by Bob: The old stem meant alpha." in body
    assert ("Apply: mark all" in body, "Take it up again" in body) == (False, True)
    rows = text(author.get(reverse("corrections")))
    assert ("Waits for you" in rows, "The old stem meant alpha." in rows) == (False, True)
    assert "waiting for authors" not in text(author.get("/"))
    assert "Apply: mark all" in act(corrected, author, act="up")
    assert "Waits for you" in text(author.get(reverse("corrections")))


def test_correction_that_was_set_aside_stays_aside_when_the_key_changes_again(corrected, author, other):
    set_aside(correction_id=corrected.pk, by=Actor(other.pk), reason="Ask", at=LATER)
    shelve_quiz(keyed("gamma"))
    assert [(one.after.number, one.state) for one in Correction.objects.order_by("pk")] == [
        (2, "aside"), (3, "waiting"),
    ]  # fmt: skip


def test_taker_hears_nothing_of_what_was_set_aside(corrected, author, learner, signed_in, other):
    set_aside(correction_id=corrected.pk, by=Actor(other.pk), reason="Ask", at=LATER)
    attempt = Attempt.objects.of(learner.pk).latest("number")
    for address in (f"/attempts/{attempt.pk}/?q=1", "/", "/reports/"):
        body = text(signed_in.get(address))
        assert ("Corrected on" in body, "key" in body and "changed on" in body) == (False, False)


@pytest.mark.parametrize("rows", [1, 3])
def test_page_of_a_correction_costs_the_same_for_any_number_of_answers(author, learner, other, rows):
    quiz = shelve_quiz(keyed("alpha"))
    for _ in range(rows):
        answered(quiz, learner, "alpha")
    shelve_quiz(keyed("beta"))
    made = Correction.objects.get()
    page_of(made, author)
    _, asked = counted(lambda: page_of(made, author))
    waiting = len(asked)
    apply_correction(correction_id=made.pk, by=Actor(other.pk), at=LATER)
    body, asked = counted(lambda: page_of(made, author))
    assert body.count('<th scope="row">no.') == rows
    assert (waiting, len(asked)) == (10, 11)  # while it waits, one for what became of its question's others


def test_list_of_who_moves_is_cut_by_the_database(corrected, monkeypatch):
    monkeypatch.setattr("quizzes.queries.corrections.MOST_NAMED", 1)
    marks = dict.fromkeys(Response.objects.values_list("pk", flat=True), ("partly", 0.5))
    told = moves_of(marks)
    assert (told.answers, told.tries, told.moving, told.up, told.down, told.tries_moving) == (
        3,
        2,
        3,
        2,
        1,
        2,
    )
    assert [(one.state, one.change) for one in told.firsts] == [("right", -0.5)]


def test_correction_that_a_later_one_moved_on_says_which_and_offers_nothing(corrected, author, other):
    apply_correction(correction_id=corrected.pk, by=Actor(other.pk), at=LATER)
    shelve_quiz(keyed("gamma"))
    later = Correction.objects.latest("pk")
    apply_correction(correction_id=later.pk, by=Actor(other.pk), at=LATER + timedelta(hours=1))
    body = page_of(corrected, author)
    assert f'<a href="{reverse("correction", args=[later.pk])}">later correction</a>' in body
    assert ("Mark these too" in body, "Undo: give" in body) == (False, False)


@pytest.mark.parametrize("rows", [1, 3])
def test_corrections_cost_the_same_for_any_number(author, learner, rows):
    for n in range(rows):
        goods = (quiz_goods(keyed(right), slug=f"quiz-{n}", title=f"Quiz {n}") for right in ("alpha", "beta"))
        course, _ = shelve_course(next(goods))
        answered(Quiz.objects.get(course=course, slug=f"quiz-{n}"), learner, "alpha")
        shelve_course(next(goods))
    author.get(reverse("corrections"))
    answer, asked = counted(lambda: author.get(reverse("corrections")))
    assert answer.content.count(b'<article class="doubt-line">') == rows
    assert len(asked) == 6  # session, account, what waits, three of the list


def waiting(learner, attempt, state="open"):
    row = report_question(attempt_id=attempt.pk, learner_id=learner.pk, doubt=Doubt(1, "typo", "", ""), at=AT)
    if state != "open":
        decide_report(report_id=row.pk, by=Actor(learner.pk), decision=Decision(state, "Yes."), at=AT)
    return row


PAGES = ["/", "/c/small-course/", "/c/small-course/small/", "/settings/"]


@pytest.mark.parametrize("address", PAGES)
def test_menu_of_authors_counts_what_waits_and_kept_pages_stay_right(corrected, author, learner, address):
    attempt = answered(corrected.question.quiz, learner, "alpha")
    both = '<b class="num">{}<i class="away"> waiting for authors</i></b>'
    assert both.format(1) in text(author.get(address))
    row = waiting(learner, attempt)
    body = text(author.get(address))
    assert both.format(2) in body
    assert 'Reports to authors <b class="num">1<i class="away"> open</i></b>' in body
    assert 'Corrections of keys <b class="num">1<i class="away"> waiting</i></b>' in body
    decide_report(report_id=row.pk, by=Actor(learner.pk), decision=Decision("accepted", ""), at=AT)
    apply_correction(correction_id=corrected.pk, by=Actor(learner.pk), at=LATER)
    body = text(author.get(address))
    assert ("Reports to authors" in body, "waiting for authors" in body) == (True, False)


def test_menu_of_a_new_author_is_theirs_at_once(corrected, signed_in, learner):
    address = "/c/small-course/small/"
    assert "Reports to authors" not in text(signed_in.get(address))
    User.objects.filter(pk=learner.pk).update(is_author=True)
    assert "Reports to authors" in text(signed_in.get(address))


@pytest.mark.parametrize("address", PAGES)
def test_what_waits_costs_authors_one_statement_and_others_none(corrected, author, signed_in, address):
    def asked(client):
        client.get(address)
        _, statements = counted(lambda: client.get(address))
        return sum("quizzes_questionreport WHERE state = 'open'" in one for one in statements)

    assert (asked(author), asked(signed_in), asked(Client())) == (1, 0, 0)


def test_report_with_its_question_leads_to_the_history(author, learner, corrected):
    row = waiting(learner, answered(corrected.question.quiz, learner, "alpha"))
    history = "/c/small-course/quizzes/small-quiz/one/history/"
    for address in (reverse("inbox_report", args=[row.pk]), reverse("correction", args=[corrected.pk])):
        assert f'href="{history}"' in text(author.get(address))
    assert QuestionReport.objects.count() == 1
