import pytest

from studyhub.text.markdown import RenderContext, render
from studyhub.text.paragraphs import paragraphs_of, passages_of, plain_tex

CONTEXT = RenderContext("sec", {"book": 1}, {}, {}, {})
MATHS = '<math alttext="\\text{bytes} = 2 \\cdot n"><mi>n</mi></math>'


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("One $a^2$ said [@book]. {#one}", [("one", "One a^2 said.")]),
        ("- first\n- second {#two}", [("sec_1", "first"), ("two", "second")]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", [("sec_1", "a b"), ("", "1 2")]),
        ("> [!MISCONCEPTION] {#wrong}\n> It is so.\n>\n> Not.", [("wrong", "Sounds right, fails It is so. Not.")]),
        ("```python\nx = 1\n```", [("sec_1", "x = 1")]),
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


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("", []),
        ("Before.", [("top", "Before.")]),
        ('<p id="a">One.</p><p id="b">Two.</p>', [("a", "One."), ("b", "Two.")]),
        ("<p id='a'>One.</p><table><tr><td>1</td><td>2</td></tr></table>", [("a", "One. 1 · 2")]),
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
    assert passages_of(html, "top") == found


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


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "a · b; 1 · 2; 3 · 4"),
        ("Text.\n\n| a | b |\n|---|---|\n| 1 |  |\n\nMore.", "a · b; 1 ·"),
        ("> | a |\n> |---|\n> | 1 |\n>\n> Word.\n>\n> | b |\n> |---|\n> | 2 |", "a; 1 Word. b; 2"),
    ],
)
def test_cells_and_rows_of_a_table_stand_apart(source, text):
    found = [one for _, one in passages_of(render(source, CONTEXT).html, "top")]
    assert any(one == text or one.endswith(f" {text}") for one in found), found


def test_second_table_begins_anew():
    table = "<table><tr><td>1</td><td>2</td></tr></table>"
    assert passages_of(table * 2, "top") == [("top", "1 · 2 1 · 2")]
