from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from chapters.actions import retire_chapters
from chapters.draft import CheckpointGoods, DomainGoods, Tally
from chapters.models import Chapter, Checkpoint, Domain, Objective, Release, Section
from chapters.queries import chapter_page, chapter_sheet
from tests.quizzes.goods import AT, chapter_goods, course_goods, section, shelve_course
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(days=1)


@pytest.fixture
def shelf(db):
    return shelve_course()[0]


def test_same_goods_again_change_no_row(shelf):
    before = table_prints()
    _, tally = shelve_course(at=LATER)
    assert changed_tables(before) == []
    assert all(set(row) == {"untouched"} for row in tally.counts.values())


def test_first_load_counts_what_it_added(db):
    _, tally = shelve_course()
    assert tally.counts == {
        "course": {"added": 1},
        "domain": {"added": 2},
        "source": {"added": 1},
        "misconception": {"added": 1},
        "chapter": {"added": 1},
        "objective": {"added": 3},
        "section": {"added": 4},
        "checkpoint": {"added": 2},
        "resource": {"added": 1},
    }


def test_changed_rows_keep_their_ids_and_are_counted(shelf):
    goods = chapter_goods()
    ids = dict(Section.objects.filter(chapter__course=shelf).values_list("slug", "pk"))
    sections = (section("new"), section("there"), section("here", "Other words."))
    _, tally = shelve_course(chapter=replace(goods, sections=sections), at=LATER)
    assert tally.counts["section"] == {"added": 1, "changed": 1, "untouched": 1, "retired": 2}
    now = dict(Section.objects.filter(chapter__course=shelf).values_list("slug", "pk"))
    assert {slug: pk for slug, pk in now.items() if slug in ids} == ids
    shown = chapter_page(chapter_sheet("small-course", "small"), None, UTC)
    assert [one.slug for one in shown.sections] == ["new", "there", "here"]
    assert (shown.lab, shown.rhythm_html) == (None, "")


def test_retired_rows_are_retired_once_and_come_back(shelf):
    goods = chapter_goods()
    less = replace(goods, checkpoints=goods.checkpoints[:1])
    shelve_course(chapter=less, at=LATER)
    row = Checkpoint.objects.get(chapter__course=shelf, slug="two")
    assert row.retired_at == LATER
    shelve_course(chapter=replace(less, title="Other"), at=LATER + timedelta(days=1))
    row.refresh_from_db()
    assert row.retired_at == LATER
    shelve_course(at=LATER + timedelta(days=2))
    row.refresh_from_db()
    assert row.retired_at is None


def test_was_renames_a_chapter(shelf):
    pk = Chapter.objects.get(course=shelf).pk
    shelve_course(chapter=replace(chapter_goods(), slug="little", was="small"), at=LATER)
    assert Chapter.objects.get(course=shelf).pk == pk
    assert chapter_page(chapter_sheet("small-course", "little"), None, UTC).slug == "little"


def test_retired_chapter_is_not_found_and_its_rows_stay(shelf):
    tally = Tally()
    retire_chapters(course=shelf, keep=["another"], tally=tally, at=LATER)
    with pytest.raises(Chapter.DoesNotExist):
        chapter_page(chapter_sheet("small-course", "small"), None, UTC)
    assert (Chapter.objects.get(course=shelf).retired_at, tally.counts) == (
        LATER,
        {"chapter": {"retired": 1}},
    )
    assert Objective.objects.filter(chapter__course=shelf).count() == 3


def test_release_counts_on_and_its_sheet_is_the_new_text(shelf):
    shelve_course(chapter=replace(chapter_goods(), title="Better title"), at=LATER)
    shelf.refresh_from_db()
    assert (shelf.release.number, Release.objects.filter(course=shelf).count()) == (2, 2)
    shown = chapter_page(chapter_sheet("small-course", "small"), None, UTC)
    assert (shown.title, shown.course.revision.split("·")[0], shown.course.loaded_at) == (
        "Better title",
        "2",
        LATER,
    )


def test_domains_follow_the_pack(shelf):
    domains = (DomainGoods("second", "Second", 70), DomainGoods("first", "First", 30))
    shelve_course(course=replace(course_goods(), domains=domains), at=LATER)
    rows = Domain.objects.filter(course=shelf).order_by("position").values_list("slug", "weight")
    assert list(rows) == [("second", 70), ("first", 30)]
    assert chapter_page(chapter_sheet("small-course", "small"), None, UTC).weights == (
        (70, False),
        (30, True),
    )


def test_checkpoint_that_names_a_gone_objective_is_shown_without_evidence(shelf, learner):
    goods = chapter_goods()
    shelve_course(chapter=replace(goods, checkpoints=(CheckpointGoods("one", "I can", ("gone",)),)), at=LATER)
    assert chapter_page(chapter_sheet("small-course", "small"), learner.pk, UTC).checkpoints[0].evidence == ""
