"""load_pack: one transaction with a report, stable ids, nothing lost."""

from datetime import UTC, timedelta

import pytest

from chapters.actions import mark_section
from chapters.models import Chapter, Course, Release, Section, SectionRead
from chapters.queries import chapter_page, chapter_sheet
from quizzes.models import Question, Quiz
from studyhub.accounts.auditing import COMMAND
from studyhub.packs.actions import PackRefused, check_pack, load_pack
from studyhub.packs.actions.load import fingerprint_of
from studyhub.packs.actions.pictures import figure_faults
from tests.conftest import CHAPTER, COURSE, NOON, PACK
from tests.studyhub.packs import small
from tests.studyhub.packs.small import CHAPTER_FILE, QUIZ_FILE, edit
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=1)


@pytest.fixture
def folder(tmp_path):
    return small.write(tmp_path / "tiny")


@pytest.fixture
def loaded(folder):
    load_pack(folder=folder, by=COMMAND, at=NOON)
    return folder


def ids():
    """The ids of all content of the course, by table and slug."""
    course = Course.objects.get(slug="tiny")
    return {
        "course": course.pk,
        "chapter": dict(Chapter.objects.filter(course=course).values_list("slug", "pk")),
        "section": dict(Section.objects.filter(chapter__course=course).values_list("slug", "pk")),
        "quiz": dict(Quiz.objects.filter(course=course).values_list("slug", "pk")),
        "question": dict(Question.objects.filter(quiz__course=course).values_list("slug", "pk")),
        "version": dict(Question.objects.filter(quiz__course=course).values_list("slug", "current_id")),
    }


def test_first_load_reports_what_it_added(folder):
    report = load_pack(folder=folder, by=COMMAND, at=NOON)
    assert (report.course, report.release, report.unchanged, report.faults) == ("tiny", 1, False, ())
    assert report.counts == {
        "course": {"added": 1},
        "domain": {"added": 2},
        "source": {"added": 1},
        "misconception": {"added": 1},
        "chapter": {"added": 1},
        "objective": {"added": 2},
        "section": {"added": 4},
        "checkpoint": {"added": 2},
        "resource": {"added": 1},
        "quiz": {"added": 1},
        "question": {"added": 3},
    }
    assert Release.objects.get(course__slug="tiny").report == report.counts


def test_second_load_changes_no_row(loaded):
    before = table_prints(leave_out=())
    report = load_pack(folder=loaded, by=COMMAND, at=LATER)
    assert (report.unchanged, report.release, report.counts) == (True, 1, {})
    assert changed_tables(before, leave_out=()) == []


def test_shipped_pack_loaded_again_changes_no_row(course):
    before = table_prints(leave_out=())
    report = load_pack(folder=PACK, by=COMMAND, at=LATER)
    assert (report.course, report.unchanged) == (COURSE, True)
    assert changed_tables(before, leave_out=()) == []


def test_touched_file_with_the_same_content_changes_only_the_releases_fingerprint(loaded):
    before = table_prints()
    course_file = loaded / "course.md"
    course_file.write_text(course_file.read_text() + "\n")
    report = load_pack(folder=loaded, by=COMMAND, at=LATER)
    assert (report.unchanged, report.release) == (False, 1)
    assert {outcome for counts in report.counts.values() for outcome in counts} == {"untouched"}
    assert changed_tables(before) == ["chapters_release"]
    assert Release.objects.get(course__slug="tiny").fingerprint == fingerprint_of(loaded)
    assert load_pack(folder=loaded, by=COMMAND, at=LATER).unchanged is True


def test_fingerprint_sees_names_and_bytes_and_not_times(folder, tmp_path):
    first = fingerprint_of(folder)
    assert fingerprint_of(small.write(tmp_path / "again")) == first
    (folder / QUIZ_FILE).rename(folder / "quizzes/second.quiz.md")
    assert fingerprint_of(folder) != first


