"""What goes into rendering one text, what comes out, and the sheet that is filled in between."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

ANCHOR = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class RenderContext:
    """What the text may refer to.

    ``prefix`` is the section's slug; an empty one means that nothing gets an id. ``numbers`` maps a source to
    its note number. ``links`` maps a target as written to its address, ``figures`` maps a target to SVG
    source or to the address of a picture, ``embeds`` a target to the plain stem of the question it embeds.
    """

    prefix: str
    numbers: Mapping[str, int]
    links: Mapping[str, str]
    figures: Mapping[str, str]
    embeds: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A place that can be linked to, with its text folded to plain words."""

    slug: str
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """Sanitised HTML and what was met on the way.

    ``paragraphs`` holds every place with an id (automatic ids of headings and blocks excepted) in document order,
    ``cites`` the known sources in order of first use, ``dropped`` the targets that were taken out, as written.
    """

    html: str
    paragraphs: tuple[Paragraph, ...]
    cites: tuple[str, ...]
    text: str
    dropped: tuple[str, ...]


NOTHING = RenderContext(prefix="", numbers={}, links={}, figures={}, embeds={})


@dataclass(slots=True)
class Sheet:
    """The mutable side of one rendering; ``start`` empties it for the next text."""

    context: RenderContext = NOTHING
    ids: set[str] = field(default_factory=set)
    cites: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    paragraphs: list[Paragraph] = field(default_factory=list)
    text: str = ""

    def start(self, context: RenderContext) -> None:
        """Forget the last text and take ``context`` for the next."""
        self.context = context
        self.ids = set()
        self.cites, self.dropped, self.paragraphs = [], [], []
        self.text = ""

    def claim(self, slug: str) -> str:
        """Return ``slug`` if it may be an id here and nothing has it yet, else an empty string."""
        if not self.context.prefix or slug in self.ids or not ANCHOR.fullmatch(slug):
            return ""
        self.ids.add(slug)
        return slug

    def claim_below(self, above: str) -> str:
        """An id for a block that has none, from the place above it: the second below "roofline" is "roofline_2".

        No author can write such a one, and no block further down the text changes it. Empty where nothing gets an id.
        """
        if not self.context.prefix:
            return ""
        slug = next(one for number in count(1) if (one := f"{above}_{number}") not in self.ids)
        self.ids.add(slug)
        return slug

    def drop(self, target: str) -> None:
        """Remember a target that was taken out."""
        if target not in self.dropped:
            self.dropped.append(target)

    def cite(self, slug: str) -> int | None:
        """Return the note number of a known source and remember that it was cited."""
        number = self.context.numbers.get(slug)
        if number is not None and slug not in self.cites:
            self.cites.append(slug)
        return number
