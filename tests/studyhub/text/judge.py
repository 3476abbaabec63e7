"""An independent parser that judges what the sanitiser let through."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import html5lib  # type: ignore[import-untyped]

from studyhub.text.plain import names

HARMLESS = names(
    "p div span a b strong em code pre ul ol li blockquote h3 h4 h5 h6 hr br table thead tbody tr th td sup"
    " figure figcaption details summary img math mrow mi mn mo mtext mfrac msub msup msubsup svg g path rect"
    " circle ellipse line polyline polygon text tspan mspace msqrt mover munder munderover mstyle"
    " mtable mtr mtd"
)


def parse(markup: str) -> Element:
    """The tree that a browser would build of the markup."""
    tree: Element = html5lib.parseFragment(markup, namespaceHTMLElements=False)
    return tree


def faults(markup: str) -> list[str]:
    """Everything in the markup that could run, load, submit or style something."""
    found: list[str] = []
    for element in parse(markup).iter():
        if not isinstance(element.tag, str):
            found.append("comment")
            continue
        tag = element.tag.rpartition("}")[2]
        if tag != "DOCUMENT_FRAGMENT" and tag not in HARMLESS:
            found.append(tag)
        for name, value in element.attrib.items():
            local = str(name).rpartition("}")[2].lower()
            if local.startswith("on") or local in (
                "style",
                "srcdoc",
                "formaction",
                "action",
                "name",
                "srcset",
            ):
                found.append(f"{tag} {local}")
            if local in ("href", "src") and not value.startswith(
                ("https://", "http://", "mailto:", "/", "#")
            ):
                found.append(f"{tag} {local}={value}")
    return found
