"""The letters of each paragraph exactly as a browser's text nodes hold them, to mark words by their places.

Note numbers and paragraph signs are left out, white space is not folded: the script that marks words on the page counts
in the same way (``static/js/marking.js``). A place counts characters (Unicode code points) from 0; a browser counts
UTF-16 units.
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType

from studyhub.text.plain import names
from studyhub.text.reader import Closed, Opened, read

_SKIPPED = names("cite pilcrow")  # classes
_HEADING = names("h1 h2")
_GAP = re.compile(r'(?<=</sup>)\s+(?=<sup class="cite)')  # between two note numbers: pages close it


@lru_cache(maxsize=128)
def letters(html: str) -> MappingProxyType[str, str]:
    """The letters of every element with an id in a piece of sanitised HTML, by that id; headings are left out."""
    found: dict[str, list[str]] = {}
    around: list[tuple[list[str], bool]] = []  # of open elements: where letters go, whether they are skipped
    for event in read(_GAP.sub("", html)):
        if isinstance(event, Opened):
            named = event.id and event.tag not in _HEADING
            skipped = not _SKIPPED.isdisjoint(event.classes)
            around.append((found.setdefault(event.id, []) if named else [], skipped))
        elif isinstance(event, Closed):
            around.pop()
        elif not any(skipped for _, skipped in around):
            for place, _ in around:
                place.append(event)
    return MappingProxyType({anchor: "".join(parts) for anchor, parts in found.items()})


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
