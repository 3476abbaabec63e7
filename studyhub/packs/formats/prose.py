"""What running text points to: anchors, links, pictures, citations; and raw HTML, which is not read.

Code is left out throughout: nothing inside fences or between backticks is a link or a mark. Every scan passes
over a line once.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from studyhub.packs.formats.blocks import fences
from studyhub.packs.formats.marks import split_id

LINE = 20_000  # characters of a line that are looked at; longer lines are refused before
TARGET = 2_000  # characters of a link's target and title
TICKS = re.compile(r"`+")
DEFINITION = re.compile(r"[ ]{0,3}\[([^\[\]]{1,200})\]:[ \t]*(\S{1,2000})")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:")
CALLOUT = re.compile(r"[ ]{0,3}>[ \t]*\[!([A-Za-z]{1,30})\](.*)")
LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")
INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]")
TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]{0,30})(?=[\s/>]|$)|<!--|<!DOCTYPE", re.IGNORECASE)
AUTOLINK = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,30}:[^\s<>]{0,2000}>")
TAG_NAMES = (
    "a abbr address animate area article aside audio b base bdi bdo blockquote body br button canvas "
    "caption center circle cite code col data dd del details dfn dialog div dl dt em embed fieldset "
    "figcaption figure font footer foreignobject form frame g h1 h2 h3 h4 h5 h6 head header hr html i "
    "iframe image img input ins kbd label legend li link main map mark marquee math meta mi mn mo nav "
    "noscript object ol optgroup option output p param path picture pre progress q s samp script "
    "section select small source span strike strong style sub summary sup svg table tbody td template "
    "textarea tfoot th thead time title tr track tt u ul use var video wbr "
)
TAGS = frozenset(TAG_NAMES.split())


@dataclass(frozen=True, slots=True)
class Link:
    """``target`` as the author wrote it, without title. ``line`` counts from 0 in the text that was read."""

    target: str
    picture: bool
    line: int


@dataclass(frozen=True, slots=True)
class Anchor:
    """An id that a place of the text carries. ``callout``: "misconception", "note" …, or ""."""

    slug: str
    line: int
    callout: str
    closing: bool  # it ends a paragraph, heading, figure or opens a call-out, so that it will work


def _without_code(line: str) -> str:
    """``line`` with code between backticks blanked out, so that columns stay."""
    if "`" not in line:
        return line
    runs = [(match.start(), match.end()) for match in TICKS.finditer(line)]
    later: dict[int, list[int]] = {}
    for at in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[at][1] - runs[at][0], []).append(at)
    pieces, place, at = [], 0, 0
    while at < len(runs):
        start, end = runs[at]
        same = later[end - start]
        while same and same[-1] <= at:
            same.pop()
        if not same:
            at += 1
            continue
        close = same.pop()
        pieces.append(line[place:start] + " " * (runs[close][1] - start))
        place, at = runs[close][1], close + 1
    return "".join(pieces) + line[place:]


def visible_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines outside code fences with their index, and without code between backticks."""
    code = fences(lines)
    for at, line in enumerate(lines):
        if not code.inside[at]:
            yield at, _without_code(line[:LINE])


def _inline_links(line: str) -> Iterator[tuple[str, bool]]:
    done, at = 0, line.find("](")
    while at >= 0:
        end = line.find(")", at + 2, at + TARGET)
        if end >= 0:
            start = line.rfind("[", done, at)
            inner = line[at + 2 : end].strip()
            inner = inner[1:].partition(">")[0] if inner.startswith("<") else inner.partition(" ")[0]
            yield inner.strip(), start > 0 and line[start - 1] == "!"
        done = at + 2
        at = line.find("](", done)


def find_links(lines: Sequence[str]) -> list[Link]:
    """Every link and picture target of the text, reference definitions among them."""
    found: list[Link] = []
    for at, line in visible_lines(lines):
        definition = DEFINITION.match(line)
        if definition and definition.group(1)[0] not in "!@x ":
            found.append(Link(definition.group(2).strip("<>"), False, at))
        found.extend(Link(target, picture, at) for target, picture in _inline_links(line) if target)
    return found


def find_citations(lines: Sequence[str]) -> list[tuple[str, int]]:
    """What stands in each ``[@…]``, and the line's index."""
    found = []
    for at, line in visible_lines(lines):
        place = line.find("[@")
        while place >= 0:
            end = line.find("]", place)
            if end < 0:
                break
            found.append((line[place + 2 : end].strip(), at))
            place = line.find("[@", end)
    return found


