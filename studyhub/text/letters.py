"""The letters of each paragraph exactly as a browser's text nodes hold them, to mark words by their places.

Note numbers and paragraph signs are left out, white space is not folded: the script that marks words on the page counts
in the same way (``static/js/marking.js``). A place counts characters (Unicode code points) from 0; a browser counts
UTF-16 units.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html.parser import HTMLParser
from types import MappingProxyType

from studyhub.text.plain import names

_WITHOUT_END = names("area base br col embed hr img input link meta source track wbr")
_SKIPPED = frozenset({"cite", "pilcrow"})  # classes
_HEADING = frozenset({"h1", "h2"})
_GAP = re.compile(r'(?<=</sup>)\s+(?=<sup class="cite)')  # between two note numbers: pages close it


class _Letters(HTMLParser):
    """Gathers the text of every element with an id, the text of elements inside it too."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: dict[str, list[str]] = {}
        self.open: list[tuple[str, str, bool]] = []  # tag, id, whether its text is skipped

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember an element until it ends."""
        if tag in _WITHOUT_END:
            return
        given = dict(attrs)
        anchor = "" if tag in _HEADING else given.get("id") or ""
        skipped = bool(_SKIPPED & set((given.get("class") or "").split()))
        if anchor:
            self.found.setdefault(anchor, [])
        self.open.append((tag, anchor, skipped))

    def handle_endtag(self, tag: str) -> None:
        """Close the nearest open element of this name and what was left open in it."""
        for index in range(len(self.open) - 1, -1, -1):
            if self.open[index][0] == tag:
                del self.open[index:]
                return

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Nothing: an element that ends at once holds no letters."""

    def handle_data(self, data: str) -> None:
        """Give the text to every element with an id around it."""
        if not any(skipped for _, _, skipped in self.open):
            for _, anchor, _ in self.open:
                if anchor:
                    self.found[anchor].append(data)


@lru_cache(maxsize=128)
def letters(html: str) -> MappingProxyType[str, str]:
    """The letters of every element with an id in a piece of sanitised HTML, by that id; headings are left out."""
    reader = _Letters()
    reader.feed(_GAP.sub("", html))
    reader.close()
    return MappingProxyType({anchor: "".join(parts) for anchor, parts in reader.found.items()})


def found_again(text: str, start: int, quote: str) -> int | None:
    """Where ``quote`` stands in ``text``: at ``start``, else at the place nearest to it; None where it is gone."""
    if not quote or text.startswith(quote, start):
        return start if quote else None
    places = []
    at = text.find(quote)
    while at >= 0:
        places.append(at)
        at = text.find(quote, at + 1)
    return min(places, key=lambda place: (abs(place - start), place), default=None)


def units(text: str, place: int) -> int:
    """The place of a character in UTF-16 units."""
    return len(text[:place].encode("utf-16-le", "surrogatepass")) // 2


def characters(text: str, place: int) -> int:
    """The place of a UTF-16 unit in characters; one within a pair counts as its character's."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * place].decode("utf-16-le", "ignore"))
