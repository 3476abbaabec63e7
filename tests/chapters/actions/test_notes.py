"""Notes and marks: kept, joined, taken away, moved from guest to account."""

from datetime import timedelta

import pytest

from chapters.actions import (
    MOST_MARKS,
    NoteMoved,
    TooManyMarks,
    WordsNotFound,
    keep_note,
    mark_words,
    merge_notes,
    unmark_words,
)
from chapters.models import Highlight, Note, Section
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, shelve_course

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(hours=1)


@pytest.fixture
def here(db):
    shelve_course()
    return Section.objects.get(slug="here")


@pytest.fixture
def mark(here, learner):
    """Marks words of the paragraph "The text of here."."""

    def act(quote, start=0, who=learner):
        return mark_words(learner_id=who.pk, section=here, anchor="here-p1", start=start, quote=quote, at=AT)

    return act


def changes(person):
    return User.objects.get(pk=person.pk).changes


def test_note_is_kept_in_place_of_the_one_before(here, learner):
    keep_note(learner_id=learner.pk, section=here, text="one", at=AT)
    keep_note(learner_id=learner.pk, section=here, text="two", at=AT, seen=AT)
    assert list(Note.objects.of(learner.pk).values_list("text", "at")) == [("two", AT)]
    assert changes(learner) == 2


@pytest.mark.parametrize(("text", "seen"), [("three", None), ("three", AT), ("", AT), ("tw", AT)])
def test_note_of_another_page_is_not_taken_away(here, learner, text, seen):
    keep_note(learner_id=learner.pk, section=here, text="one", at=AT)
    keep_note(learner_id=learner.pk, section=here, text="two", at=LATER, seen=AT)
    with pytest.raises(NoteMoved) as caught:
        keep_note(learner_id=learner.pk, section=here, text=text, at=LATER, seen=seen)
    assert caught.value.note.text == Note.objects.get().text == "two"


def test_note_that_goes_on_from_the_kept_one_is_kept_from_any_page(here, learner):
    keep_note(learner_id=learner.pk, section=here, text="one", at=AT)
    keep_note(learner_id=learner.pk, section=here, text="one and two", at=LATER)
    assert Note.objects.get().text == "one and two"


@pytest.mark.parametrize("text", ["", "  \n "])
def test_empty_note_deletes(here, learner, other, text):
    for person in (learner, other):
        keep_note(learner_id=person.pk, section=here, text="words", at=AT)
    assert keep_note(learner_id=learner.pk, section=here, text=text, at=AT, seen=AT) is None
    assert list(Note.objects.values_list("learner_id", flat=True)) == [other.pk]
    assert changes(learner) == 2


def test_words_are_marked_where_they_stand(mark, learner):
    found = mark("text", start=2)
    assert (found.start, found.end, found.quote) == (4, 8, "text")
    assert changes(learner) == 1


def test_words_that_are_not_there_are_not_marked(mark, learner):
    with pytest.raises(WordsNotFound):
        mark("nothing")
    assert (Highlight.objects.count(), changes(learner)) == (0, 0)


@pytest.mark.parametrize(
    ("first", "second", "quotes"),
    [
        (("The text", 0), ("text of", 4), ["The text of"]),
        (("The ", 0), ("text", 4), ["The text"]),
        (("The", 0), ("of", 9), ["The", "of"]),
        (("text", 4), ("The text of", 0), ["The text of"]),
        (("text", 4), ("text", 4), ["text"]),
    ],
)
def test_marks_that_touch_become_one(mark, first, second, quotes):
    mark(*first)
    mark(*second)
    assert list(Highlight.objects.order_by("start").values_list("quote", flat=True)) == quotes


def test_section_holds_so_many_marks(mark, here, learner):
    Highlight.objects.bulk_create(
        Highlight(learner=learner, section=here, anchor="gone", start=n, end=n + 1, quote="x", at=AT)
        for n in range(MOST_MARKS)
    )
    with pytest.raises(TooManyMarks):
        mark("text")


def test_mark_of_somebody_else_is_not_there_to_be_taken_away(mark, learner, other):
    found = mark("text")
    with pytest.raises(Highlight.DoesNotExist):
        unmark_words(learner_id=other.pk, highlight_pk=found.pk)
    assert unmark_words(learner_id=learner.pk, highlight_pk=found.pk).slug == "here"
    assert Highlight.objects.count() == 0


def test_merging_joins_two_notes_with_a_line_between(here, learner):
    guest = User.objects.create(guest=True)
    there = Section.objects.get(slug="there")
    keep_note(learner_id=learner.pk, section=here, text="mine", at=AT)
    keep_note(learner_id=guest.pk, section=here, text="the guest's", at=LATER)
    keep_note(learner_id=guest.pk, section=there, text="only here", at=AT)
    merge_notes(guest.pk, learner.pk)
    kept = Note.objects.of(learner.pk).order_by("section__position").values_list("text", "at")
    assert list(kept) == [("mine\n\n---\n\nthe guest's", LATER), ("only here", AT)]
    assert Note.objects.of(guest.pk).count() == 0


def test_merging_keeps_the_same_note_once(here, learner):
    guest = User.objects.create(guest=True)
    for person in (learner, guest):
        keep_note(learner_id=person.pk, section=here, text="same", at=AT)
    merge_notes(guest.pk, learner.pk)
    assert list(Note.objects.values_list("learner_id", "text")) == [(learner.pk, "same")]


def test_merging_moves_marks_and_keeps_the_same_words_once(mark, learner):
    guest = User.objects.create(guest=True)
    for person, quote, start in ((learner, "text", 4), (guest, "text", 4), (guest, "here", 12)):
        mark(quote, start, person)
    merge_notes(guest.pk, learner.pk)
    assert sorted(Highlight.objects.values_list("learner_id", "quote")) == [
        (learner.pk, "here"),
        (learner.pk, "text"),
    ]
