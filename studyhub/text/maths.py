"""TeX to MathML. Only what a formula needs: no links, no classes, no macros."""

from __future__ import annotations

import html
import re
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

from studyhub.text.plain import atomic, names

_OPERATORS = ("±", "∓", "…")  # the converter takes these for names
LONGEST = 2_000  # characters of TeX in one formula
_REFUSED = re.compile(
    r"\\(?:href|url|html\w*|unicode|char|style|class|cssId|includegraphics|require|input|include|write|catcode|csname"
    r"|def|gdef|edef|xdef|let|futurelet|newcommand|renewcommand|providecommand|newenvironment|DeclareMathOperator"
    r"|global|loop|expandafter)(?![a-z])",
    re.IGNORECASE,
)
ATTRIBUTES = names(
    "display displaystyle scriptlevel mathvariant stretchy fence separator lspace rspace minsize maxsize"
    " movablelimits accent accentunder largeop symmetric linethickness columnalign rowlines columnlines"
    " rowspacing columnspacing width height depth voffset notation"
)


def to_mathml(tex: str, *, block: bool) -> Element | None:
    """The formula as MathML, or None if it is not valid TeX or uses a command that is not for formulas."""
    source = tex.strip()
    if not source or len(source) > LONGEST or _REFUSED.search(source) or not _balanced(source):
        return None
    try:
        math = convert_to_element(source, display="block" if block else "inline")
    except RecursionError:
        raise
    except Exception:
        return None
    if any((leaf.text or "").startswith("\\") and len(leaf.text or "") > 1 for leaf in math.iter()):
        return None  # an unknown command comes back as its own name
    _tidy(math)
    if block:
        math.set("class", "block")
    else:
        math.attrib.pop("display", None)
    math.set("alttext", html.escape(source))
    return math


def as_code(tex: str) -> Element:
    """The TeX source, to be shown where no formula could be made of it."""
    code = Element("code", {"class": "tex"})
    code.text = atomic(tex)
    return code


def _balanced(tex: str) -> bool:
    """Whether every brace that opens a group is closed; escaped braces do not count."""
    bare = re.sub(r"\\\\.", "", tex)
    return bare.count("{") == bare.count("}")


def _tidy(math: Element) -> None:
    for element in math.iter():
        for name in list(element.attrib):
            if name not in ATTRIBUTES:
                del element.attrib[name]
        if element.tag == "mi" and html.unescape(element.text or "") in _OPERATORS:
            element.tag = "mo"
        if element.text:
            element.text = atomic(html.unescape(element.text))
        if element.tail:
            element.tail = atomic(html.unescape(element.tail))