@pytest.mark.parametrize(
    ("file", "old", "new", "kind", "outcomes"),
    [
        (
            CHAPTER_FILE,
            "The needle tells.",
            "The needle tells much.",
            "section",
            {"changed": 1, "untouched": 3},
        ),
        (CHAPTER_FILE, "title: Scales", "title: All scales", "chapter", {"changed": 1}),
        (CHAPTER_FILE, "I can read.", "I can read it.", "checkpoint", {"changed": 1, "untouched": 1}),
        (QUIZ_FILE, "It has one byte.", "It has a single byte.", "question", {"reworded": 1, "untouched": 2}),
        (QUIZ_FILE, "The given table.", "Another table.", "question", {"reworded": 1, "untouched": 2}),
        (QUIZ_FILE, "± 0.5", "± 0.25", "question", {"changed": 1, "untouched": 2}),
        (QUIZ_FILE, "{60%}", "{50%}", "question", {"changed": 1, "untouched": 2}),
        ("course.md", "title: Tiny course", "title: Small course", "course", {"changed": 1}),
        ("course.md", "numbers are faster", "numbers are better", "misconception", {"changed": 1}),
    ],
)
def test_report_counts_one_change(loaded, file, old, new, kind, outcomes):
    before = ids()
    edit(loaded, file, old, new)
    report = load_pack(folder=loaded, by=COMMAND, at=LATER)
    assert (report.release, report.counts[kind]) == (2, outcomes)
    now = ids()
    assert {name: now[name] for name in before if name != "version"} == {
        name: before[name] for name in before if name != "version"
    }
    assert sum(now["version"][slug] != pk for slug, pk in before["version"].items()) == (
        1 if kind == "question" else 2 if kind == "misconception" else 0
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("difficulty: 3", "difficulty: 4"),
        ("read: scales#needle", "read: scales#bytes"),
        ("facet: failure", "facet: method"),
    ],
)
def test_report_counts_a_question_whose_settings_changed(loaded, old, new):
    edit(loaded, QUIZ_FILE, old, new)
    report = load_pack(folder=loaded, by=COMMAND, at=LATER)
    assert report.counts["question"] == {"changed": 1, "untouched": 2}


def test_removed_question_is_retired_and_reported(loaded):
    words = (loaded / QUIZ_FILE).read_text()
    (loaded / QUIZ_FILE).write_text(words[: words.index("## How many bytes")])
    report = load_pack(folder=loaded, by=COMMAND, at=LATER)
    assert report.counts["question"] == {"retired": 1, "untouched": 2}
    assert Question.objects.get(slug="three").retired_at == LATER


FAULTS = [
    (QUIZ_FILE, "read: scales#needle", "read: scales#nowhere"),
    (QUIZ_FILE, "objectives: weigh, scale", "objectives: fly"),
    (CHAPTER_FILE, "domain: weighing", "domain: dancing"),
    ("course.md", "{#weighing, 60%}", "{#weighing, 61%}"),
    (CHAPTER_FILE, "kind: chapter", "kind: novel"),
    (QUIZ_FILE, "± 0.5", "± much"),
]


@pytest.mark.parametrize(("file", "old", "new"), FAULTS)
def test_faulty_pack_changes_nothing_and_says_where(loaded, file, old, new):
    edit(loaded, "course.md", "title: Tiny course", "title: Small course")
    edit(loaded, file, old, new)
    before = table_prints(leave_out=())
    with pytest.raises(PackRefused) as refused:
        load_pack(folder=loaded, by=COMMAND, at=LATER)
    assert changed_tables(before, leave_out=()) == []
    assert refused.value.faults
    assert file in {one.path for one in refused.value.faults}


def test_faulty_first_pack_makes_no_course(folder):
    edit(folder, *FAULTS[0])
    with pytest.raises(PackRefused):
        load_pack(folder=folder, by=COMMAND, at=NOON)
    assert not Course.objects.filter(slug="tiny").exists()


def test_folder_without_a_course_is_refused(tmp_path):
    with pytest.raises(PackRefused):
        load_pack(folder=tmp_path, by=COMMAND, at=NOON)


def test_question_without_a_rationale_stays_a_draft(folder):
    words = (folder / QUIZ_FILE).read_text()
    reason = words[words.index("  > " + small.canaries()["one:word"]) :].split("\n")[0]
    edit(folder, QUIZ_FILE, reason + "\n", "")
    assert "W214" in {one.code for one in check_pack(folder)[1]}
    report = load_pack(folder=folder, by=COMMAND, at=NOON)
    assert report.counts["question"] == {"added": 3, "draft": 1}
    assert Question.objects.get(quiz__course__slug="tiny", slug="one").current is None


def test_hostile_text_is_refused_in_time_and_changes_nothing(loaded):
    edit(loaded, CHAPTER_FILE, "Half of it weighs one.", "![[]()" * 5000)
    before = table_prints(leave_out=())
    with pytest.raises(PackRefused) as refused:
        load_pack(folder=loaded, by=COMMAND, at=LATER)
    assert CHAPTER_FILE in {one.path for one in refused.value.faults}
    assert changed_tables(before, leave_out=()) == []


def two_chapters(folder):
    """A second chapter beside the first."""
    text = (folder / CHAPTER_FILE).read_text()
    for old, new in (
        ("id: scales", "id: spoons"),
        ("number: 1", "number: 2"),
        ("domain: weighing", "domain: choosing"),
    ):
        text = text.replace(old, new)
    (folder / "chapters/spoons.md").write_text(text)


