from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from chapters.actions import keep_place, mark_checkpoint, mark_section, record_many
from chapters.models import (
    Checkpoint,
    CheckpointMark,
    Objective,
    ObjectiveEvidence,
    Place,
    Section,
    SectionRead,
)
from chapters.queries import chapter_page, chapter_sheet, course_page, places_of
from tests.quizzes.goods import AT, chapter_goods, section, shelve_course
from tests.quizzes.play import at_once
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(hours=1)


@pytest.fixture
def shelf(db):
    return shelve_course()[0]


def sec(slug):
    return Section.objects.get(chapter__course__slug="small-course", slug=slug)


def box(slug):
    return Checkpoint.objects.get(chapter__course__slug="small-course", slug=slug)


def aim(slug):
    return Objective.objects.get(chapter__course__slug="small-course", slug=slug).pk


def shown(learner):
    return chapter_page(chapter_sheet("small-course", "small"), learner.pk, UTC)


def states(learner):
    return {one.slug: one.state for one in shown(learner).sections}


def test_place_is_the_last_one(shelf, learner):
    keep_place(learner_id=learner.pk, section=sec("here"), anchor="here-p1", at=AT)
    keep_place(learner_id=learner.pk, section=sec("there"), anchor="there-p1", at=LATER)
    place = Place.objects.get()
    assert (place.section.slug, place.anchor, place.at) == ("there", "there-p1", LATER)
    assert shown(learner).place.anchor == "there-p1"
    assert places_of(learner.pk)[shelf.pk].section_slug == "there"


def test_section_is_read_in_its_present_wording(shelf, learner):
    mark_section(learner_id=learner.pk, section=sec("here"), read=True, at=AT)
    row = SectionRead.objects.get()
    assert (row.fingerprint, row.paragraphs, row.at) == (sec("here").fingerprint, sec("here").paragraphs, AT)
    assert states(learner) == {"here": "read", "there": "unread"}
    assert [one.read_on for one in shown(learner).sections] == [AT.date(), None]
    assert Place.objects.get().section.slug == "here"


def test_reading_twice_keeps_one_row_and_unreading_takes_it_away(shelf, learner):
    for at in (AT, LATER):
        mark_section(learner_id=learner.pk, section=sec("here"), read=True, at=at)
    assert SectionRead.objects.get().at == LATER
    mark_section(learner_id=learner.pk, section=sec("here"), read=False, at=LATER)
    assert SectionRead.objects.count() == 0


def test_reworded_section_is_changed_since_it_was_read(shelf, learner):
    mark_section(learner_id=learner.pk, section=sec("here"), read=True, at=AT)
    goods = chapter_goods()
    reworded = replace(goods, sections=(section("here", "Other words."), *goods.sections[1:]))
    shelve_course(chapter=reworded, at=LATER)
    assert states(learner) == {"here": "changed", "there": "unread"}
    assert course_page("small-course", learner.pk).domains[0].sections_read == 0
    mark_section(learner_id=learner.pk, section=sec("here"), read=True, at=LATER)
    assert states(learner)["here"] == "read"


def test_other_markup_of_the_same_words_is_still_read(shelf, learner):
    mark_section(learner_id=learner.pk, section=sec("here"), read=True, at=AT)
    goods = chapter_goods()
    shelve_course(
        chapter=replace(goods, sections=(replace(goods.sections[0], html="<p>new</p>"), *goods.sections[1:])),
        at=LATER,
    )
    assert states(learner)["here"] == "read"
    assert shown(learner).sections[0].html == "<p>new</p>"


def test_section_that_left_and_came_back_is_still_read(shelf, learner):
    mark_section(learner_id=learner.pk, section=sec("here"), read=True, at=AT)
    goods = chapter_goods()
    shelve_course(chapter=replace(goods, sections=goods.sections[1:]), at=LATER)
    assert states(learner) == {"there": "unread"}
    assert shown(learner).place is None
    assert sec("here").retired_at == LATER
    shelve_course(at=LATER + timedelta(hours=1))
    assert states(learner)["here"] == "read"


def test_checkpoint_keeps_its_history(shelf, learner):
    for hours, ticked in enumerate([True, True, False, True]):
        mark_checkpoint(
            learner_id=learner.pk, checkpoint=box("one"), ticked=ticked, at=AT + timedelta(hours=hours)
        )
    view = shown(learner).checkpoints[0]
    assert (view.ticked, view.since) == (True, AT + timedelta(hours=3))
    assert [state for state, _ in view.history] == ["ticked", "cleared", "ticked"]
    assert shown(learner).ticked == 1


def test_clearing_what_was_never_ticked_adds_nothing(shelf, learner):
    mark_checkpoint(learner_id=learner.pk, checkpoint=box("one"), ticked=False, at=AT)
    assert CheckpointMark.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_ticks_at_once_make_one_mark(shelf, learner):
    checkpoint = box("one")
    at_once([lambda: mark_checkpoint(learner_id=learner.pk, checkpoint=checkpoint, ticked=True, at=AT)] * 12)
    assert CheckpointMark.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_reads_at_once_make_one_row(shelf, learner):
    row = sec("here")
    at_once([lambda: mark_section(learner_id=learner.pk, section=row, read=True, at=AT)] * 12)
    assert (SectionRead.objects.count(), Place.objects.count()) == (1, 1)


def test_evidence_adds_up(shelf, learner):
    record_many(learner_id=learner.pk, counts={aim("weigh"): (1, 1), aim("measure"): (1, 1)}, at=LATER)
    record_many(learner_id=learner.pk, counts={aim("weigh"): (1, 0)}, at=AT)
    rows = ObjectiveEvidence.objects.of(learner.pk).values_list(
        "objective__slug", "answered", "right", "last_at"
    )
    assert sorted(rows) == [("measure", 1, 1, LATER), ("weigh", 2, 1, LATER)]


def test_evidence_of_nothing_writes_nothing(shelf, learner):
    before = table_prints()
    record_many(learner_id=learner.pk, counts={}, at=AT)
    assert changed_tables(before) == []


@pytest.mark.parametrize(
    ("answered", "right", "state"),
    [(0, 0, "none"), (2, 2, "few"), (5, 5, "early"), (10, 5, "weak"), (10, 10, "open"), (16, 16, "good")],
)
def test_objective_says_how_good_the_evidence_is(shelf, learner, answered, right, state):
    if answered:
        record_many(learner_id=learner.pk, counts={aim("weigh"): (answered, right)}, at=AT)
    view = shown(learner).objectives[0]
    assert (view.answered, view.right, view.state) == (answered, right, state)


@pytest.mark.parametrize(
    ("counts", "says"),
    [((9, 0), ""), ((10, 10), ""), ((10, 5), "quiz says: not yet"), ((16, 16), "quizzes agree")],
)
def test_checkpoint_says_what_the_quizzes_say(shelf, learner, counts, says):
    record_many(learner_id=learner.pk, counts={aim("weigh"): counts}, at=AT)
    assert [one.evidence for one in shown(learner).checkpoints] == [says, ""]


def test_another_learner_sees_nothing_of_it(shelf, learner, other):
    mark_section(learner_id=learner.pk, section=sec("here"), read=True, at=AT)
    mark_checkpoint(learner_id=learner.pk, checkpoint=box("one"), ticked=True, at=AT)
    record_many(learner_id=learner.pk, counts={aim("weigh"): (5, 5)}, at=AT)
    assert shown(other) == chapter_page(chapter_sheet("small-course", "small"), None, UTC)
