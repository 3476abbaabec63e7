import pytest

from studyhub.text.markdown import RenderContext, render
from studyhub.text.paragraphs import paragraphs_of

CONTEXT = RenderContext("sec", {"book": 1}, {}, {}, {})


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("One $a^2$ said [@book]. {#one}", [("one", "One a^2 said.")]),
        ("- first\n- second {#two}", [("", "first"), ("two", "second")]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", [("", "a b"), ("", "1 2")]),
        ("> [!MISCONCEPTION] {#wrong}\n> It is so.\n>\n> Not.", [("wrong", "Sounds right, fails It is so. Not.")]),
        ("```python\nx = 1\n```", [("", "x = 1")]),
        ("### Head\n\nText & more < less", [("sec-h1", "Head"), ("sec-p1", "Text & more < less")]),
        ("$$ x = 1 $$", [("sec-p1", "x = 1")]),
        ("", []),
    ],
)  # fmt: skip
def test_parts_of_rendered_text(source, found):
    assert paragraphs_of(render(source, CONTEXT).html) == found


def test_inline_text_is_one_part():
    assert paragraphs_of("Only <em>words</em> here") == [("", "Only words here")]


def test_all_words_of_the_shipped_course_are_in_some_part(course):
    from chapters.models import Section

    for section in Section.objects.filter(chapter__course=course):
        texts = [text for _, text in paragraphs_of(section.html)]
        anchors = {anchor for anchor, _ in paragraphs_of(section.html) if anchor}
        assert texts
        assert {one[0] for one in section.paragraphs} - anchors == set()


def test_embedded_question_is_no_word_of_the_section():
    context = RenderContext("sec", {}, {"q.md#one": "/q/"}, {}, {"q.md#one": "Which one?"})
    assert paragraphs_of(render("Before.\n\n[Try](q.md#one)\n\nAfter.", context).html) == [
        ("sec-p1", "Before."),
        ("sec-p2", "After."),
    ]
