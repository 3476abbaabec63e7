"""Course text to sanitised HTML.

Python-Markdown can be made quadratic by crafted text, so this runs when a pack is loaded, inside the press,
and never while a page is served.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache

from markdown import Markdown
from markdown.extensions.sane_lists import SaneListExtension
from markdown.extensions.tables import TableExtension

from studyhub.text.finish import Finish
from studyhub.text.lines import DisplayMaths, Fences, Lists
from studyhub.text.marks import DISPLAY, MATHS, Cite, Maths, Quotes
from studyhub.text.plain import names, readable
from studyhub.text.sanitise import sanitise
from studyhub.text.shape import Shape
from studyhub.text.sheet import Paragraph, RenderContext, Rendered, Sheet

__all__ = [
    "MOST_BYTES",
    "Paragraph",
    "RenderContext",
    "Rendered",
    "TextTooLong",
    "render",
]

MOST_BYTES = 256 * 1024
_RAW = ("html", "entity", "automail")
_BLOCK_MARKS = names("indent code hashheader setextheader hr olist ulist quote reference table")
_lock = threading.Lock()


class TextTooLong(ValueError):
    """The text is longer than ``MOST_BYTES`` of UTF-8."""


@dataclass(frozen=True, slots=True)
class _Renderer:
    md: Markdown
    sheet: Sheet


def render(source: str, context: RenderContext, *, inline: bool = False) -> Rendered:
    """Render one text; the same text and context always give the same result.

    ``inline`` is for one line without a paragraph around it: block marks (lists, headings, quotes) are then
    plain text. Raw HTML appears as text. Raises ``TextTooLong``, and ``RecursionError`` on absurd nesting.
    """
    if len(source.encode("utf-8", "replace")) > MOST_BYTES:
        raise TextTooLong("is longer than 256 kB")
    with _lock:
        return _render(_renderer(inline), readable(source), context, inline)


def _render(renderer: _Renderer, source: str, context: RenderContext, inline: bool) -> Rendered:
    sheet = renderer.sheet
    sheet.start(context)
    renderer.md.reset()
    markup = renderer.md.convert(" ".join(source.split()) if inline else source)
    if inline:
        markup = markup.removeprefix("<p>").removesuffix("</p>")
    return Rendered(
        html=sanitise(markup, sheet.ids),
        paragraphs=tuple(Paragraph(each.slug, readable(each.text)) for each in sheet.paragraphs),
        cites=tuple(sheet.cites),
        text=readable(sheet.text),
        dropped=tuple(sheet.dropped),
    )


@cache
def _renderer(inline: bool) -> _Renderer:
    """One Markdown instance per configuration, reset before each text."""
    sheet = Sheet()
    md = Markdown(
        extensions=[] if inline else [TableExtension(use_align_attribute=True), SaneListExtension()],
        output_format="html",
    )
    md.ESCAPED_CHARS.append("$")
    md.preprocessors.deregister("html_block")
    md.treeprocessors.deregister("prettify")
    for name in _RAW:
        md.inlinePatterns.deregister(name)
    md.inlinePatterns.register(Maths(DISPLAY, md), "display_maths", 186)
    md.inlinePatterns.register(Maths(MATHS, md), "maths", 185)
    md.inlinePatterns.register(Cite(md, sheet), "cite", 175)
    md.treeprocessors.register(Finish(md, sheet), "finish", -10)
    if inline:
        for name in _BLOCK_MARKS:
            md.parser.blockprocessors.deregister(name, strict=False)
        return _Renderer(md, sheet)
    md.preprocessors.register(Fences(md), "fences", 25)
    md.preprocessors.register(DisplayMaths(md), "display_maths", 24)
    md.preprocessors.register(Lists(md), "lists", 23)
    md.parser.blockprocessors.register(Quotes(md.parser), "quote", 20)
    md.treeprocessors.register(Shape(md, sheet), "shape", 30)
    return _Renderer(md, sheet)