def test_removed_chapter_is_retired_and_readers_keep_their_place(folder, learner):
    two_chapters(folder)
    load_pack(folder=folder, by=COMMAND, at=NOON)
    section = Section.objects.get(chapter__slug="spoons", slug="bytes")
    mark_section(learner_id=learner.pk, section=section, read=True, at=NOON)
    text = (folder / "chapters/spoons.md").read_text()
    (folder / "chapters/spoons.md").unlink()
    report = load_pack(folder=folder, by=COMMAND, at=LATER)
    assert report.counts["chapter"] == {"retired": 1, "untouched": 1}
    with pytest.raises(Chapter.DoesNotExist):
        chapter_page(chapter_sheet("tiny", "spoons"), learner.pk, UTC)
    assert SectionRead.objects.of(learner.pk).count() == 1
    (folder / "chapters/spoons.md").write_text(text)
    load_pack(folder=folder, by=COMMAND, at=LATER + timedelta(days=1))
    shown = chapter_page(chapter_sheet("tiny", "spoons"), learner.pk, UTC)
    assert [one.state for one in shown.sections] == ["read", "unread"]
    assert shown.place.section_slug == "bytes"


def test_renamed_chapter_keeps_its_readers(loaded, learner):
    section = Section.objects.get(chapter__course__slug="tiny", slug="bytes")
    mark_section(learner_id=learner.pk, section=section, read=True, at=NOON)
    edit(loaded, CHAPTER_FILE, "id: scales", "id: balances\nwas: scales")
    quiz = loaded / QUIZ_FILE
    quiz.write_text(
        quiz.read_text().replace("scales#", "balances#").replace("chapter: scales", "chapter: balances")
    )
    load_pack(folder=loaded, by=COMMAND, at=LATER)
    assert [
        one.state for one in chapter_page(chapter_sheet("tiny", "balances"), learner.pk, UTC).sections
    ] == [
        "read",
        "unread",
    ]


def test_reworded_section_is_changed_since_read_in_the_rail(loaded, learner, client):
    client.force_login(learner, "studyhub.accounts.backends.Backend")
    address = "/c/tiny/scales/"
    for slug in ("bytes", "reading"):
        client.post(f"{address}read/", {"section": slug, "state": "read"})
    edit(loaded, CHAPTER_FILE, "Half of it weighs one.", "Half of it weighs only one.")
    load_pack(folder=loaded, by=COMMAND, at=LATER)
    body = client.get(address).content.decode()
    rail = body[body.index('<nav id="rail"') : body.index("</nav>", body.index('<nav id="rail"'))]
    assert rail.count("changed since you read it") == 1
    assert '<li class="changed" data-for="bytes">' in rail
    assert '<li class="read" data-for="reading">' in rail


def test_revision_on_every_page_is_that_of_the_release(loaded, client):
    (loaded / "course.md").write_text((loaded / "course.md").read_text() + "\n")
    load_pack(folder=loaded, by=COMMAND, at=LATER)
    revision = f"1·{fingerprint_of(loaded)[:7]}"
    for address in (
        "/c/tiny/",
        "/c/tiny/scales/",
        "/c/tiny/scales/lab/",
        "/c/tiny/quizzes/first/",
        "/c/tiny/about/",
    ):
        assert revision in client.get(address).content.decode(), address


def test_shipped_pack_has_no_fault_that_fails_the_check():
    _, faults = check_pack(PACK)
    assert [str(one) for one in faults if one.code.startswith("E") or one.code == "W214"] == []


def test_every_paragraph_that_a_shipped_question_names_is_on_its_page(course, client):
    chapter = client.get(f"/c/{COURSE}/{CHAPTER}/").content.decode()
    lab = client.get(f"/c/{COURSE}/{CHAPTER}/lab/").content.decode()
    pack, _ = check_pack(PACK)
    reads = {
        read
        for quiz in pack.quizzes
        for question in quiz.questions
        for read in [question.read, *(one.read for one in (*question.options, *question.typed))]
        if read
    }
    assert len(reads) > 20
    missing = [read for read in sorted(reads) if f'id="{read.partition("#")[2]}"' not in chapter + lab]
    assert missing == []
    assert {read.partition("#")[0] for read in reads} == {CHAPTER}


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ('<svg viewBox="0 0 9 9"><title>t</title><desc>d</desc><rect width="3" height="3"/></svg>', []),
        ('<svg viewBox="0 0 9 9"><script>1</script><rect width="3" height="3"/></svg>', ["W413"]),
        ('<svg><rect width="3" height="3"/></svg>', ["E319"]),
        ("<svg", ["E319"]),
    ],
)
def test_figure_is_checked_with_the_pack(tmp_path, source, told):
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "one.svg").write_text(source)
    assert [fault.code for fault in figure_faults(tmp_path, ["media/one.svg"])] == told