def find_anchors(lines: Sequence[str]) -> list[Anchor]:
    """Every ``{#id}`` at the end of a line, in order."""
    code = fences(lines)
    found = []
    for at, line in enumerate(lines):
        if code.inside[at] or not line.rstrip().endswith("}"):
            continue
        _, slug = split_id(line)
        if not slug:
            continue
        callout = CALLOUT.match(line)
        following = lines[at + 1].strip() if at + 1 < len(lines) else ""
        closing = bool(callout) or line.lstrip().startswith("#") or _ends_block(line, following)
        found.append(Anchor(slug, at, callout.group(1).lower() if callout else "", closing))
    return found


def _ends_block(line: str, following: str) -> bool:
    if line.lstrip().startswith(">"):
        return following in ("", ">")
    item = LIST_ITEM.match(line) and LIST_ITEM.match(following)
    return not following or bool(item) or following.startswith("```")


def find_html(lines: Sequence[str]) -> list[int]:
    """The indexes of lines with an HTML tag or comment outside code."""
    found = []
    for at, line in visible_lines(lines):
        if "<" not in line:
            continue
        if any(_is_tag(match, line) for match in TAG.finditer(AUTOLINK.sub("", line))):
            found.append(at)
    return found


def find_invisible(lines: Sequence[str]) -> list[int]:
    """The indexes of lines with letters that nobody sees: direction controls, spaces without width."""
    return [at for at, line in enumerate(lines) if not line.isascii() and INVISIBLE.search(line)]


def _is_tag(match: re.Match[str], line: str) -> bool:
    name = (match.group(1) or "").lower()
    if not name:
        return True  # a comment or a doctype
    if name not in TAGS:
        return False
    return len(name) > 1 or match.string[match.end() : match.end() + 1] in (">", "/") or "=" in line


def find_double_brackets(lines: Sequence[str]) -> list[tuple[str, int]]:
    """Paths in ``[[…]]``, which some tools read as links."""
    found = []
    for at, line in visible_lines(lines):
        place = line.find("[[")
        while place >= 0:
            end = line.find("]]", place)
            if end < 0:
                break
            inner = line[place + 2 : end]
            if "/" in inner or ".." in inner or inner.endswith(".md"):
                found.append((inner, at))
            place = line.find("[[", end)
    return found


def scheme_of(target: str) -> str:
    """The scheme of an address in small letters ("https", "javascript"); "" for a path or an anchor."""
    match = SCHEME.match(target)
    return match.group(0)[:-1].lower() if match else ""


def resolve(path: str, target: str) -> tuple[str, str] | None:
    """Where a link in the file at ``path`` leads: (path in the pack, anchor). None: it leaves the pack.

    An anchor alone leads to the same file. Percent signs stay as written, and must not hide a way out either.
    """
    place, _, anchor = target.partition("#")
    if not place:
        return path, anchor
    inside = [_inside(path, form) for form in (place, unquote(place))]
    return (inside[0], anchor) if all(inside) else None


def _inside(path: str, place: str) -> str:
    """The path in the pack, or "" when it leaves the pack."""
    if place.startswith(("/", "~")) or "\\" in place or "\0" in place:
        return ""
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), place))
    return "" if whole == ".." or whole.startswith("../") else whole


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that stand together. ``kind``: text, list, table, quote, heading or code."""

    kind: str
    text: str
    line: int  # index of its first line


def paragraphs(lines: Sequence[str]) -> list[Paragraph]:
    """The text cut at empty lines and code fences."""
    code = fences(lines)
    found: list[Paragraph] = []
    start = 0
    for at in range(len(lines) + 1):
        ends = at == len(lines) or (not code.inside[at] and not lines[at].strip())
        changes = 0 < at < len(lines) and code.inside[at] != code.inside[at - 1]
        if (ends or changes) and start < at:
            text = "\n".join(lines[start:at])
            found.append(Paragraph("code" if code.inside[start] else _kind(text), text, start))
        if ends:
            start = at + 1
        elif changes:
            start = at
    return found


def _kind(text: str) -> str:
    first = text.lstrip()
    if first.startswith("#"):
        return "heading"
    if first.startswith(">"):
        return "quote"
    if first.startswith("|"):
        return "table"
    if LIST_ITEM.match(first):
        return "list"
    return "text"
