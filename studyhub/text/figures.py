"""SVG figures, rebuilt from an allow-list so that nothing but a drawing is left."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError

from defusedxml import ElementTree as DefusedTree
from defusedxml.common import DefusedXmlException

from studyhub.text.plain import atomic, names, readable

MOST_BYTES = 256 * 1024
MOST_ELEMENTS = 5_000
DEEPEST = 32
SPACE = "{http://www.w3.org/2000/svg}"
ELEMENTS = names("svg g path rect circle ellipse line polyline polygon text tspan")
CLASSES = names("b hi lim ax v soft c1 c2 c3 dot")

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_LENGTH = re.compile(rf"{_NUMBER}%?")
_LENGTHS = re.compile(r"[0-9eE+\-.,\s]+")
_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9eE+\-.,\s]+")
_TRANSFORM = re.compile(r"(?:\s*(?:translate|rotate|scale|matrix|skewX|skewY)\([0-9eE+\-.,\s]*\)[\s,]*)+")
_SHAPES: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(names("x y x1 x2 y1 y2 cx cy r rx ry width height dx dy"), _LENGTH),
    "d": _PATH,
    "points": _LENGTHS,
    "viewBox": re.compile(rf"\s*{_NUMBER}(?:[\s,]+{_NUMBER}){{3}}\s*"),
    "transform": _TRANSFORM,
    "text-anchor": re.compile(r"start|middle|end"),
}
_SILENT = names("id width height role aria-label version")  # dropped without a word
ATTRIBUTES = frozenset(_SHAPES) | {"class"}


class FigureRefused(Exception):
    """The source is not a figure that can be drawn; the message says why."""


@dataclass(slots=True)
class Drawing:
    """A rebuilt figure, its own title and text equivalent, and what was taken out of it in plain words."""

    svg: Element
    title: str = ""
    desc: str = ""
    removed: list[str] = field(default_factory=list)
    count: int = 0


def read_svg(source: str) -> Drawing:
    """Rebuild an SVG document from the allowed elements and attributes.

    The result has no ids, links, styles, scripts or fixed size, and its texts are marked so that Markdown
    leaves them alone. Raises ``FigureRefused`` when the source is too large, too deep, not XML or not an SVG
    with a viewBox.
    """
    if len(source.encode("utf-8", "replace")) > MOST_BYTES:
        raise FigureRefused("is longer than 256 kB")
    try:
        root = DefusedTree.fromstring(readable(source).strip(), forbid_dtd=True)
    except DefusedXmlException:
        raise FigureRefused("has a document type or entities") from None
    except (ParseError, ValueError) as problem:
        raise FigureRefused(f"is not well-formed XML ({problem})") from None
    if _local(root) != "svg":
        raise FigureRefused("is not an SVG drawing")
    drawing = Drawing(svg=Element("svg"))
    for name in ("title", "desc"):
        told = next((child for child in root if _local(child) == name), None)
        setattr(
            drawing,
            name,
            " ".join("".join(told.itertext()).split()) if told is not None else "",
        )
    _copy(root, drawing.svg, drawing, depth=0)
    for name in ("width", "height"):
        drawing.svg.attrib.pop(name, None)
    if "viewBox" not in drawing.svg.attrib:
        raise FigureRefused("has no viewBox of four numbers")
    return drawing


def _local(element: Element) -> str:
    """The element's name if it belongs to SVG (or to no namespace), else an empty string."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    if tag.startswith(SPACE):
        return tag[len(SPACE) :]
    return "" if tag.startswith("{") else tag


def _copy(source: Element, target: Element, drawing: Drawing, *, depth: int) -> None:
    drawing.count += 1
    if depth > DEEPEST or drawing.count > MOST_ELEMENTS:
        raise FigureRefused(f"is nested deeper than {DEEPEST} or has more than {MOST_ELEMENTS} elements")
    _copy_attributes(source, target, drawing)
    wordy = target.tag in ("text", "tspan")
    if wordy and source.text:
        _append_text(target, source.text)
    for child in source:
        name = _local(child)
        if name in ELEMENTS and name != "svg":
            made = Element(name)
            target.append(made)
            _copy(child, made, drawing, depth=depth + 1)
        elif name not in ("title", "desc"):
            drawing.removed.append(f"element {name or 'that is not SVG'}")
        if wordy and child.tail:
            _append_text(target, child.tail)


def _copy_attributes(source: Element, target: Element, drawing: Drawing) -> None:
    for name, value in source.attrib.items():
        kept = _attribute(name, value)
        if kept:
            target.set(name, kept)
        elif name not in _SILENT:
            drawing.removed.append(f"attribute {name.rpartition('}')[2]} of {target.tag}")


def _attribute(name: str, value: str) -> str:
    if name == "class":
        return " ".join(word for word in value.split() if word in CLASSES)
    shape = _SHAPES.get(name)
    return value if shape is not None and shape.fullmatch(value) else ""


def _append_text(target: Element, text: str) -> None:
    """Put literal text behind the last child that was kept, or behind the element's own text."""
    more = atomic(text)
    if len(target):
        target[-1].tail = type(more)(f"{target[-1].tail or ''}{more}")
    else:
        target.text = type(more)(f"{target.text or ''}{more}")
