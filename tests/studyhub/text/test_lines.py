"""Lists, fences and display maths as CommonMark reads them."""

from __future__ import annotations

import pytest

from studyhub.text.lines import code_block
from studyhub.text.markdown import RenderContext, render

NOTHING = RenderContext(prefix="", numbers={}, links={}, figures={}, embeds={})


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("- a\n  - b\n    - c", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li></ul>"),
        ("- a\n    - b", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
        ("1. a\n   - b\n2. c", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"),
        ("1) a\n2) b", "<ol><li>a</li><li>b</li></ol>"),
        ("Text\n- a\n- b", "<p>Text</p><ul><li>a</li><li>b</li></ul>"),
        ("In\n2024. It was", "<p>In\n2024. It was</p>"),
        ("- a\n  more\n- b", "<ul><li>a\nmore</li><li>b</li></ul>"),
        ("- a\n\n  para\n\nafter", "<ul><li><p>a</p><p>para</p></li></ul><p>after</p>"),
        ("* * *", "<hr>"),
        ("**bold** text", "<p><strong>bold</strong> text</p>"),
    ],
)
def test_list_is_read_as_commonmark(source: str, html: str) -> None:
    assert render(source, NOTHING).html == html


def test_fence_inside_a_list_item_and_a_quote() -> None:
    html = render("1. a\n\n   ~~~\n   x\n     y\n   ~~~\n2. b\n\n> q\n>\n> ```\n> z\n> ```", NOTHING).html
    assert "<code>x\n  y\n</code>" in html
    assert "<code>z\n</code>" in html
    assert html.count("<ol>") == 1


def test_fence_left_open_runs_to_the_end() -> None:
    assert render("```\n*x*", NOTHING).html == (
        '<div class="codehilite"><pre tabindex="0"><code>*x*\n</code></pre></div>'
    )


def test_unknown_language_is_shown_without_colours() -> None:
    assert code_block("<x>", 'No-Such"') == (
        '<div class="codehilite"><pre><code class="language-no-such">&lt;x&gt;\n</code></pre></div>'
    )


def test_display_maths_over_lines_is_one_formula() -> None:
    html = render("$$\na\n- b\n> 3\n$$", NOTHING).html
    assert html.startswith('<p class="formula"><math alttext="a - b &gt; 3" class="block" display="block">')
