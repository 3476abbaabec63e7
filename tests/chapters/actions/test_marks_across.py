"""Marks across paragraphs and sections: split, joined, moved, renamed, taken out; none is lost and none is misled."""

from dataclasses import replace

import pytest

from chapters.actions import mark_words
from chapters.models import Highlight, Section
from chapters.queries import kept_in, notes_page
from tests.chapters.editions import print_of
from tests.quizzes.goods import AT, chapter_goods, section, shelve_course

pytestmark = pytest.mark.django_db
MEMORY = "Memory holds the weigths of the model and the cache of every user."
LATENCY = "Latency grows with the batch size that you choose for all requests."
QUEUES = "Queues form when prompts arrive faster than the engine can prefill them."


def shelve(here, **others):
    """The small course whose sections have these paragraphs: an anchor ("" for one by place) and words.

    A section without paragraphs is taken out, one that the small course does not have is put in.
    """
    texts = {"here": here, **others}
    goods = chapter_goods()
    known = {one.slug: one for one in goods.sections}
    sections = [written(slug, texts[slug]) if slug in texts else known[slug] for slug in {**known, **texts}]
    shelve_course(chapter=replace(goods, sections=tuple(one for one in sections if one.html)))


def written(slug, texts):
    """A section of these paragraphs."""
    named = [(anchor or f"{slug}-p{n}", words) for n, (anchor, words) in enumerate(texts, start=1)]
    html = "".join(f'<p id="{anchor}">{words}</p>' for anchor, words in named)
    return replace(section(slug, fingerprint=print_of(html)), html=html)


@pytest.fixture
def mark(learner):
    def act(quote, anchor, slug="here"):
        row = Section.objects.get(slug=slug)
        return mark_words(learner_id=learner.pk, section=row, anchor=anchor, start=0, quote=quote, at=AT)

    return act


@pytest.fixture
def seen(learner):
    """The marks as pages show them: section, paragraph, words, whether they are gone."""

    def act():
        found = []
        for one in Section.objects.order_by("position", "pk"):
            kept = kept_in(one, learner.pk)
            found += [(one.slug, row.anchor, row.quote, row.gone) for row in (kept.marks if kept else ())]
        return found

    return act


def by_place(*words):
    return [("", one) for one in words]


@pytest.mark.parametrize(
    ("new", "anchor"),
    [
        (by_place("A new one comes first.", MEMORY, LATENCY), "here-p3"),
        (by_place(LATENCY, MEMORY), "here-p1"),
        (by_place(f"{MEMORY} {LATENCY}"), "here-p1"),
        (by_place(MEMORY, "Latency grows.", "It grows with the batch size that you choose for all requests."), "here-p3"),
        ([("", MEMORY), ("own", LATENCY)], "own"),
    ],
    ids=["inserted", "swapped", "joined", "split", "named"],
)  # fmt: skip
def test_mark_goes_with_its_paragraph(mark, seen, new, anchor):
    shelve(by_place(MEMORY, LATENCY))
    mark("the batch size", "here-p2")
    shelve(new)
    assert seen() == [("here", anchor, "the batch size", False)]


def test_mark_goes_with_a_section_that_got_another_name_and_with_its_typo(mark, seen):
    shelve(by_place(MEMORY, LATENCY))
    mark("weigths of", "here-p1")
    shelve((), elsewhere=by_place(LATENCY, MEMORY.replace("weigths", "weights")))
    assert seen() == [("elsewhere", "elsewhere-p2", "weights of", False)]


def test_mark_goes_to_another_section_with_its_paragraph(mark, seen, learner):
    shelve(by_place(MEMORY, LATENCY), there=by_place(QUEUES))
    mark("the batch size", "here-p2")
    shelve(by_place(MEMORY), there=by_place(QUEUES, LATENCY))
    assert seen() == [("there", "there-p2", "the batch size", False)]
    (chapter,) = notes_page("small-course", learner.pk).chapters
    assert [one.slug for one in chapter.sections] == ["there"]


def test_paragraph_taken_out_leaves_its_mark_listed_and_not_on_the_next_one(mark, seen):
    shelve(by_place("The batch size.", LATENCY))
    mark("batch size", "here-p1")
    for _ in range(2):
        shelve(by_place(LATENCY))
        assert seen() == [("here", "", "batch size", True)]
    assert Highlight.objects.get().quote == "batch size"


def test_mark_is_not_misled_when_another_paragraph_gets_the_name_later(mark, seen):
    shelve(by_place("Nothing else.", LATENCY, "The batch size counts."))
    mark("batch size", "here-p3")
    shelve(by_place("Nothing else.", LATENCY))
    assert seen() == [("here", "here-p3", "batch size", True)]
    shelve(by_place("A new one first.", "Nothing else.", LATENCY))
    assert seen() == [("here", "", "batch size", True)]


def test_mark_whose_place_another_one_comes_to_is_kept_beside_it(mark, seen):
    shelve(by_place("Prompts arrive.", "Queues! Memory holds the weights."))
    mark("Prompts", "here-p1")
    mark("Memory ", "here-p2")
    shelve(by_place("Memory holds the weights."))
    assert seen() == [("here", "here-p1", "Memory", False), ("here", "here-p1", "Prompts", True)]


def test_section_that_left_and_comes_back_shows_its_marks_again(mark, seen):
    shelve(by_place(MEMORY), there=by_place(QUEUES))
    mark("prompts arrive", "there-p1", "there")
    for gone in ((), ()):
        shelve(by_place(MEMORY), there=gone)
        assert seen() == [("there", "there-p1", "prompts arrive", False)]
    shelve(by_place(MEMORY), there=by_place("New.", QUEUES))
    assert seen() == [("there", "there-p2", "prompts arrive", False)]


def test_paragraphs_of_the_same_words_keep_their_own_marks(mark, seen):
    shelve(by_place(LATENCY, LATENCY, MEMORY))
    for anchor in ("here-p1", "here-p2"):
        mark("the batch size", anchor)
    shelve(by_place(LATENCY, LATENCY, MEMORY.replace("weigths", "weights")))
    assert [one[1] for one in seen()] == ["here-p1", "here-p2"]


def test_maths_code_and_entities_count_as_browsers_count_them(mark, learner):
    before = "Take <code>a &lt; b</code> &amp; 🙂 the <math><mi>n</mi><mo>=</mo><mn>2</mn></math> bits, taht is all."
    shelve(by_place(before))
    mark("a < b & 🙂 the n=2 bits, taht", "here-p1")
    shelve(by_place(before.replace("taht", "that").replace("Take", "So take")))
    (found,) = kept_in(Section.objects.get(slug="here"), learner.pk).marks
    assert (found.quote, found.gone) == ("a < b & 🙂 the n=2 bits, that", False)
    assert (found.start, found.end) == (8, 37)  # UTF-16 units: the face is two
