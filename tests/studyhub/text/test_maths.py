"""TeX to MathML."""

from __future__ import annotations

from xml.etree.ElementTree import tostring

import pytest

from studyhub.text.markdown import RenderContext, render
from studyhub.text.maths import LONGEST, to_mathml

NOTHING = RenderContext(prefix="", numbers={}, links={}, figures={}, embeds={})


def test_inline_formula_is_mathml_without_namespace_noise() -> None:
    math = to_mathml("x_i", block=False)
    assert math is not None
    assert tostring(math, encoding="unicode") == (
        '<math alttext="x_i"><mrow><msub><mi>x</mi><mi>i</mi></msub></mrow></math>'
    )


def test_display_formula_says_so() -> None:
    math = to_mathml(r"\frac{a}{b}", block=True)
    assert math is not None
    assert (math.get("display"), math.get("class")) == ("block", "block")


@pytest.mark.parametrize(
    "tex",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\htmlData{x=1}{y}",
        r"\unicode{x3C}",
        r"\def\a{\a\a}\a",
        r"\newcommand{\a}{b}\a",
        r"\frac{1",
        r"\nosuchcommand x",
        "x_",
        "",
        "x" * (LONGEST + 1),
    ],
)
def test_refused_or_invalid_tex_gives_none(tex: str) -> None:
    assert to_mathml(tex, block=False) is None


def test_refused_tex_is_shown_as_its_source() -> None:
    assert render(r"$\href{x}{y}$", NOTHING).html == r'<p><code class="tex">\href{x}{y}</code></p>'


@pytest.mark.parametrize("text", ["$9.99 (save $2.99)", "from $5 to $6", "`$a$`", "a $ b $ c"])
def test_money_and_code_are_not_maths(text: str) -> None:
    assert "<math" not in render(text, NOTHING).html


def test_escaped_dollar_is_a_dollar() -> None:
    assert render(r"\$x\$", NOTHING).html == "<p>$x$</p>"
