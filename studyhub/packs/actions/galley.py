"""The galley: texts are handed in under a name, pressed all at once, and taken out again."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from studyhub.text.markdown import RenderContext, Rendered
from studyhub.text.press import Job, press

TARGET = re.compile(r"\]\(\s*<?([^)\s>]{1,300})")


@dataclass(frozen=True, slots=True)
class Streets:
    """Where the files of a pack are found on the site. ``chapters`` and ``quizzes`` by path in the pack."""

    chapters: Mapping[str, str]  # path -> address
    quizzes: Mapping[str, str]  # path -> address
    stems: Mapping[str, str]  # "path#question" -> stem as plain text
    figure: Callable[[str], str]  # path of a picture -> SVG source, or address


@dataclass(slots=True)
class Galley:
    """Collects texts, renders them in one run of the press (time and memory limited), gives them back by key."""

    streets: Streets
    jobs: list[Job] = field(default_factory=list)
    places: dict[tuple[object, ...], int] = field(default_factory=dict)
    done: list[Rendered] = field(default_factory=list)

    def hand_in(
        self,
        key: tuple[object, ...],
        source: str,
        where: tuple[str, int],
        *,
        prefix: str = "",
        numbers: Mapping[str, int] | None = None,
        inline: bool = False,
    ) -> None:
        """Add one text. ``where`` is its file and line; ``prefix`` and ``numbers`` as in RenderContext."""
        path, line = where
        links, figures, embeds = self._resolve(source, path)
        context = RenderContext(
            prefix=prefix, numbers=numbers or {}, links=links, figures=figures, embeds=embeds
        )
        self.places[key] = len(self.jobs)
        self.jobs.append(Job(name=f"{path}:{line}", source=source, context=context, inline=inline))

    def _resolve(self, source: str, path: str) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        links: dict[str, str] = {}
        figures: dict[str, str] = {}
        embeds: dict[str, str] = {}
        streets = self.streets
        for target in TARGET.findall(source):
            file, _, anchor = target.partition("#")
            full = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
            if full in streets.chapters and file:
                links[target] = streets.chapters[full] + (f"#{anchor}" if anchor else "")
            elif full in streets.quizzes:
                links[target] = streets.quizzes[full] + (f"?at={anchor}" if anchor else "")
                if stem := streets.stems.get(f"{full}#{anchor}"):
                    embeds[target] = stem
            elif full.startswith("media/"):
                figures[target] = streets.figure(full)
        return links, figures, embeds

    def print(self) -> None:
        """Render everything. Raises PressRefused."""
        self.done = press(self.jobs, seconds=60.0)

    def take(self, *key: object) -> Rendered:
        """The rendered text that was handed in under ``key``."""
        return self.done[self.places[key]]

    def html(self, *key: object) -> str:
        """Its HTML; "" when nothing was handed in under ``key``."""
        return self.done[self.places[key]].html if key in self.places else ""
