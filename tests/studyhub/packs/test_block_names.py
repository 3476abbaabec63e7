"""A site whose course was loaded before tables, lists and code had names: they get them, and nobody's reading notices."""

import re
from datetime import timedelta

import pytest

from chapters.actions import keep_note, mark_section, mark_words
from chapters.models import Chapter, Passage, Section, SectionRead, SectionWording
from chapters.queries import chapter_sheet, notes_on, paragraph_labels
from chapters.queries.changes import changes_since, readings_of
from studyhub.text.letters import letters
from studyhub.text.reader import Closed, Opened, read
from tests.conftest import CHAPTER, COURSE, NOON, _goods

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=1)
NAME = re.compile(r' id="[^"]*_\d+"')


def load_again():
    from studyhub.packs.actions.load import _shelve

    goods, fingerprint = _goods()
    return _shelve(goods, f"{fingerprint[:-1]}x", LATER)


@pytest.fixture
def older(course):
    """The course as it was set without names of blocks; the sections of its chapter."""
    sections = list(Section.objects.filter(chapter__course=course))
    for one in sections:
        one.html = NAME.sub("", one.html)
        one.save(update_fields=["html"])
    Passage.objects.filter(course=course, anchor__contains="_").delete()
    return sections


def kept(learner):
    """What a learner has of the chapter: labels, readings, changes, notes and marks."""
    course = Chapter.objects.select_related("course__release").get(slug=CHAPTER).course
    sheet = chapter_sheet(COURSE, CHAPTER)
    return (
        paragraph_labels(COURSE, CHAPTER, course.release_id),
        list(SectionRead.objects.of(learner.pk).order_by("pk").values()),
        readings_of(learner.pk),
        changes_since(learner.pk, list(sheet.section_pks.values())),
        notes_on(sheet, learner.pk),
    )


def test_names_are_new_to_nobody(course, learner, older):
    for section in older:
        mark_section(learner_id=learner.pk, section=section, read=True, at=NOON)
        keep_note(learner_id=learner.pk, section=section, text="Mine.", at=NOON)
        anchor, text = next((one, text) for one, text in letters(section.html).items() if text.strip())
        quote = " ".join(text.split(" ")[:4])
        mark_words(learner_id=learner.pk, section=section, anchor=anchor, start=0, quote=quote, at=NOON)
    wordings, before = set(SectionWording.objects.values_list("pk", flat=True)), kept(learner)
    release, tally = load_again()
    assert tally.counts["section"]["changed"] > 0
    assert release.number > 1
    assert set(SectionWording.objects.values_list("pk", flat=True)) == wordings
    assert kept(learner) == before


def test_words_of_a_table_are_found_at_the_table(course):
    tables = Section.objects.filter(chapter__course=course, html__contains="<table").values_list(
        "html", flat=True
    )
    found = dict(Passage.objects.filter(course=course).values_list("anchor", "text"))
    named = [one for html in tables for one in re.findall(r'<div[^>]* class="scroll"[^>]*>', html)]
    assert len(named) > 2
    for one in named:
        anchor = re.search(r' id="([^"]*)"', one)[1]
        assert " · " in found[anchor]
        assert found[anchor].count(";") > 1


def test_everything_that_can_be_found_has_a_name(course):
    for html in Section.objects.filter(chapter__course=course).values_list("html", flat=True):
        depth = 0
        for event in read(html):
            if isinstance(event, Opened):
                assert event.id or depth or "embed" in event.classes, event
            depth += isinstance(event, Opened) - isinstance(event, Closed)
        assert depth == 0
