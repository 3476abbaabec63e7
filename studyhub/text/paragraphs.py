"""The paragraphs of sanitised HTML as plain words, for comparing what a text said before and says now."""

from __future__ import annotations

from html.parser import HTMLParser

from studyhub.text.plain import names

_PARTS = names("p li tr figure pre blockquote h2 h3 h4 h5 h6")
_FRAMES = names("mis box")  # call-outs: one part, whatever is inside
_EMPTY = names("br hr img col mprescripts")
_SPACED = _PARTS | names("div td th ul ol br hr figcaption details b")
_SILENT = names("cite pilcrow embed")
_UNREAD = names("math svg summary")  # maths and drawings are read from their attributes


class _Reader(HTMLParser):
    """Collects parts on one pass. What sanitising left is well formed: every element that opens is closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.anchor, self.pieces = "", list[str]()
        self.part_depth = self.silent_depth = 0
        self.box = ""  # anchor of a table's frame, for its first row

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if not self.part_depth and (tag in _PARTS or given.get("class") in _FRAMES):
            self._finish()
            self.anchor, self.box = given.get("id", "") or self.box, ""
            self.part_depth = len(self.open) + 1
        elif not self.part_depth and tag in ("div", "ul", "ol"):
            self._finish()
            self.box = given.get("id", "")
        if tag in _SPACED:
            self.pieces.append(" ")
        if not self.silent_depth:
            self._say(tag, given)
        if tag not in _EMPTY:
            self.open.append(tag)
            if not self.silent_depth and (tag in _UNREAD or given.get("class", "").split(" ")[0] in _SILENT):
                self.silent_depth = len(self.open)

    def _say(self, tag: str, given: dict[str, str]) -> None:
        said = {"math": "alttext", "svg": "aria-label", "img": "alt"}.get(tag)
        if said:
            self.pieces.append(f"{given.get(said, '')}{' ' if tag == 'svg' else ''}")

    def handle_endtag(self, tag: str) -> None:
        if not self.open:
            return
        depth = len(self.open)
        self.open.pop()
        if depth == self.silent_depth:
            self.silent_depth = 0
        if tag in _SPACED:
            self.pieces.append(" ")
        if depth == self.part_depth:
            self._finish()
            self.part_depth = 0

    def handle_data(self, data: str) -> None:
        if not self.silent_depth:
            self.pieces.append(data)

    def _finish(self) -> None:
        text = " ".join("".join(self.pieces).split())
        if text:
            self.found.append((self.anchor, text))
        self.anchor, self.pieces = "", []


def paragraphs_of(html: str) -> list[tuple[str, str]]:
    """(anchor or "", plain words) of every paragraph, list item, table row, figure, call-out and piece of code.

    In the order of the text. Maths counts as its TeX source, a drawing as its label; note numbers, paragraph
    signs and embedded questions are left out. ``html`` is what ``sanitise`` returned; one pass.
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader._finish()
    return reader.found
