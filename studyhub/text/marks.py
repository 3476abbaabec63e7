"""The inline marks of the authoring language, and quotes as CommonMark separates them."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.blockprocessors import BlockQuoteProcessor
from markdown.inlinepatterns import InlineProcessor
from markdown.util import STX

from studyhub.text.maths import as_code, to_mathml
from studyhub.text.plain import atomic
from studyhub.text.sheet import Sheet

# A dollar opens only before a non-space and closes only after one, not before a digit:
# "$9.99 (save $2.99)" is text.
MATHS = rf"(?<![\\$])(\$)(?![\s$])((?:\\[^{STX}]|[^\\${STX}])+?)(?<!\s)\$(?![\d$])"
DISPLAY = rf"(?<![\\$])(\$\$)[ \n]*((?:\\[^{STX}]|[^\\${STX}])+?)[ \n]*\$\$(?!\$)"
# The blank between a word and its note goes, so that the number stands at the word; between notes it stays.
CITE = r"(?:(?<=[^\s\x03])[ \n])?\[@([a-z0-9]+(?:-[a-z0-9]+)*)\]"

Handled = tuple[Element | None, int | None, int | None]


class Maths(InlineProcessor):
    """``$…$`` and ``$$…$$`` become MathML; what is not valid TeX is shown as its source."""

    def handleMatch(self, m: re.Match[str], data: str) -> Handled:  # type: ignore[override]
        tex = m[2]
        math = to_mathml(tex, block=m[1] == "$$")
        return (as_code(tex) if math is None else math), m.start(0), m.end(0)


class Cite(InlineProcessor):
    """``[@source]`` becomes the number of its note; an unknown source stays text."""

    def __init__(self, md: Markdown, sheet: Sheet) -> None:
        super().__init__(CITE, md)
        self.sheet = sheet

    def handleMatch(self, m: re.Match[str], data: str) -> Handled:  # type: ignore[override]
        number = self.sheet.cite(m[1])
        if number is None:
            return None, None, None
        note = Element("sup", {"class": "cite"})
        note.text = atomic("")
        link = SubElement(note, "a", {"href": f"#source-{m[1]}", "aria-label": f"Source {number}"})
        link.text = atomic(str(number))
        return note, m.start(0), m.end(0)


class Quotes(BlockQuoteProcessor):
    """Two quotes with an empty line between them are two quotes."""

    def lastChild(self, parent: Element) -> Element | None:
        return None
