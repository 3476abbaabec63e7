"""SVG figures: the drawing stays, everything else goes."""

from __future__ import annotations

from xml.etree.ElementTree import tostring

import pytest

from studyhub.text.figures import DEEPEST, MOST_BYTES, MOST_ELEMENTS, FigureRefused, read_svg
from studyhub.text.markdown import RenderContext, render
from tests.studyhub.text.judge import faults

ROOT = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'


def drawn(inside: str) -> str:
    return tostring(read_svg(f"{ROOT}{inside}</svg>").svg, encoding="unicode")


def test_drawing_is_kept() -> None:
    inside = (
        '<g transform="translate(1, 2) rotate(45)"><path class="c1" d="M0 0 L1.5-2e1Z" />'
        '<text class="v" text-anchor="end" x="1">a<tspan dy="-2">b</tspan>c</text></g>'
    )
    assert drawn(inside) == f'<svg viewBox="0 0 9 9">{inside}</svg>'


@pytest.mark.parametrize(
    ("inside", "left"),
    [
        ("<script>alert(1)</script>", ""),
        ("<style>*{fill:red}</style>", ""),
        ('<a xlink:href="javascript:alert(1)"><rect x="1"/></a>', ""),
        ('<image href="https://127.0.0.1/x.png"/>', ""),
        ('<use href="#x"/>', ""),
        ("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>", ""),
        ('<animate attributeName="x" onbegin="alert(1)"/>', ""),
        ("<svg viewBox='0 0 1 1'><script/></svg>", ""),
        ('<rect x="1" onload="alert(1)" onclick="x"/>', '<rect x="1" />'),
        ('<rect x="1" style="fill:url(https://127.0.0.1/x)" fill="red" id="a"/>', '<rect x="1" />'),
        ('<rect class="b evil hi" width="1"/>', '<rect class="b hi" width="1" />'),
        ('<rect x="1;alert(1)" y="calc(1)" width="12%"/>', '<rect width="12%" />'),
        ('<path d="M0 0 url(x)"/>', "<path />"),
        ('<g transform="translate(1) url(x)"/>', "<g />"),
        ('<rect x="1"/>stray text<!-- comment -->', '<rect x="1" />'),
        ("<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>", ""),
    ],
)
def test_what_is_not_a_drawing_is_taken_out(inside: str, left: str) -> None:
    kept = drawn(inside)
    assert kept == (f'<svg viewBox="0 0 9 9">{left}</svg>' if left else '<svg viewBox="0 0 9 9" />')


def test_removed_parts_are_named() -> None:
    assert read_svg(f'{ROOT}<script/><rect fill="red"/></svg>').removed == [
        "element script",
        "attribute fill of rect",
    ]


@pytest.mark.parametrize(
    "source",
    [
        '<!DOCTYPE svg [<!ENTITY x "y">]><svg viewBox="0 0 1 1"><text>&x;</text></svg>',
        '<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg viewBox="0 0 1 1"/>',
        "<svg viewBox='0 0 1 1'>",
        "<html/>",
        "<svg/>",
        '<svg viewBox="0 0 1"/>',
        '<svg viewBox="0 0 1 1">' + "<g>" * (DEEPEST + 1) + "</g>" * (DEEPEST + 1) + "</svg>",
        '<svg viewBox="0 0 1 1">' + "<g/>" * MOST_ELEMENTS + "</svg>",
        '<svg viewBox="0 0 1 1">' + " " * MOST_BYTES + "</svg>",
    ],
)
def test_file_that_is_no_figure_is_refused(source: str) -> None:
    with pytest.raises(FigureRefused):
        read_svg(source)


def test_title_and_description_are_told_apart_from_the_drawing() -> None:
    drawing = read_svg(f"{ROOT}<title>Short</title><desc>Long\n text</desc></svg>")
    assert (drawing.title, drawing.desc) == ("Short", "Long text")
    assert len(drawing.svg) == 0


def test_hostile_text_in_a_figure_stays_text() -> None:
    source = (
        f"{ROOT}<title>&lt;img src=x onerror=alert(1)&gt;</title>"
        "<desc>&lt;script&gt;alert(1)&lt;/script&gt;</desc>"
        "<text>&lt;/svg&gt;&lt;script&gt;alert(1)&lt;/script&gt; **b** [x](y)"
        "<tspan>&amp;lt;</tspan></text></svg>"
    )
    context = RenderContext(prefix="f", numbers={}, links={}, figures={"a.svg": source}, embeds={})
    html = render("![](a.svg)", context).html
    assert faults(html) == []
    assert "&lt;/svg&gt;&lt;script&gt;alert(1)&lt;/script&gt; **b** [x](y)<tspan>&amp;lt;</tspan>" in html
