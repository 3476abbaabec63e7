"""What search finds in a chapter, as plain text."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection

from chapters.actions import confirm_release, retire_chapters
from chapters.actions.passages import paragraphs_in, plain_tex, write_passages
from chapters.draft import Tally
from chapters.models import Passage
from tests.quizzes.goods import AT, chapter_goods, section, shelve_course
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(days=1)
MATHS = '<math alttext="\\text{bytes} = 2 \\cdot n"><mi>n</mi></math>'


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("", []),
        ("Before.", [("top", "Before.")]),
        ('<p id="a">One.</p><p id="b">Two.</p>', [("a", "One."), ("b", "Two.")]),
        ("<p id='a'>One.</p><table><tr><td>1</td><td>2</td></tr></table>", [("a", "One. 1 2")]),
        ('<ul><li>x</li><li id="b">y</li><li>z</li></ul>', [("top", "x"), ("b", "y z")]),
        ('<p id="a">A &lt;b&gt; &amp; c</p>', [("a", "A <b> & c")]),
        (
            '<p id="a">Cited<sup class="cite"><a href="#s">7</a></sup>.<a class="pilcrow">¶</a></p>',
            [("a", "Cited.")],
        ),
        (f'<p id="a">So {MATHS} holds.</p>', [("a", "So bytes = 2 · n holds.")]),
        ('<figure id="f"><svg aria-label="A drawing"><text>no</text></svg></figure>', [("f", "A drawing")]),
        ('<p id="a"><img src="x" alt="A picture"> shown</p>', [("a", "A picture shown")]),
        (
            '<p class="embed"><a href="/q"><b>Try it</b> <span>Which stem?</span></a></p><p id="a">x</p>',
            [("a", "x")],
        ),
        ("<details><summary>Figure as text</summary><p>Words.</p></details>", [("top", "Words.")]),
        (f'<p id="a">x</p><p id="{"b" * 121}">y</p>', [("a", "x y")]),
    ],
)
def test_words_belong_to_the_anchor_before_them(html, found):
    assert paragraphs_in(html, "top") == found


@pytest.mark.parametrize(
    ("tex", "line"),
    [
        ("\\text{bytes} = 2 \\cdot \\text{kv heads}", "bytes = 2 · kv heads"),
        ("s = \\frac{\\max |x|}{q}, \\quad \\hat{x}", "s = max |x| q , x"),
        ("10^{-2}\\,m", "10^ -2 m"),
        ("", ""),
    ],
)
def test_tex_becomes_a_line(tex, line):
    assert plain_tex(tex) == line


def rows(course, *columns):
    return list(Passage.objects.filter(course=course).order_by("position").values_list(*columns))


def test_chapter_becomes_passages_in_its_order(db):
    course, _ = shelve_course()
    assert rows(course, "kind", "page", "anchor", "weight", "text") == [
        ("title", "chapter", "", "A", "Small chapter"),
        ("paragraph", "chapter", "", "C", "Why."),
        ("objective", "chapter", "", "B", "Can weigh"),
        ("objective", "chapter", "", "B", "Can measure"),
        ("objective", "chapter", "", "B", "Can choose"),
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
