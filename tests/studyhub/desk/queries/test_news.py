"""What is new: answers to reports, keys that were put right, sections to read again; and nothing when nothing is."""

from datetime import timedelta

import pytest
from django.utils import timezone

from chapters.actions import mark_section
from chapters.models import Section
from chapters.queries import course_page
from chapters.queries.changes import UNREAD, readings_of
from quizzes.actions import (
    apply_correction,
    decide_report,
    merge_reports,
    note_answers_seen,
    note_news_seen,
    report_question,
    start_attempt,
    undo_correction,
)
from quizzes.actions.disputes import Decision, Doubt
from quizzes.models import Correction, NewsSeen, QuestionReport
from studyhub.accounts.auditing import COMMAND, Actor
from studyhub.desk.queries import home_page, progress_page
from studyhub.desk.queries.news import NEW_FOR, NO_NEWS, Corrected, News, news_of
from tests.chapters.editions import FIRST, OTHER, TYPO, load
from tests.quizzes.goods import AT, option, question, shelve_quiz
from tests.quizzes.play import counted, send, slot_of

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def card(learner, at=AT, slug="small-course"):
    return next(one for one in home_page(learner, at).courses if one.course.slug == slug)


def text(response):
    return response.content.decode()


def now():
    """A moment that the page takes for new, and that is after every answer here."""
    return max(timezone.now(), AT + 2 * DAY)


def keyed(right, slug="one"):
    options = tuple(option(word, word == right, slug=word) for word in ("alpha", "beta", "gamma"))
    return question(slug, options=options)


def answered(quiz, learner, word, position=1, *, attempt=None, at=AT):
    attempt = attempt or start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=at)
    slot = slot_of(attempt, position)
    send(attempt, position, raw=[slot.tokens[slot.order.index(word)]], at=at)
    return attempt


def reported(learner, attempt, position, state="accepted"):
    doubt = Doubt(position, "key", "", "")
    row = report_question(attempt_id=attempt.pk, learner_id=learner.pk, doubt=doubt, at=AT)
    if state != "open":
        decide_report(
            report_id=row.pk, by=Actor(learner.pk), decision=Decision(state, "So it is."), at=AT + DAY
        )


def test_answer_to_a_report_is_new_until_it_was_seen(learner, other, signed_in):
    quiz = shelve_quiz(question("one"), question("two"))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
    reported(learner, attempt, 1)
    reported(learner, attempt, 2, "open")
    assert news_of(learner.pk, AT) == {quiz.course_id: News(1, ())}
    assert news_of(other.pk, AT) == {}
    assert '<a href="/reports/">1 new answer to your reports</a>' in text(signed_in.get("/"))
    shown = {one.pk: one.stamp for one in QuestionReport.objects.all()}
    note_answers_seen(learner_id=learner.pk, shown=shown, at=AT)
    assert news_of(learner.pk, AT) == {}
    assert "What is new" not in text(signed_in.get("/"))
    assert QuestionReport.objects.count() == 2


@pytest.fixture
def corrected(learner, other):
    """Two attempts of the learner and one of another at a key that said alpha; then the key says beta."""
    quiz = shelve_quiz(keyed("alpha"))
    answered(quiz, other, "alpha")
    answered(quiz, learner, "alpha")
    last = answered(quiz, learner, "beta", at=AT + DAY)
    shelve_quiz(keyed("beta"))
    return last


def test_corrected_key_is_new_for_those_who_answered_and_leads_to_their_last_answer(
    corrected, learner, other, signed_in
):
    assert news_of(learner.pk, AT + 2 * DAY) == {}
    at = AT + 2 * DAY
    apply_correction(correction_id=Correction.objects.get().pk, by=Actor(other.pk), at=at)
    (found,) = card(learner, at).news.corrected
    assert found == Corrected(str(corrected.pk), 1, "Small quiz", "wrong", "right", at)
    (theirs,) = card(other, at).news.corrected
    assert (theirs.before, theirs.after) == ("right", "wrong")
    Correction.objects.update(applied_at=now())
    body = text(signed_in.get("/"))
    assert f'href="/attempts/{corrected.pk}/?q=1">The key was put right: Small quiz, question 1</a>' in body
    assert "Your first answer counted as wrong and now counts as right." in body


