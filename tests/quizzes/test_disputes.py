"""“This looks wrong”: from the learner's words to the authors' answer, and who may see what."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.actions import apply_correction, finish_attempt, merge_reports, report_question, start_attempt
from quizzes.actions.disputes import LONGEST, MOST_A_DAY, MOST_ROOM, Doubt, TooManyReports
from quizzes.models import Correction, QuestionReport, Slot
from quizzes.queries.standing import standing
from studyhub.accounts.auditing import Actor
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, option, question, shelve_quiz
from tests.quizzes.play import send, slot_of
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
BACKEND = "studyhub.accounts.backends.Backend"


@pytest.fixture
def going(learner):
    quiz = shelve_quiz(question("one"), question("two"))
    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)


@pytest.fixture
def author(other):
    other.is_author = True
    other.save()
    client = Client()
    client.force_login(other, BACKEND)
    return client


def text(response):
    return response.content.decode()


def address(going, name="report"):
    return reverse(name, args=[going.pk])


def reworded():
    """Another wording of the first question is loaded."""
    return (
        shelve_quiz(question("one", stem_html="<p>Other?</p>"), question("two"))
        .questions.get(slug="one")
        .current
    )


def sent(going, **extra):
    return {"q": 1, "reason": "key", "option": slot_of(going, 1).tokens[2], "text": "See table 4.", **extra}


def test_report_is_kept_with_version_option_and_words(signed_in, going, learner):
    form = text(signed_in.get(f"{address(going)}?q=1"))
    assert all(token in form for token in slot_of(going, 1).tokens)
    assert signed_in.post(address(going), sent(going)).status_code == 302
    row = QuestionReport.objects.get()
    slot = slot_of(going, 1)
    assert (row.learner, row.version, row.option) == (learner, slot.version, slot.order[2])
    assert (row.reason, row.text, row.state) == ("key", "See table 4.", "open")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"reason": "mood"}, "Choose what looks wrong."),
        ({"reason": "other", "text": " "}, "Say in a few words"),
        ({"text": "x" * 2001}, "Write at most 2,000 characters; this is 2,001."),
    ],
)
def test_bad_report_is_told_what_is_wrong_and_keeps_the_words(signed_in, going, change, words):
    response = signed_in.post(address(going), sent(going, **change))
    assert response.status_code == 422
    assert words in text(response)
    assert sent(going, **change)["text"].strip() in text(response)
    assert not QuestionReport.objects.exists()


def test_second_report_on_the_same_question_is_added_to_the_first(signed_in, going):
    signed_in.post(address(going), sent(going))
    signed_in.post(address(going), sent(going, text="And figure 2.", reason="outdated"))
    row = QuestionReport.objects.get()
    assert (row.reason, row.text) == ("outdated", "See table 4.\n\nAnd figure 2.")


@pytest.mark.parametrize("more", ["See table 4.", "table", "table 4."])
def test_words_sent_twice_stand_once_and_other_words_are_never_dropped(signed_in, going, more):
    for _ in range(2):
        signed_in.post(address(going), sent(going))
    signed_in.post(address(going), sent(going, text=more))
    words = QuestionReport.objects.get().text
    assert words == ("See table 4." if more == "See table 4." else f"See table 4.\n\n{more}")


def test_addition_without_room_is_refused_and_its_words_stand_in_the_form(signed_in, going):
    for letter in "abcd":
        signed_in.post(address(going), sent(going, text=letter * LONGEST))
    before = QuestionReport.objects.get().text
    assert len(before) == 4 * LONGEST + 6
    refused = signed_in.post(address(going), sent(going, text="e" * LONGEST))
    assert refused.status_code == 422
    assert (
        f"room for {MOST_ROOM:,} characters with all that you add to it; yours has room for 1,992 more"
        in text(refused)
    )
    assert "e" * LONGEST in text(refused)
    assert QuestionReport.objects.get().text == before
    assert signed_in.post(address(going), sent(going, text="e" * 1992)).status_code == 302
    assert QuestionReport.objects.get().text == f"{before}\n\n{'e' * 1992}"


def test_ends_of_lines_count_as_one_character(signed_in, going):
    assert signed_in.post(address(going), sent(going, text="\r\n".join("x" * 1000))).status_code == 302
    assert QuestionReport.objects.get().text == "\n".join("x" * 1000)


def test_form_of_a_report_that_is_open_begins_with_what_was_said(signed_in, going):
    signed_in.post(address(going), sent(going, reason="outdated"))
    form = text(signed_in.get(f"{address(going)}?q=1"))
    assert '<input type="radio" name="reason" value="outdated" checked>' in form
    assert f'name="option" value="{slot_of(going, 1).tokens[2]}" checked>' in form
    assert "What you wrote before" in form
    signed_in.post(address(going), sent(going, option="", text=""))
    assert (QuestionReport.objects.get().option, QuestionReport.objects.get().reason) == ("", "key")


def test_addition_to_a_report_that_was_settled_meanwhile_is_a_new_report(signed_in, going, author):
    signed_in.post(address(going), sent(going))
    row = QuestionReport.objects.get()
    author.post(reverse("inbox_report", args=[row.pk]), {"state": "declined", "answer": "No."})
    signed_in.post(address(going), sent(going, text="But figure 2."))
    assert list(QuestionReport.objects.order_by("pk").values_list("state", "text")) == [
        ("declined", "See table 4."),
        ("open", "But figure 2."),
    ]


def test_adding_makes_kept_pages_old(signed_in, going, learner):
    signed_in.post(address(going), sent(going))
    before = User.objects.get(pk=learner.pk).changes
    signed_in.post(address(going), sent(going, text="And figure 2."))
    assert User.objects.get(pk=learner.pk).changes == before + 1


def test_answer_that_is_too_long_is_refused_and_kept_in_the_form(signed_in, going, author):
    signed_in.post(address(going), sent(going))
    row, newer = QuestionReport.objects.get(), reworded()
    given = {"state": "fixed", "version": newer.pk, "answer": "y" * (LONGEST + 1)}
    refused = author.post(reverse("inbox_report", args=[row.pk]), given)
    assert refused.status_code == 422
    assert "Write at most 2,000 characters; this is 2,001. Nothing was sent yet." in text(refused)
    assert "y" * (LONGEST + 1) in text(refused)
    assert 'value="fixed" checked>' in text(refused)
    assert f'<option value="{newer.pk}" selected>version 1, wording 2, ' in text(refused)
    row.refresh_from_db()
    assert (row.state, row.answer) == ("open", "")


def test_foreign_option_is_no_option(signed_in, going):
    signed_in.post(address(going), sent(going, option="deadbeef"))
    assert QuestionReport.objects.get().option == ""


@pytest.mark.parametrize("method", ["get", "post"])
def test_stranger_and_other_learner_find_nothing(going, other, method):
    client, before = Client(), table_prints()
    for _ in range(2):
        act = getattr(client, method)
        assert (
            act(f"{address(going)}?q=1" if method == "get" else address(going), sent(going)).status_code
            == 404
        )
        client.force_login(other, BACKEND)
    assert changed_tables(before, {"accounts_session", "accounts_user"}) == []


def test_twenty_reports_a_day_are_enough(learner):
    quiz = shelve_quiz(*(question(f"q{n}") for n in range(MOST_A_DAY + 1)))
    going = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)

    def report(position, at):
        doubt = Doubt(position, "typo", "", "")
        return report_question(attempt_id=going.pk, learner_id=learner.pk, doubt=doubt, at=at)

    for position in range(1, MOST_A_DAY + 1):
        report(position, AT)
    with pytest.raises(TooManyReports):
        report(MOST_A_DAY + 1, AT)
    assert report(MOST_A_DAY + 1, AT + timedelta(days=1, seconds=1)).pk


AUTHORS = ["inbox", "inbox_report", "corrections"]


@pytest.mark.parametrize("name", AUTHORS)
def test_authors_pages_do_not_exist_for_others(signed_in, going, name):
    signed_in.post(address(going), sent(going))
    args = [QuestionReport.objects.get().pk] if name == "inbox_report" else []
    assert signed_in.get(reverse(name, args=args)).status_code == 404
    assert Client().get(reverse(name, args=args)).status_code == 302  # to sign in


def test_author_sees_the_key_and_the_option_and_answers(signed_in, going, author, learner):
    signed_in.post(address(going), sent(going))
    row = QuestionReport.objects.get()
    inbox = text(author.get(reverse("inbox")))
    assert "The key seems wrong" in inbox
    page = text(author.get(reverse("inbox_report", args=[row.pk])))
    assert "Because one alpha" in page
    assert "the report is about this one" in page
    for nothing in ("", "  ", "\u200b"):
        decided = {"state": "declined", "answer": nothing}
        assert author.post(reverse("inbox_report", args=[row.pk]), decided).status_code == 422
    decided["answer"] = "Table 4 is about FP8."
    assert author.post(reverse("inbox_report", args=[row.pk]), decided).status_code == 302
    row.refresh_from_db()
    assert (row.state, row.answer, row.decided_by.is_author) == ("declined", "Table 4 is about FP8.", True)
    own = text(signed_in.get(reverse("reports")))
    assert "Table 4 is about FP8." in own
    assert "Mark all answers as read" in own
    signed_in.post(reverse("reports_seen"))  # names nothing that was shown
    assert "Mark all answers as read" in text(signed_in.get(reverse("reports")))
    signed_in.post(reverse("reports_seen"), {"shown": re.findall('name="shown" value="(.*?)"', own)})
    assert "Mark all answers as read" not in text(signed_in.get(reverse("reports")))


def test_fixed_needs_a_newer_version_of_the_same_question(signed_in, going, author):
    signed_in.post(address(going), sent(going))
    row = QuestionReport.objects.get()
    foreign = slot_of(going, 2).version_id
    where = reverse("inbox_report", args=[row.pk])
    page = text(author.get(where))
    assert ('value="fixed"' in page, "There is no newer version of this question yet." in page) == (
        False,
        True,
    )
    for version in (foreign, row.version_id, ""):
        assert author.post(where, {"state": "fixed", "version": version}).status_code == 422
    newer = reworded()
    page = text(author.get(where))
    assert re.findall('<option value="(.*?)"', page) == [str(newer.pk)]
    assert author.post(where, {"state": "fixed", "version": newer.pk}).status_code == 302
    row.refresh_from_db()
    assert (row.state, row.fixed_in_id) == ("fixed", newer.pk)


@pytest.mark.parametrize(
    ("state", "disputed"), [("open", True), ("accepted", True), ("declined", False), ("fixed", False)]
)
def test_disputed_until_settled(signed_in, going, author, state, disputed):
    signed_in.post(address(going), sent(going))
    row = QuestionReport.objects.get()
    if state != "open":
        decided = {"state": state, "answer": "Because.", "version": reworded().pk}
        author.post(reverse("inbox_report", args=[row.pk]), decided)
    send(going, 1)
    assert (row.question_id in standing().disputed) is disputed
    feedback = text(signed_in.get(f"{reverse('attempt', args=[going.pk])}?q=1"))
    assert ("Disputed since" in feedback) is disputed
    other = User.objects.get(is_author=True)
    theirs = start_attempt(learner_id=other.pk, quiz=going.quiz, fresh=False, at=AT)
    send(theirs, 1)
    assert ("Disputed since" in text(author.get(f"{reverse('attempt', args=[theirs.pk])}?q=1"))) is disputed


def test_doubt_of_somebody_who_did_not_answer_waits_for_an_author(signed_in, going, author):
    signed_in.post(address(going), sent(going))
    row = QuestionReport.objects.get()
    assert row.question_id not in standing().disputed
    author.post(reverse("inbox_report", args=[row.pk]), {"state": "accepted"})
    assert row.question_id in standing().disputed


def test_dispute_says_nothing_before_the_answer(signed_in, going):
    signed_in.post(address(going), sent(going))
    assert "Disputed since" not in text(signed_in.get(f"{reverse('attempt', args=[going.pk])}?q=1"))


@pytest.mark.parametrize("reports", [1, 3])
def test_inbox_costs_the_same_for_any_number(author, learner, reports, django_assert_max_num_queries):
    quiz = shelve_quiz(*(question(f"q{n}") for n in range(3)))
    going = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    for position in range(1, reports + 1):
        doubt = Doubt(position, "typo", "", "")
        report_question(attempt_id=going.pk, learner_id=learner.pk, doubt=doubt, at=AT)
    with django_assert_max_num_queries(6):
        assert author.get(reverse("inbox")).status_code == 200


def test_reports_of_a_guest_come_along(learner, other, going):
    doubt = Doubt(1, "typo", "", "")
    report_question(attempt_id=going.pk, learner_id=learner.pk, doubt=doubt, at=AT)
    merge_reports(learner.pk, other.pk)
    assert QuestionReport.objects.get().learner == other
    assert Slot.objects.filter(attempt=going).count() == 2


def test_corrected_key_is_shown_beside_the_old_one_with_its_date(signed_in, learner, other):
    def keyed(right):
        options = tuple(option(word, word == right, slug=word) for word in ("alpha", "beta"))
        return question("one", options=options)

    quiz = shelve_quiz(keyed("alpha"))
    going = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    slot = slot_of(going, 1)
    send(going, 1, raw=[slot.tokens[slot.order.index("beta")]])
    shelve_quiz(keyed("beta"))
    apply_correction(correction_id=Correction.objects.get().pk, by=Actor(other.pk), at=AT)
    finish_attempt(attempt_id=going.pk, learner_id=learner.pk, at=AT)
    for where in (f"{reverse('attempt', args=[going.pk])}?q=1", reverse("review", args=[going.pk])):
        page = text(signed_in.get(where))
        assert "Corrected on 30 Nov: the key of this question was wrong." in page
        assert "Your first answer counted as wrong before; it counts as right now." in page
        before, now = page.split("The key before and now")[1].split("<h3", 2)[1:]
        assert "<span>alpha</span>" in before
        assert "<span>beta</span>" in now.split("</section>")[0]
