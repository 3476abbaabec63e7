"""The last gate, judged on its own: it must hold even if everything before it fails."""

from __future__ import annotations

import pytest

from studyhub.text import figures, maths
from studyhub.text.sanitise import _attributes, sanitise
from tests.studyhub.text.judge import faults

HOSTILE = [
    "<script>alert(1)</script>",
    '<p onclick="x" style="x" id="main" class="bar mis">x</p>',
    '<a href="javascript:alert(1)" target="_blank">x</a>',
    '<svg viewBox="0 0 1 1" onload="x"><a href="javascript:x"><rect/></a><style>*{}</style></svg>',
    "<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    '<math href="javascript:x" xlink:href="javascript:x"><mi>x</mi></math>',
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<img src=data:image/svg+xml,x><!-- c --><iframe src=x>",
    '<div role="alert" tabindex="5" hx-get="/x" data-x="y">x</div>',
]


@pytest.mark.parametrize("markup", HOSTILE)
def test_hostile_markup_is_made_harmless(markup: str) -> None:
    clean = sanitise(markup, set())
    assert [fault for fault in faults(clean) if "data:" not in fault] == []
    assert sanitise(clean, set()) == clean


def test_only_known_ids_and_classes_stay() -> None:
    assert sanitise('<p id="a" class="x formula">1</p><p id="b">2</p>', {"b"}) == (
        '<p class="formula">1</p><p id="b">2</p>'
    )


def test_drawing_cannot_carry_page_classes() -> None:
    assert sanitise('<svg viewBox="0 0 1 1"><g class="mis hi"></g></svg>', set()) == (
        '<svg viewBox="0 0 1 1"><g class="hi"></g></svg>'
    )


@pytest.mark.parametrize(
    "markup",
    [
        '<h3 id="a">x</h3>',
        '<h4 id="a">x</h4>',
        '<h5 id="a">x</h5>',
        '<h6 id="a">x</h6>',
        '<div role="note" class="mis box">x</div>',
        '<div class="scroll" role="group" tabindex="0" aria-label="A table">x</div>',
        '<pre tabindex="0"><code class="language-c++"><span class="kn">x</span></code></pre>',
        '<code class="tex">x</code>',
        '<a href="/c/x/#a">x</a>',
        '<a href="#a" class="pilcrow" tabindex="-1" aria-hidden="true">x</a>',
        '<a href="https://a.example/" class="ext" rel="noopener noreferrer">x</a>',
        '<a href="mailto:a@a.example">x</a>',
        '<img src="/media/a.svg" alt="A" loading="lazy">',
        '<math display="block" class="block" alttext="x"><mi mathvariant="normal">x</mi></math>',
        '<svg role="img" aria-label="x" viewBox="0 0 1 1"><path d="M0 0"></path></svg>',
        '<table><thead><tr><th scope="col" class="right">x</th></tr></thead></table>',
    ],
)
def test_what_a_course_needs_stays_as_it_is(markup: str) -> None:
    assert sanitise(markup, {"a"}) == markup


@pytest.mark.parametrize(
    ("markup", "clean"),
    [
        ('<h3 class="tex" id="b">x</h3>', "<h3>x</h3>"),
        ('<h4 class="mis">x</h4>', "<h4>x</h4>"),
        ("<pre>x</pre>", '<pre tabindex="0">x</pre>'),
        ('<pre tabindex="5">x</pre>', '<pre tabindex="0">x</pre>'),
        ('<div role="alert" tabindex="1" class="tex kn">x</div>', "<div>x</div>"),
        ('<span class="kn formula s2 Kn">x</span>', '<span class="kn s2">x</span>'),
        ('<code class="kn language-C">x</code>', "<code>x</code>"),
        ('<em class="mis">x</em>', "<em>x</em>"),
        ('<h3 class="mis">x</h3>', "<h3>x</h3>"),
        ('<li class="mis">x</li>', "<li>x</li>"),
        ('<a href="ftp://a.example/">x</a>', "<a>x</a>"),
        ('<a href="tel:1">x</a>', "<a>x</a>"),
        ('<a href="//a.example">x</a>', "<a>x</a>"),
        ('<a href="x/y">x</a>', "<a>x</a>"),
        ('<a href="https://a.example" rel="me">x</a>', '<a href="https://a.example">x</a>'),
        ('<img src="/a.svg" loading="eager">', '<img src="/a.svg">'),
    ],
)
def test_what_no_course_needs_is_taken_out(markup: str, clean: str) -> None:
    assert sanitise(markup, {"a"}) == clean


@pytest.mark.parametrize("unseen", ["&#8238;", "&#x202e;", "\u2066", "&#1;"])
def test_sign_that_nobody_can_see_is_taken_out_and_what_is_left_judged_again(unseen: str) -> None:
    hidden = f'<p id="a" class="mis formula">in{unseen}sight<b onclick="x"></b></p><p id="b">x</p>'
    assert sanitise(hidden, {"a"}) == '<p id="a" class="formula">insight<b></b></p><p>x</p>'


def test_each_tag_has_the_attributes_of_its_kind() -> None:
    allowed = _attributes()
    assert allowed["p"] == {"id", "class"}
    assert [allowed[f"h{rank}"] for rank in (3, 4, 5, 6)] == [{"id"}] * 4
    assert allowed["math"] == {"class", "display", "alttext"} | maths.ATTRIBUTES
    assert allowed["mi"] == set(maths.ATTRIBUTES)
    assert allowed["svg"] == {"role", "aria-label"} | figures.ATTRIBUTES
    assert allowed["path"] == set(figures.ATTRIBUTES)
    assert "em" not in allowed