def test_corrected_key_that_moved_no_mark_is_told_as_such(learner, other, signed_in):
    quiz = shelve_quiz(keyed("alpha"))
    answered(quiz, learner, "gamma")
    shelve_quiz(keyed("beta"))
    apply_correction(correction_id=Correction.objects.get().pk, by=Actor(other.pk), at=AT + DAY)
    (found,) = card(learner, AT + DAY).news.corrected
    assert (found.before, found.after) == ("", "")
    Correction.objects.update(applied_at=now())
    assert "Your mark stays as it was." in text(signed_in.get("/"))


def test_correction_is_new_for_fourteen_days_and_taking_it_back_again(corrected, learner, other, signed_in):
    pk, at = Correction.objects.get().pk, AT + 2 * DAY
    apply_correction(correction_id=pk, by=Actor(other.pk), at=at)
    assert [len(card(learner, at + age).news.corrected) for age in (13 * DAY, NEW_FOR)] == [1, 0]
    undo_correction(correction_id=pk, by=COMMAND, at=at + DAY)
    (found,) = card(learner, at + NEW_FOR).news.corrected
    assert (found.before, found.after, found.at, found.undone) == ("right", "wrong", at + DAY, True)
    assert card(learner, at + DAY + NEW_FOR).news == NO_NEWS
    Correction.objects.update(undone_at=now())
    assert "The key was put back: Small quiz, question 1</a>" in text(signed_in.get("/"))


@pytest.mark.parametrize("head", [{}, {"HX-Request": "true", "HX-Target": "main"}])
def test_news_of_keys_is_gone_once_marked_as_read_and_what_comes_later_is_news(
    corrected, learner, other, signed_in, head
):
    pk, at = Correction.objects.get().pk, timezone.now()
    apply_correction(correction_id=pk, by=Actor(other.pk), at=at)
    assert "Mark the news of keys as read" in text(signed_in.get("/"))
    until = card(learner, at).news.until
    assert until == at
    answer = signed_in.post("/news/seen/", {"until": until.isoformat()}, headers=head)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert "What is new" not in text(signed_in.get("/"))
    assert len(card(other, at).news.corrected) == 1
    undo_correction(correction_id=pk, by=COMMAND, at=at + timedelta(seconds=1))
    assert len(card(learner, at).news.corrected) == 1


@pytest.mark.parametrize("until", ["", "soon", "2026-12-01T10:00:00", "2026-13-01T00:00:00+00:00"])
def test_news_that_names_no_moment_stays(corrected, learner, other, signed_in, until):
    apply_correction(correction_id=Correction.objects.get().pk, by=Actor(other.pk), at=AT + 2 * DAY)
    signed_in.post("/news/seen/", {"until": until})
    assert len(card(learner, AT + 2 * DAY).news.corrected) == 1


@pytest.mark.parametrize("until", ["9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+23:59"])
def test_news_is_seen_up_to_now_at_most(corrected, learner, signed_in, until):
    begun = timezone.now()
    assert signed_in.post("/news/seen/", {"until": until}).status_code == 302
    (kept,) = NewsSeen.objects.of(learner.pk)
    assert begun - timedelta(days=30) <= kept.at <= timezone.now()


def test_news_seen_by_a_guest_is_seen_by_the_account(learner, other):
    for seen in (AT + DAY, AT):
        note_news_seen(learner_id=learner.pk, until=seen, at=AT + 2 * DAY)
        merge_reports(learner.pk, other.pk)
    assert list(NewsSeen.objects.values_list("learner", "at")) == [(other.pk, AT + DAY)]


def test_of_several_corrections_of_one_question_the_newest_is_told(corrected, learner, other):
    apply_correction(correction_id=Correction.objects.get().pk, by=Actor(other.pk), at=AT + 2 * DAY)
    shelve_quiz(keyed("gamma"))
    last = Correction.objects.filter(before__number=1).latest("pk")
    apply_correction(correction_id=last.pk, by=Actor(other.pk), at=AT + 3 * DAY)
    (found,) = card(learner, AT + 3 * DAY).news.corrected
    assert (found.before, found.after, found.at) == ("right", "wrong", AT + 3 * DAY)


