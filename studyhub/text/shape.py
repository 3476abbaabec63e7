"""What blocks become before their inline marks are read: anchors, figures, call-outs, embedded questions."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE

from studyhub.text.addresses import fragment, local
from studyhub.text.figures import FigureRefused, read_svg
from studyhub.text.plain import atomic
from studyhub.text.sheet import Sheet

_ANCHOR = re.compile(r"(?:^|(?<=\s))\{#([a-z0-9]+(?:-[a-z0-9]+)*)\}$")
_FIGURE = re.compile(r"!\[([^\]]*(?:\][^\](][^\]]*)*)\]\(([^\s()]+)(?:\s+\"(.*)\")?\s*\)", re.DOTALL)
_EMBED = re.compile(r"\[([^\[\]]+)\]\(([^\s()]+)\)")
_CALLOUT = re.compile(r"\[!([A-Z]+)\][ \t]*([^\n]*)(?:\n|$)")
_TITLES = {
    "NOTE": "Note",
    "TIP": "Tip",
    "IMPORTANT": "Important",
    "WARNING": "Warning",
    "CAUTION": "Caution",
    "LEGACY": "Legacy vocabulary",
}
_BLOCKS = frozenset(("table", "ul", "ol", "figure", "blockquote", "pre", "div"))
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(slots=True)
class _Counts:
    paragraphs: int = 0
    headings: int = 0


class Shape(Treeprocessor):
    """Give blocks their ids and their form; runs while texts are still as the author wrote them."""

    def __init__(self, md: Markdown, sheet: Sheet) -> None:
        super().__init__(md)
        self.sheet = sheet
        self.counts = _Counts()

    def run(self, root: Element) -> None:
        self.counts = _Counts()
        self._children(root, top=True)
        self._blocks(root)

    def _children(self, parent: Element, *, top: bool = False) -> None:
        for child in list(parent):
            if child.tag == "p":
                self._paragraph(parent, child, top=top)
            elif child.tag in _HEADINGS:
                self._heading(child)
            elif child.tag == "blockquote":
                self._callout(child)
                self._children(child)
            elif child.tag == "li":
                self._anchor(child)
                self._children(child)
            elif child.tag in ("ul", "ol"):
                self._children(child)

    def _blocks(self, root: Element) -> None:
        """Name every table, list, figure, call-out and piece of code without an anchor by the place above it."""
        above = self.sheet.context.prefix
        for child in root:
            slug = child.get("id")
            if slug is None and (child.tag in _BLOCKS or _is_code(child)):
                _name(child, self.sheet.claim_below(above))
            above = slug or above

    def _anchor(self, element: Element) -> bool:
        """Take the anchor off the end of the element's text and make it its id; False if there is none."""
        text = (element.text or "").rstrip()
        found = _ANCHOR.search(text)
        if found is None:
            return False
        element.text = text[: found.start()].rstrip()
        slug = self.sheet.claim(found[1])
        if slug:
            element.set("id", slug)
        return True

    def _heading(self, heading: Element) -> None:
        heading.tag = f"h{max(3, int(heading.tag[1]))}"
        self.counts.headings += 1
        if not self._anchor(heading):
            slug = self.sheet.claim(f"{self.sheet.context.prefix}-h{self.counts.headings}")
            if slug:
                heading.set("id", slug)
                heading.set("data-auto", "heading")

    def _paragraph(self, parent: Element, paragraph: Element, *, top: bool) -> None:
        if _is_code(paragraph):
            # Alone, so that the code takes the paragraph's place.
            paragraph.text = (paragraph.text or "").strip()
            return
        anchored = self._anchor(paragraph)
        text = (paragraph.text or "").strip()
        if anchored and not text:
            _hand_over(parent, paragraph)
        elif self._figure(paragraph, text) or self._embed(paragraph, text):
            return
        elif top:
            self.counts.paragraphs += 1
            slug = (
                "" if anchored else self.sheet.claim(f"{self.sheet.context.prefix}-p{self.counts.paragraphs}")
            )
            if slug:
                paragraph.set("id", slug)
                paragraph.set("data-auto", "paragraph")

    def _figure(self, paragraph: Element, text: str) -> bool:
        found = _FIGURE.fullmatch(text)
        if found is None:
            return False
        alt, target, caption = " ".join(found[1].split()), found[2], found[3] or ""
        paragraph.text = None
        source = self.sheet.context.figures.get(target)
        if source is None or not self._drawn(paragraph, source, alt):
            self.sheet.drop(target)
            paragraph.text = atomic(alt)
            return True
        paragraph.tag = "figure"
        if caption.strip():
            legend = Element("figcaption")
            legend.text = caption
            paragraph.insert(1, legend)
        return True

    def _drawn(self, figure: Element, source: str, alt: str) -> bool:
        """Fill the figure with a drawing or a picture; False if the source is neither."""
        if not source.lstrip("\ufeff \t\r\n").startswith("<"):
            if local(source) and not fragment(source):
                SubElement(figure, "img", {"src": source, "alt": alt, "loading": "lazy"})
            return len(figure) > 0
        try:
            drawing = read_svg(source)
        except FigureRefused:
            return False
        drawing.svg.set("role", "img")
        drawing.svg.set("aria-label", alt or html.escape(drawing.title) or "Figure")
        figure.append(drawing.svg)
        if drawing.desc:
            equivalent = SubElement(figure, "details", {"class": "equiv"})
            SubElement(equivalent, "summary").text = atomic("Figure as text")
            SubElement(equivalent, "p").text = atomic(drawing.desc)
        return True

    def _embed(self, paragraph: Element, text: str) -> bool:
        found = _EMBED.fullmatch(text)
        context = self.sheet.context
        if found is None or found[2] not in context.embeds or found[2] not in context.links:
            return False
        paragraph.text = None
        paragraph.set("class", "embed")
        link = SubElement(paragraph, "a", {"href": found[2]})
        label = SubElement(link, "b")
        label.text, label.tail = atomic(found[1]), atomic(" ")
        SubElement(link, "span").text = atomic(context.embeds[found[2]])
        return True

    def _callout(self, quote: Element) -> None:
        first = quote[0] if len(quote) and quote[0].tag == "p" else None
        found = _CALLOUT.match(first.text or "") if first is not None else None
        if first is None or found is None or found[1] not in (*_TITLES, "MISCONCEPTION"):
            return
        quote.tag, quote.text = "div", found[2]
        self._anchor(quote)
        title, said = (quote.text or "").strip(), (first.text or "")[found.end() :]
        if found[1] == "MISCONCEPTION":
            kind, label, title, said = (
                "mis",
                "Misconception",
                "Sounds right, fails",
                f"{title}\n{said}",
            )
        else:
            kind, label = "box", _TITLES[found[1]]
        quote.text, first.text = None, said.strip()
        for name, value in (("class", kind), ("role", "note"), ("aria-label", label)):
            quote.set(name, value)
        if not first.text:
            quote.remove(first)
        heading = Element("b")
        heading.text = title or label
        quote.insert(0, heading)


def _name(block: Element, slug: str) -> None:
    """Give a block its automatic id, if there is one."""
    if slug:
        block.tag = "div" if block.tag == "p" else block.tag
        block.set("id", slug)
        block.set("data-auto", "block")


def _is_code(element: Element) -> bool:
    """Whether this holds the place of a fenced piece of code."""
    return element.tag == "p" and bool(HTML_PLACEHOLDER_RE.fullmatch((element.text or "").strip()))


def _hand_over(parent: Element, paragraph: Element) -> None:
    """A paragraph that is only an anchor names the block before it."""
    place = list(parent).index(paragraph)
    slug = paragraph.get("id")
    parent.remove(paragraph)
    before = parent[place - 1] if place else None
    if before is None or slug is None or (before.get("id") and "data-auto" not in before.attrib):
        return
    if _is_code(before):
        before.tag = "div"
    before.attrib.pop("data-auto", None)
    before.set("id", slug)
