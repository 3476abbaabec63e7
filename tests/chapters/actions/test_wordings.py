"""What sections said before, how much an edit weighs, and what learners are asked to read again."""

from dataclasses import replace
from datetime import UTC
from string import ascii_lowercase

import pytest

from chapters.actions import mark_checkpoint, mark_section
from chapters.models import CheckpointMark, Section, SectionRead, SectionWording
from chapters.queries import chapter_page, chapter_sheet, course_page
from tests.chapters.editions import DAY, FIRST, OTHER, TYPO, load, print_of
from tests.quizzes.goods import AT, chapter_goods, section, shelve_course

pytestmark = pytest.mark.django_db


def here():
    return Section.objects.get(chapter__course__slug="small-course", slug="here")


def read(learner, days):
    mark_section(learner_id=learner.pk, section=here(), read=True, at=AT + days * DAY)


def view(learner):
    return chapter_page(chapter_sheet("small-course", "small"), learner.pk, UTC).sections[0]


def wordings():
    rows = SectionWording.objects.filter(section=here()).order_by("number")
    return list(rows.values_list("number", "edit", "said_by_author", "release__number"))


def test_every_section_gets_its_first_wording_with_the_first_load(db):
    load(FIRST, 0)
    assert SectionWording.objects.filter(section__chapter=here().chapter).count() == 4
    row = SectionWording.objects.get(section=here())
    assert (row.number, row.edit, row.fingerprint, row.title) == (1, "first", print_of(FIRST), "Here")
    assert (row.texts, row.made_at) == ([["here-p1", FIRST]], AT)


def test_load_that_changes_nothing_adds_no_wording(db):
    for days in range(3):
        load(FIRST, days)
    assert SectionWording.objects.filter(section__chapter=here().chapter).count() == 4


def test_edits_are_weighed_by_size_and_by_the_authors_word(db):
    for days, (words, edit) in enumerate(
        [(FIRST, ""), (TYPO, ""), (OTHER, ""), (FIRST, "typo"), (TYPO, "substantive")]
    ):
        load(words, days, edit)
    assert wordings() == [
        (1, "first", False, 1),
        (2, "typo", False, 2),
        (3, "substantive", False, 3),
        (4, "typo", True, 4),
        (5, "substantive", True, 5),
    ]


def test_line_left_over_on_an_unchanged_section_does_nothing(db, learner):
    load(FIRST, 0)
    read(learner, 1)
    load(FIRST, 2, "substantive")
    load(FIRST, 3, "substantive", minutes=9)
    assert wordings() == [(1, "first", False, 1)]
    assert view(learner).state == "read"


def test_typo_moves_the_reading_on_silently(db, learner):
    load(FIRST, 0)
    read(learner, 1)
    load(TYPO, 2)
    row = SectionRead.objects.get()
    assert (row.fingerprint, row.at) == (print_of(TYPO), AT + DAY)
    assert (view(learner).state, view(learner).changes) == ("read", ())
    assert course_page("small-course", learner.pk).domains[0].sections_read == 1


def test_substantive_edit_asks_for_another_reading_and_names_the_paragraph(db, learner):
    load(FIRST, 0)
    read(learner, 1)
    load(OTHER, 2)
    found = view(learner)
    assert (found.state, len(found.changes)) == ("changed", 1)
    change = found.changes[0]
    assert (change.anchor, change.what) == ("here-p1", "reworded")
    assert change.words == "The cache holds values, and twice as many as …"
    assert [kind for kind, _ in change.diff] == ["same", "gone", "new", "same", "gone", "new", "same"]
    read(learner, 3)
    assert view(learner).state == "read"


def test_releases_in_between_count_together_from_the_words_that_were_read(db, learner):
    load(FIRST, 0)
    read(learner, 1)
    for days, words in enumerate([TYPO, OTHER, OTHER.replace("keys", "things")], start=2):
        load(words, days)
    gone = " ".join(text for kind, text in view(learner).changes[0].diff if kind != "new")
    assert gone == FIRST


def test_text_that_came_back_is_read(db, learner):
    load(FIRST, 0)
    read(learner, 1)
    load(OTHER, 2)
    load(FIRST, 3)
    assert view(learner).state == "read"


def test_reading_after_the_text_came_back_is_of_the_newer_wording(db, learner):
    for days, words in enumerate([FIRST, OTHER, FIRST]):
        load(words, days)
    read(learner, 4)
    load(OTHER, 5)
    assert " ".join(text for kind, text in view(learner).changes[0].diff if kind != "new") == FIRST


def test_many_typos_add_up_to_a_substantive_edit(db):
    def words(n):
        return " ".join(
            f"{'changed' if at < n else 'word'}{ascii_lowercase[at // 20]}{ascii_lowercase[at % 20]}"
            for at in range(400)
        )

    for days, n in enumerate((0, 3, 6, 9, 12)):
        load(words(n), days)
    assert [edit for _, edit, _, _ in wordings()] == ["first", "typo", "typo", "substantive", "typo"]


def test_new_title_is_a_change(db, learner):
    load(FIRST, 0)
    read(learner, 1)
    goods = chapter_goods()
    changed = replace(section("here", FIRST), title="Never here", fingerprint="other")
    shelve_course(chapter=replace(goods, sections=(changed, *goods.sections[1:])), at=AT + 2 * DAY)
    change = view(learner).changes[0]
    assert (change.what, change.diff) == ("title", (("gone", "Here"), ("new", "Never here")))


def test_database_without_wordings_keeps_the_text_from_before_its_next_load(db, learner):
    load(FIRST, 0)
    read(learner, 1)
    SectionWording.objects.all().delete()
    load(OTHER, 2)
    assert wordings() == [(1, "first", False, 1), (2, "substantive", False, 2)]
    assert " ".join(text for kind, text in view(learner).changes[0].diff if kind != "new") == FIRST


def test_quiet_load_writes_the_first_wordings_too(db):
    load(FIRST, 0)
    SectionWording.objects.all().delete()
    load(FIRST, 1)
    assert wordings() == [(1, "first", False, 1)]


def test_reading_older_than_every_wording_names_paragraphs_without_words(db, learner):
    load(FIRST, 0)
    read(learner, 1)
    SectionRead.objects.update(fingerprint="forgotten", paragraphs=[["here-p1", "forgotten", "Once"]])
    load(OTHER, 2)
    found = view(learner)
    assert (found.state, [(one.anchor, one.diff) for one in found.changes]) == ("changed", [("here-p1", ())])


def test_ticks_survive_an_edit(db, learner):
    load(FIRST, 0)
    box = here().chapter.checkpoints.get(slug="one")
    mark_checkpoint(learner_id=learner.pk, checkpoint=box, ticked=True, at=AT + DAY)
    load(OTHER, 2)
    assert CheckpointMark.objects.of(learner.pk).get().ticked is True


def test_another_learners_reading_is_not_told(db, learner, other):
    load(FIRST, 0)
    read(other, 1)
    load(OTHER, 2)
    assert view(learner).state == "unread"
    assert (view(other).state, len(view(other).changes)) == ("changed", 1)
