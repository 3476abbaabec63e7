"""The authoring language, rendered."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studyhub.text.markdown import MOST_BYTES, Paragraph, RenderContext, Rendered, TextTooLong, render
from tests.studyhub.text.judge import faults, parse

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 80" width="640"><title>Bars</title>'
    '<desc>BF16 takes 4.8 ms.</desc><rect class="b hi" x="0" y="0" width="9" height="9"/></svg>'
)


def context(
    prefix: str = "scale",
    *,
    numbers: Mapping[str, int] | None = None,
    links: Mapping[str, str] | None = None,
    figures: Mapping[str, str] | None = None,
    embeds: Mapping[str, str] | None = None,
) -> RenderContext:
    return RenderContext(
        prefix=prefix, numbers=numbers or {}, links=links or {}, figures=figures or {}, embeds=embeds or {}
    )


def rendered(
    source: str, *, links: Mapping[str, str] | None = None, figures: Mapping[str, str] | None = None
) -> Rendered:
    return render(source, context("", links=links, figures=figures))


HERE = "Here."
XSS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="&#106;ava&#10;script:alert(1)">x</a>',
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<form action="https://127.0.0.1/steal"><input name=password><button>Log in</button></form>',
    '<base href="https://127.0.0.1/">',
    '<meta http-equiv="refresh" content="0;url=https://127.0.0.1/">',
    '<div style="position:fixed;inset:0;background:url(https://127.0.0.1/beacon)">Session expired</div>',
    '<object data="data:text/html;base64,PHNjcmlwdD4="></object>',
    "<details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)></video>",
    '<style>@import "https://127.0.0.1/x.css";</style>',
    '<img src="https://127.0.0.1/pixel.gif?u=1">',
    '<a id="csrfmiddlewaretoken" name="cookie">clobber</a>',
    '<button formaction="javascript:alert(1)">b</button>',
    '<math href="javascript:alert(1)"><mi>x</mi></math>',
    r"$\href{javascript:alert(1)}{x}$",
    r"$\def\a{\a\a}\a$",
    r"$\htmlData{x=1}{y}\unicode{x3C}$",
    r"$\text{<script>alert(1)</script>}$",
    r"$\text{&lt;img src=x onerror=alert(1)&gt;}$",
    "[x](javascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](//127.0.0.1/x)",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](java\tscript:alert(1))",
    r'![x](x "\" onerror=\"alert(1)")',
    '[x](https://a.b/"onmouseover="alert(1))',
    "![x](https://127.0.0.1/pixel.gif)",
    "<x@y:javascript:alert(1)>",
    "<javascript:alert(1)>",
    "[ref][r]\n\n[r]: javascript:alert(1)",
    "![p](../../../../../etc/passwd)",
    "![q](file:///etc/passwd)",
    "```html onload=alert(1)\n<script>alert(1)</script>\n```",
    '```"><script>alert(1)</script>\n\n```',
    "``` {.python onclick=alert(1) style=x}\nx\n```",
    "| <b onclick=x> | y |\n|---|---|\n| <script>x</script> | [x](vbscript:x) |",
    '> [!NOTE] <img src=x onerror=alert(1)> {#x"onclick="y}\n> x',
    'Text {#a"onclick="alert(1)}',
    "### Head {onclick=alert(1)}",
    "[@x](javascript:alert(1))",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "{{ 7*7 }} {% debug %} ${7*7} <%= 7*7 %>",
    "a\x02wzxhzdk:0\x03b",
]


@pytest.mark.parametrize("source", XSS)
@pytest.mark.parametrize("inline", [False, True])
def test_hostile_text_leaves_nothing_that_runs(source: str, inline: bool) -> None:
    assert faults(render(source, context(), inline=inline).html) == []


def test_raw_html_is_shown_as_text() -> None:
    assert rendered("a <b>c</b>").html == "<p>a &lt;b&gt;c&lt;/b&gt;</p>"


@given(st.text(alphabet=st.sampled_from("<>\"'&[]()!{}#$\\`*_|-:;/=\n abonsvgx\x00\u202e"), max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_text_is_harmless_and_deterministic(source: str) -> None:
    first = render(source, context())
    assert faults(first.html) == []
    assert render(source, context()) == first


def test_characters_that_hide_or_reorder_text_are_removed() -> None:
    assert rendered("a\u202eb\u2066c\x00d &#x202e;e").html == "<p>abcd e</p>"
    assert rendered("a\u202eb &#x202e;e").text == "ab e"


def test_text_over_256_kb_is_refused() -> None:
    with pytest.raises(TextTooLong):
        rendered("a" * (MOST_BYTES + 1))


def test_paragraph_with_anchor_and_paragraph_without() -> None:
    result = render("First.\n\nSecond, it settles. {#settled}\n\nThird.", context())
    assert result.paragraphs == (
        Paragraph("scale-p1", "First."),
        Paragraph("settled", "Second, it settles."),
        Paragraph("scale-p3", "Third."),
    )
    assert result.html.startswith(
        '<p id="scale-p1">First.<a aria-hidden="true" class="pilcrow" href="#scale-p1" tabindex="-1">¶</a>'
        "</p>"
    )


def test_empty_prefix_gives_no_ids() -> None:
    assert (
        rendered("First.\n\n### Head {#h}\n\nSecond. {#x}").html == "<p>First.</p><h3>Head</h3><p>Second.</p>"
    )


def test_same_anchor_twice_names_the_first_only() -> None:
    result = render("One. {#a}\n\nTwo. {#a}", context())
    assert [each.attrib.get("id") for each in parse(result.html).findall("p")] == ["a", None]


def test_heading_levels_start_at_three_and_have_ids() -> None:
    result = render("# One\n\n## Two {#two}\n\n#### Four", context())
    assert result.html == '<h3 id="scale-h1">One</h3><h3 id="two">Two</h3><h4 id="scale-h3">Four</h4>'
    assert result.paragraphs == (Paragraph("two", "Two"),)


def test_anchor_alone_names_the_block_before_it() -> None:
    result = render("| A |\n|---|\n| 1 |\n\n{#tab}\n\n$$ x $$\n\n{#formula}", context())
    assert [each.slug for each in result.paragraphs] == ["tab", "formula"]


def test_list_item_takes_an_anchor() -> None:
    html = render("- one {#one}\n- two", context()).html
    assert html == '<ul id="scale_1"><li id="one">one</li><li>two</li></ul>'


BARE = (
    "| a |\n|---|\n| 1 |",
    "- one\n- two",
    "1. one",
    "```\nx\n```",
    "    x = 1",
    "> [!NOTE]\n> One.",
    "> Said.",
    "![Bars](bars.svg)",
)


@pytest.mark.parametrize("block", BARE)
def test_block_without_an_anchor_is_named_by_the_place_above_it(block: str) -> None:
    source = f"{block}\n\n### Head\n\n{block}\n\nWords. {{#said}}\n\n{block}\n\n{HERE}\n\n{block}"
    figures = {"bars.svg": SVG}
    result = render(source, context(figures=figures))
    assert re.findall(r' id="([^"]*)"', result.html) == [
        "scale_1", "scale-h1", "scale-h1_1", "said", "said_1", "scale-p2", "scale-p2_1",
    ]  # fmt: skip
    assert [one.slug for one in result.paragraphs] == ["said", "scale-p2"]  # no labels, nothing to be changed
    assert " id=" not in render(source.replace(" {#said}", ""), context("", figures=figures)).html


def test_blocks_below_one_place_are_counted() -> None:
    source = f"Words. {{#said}}\n\n- a\n\n{HERE}\n\n1. b\n\n> c\n\n{{#quoted}}\n\n> d\n\n| e |\n|---|\n| f |"
    html = render(source, context()).html
    assert re.findall(r' id="([^"]*)"', html) == [
        "said", "said_1", "scale-p2", "scale-p2_1", "quoted", "quoted_1", "quoted_2",
    ]  # fmt: skip


def test_block_put_in_elsewhere_changes_no_other_name() -> None:
    after = "Words. {#said}\n\n- a\n\nMore. {#more}\n\n- b"
    before = "- new\n\nNew. {#new}\n\n- new\n\n"
    ids = [re.findall(r' id="([^"]*)"', render(one, context()).html) for one in (after, before + after)]
    assert ids[0] == ids[1][3:] == ["said", "said_1", "more", "more_1"]


def test_author_cannot_write_an_automatic_name() -> None:
    html = render("Words. {#said}\n\n- a\n\nMore. {#said_1}", context()).html
    assert re.findall(r' id="([^"]*)"', html) == ["said", "said_1", "scale-p2"]


def test_citation_of_a_known_source() -> None:
    result = render("Slower [@mo-bench] [@mo-bench].", context("", numbers={"mo-bench": 3}))
    note = '<sup class="cite"><a aria-label="Source 3" href="#source-mo-bench">3</a></sup>'
    assert result.html == f"<p>Slower{note} {note}.</p>"
    assert result.cites == ("mo-bench",)
    assert result.text == "Slower ."


def test_citation_of_an_unknown_source_stays_text() -> None:
    result = rendered("Slower [@nobody].")
    assert (result.html, result.cites) == ("<p>Slower [@nobody].</p>", ())


def test_link_of_the_pack_external_link_and_place_on_the_page() -> None:
    result = rendered(
        "[q](../quizzes/x.quiz.md) [e](https://a.b/?c=1&d=2) [h](#there)",
        links={"../quizzes/x.quiz.md": "/c/x/"},
    )
    assert result.html == (
        '<p><a href="/c/x/">q</a> <a class="ext" href="https://a.b/?c=1&amp;d=2" rel="noopener noreferrer">'
        "e</a>"
        ' <a href="#there">h</a></p>'
    )
    assert result.dropped == ()


def test_unknown_link_keeps_its_text_and_is_listed() -> None:
    result = rendered("[other](../elsewhere.md) and [bad](javascript:x)")
    assert result.html == "<p><span>other</span> and <span>bad</span></p>"
    assert result.dropped == ("../elsewhere.md", "javascript:x")


def test_figure_is_drawn_with_caption_and_text_equivalent() -> None:
    result = render(
        '![Floor per token](../media/f.svg "H100, $b = 1$ [@mo]") {#fig-floor}',
        context(figures={"../media/f.svg": SVG}, numbers={"mo": 1}),
    )
    figure = parse(result.html)[0]
    assert (figure.tag, figure.attrib) == ("figure", {"id": "fig-floor"})
    assert [child.tag.rpartition("}")[2] for child in figure] == ["svg", "figcaption", "details"]
    assert figure[0].attrib == {"aria-label": "Floor per token", "role": "img", "viewBox": "0 0 640 80"}
    assert "BF16 takes 4.8 ms." in "".join(figure[2].itertext())
    assert "<math" in result.html
    assert result.cites == ("mo",)
    assert faults(result.html) == []
    assert result.paragraphs[0].slug == "fig-floor"


def test_picture_is_loaded_lazily() -> None:
    assert rendered("![Photo](../media/a.png)", figures={"../media/a.png": "/media/1.png"}).html == (
        '<figure><img alt="Photo" loading="lazy" src="/media/1.png"></figure>'
    )


@pytest.mark.parametrize("source", ["javascript:alert(1)", "//evil/x.png", "<svg", "<svg xmlns='x'/>", ""])
def test_figure_that_cannot_be_drawn_becomes_its_description(source: str) -> None:
    result = rendered("![What it shows](../media/f.svg)", figures={"../media/f.svg": source})
    assert (result.html, result.dropped) == ("<p>What it shows</p>", ("../media/f.svg",))


def test_paragraph_that_is_only_a_question_embeds_it() -> None:
    target = "../quizzes/x.quiz.md#q"
    result = render(
        f"[Check yourself]({target})", context(links={target: "/c/q"}, embeds={target: "Is 1 < 2?"})
    )
    assert result.html == (
        '<p class="embed"><a href="/c/q"><b>Check yourself</b> <span>Is 1 &lt; 2?</span></a></p>'
    )
    assert result.paragraphs == ()


def test_misconception_call_out() -> None:
    result = render('> [!MISCONCEPTION] {#int4-fast}\n> "Four bits win." Not *always*.', context())
    assert result.html == (
        '<div aria-label="Misconception" class="mis" id="int4-fast" role="note"><b>Sounds right, fails</b>'
        '<p>"Four bits win." Not <em>always</em>.</p></div>'
    )
    assert result.paragraphs == (Paragraph("int4-fast", 'Sounds right, fails "Four bits win." Not always.'),)


def test_two_call_outs_in_a_row_stay_two() -> None:
    result = render("> [!NOTE]\n> One.\n\n> [!LEGACY] Old names {#old}\n> Two.", context())
    assert result.html == (
        '<div aria-label="Note" class="box" id="scale_1" role="note"><b>Note</b><p>One.</p></div>'
        '<div aria-label="Legacy vocabulary" class="box" id="old" role="note"><b>Old names</b>'
        "<p>Two.</p></div>"
    )


def test_table_scrolls_and_names_its_columns() -> None:
    box = parse(rendered("| Format | Bits |\n|---|--:|\n| FP8 | 8 |").html)[0]
    assert box.attrib == {
        "aria-label": "Table: Format, Bits",
        "class": "scroll",
        "role": "group",
        "tabindex": "0",
    }
    assert [each.attrib for each in box.iter("th")] == [{"scope": "col"}, {"class": "right", "scope": "col"}]


def test_code_is_coloured_by_classes_and_can_be_focused() -> None:
    assert rendered("```python\nx = 1\n```").html == (
        '<div class="codehilite"><pre tabindex="0"><code class="language-python"><span class="n">x</span> '
        '<span class="o">=</span> <span class="mi">1</span>\n</code></pre></div>'
    )


def test_inline_text_has_no_blocks() -> None:
    assert render("- a *b* # c\n> d", context("p"), inline=True).html == "- a <em>b</em> # c &gt; d"


def test_search_text_holds_words_only() -> None:
    assert rendered("A *b* `c` & $x^2$.\n\n```text\nd <e>\n```\n\n- f").text == "A b c & x^2. d <e> f"
