"""Sanitised HTML read in its order: what opens, what closes, and the text between.

The one reader behind ``paragraphs`` and ``letters``. It takes broken HTML too: what is left open closes with what it
stands in, and an end without a beginning counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

from studyhub.text.plain import names

_WITHOUT_END = names("area base br col embed hr img input link meta source track wbr mprescripts")
_SILENT = names("cite pilcrow embed")  # classes whose words are not the text's own
_UNREAD = names("math svg summary")  # maths and drawings are read from their attributes
_SAID = {"math": "alttext", "svg": "aria-label", "img": "alt"}


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """The beginning of an element."""

    tag: str
    id: str
    classes: tuple[str, ...]
    said: str  # the words of an attribute that stand for the element


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of an element: every one has an end, in the reverse order of the beginnings."""

    element: Opened


Event = Opened | Closed | str


class _Reader(HTMLParser):
    """Turns what the parser meets into events."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.events: list[Event] = []
        self.open: list[Opened] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        classes = tuple(given.get("class", "").split())
        element = Opened(tag, given.get("id", ""), classes, given.get(_SAID.get(tag, ""), ""))
        self.events.append(element)
        if tag in _WITHOUT_END:
            self.events.append(Closed(element))
        else:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if any(one.tag == tag for one in self.open):
            while True:
                last = self.open.pop()
                self.events.append(Closed(last))
                if last.tag == tag:
                    return

    def handle_data(self, data: str) -> None:
        self.events.append(data)


def read(html: str) -> list[Event]:
    """Everything in ``html`` in its order; what was never closed closes at the end."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return [*reader.events, *map(Closed, reversed(reader.open))]


def read_aloud(html: str) -> Iterator[Event]:
    """As ``read``, with the words that count and no others.

    Maths counts as its TeX source, a drawing as its label, a picture as its alternative, each with what opened it
    just before; note numbers, paragraph signs, summaries and embedded questions say nothing.
    """
    silent: Opened | None = None
    for event in read(html):
        if silent is not None:
            if isinstance(event, Closed) and event.element is silent:
                silent = None
                yield event
            continue
        yield event
        if isinstance(event, Opened):
            if event.said:
                yield event.said
            if event.tag in _UNREAD or not _SILENT.isdisjoint(event.classes):
                silent = event