def test_answer_after_the_correction_was_marked_by_the_right_key(learner, other):
    quiz = shelve_quiz(keyed("alpha"))
    answered(quiz, other, "alpha")
    late = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
    shelve_quiz(keyed("beta"))
    apply_correction(correction_id=Correction.objects.get().pk, by=Actor(other.pk), at=AT + DAY)
    answered(quiz, learner, "beta", attempt=late, at=AT + 2 * DAY)
    assert news_of(learner.pk, AT + 2 * DAY) == {}


def read(learner):
    row = Section.objects.get(chapter__course__slug="small-course", slug="here")
    mark_section(learner_id=learner.pk, section=row, read=True, at=AT + DAY)


def counts(learner):
    """Sections read as home, progress and the course's page tell them, and those to be read again."""
    (domain,) = next(
        one for one in progress_page(learner).courses if one.course.slug == "small-course"
    ).domains
    course = course_page("small-course", learner.pk).domains[0]
    found = card(learner)
    read_counts = {found.sections_read, domain.sections_read, course.sections_read}
    return read_counts, [one.slug for one in found.again]


def test_typo_asks_for_no_other_reading_and_a_substantive_edit_does(learner, signed_in):
    load(FIRST, 0)
    read(learner)
    assert counts(learner) == ({1}, [])
    load(TYPO, 2)
    assert counts(learner) == ({1}, [])
    assert "What is new" not in text(signed_in.get("/"))
    load(OTHER, 3)
    assert counts(learner) == ({0}, ["here"])
    body = text(signed_in.get("/"))
    assert '<a href="/c/small-course/small/#here">Read again: Here</a>' in body
    assert "overdue" not in body
    read(learner)
    assert counts(learner) == ({1}, [])


@pytest.mark.parametrize(("edit", "again"), [("typo", []), ("substantive", ["here"])])
def test_the_authors_word_outweighs_the_size_of_an_edit(learner, edit, again):
    load(FIRST, 0)
    read(learner)
    load(OTHER if edit == "typo" else TYPO, 2, edit)
    assert counts(learner) == ({1 - len(again)}, again)


def test_section_that_left_the_course_is_not_to_be_read_again(learner, other):
    load(FIRST, 0)
    read(learner)
    load(OTHER, 2)
    course = Section.objects.get(chapter__course__slug="small-course", slug="here").chapter.course_id
    assert readings_of(other.pk) == {}
    assert len(readings_of(learner.pk)[course].again) == 1
    Section.objects.filter(slug="here").update(retired_at=AT)
    assert readings_of(learner.pk).get(course, UNREAD) == UNREAD


@pytest.mark.parametrize("rows", [1, 3])
def test_home_asks_as_often_with_one_piece_of_news_as_with_three(learner, other, signed_in, rows):
    slugs = ("one", "two", "three")[:rows]
    quiz = shelve_quiz(*(keyed("alpha", slug) for slug in slugs))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
    for position in range(1, rows + 1):
        answered(quiz, learner, "beta", position, attempt=attempt)
        reported(learner, attempt, position)
    shelve_quiz(*(keyed("beta", slug) for slug in slugs))
    for one in Correction.objects.all():
        apply_correction(correction_id=one.pk, by=Actor(other.pk), at=AT + DAY)
    Correction.objects.update(applied_at=now())
    signed_in.get("/")
    body, statements = counted(lambda: text(signed_in.get("/")))
    assert (body.count("The key was put right"), f"{rows} new answer" in body) == (rows, True)
    assert len(statements) == 9  # the session and eight


def test_long_list_is_cut_and_says_how_many_more_there_are(learner, other, signed_in):
    quiz = shelve_quiz(*(keyed("alpha", f"q{n}") for n in range(7)))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
    for position in range(1, 8):
        answered(quiz, learner, "beta", position, attempt=attempt)
    shelve_quiz(*(keyed("beta", f"q{n}") for n in range(7)))
    for one in Correction.objects.all():
        apply_correction(correction_id=one.pk, by=Actor(other.pk), at=AT + DAY)
    Correction.objects.update(applied_at=now())
    body = text(signed_in.get("/"))
    assert (body.count("The key was put right"), "2 more keys were put right" in body) == (5, True)
