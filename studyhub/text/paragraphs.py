"""The paragraphs of sanitised HTML as plain words: to compare what a text said and says, and to find it."""

from __future__ import annotations

import re

from studyhub.text.plain import names
from studyhub.text.reader import Opened, read_aloud

_PARTS = names("p li tr figure pre blockquote h2 h3 h4 h5 h6")
_FRAMES = names("mis box")  # call-outs: one part, whatever is inside
_BOXES = names("div ul ol")  # give their anchor to their first part
_SPACED = _PARTS | names("div td th ul ol br hr figcaption details b svg")
LONGEST_ANCHOR = 120  # characters
# Plain words for what TeX writes with a backslash; other commands keep their name.
_TEX = {"cdot": "·", "times": "×", "frac": "", "text": "", "mathrm": "", "hat": "", "quad": "", "qquad": ""}


class _Parts:
    """Collects parts on one pass."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []
        self.pieces: list[str] = []
        self.anchor = ""
        self.box = ""  # anchor of a table's frame, for its first row
        self.part: Opened | None = None

    def open(self, element: Opened) -> None:
        """A part begins, unless this stands in one."""
        if self.part is not None:
            return
        if element.tag in _PARTS or " ".join(element.classes) in _FRAMES:
            self.finish()
            self.anchor, self.box = element.id or self.box, ""
            self.part = element
        elif element.tag in _BOXES:
            self.finish()
            self.box = element.id or self.box

    def close(self, element: Opened) -> None:
        """The part ends with its element."""
        if element is self.part:
            self.finish()
            self.part = None

    def finish(self) -> None:
        """Keep what was said since the last part, if anything was."""
        if text := _folded(self.pieces):
            self.found.append((self.anchor, text))
        self.anchor, self.pieces = "", []


def paragraphs_of(html: str) -> list[tuple[str, str]]:
    """(anchor or "", plain words) of every paragraph, list item, table row, figure, call-out and piece of code.

    In the order of the text. Maths counts as its TeX source, a drawing as its label; note numbers, paragraph
    signs and embedded questions are left out. ``html`` is what ``sanitise`` returned; one pass.
    """
    parts = _Parts()
    for event in read_aloud(html):
        if isinstance(event, str):
            parts.pieces.append(event)
            continue
        element = event if isinstance(event, Opened) else event.element
        if event is element:
            parts.open(element)
        if element.tag in _SPACED:
            parts.pieces.append(" ")
        if event is not element:
            parts.close(element)
    parts.finish()
    return parts.found


def passages_of(html: str, first: str) -> list[tuple[str, str]]:
    """(anchor, plain text) of sanitised HTML in reading order, white space folded; the same anchor comes once.

    Words belong to the last anchor before them, at the beginning to ``first``; an anchor of more than 120 characters
    counts for none. Cells stand between ·, rows between semicolons. Maths counts as its TeX source without marks, a
    picture as its alternative; note numbers and embedded questions are left out.
    """
    found: dict[str, list[str]] = {first: []}
    pieces, between = found[first], {"tr": "", "td": ""}
    maths = False
    for event in read_aloud(html):
        if isinstance(event, str):
            pieces.append(plain_tex(event) if maths else event)
            continue
        element = event if isinstance(event, Opened) else event.element
        maths = event is element and element.tag == "math"
        if event is element:
            if 0 < len(element.id) <= LONGEST_ANCHOR:
                pieces = found.setdefault(element.id, [])
            _separate(element.tag, pieces, between)
        pieces.append(" " if element.tag in _SPACED else "")
    folded = ((anchor, _folded(one)) for anchor, one in found.items())
    return [(anchor, text) for anchor, text in folded if text]


def _separate(tag: str, pieces: list[str], between: dict[str, str]) -> None:
    """Put what stands before a row or a cell; ``between`` is what will stand before the next ones."""
    if tag == "table":
        between.update(tr="", td="")
    elif tag == "tr":
        while between["tr"] and not pieces[-1].strip():
            pieces.pop()  # no blank before a semicolon
        pieces.append(between["tr"])
        between.update(tr="; ", td="")
    elif tag in ("td", "th"):
        pieces.append(between["td"])
        between["td"] = " · "


def _folded(pieces: list[str]) -> str:
    return " ".join("".join(pieces).split())


def plain_tex(source: str) -> str:
    r"""TeX as a line one can read: "\text{bytes} = 2 \cdot n" becomes "bytes = 2 · n"."""
    named = re.sub(r"\\([A-Za-z]+)", lambda found: _TEX.get(found[1], found[1]), source)
    return " ".join(re.sub(r"\\.|[{}\\]", " ", named).split())
