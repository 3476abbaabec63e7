"""What was kept: at its section, in reading order, found again after an edit."""

from dataclasses import replace

import pytest
from django.utils import timezone

from chapters.actions import keep_note, mark_words
from chapters.models import Highlight, Section
from chapters.queries import Kept, chapter_sheet, kept_in, notes_on, notes_page
from tests.quizzes.goods import AT, chapter_goods, section, shelve_course
from tests.quizzes.play import counted

pytestmark = pytest.mark.django_db


def mark(learner, slug, quote):
    row = Section.objects.get(slug=slug)
    return mark_words(learner_id=learner.pk, section=row, anchor=f"{slug}-p1", start=0, quote=quote, at=AT)


def edit(**words):
    goods = chapter_goods()
    changed = tuple(
        section(one.slug, words[one.slug], kind=one.kind) if one.slug in words else one
        for one in goods.sections
        if words.get(one.slug) != ""
    )
    shelve_course(chapter=replace(goods, sections=changed), at=AT.replace(hour=13))


@pytest.fixture
def shelf(db):
    return shelve_course()[0]


def test_stranger_keeps_nothing_and_costs_no_query(shelf):
    sheet = chapter_sheet("small-course", "small")
    assert counted(lambda: notes_on(sheet, None)) == ({}, [])


def test_note_and_marks_stand_at_their_section(shelf, learner, other):
    here = Section.objects.get(slug="here")
    keep_note(learner_id=learner.pk, section=here, text="mine", at=AT)
    keep_note(learner_id=other.pk, section=here, text="theirs", at=AT)
    mark(learner, "there", "text")
    sheet = chapter_sheet("small-course", "small")
    found, statements = counted(lambda: notes_on(sheet, learner.pk))
    assert len(statements) == 1
    assert found["here"] == Kept(text="mine", at=AT, marks=())
    assert [(one.anchor, one.start, one.end, one.quote, one.gone) for one in found["there"].marks] == [
        ("there-p1", 4, 8, "text", False)
    ]


@pytest.mark.parametrize(
    ("words", "place"),
    [("A new beginning. The text of here.", (21, 25, False)), ("All is new.", (4, 8, True))],
)
def test_mark_is_found_again_after_an_edit_or_said_to_be_gone(shelf, learner, words, place):
    mark(learner, "here", "text")
    edit(here=words)
    (found,) = kept_in(Section.objects.get(slug="here"), learner.pk).marks
    assert (found.start, found.end, found.gone) == place
    assert Highlight.objects.get().start == place[0]  # the row goes along with the words


def test_section_with_nothing_kept_is_none(shelf, learner):
    assert kept_in(Section.objects.get(slug="here"), learner.pk) is None


def test_page_lists_in_reading_order_and_what_left_the_course_last(shelf, learner):
    for slug in ("there", "lab", "here"):
        keep_note(learner_id=learner.pk, section=Section.objects.get(slug=slug), text=slug, at=timezone.now())
    edit(here="")
    (chapter,) = notes_page("small-course", learner.pk).chapters
    assert [(one.slug, one.url_name, one.retired) for one in chapter.sections] == [
        ("there", "chapter", False),
        ("lab", "lab", False),
        ("here", "chapter", True),
    ]


@pytest.mark.parametrize("rows", [1, 3])
def test_page_costs_three_queries_whatever_is_kept(shelf, learner, rows):
    for slug in ("here", "there", "lab")[:rows]:
        keep_note(learner_id=learner.pk, section=Section.objects.get(slug=slug), text=slug, at=AT)
        mark(learner, slug, "text")
    _, statements = counted(lambda: notes_page("small-course", learner.pk))
    assert len(statements) == 3
