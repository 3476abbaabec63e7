"""Plain words out of trees and sources."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

from markdown.util import AtomicString

# NUL and the other control characters, bidirectional embeddings, overrides and isolates.
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TAG = re.compile(r"<[^>]*>")


def names(text: str) -> frozenset[str]:
    """The blank-separated names of a list."""
    return frozenset(text.split())


_BLOCKS = names(
    "p div li ul ol blockquote figure figcaption details summary table thead tbody tr th td pre br hr"
    " h3 h4 h5 h6"
)


def readable(text: str) -> str:
    """Take out control characters that hide or reorder text; lone surrogates become U+FFFD."""
    return _SURROGATE.sub("\ufffd", _UNSEEN.sub("", text))


def has_unseen(text: str) -> bool:
    """Say whether ``readable`` would change the text."""
    return bool(_UNSEEN.search(text) or _SURROGATE.search(text))


def atomic(text: str) -> AtomicString:
    """Text that Markdown shows exactly as it is: no marks are read in it, entities stay literal."""
    return AtomicString(html.escape(text, quote=False))


def words(markup: str) -> str:
    """The words of a piece of HTML, white space folded."""
    return " ".join(html.unescape(_TAG.sub("", markup)).split())


def fold(element: Element, stashed: Callable[[str], str]) -> str:
    """The words of a tree in reading order, white space folded.

    Maths counts as its TeX source, a picture as its alternative, note numbers and drawings are left out.
    ``stashed`` turns Markdown's place holders for code blocks into words.
    """
    pieces: list[str] = []
    _gather(element, pieces)
    return " ".join(html.unescape(stashed("".join(pieces))).split())


def _gather(element: Element, pieces: list[str]) -> None:
    tag = element.tag
    edge = " " if tag in _BLOCKS else ""
    pieces.append(edge)
    if tag == "math":
        pieces.append(element.get("alttext", ""))
    elif tag == "svg":
        pieces.append(f"{element.get('aria-label', '')} ")
    elif tag == "img":
        pieces.append(element.get("alt", ""))
    elif tag != "summary" and element.get("class") not in ("cite", "pilcrow"):
        pieces.append(element.text or "")
        for child in element:
            _gather(child, pieces)
            pieces.append(child.tail or "")
    pieces.append(edge)
