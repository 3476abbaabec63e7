"""What a parser that is not the browser's finds wrong in a page: HTML, ids, names, headings, landmarks."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element

import html5lib  # type: ignore[import-untyped]

POINTING = (
    "aria-labelledby",
    "aria-describedby",
    "aria-controls",
    "aria-owns",
    "aria-details",
    "aria-errormessage",
)
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
LABELLED = ("input", "select", "textarea", "button", "output", "progress", "meter")
PARENTS = {"li": {"ul", "ol", "menu"}, "dt": {"dl", "div"}, "dd": {"dl", "div"}, "summary": {"details"},
           "legend": {"fieldset"}, "figcaption": {"figure"}}  # fmt: skip
PRESSED = {"a", "button", "summary", "label", "select", "textarea", "input"}


def title_of(markup: str) -> str:
    """The words of its title."""
    return _title(html5lib.parse(markup, namespaceHTMLElements=False))


def flaws(markup: str) -> list[str]:
    """One line for each flaw of a whole page."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    tree: Element = parser.parse(markup)
    found = [f"parse error at {place}: {code} {details}" for place, code, details in parser.errors]
    elements = [one for one in tree.iter() if isinstance(one.tag, str)]
    return found + _names(elements) + _outline(tree, elements) + _nesting(tree)


def _names(elements: list[Element]) -> list[str]:
    ids = Counter(one.attrib["id"] for one in elements if "id" in one.attrib)
    by_id = {one.attrib["id"]: one for one in elements if "id" in one.attrib}
    found = [
        f"id {name!r} stands {times} times" for name, times in ids.items() if times > 1 or not name.strip()
    ]
    for one in elements:
        found += [
            f"{one.tag} {key} leads to no {name!r}"
            for key in POINTING
            for name in one.attrib.get(key, "").split()
            if name not in ids
        ]
        wanted = one.attrib.get("for") if one.tag == "label" else None
        if wanted is not None and (wanted not in ids or by_id[wanted].tag not in LABELLED):
            found.append(f"label for {wanted!r} labels nothing")
        href = one.attrib.get("href", "") if one.tag == "a" else ""
        if href.startswith("#") and href != "#" and href[1:] not in ids:
            found.append(f"link to {href} leads nowhere")
        if href == "#" or (one.tag == "a" and "href" not in one.attrib):
            found.append("a link that is none")
        if one.tag == "img" and "alt" not in one.attrib:
            found.append("a picture without alt")
    return found


def _outline(tree: Element, elements: list[Element]) -> list[str]:
    found = [] if tree.attrib.get("lang") == "en" else ["no language"]
    tags = Counter(one.tag for one in elements)
    found += [f"{tags[tag]} of {tag}" for tag in ("h1", "main", "title") if tags[tag] != 1]
    level = 0
    for one in elements:
        if one.tag in HEADINGS:
            now = HEADINGS.index(one.tag) + 1
            if now > level + 1:
                found.append(f"{one.tag} after h{level}: {''.join(one.itertext()).strip()[:60]}")
            if not "".join(one.itertext()).strip():
                found.append(f"{one.tag} without a word")
            level = now
    found += ["no header"] if not tags["header"] else []
    found += [] if _title(tree) else ["no title"]
    return found


def _title(tree: Element) -> str:
    title = tree.find("head/title")
    return "".join(title.itertext()).strip() if title is not None else ""


def _nesting(tree: Element) -> list[str]:
    found = []
    above = {child: parent for parent in tree.iter() for child in parent if isinstance(child.tag, str)}
    for one, parent in above.items():
        if one.tag in PARENTS and parent.tag not in PARENTS[one.tag]:
            found.append(f"{one.tag} in {parent.tag}")
        if parent.tag in {"ul", "ol"} and one.tag not in {"li", "script", "template"}:
            found.append(f"{one.tag} in {parent.tag}")
        if one.tag in PRESSED and one.attrib.get("type") != "hidden":
            up: Element | None = parent
            while up is not None:
                if up.tag in {"a", "button", "summary"}:
                    found.append(f"{one.tag} inside {up.tag}")
                up = above.get(up)
    return found
