"""The last work on the tree: addresses, tables, paragraph signs, and the words for searching."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE

from studyhub.text.addresses import external, fragment, local
from studyhub.text.plain import atomic, fold, words
from studyhub.text.sheet import Paragraph, Sheet

_SIDES = ("right", "center")


class Finish(Treeprocessor):
    """Resolve addresses and put the finishing touches; runs when nothing of the text is left to be read."""

    def __init__(self, md: Markdown, sheet: Sheet) -> None:
        super().__init__(md)
        self.sheet = sheet

    def run(self, root: Element) -> None:
        for element in list(root.iter()):
            if element.tag == "a":
                self._link(element)
            elif element.tag == "img":
                self._picture(element)
            elif element.tag == "p":
                _mark_formula(element)
        self._tables(root)
        self.sheet.paragraphs += [Paragraph(each.get("id", ""), self._words(each)) for each in _places(root)]
        self.sheet.text = self._words(root)
        for child in root:
            if child.tag == "p" and child.get("id"):
                _add_pilcrow(child)

    def _words(self, element: Element) -> str:
        return fold(element, self._stashed)

    def _stashed(self, text: str) -> str:
        blocks = self.md.htmlStash.rawHtmlBlocks
        return HTML_PLACEHOLDER_RE.sub(lambda found: f" {_escaped_words(str(blocks[int(found[1])]))} ", text)

    def _link(self, link: Element) -> None:
        target = link.get("href", "")
        address = self.sheet.context.links.get(target, target)
        known = target in self.sheet.context.links
        link.attrib.pop("title", None)
        if external(address):
            link.set("rel", "noopener noreferrer")
            link.set("class", "ext")
        elif not (local(address) if known else fragment(address)):
            self.sheet.drop(target)
            link.tag = "span"
            link.attrib.clear()
            return
        link.set("href", address)

    def _picture(self, picture: Element) -> None:
        """Inside a line only pictures of the pack are shown; a drawing needs a paragraph of its own."""
        if picture.get("loading"):
            return
        target, alt = picture.get("src", ""), picture.get("alt", "")
        address = self.sheet.context.figures.get(target, "")
        tail = picture.tail
        picture.attrib.clear()
        if local(address) and not fragment(address):
            picture.attrib.update({"src": address, "alt": alt, "loading": "lazy"})
            return
        self.sheet.drop(target)
        picture.tag = "span"
        picture.text, picture.tail = atomic(alt), tail

    def _tables(self, parent: Element) -> None:
        for place, child in enumerate(list(parent)):
            if child.tag == "table":
                parent[place] = _scrolling(child, self._words)
            else:
                self._tables(child)


def _escaped_words(markup: str) -> str:
    return words(markup).replace("&", "&amp;")


def _places(root: Element) -> Iterator[Element]:
    """Everything with an id except automatic ids of headings and blocks, in document order."""
    for element in root.iter():
        if element.get("id") and element.attrib.pop("data-auto", "paragraph") == "paragraph":
            yield element


def _mark_formula(paragraph: Element) -> None:
    """A paragraph that is one display formula gets the class of formulas."""
    if len(paragraph) != 1 or paragraph[0].get("display") != "block":
        return
    if not f"{paragraph.text or ''}{paragraph[0].tail or ''}".strip():
        paragraph.set("class", "formula")


def _add_pilcrow(paragraph: Element) -> None:
    sign = SubElement(
        paragraph,
        "a",
        {
            "class": "pilcrow",
            "href": f"#{paragraph.get('id')}",
            "tabindex": "-1",
            "aria-hidden": "true",
        },
    )
    sign.text = "¶"


def _scrolling(table: Element, read: Callable[[Element], str]) -> Element:
    """The table in a box that scrolls by itself and is named by its column heads."""
    heads = list(table.iter("th"))
    for cell in table.iter():
        if cell.tag in ("th", "td"):
            side = cell.attrib.pop("align", "")
            if side in _SIDES:
                cell.set("class", side)
    for cell in heads:
        cell.set("scope", "col")
    names = ", ".join(filter(None, (read(cell) for cell in heads)))
    box = Element("div", {"class": "scroll", "tabindex": "0", "role": "group"})
    box.set("aria-label", html.escape(f"Table: {names}" if names else "Table"))
    for name in ("id", "data-auto"):
        if value := table.attrib.pop(name, None):
            box.set(name, value)
    box.append(table)
    box.tail, table.tail = table.tail, None
    return box
