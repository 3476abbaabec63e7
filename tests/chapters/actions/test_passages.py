"""What search finds in a chapter, as plain text."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection

from chapters.actions import confirm_release, retire_chapters
from chapters.actions.passages import write_passages
from chapters.draft import Tally
from chapters.models import Passage
from tests.quizzes.goods import AT, chapter_goods, section, shelve_course
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(days=1)


def rows(course, *columns):
    return list(Passage.objects.filter(course=course).order_by("position").values_list(*columns))


def test_chapter_becomes_passages_in_its_order(db):
    course, _ = shelve_course()
    assert rows(course, "kind", "page", "anchor", "weight", "text") == [
        ("title", "chapter", "", "A", "Small chapter"),
        ("paragraph", "chapter", "", "C", "Why."),
        ("objective", "chapter", "objective-weigh", "B", "Can weigh"),
        ("objective", "chapter", "objective-measure", "B", "Can measure"),
        ("objective", "chapter", "objective-choose", "B", "Can choose"),
        ("title", "chapter", "here", "A", "Here"),
        ("paragraph", "chapter", "here-p1", "C", "The text of here."),
        ("title", "chapter", "there", "A", "There"),
        ("paragraph", "chapter", "there-p1", "C", "The text of there."),
        ("title", "lab", "lab", "A", "Lab"),
        ("paragraph", "lab", "lab-p1", "C", "The text of lab."),
        ("title", "chapter", "rhythm", "A", "Rhythm"),
        ("paragraph", "chapter", "rhythm-p1", "C", "The text of rhythm."),
        ("checkpoint", "chapter", "checkpoint-one", "D", "I can"),
        ("checkpoint", "chapter", "checkpoint-two", "D", "I know"),
    ]
    assert rows(course, "heading")[6] == ("Here",)


def test_words_carry_their_weight(db):
    course, _ = shelve_course()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT text, words::text FROM chapters_passage WHERE course_id = %s AND anchor = 'here' OR text = 'Can weigh'",
            [course.pk],
        )
        assert dict(cursor.fetchall()) == {"Here": "", "Can weigh": "'weigh':2B"}


def test_words_between_angle_brackets_are_words(db):
    hostile = replace(chapter_goods(), title="A <script>alert</script> title")
    course, _ = shelve_course(chapter=hostile)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM chapters_passage WHERE course_id = %s AND words @@ to_tsquery('english', 'script & alert')",
            [course.pk],
        )
        assert cursor.fetchone() == (1,)


def test_same_course_again_writes_no_passage(db):
    course, _ = shelve_course()
    before = table_prints()
    write_passages(course=course)
    assert changed_tables(before) == []


def test_changed_section_changes_what_is_found(db):
    course, _ = shelve_course()
    sections = (section("here", "Newly worded."), *chapter_goods().sections[1:])
    shelve_course(chapter=replace(chapter_goods(), sections=sections), at=LATER)
    assert ("Newly worded.",) in rows(course, "text")
    assert ("The text of here.",) not in rows(course, "text")
    assert len(rows(course, "pk")) == 15


def test_retired_section_and_chapter_are_found_no_more(db):
    course, _ = shelve_course()
    shelve_course(chapter=replace(chapter_goods(), sections=chapter_goods().sections[1:]), at=LATER)
    assert "here" not in {anchor for (anchor,) in rows(course, "anchor")}
    retire_chapters(course=course, keep=[], tally=Tally(), at=LATER)
    write_passages(course=course)
    assert rows(course, "pk") == []


def test_confirming_a_release_finds_what_was_loaded_before_there_was_a_search(db):
    course, _ = shelve_course()
    Passage.objects.filter(course=course).delete()
    confirm_release(course=course, fingerprint="other")
    assert len(rows(course, "pk")) == 15
    assert Passage.objects.filter(course=course, words__isnull=True).count() == 0


def test_shipped_course_embeds_no_stem(course):
    found = " ".join(Passage.objects.filter(course=course).values_list("text", flat=True))
    from quizzes.models import QuestionVersion

    stems = QuestionVersion.objects.filter(question__quiz__course=course).values_list("stem_text", flat=True)
    assert [stem for stem in stems if stem in found] == []
