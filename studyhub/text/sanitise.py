"""The last gate: rendered HTML against an explicit allow-list of tags, attributes, classes and addresses."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

import nh3

from studyhub.text import figures, maths
from studyhub.text.addresses import local
from studyhub.text.plain import has_unseen, names, readable

VERSION = 1  # raise it when the allow-list changes, so that stored HTML is made again

_HTML = names(
    "p div span a b strong em code pre ul ol li blockquote h3 h4 h5 h6 hr br table thead tbody tr th td sup"
    " figure figcaption details summary img"
)
_MATHML = names(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup"
    " munder mover munderover mmultiscripts mprescripts mtable mtr mtd"
)
_OWN: dict[str, set[str]] = {
    "p": {"id", "class"},
    "div": {"id", "class", "role", "tabindex", "aria-label"},
    "li": {"id"},
    "ul": {"id"},
    "ol": {"id", "start"},
    "blockquote": {"id"},
    "pre": {"id"},
    "figure": {"id"},
    "a": {"href", "class", "rel", "tabindex", "aria-hidden", "aria-label"},
    "sup": {"class"},
    "span": {"class"},
    "code": {"class"},
    "details": {"class"},
    "th": {"class", "scope"},
    "td": {"class"},
    "img": {"src", "alt", "loading"},
    "math": {"class", "display", "alttext"},
    "svg": {"role", "aria-label"},
}
_CLASSES: dict[str, frozenset[str]] = {
    "p": frozenset(("formula", "embed")),
    "div": frozenset(("mis", "box", "scroll", "codehilite")),
    "a": frozenset(("pilcrow", "ext")),
    "sup": frozenset(("cite",)),
    "details": frozenset(("equiv",)),
    "th": frozenset(("right", "center")),
    "td": frozenset(("right", "center")),
    "math": frozenset(("block",)),
}
_CODE_CLASS = re.compile(r"tex|language-[a-z0-9+#-]+")
_TOKEN_CLASS = re.compile(r"[a-z][a-z0-9]{0,2}")  # Pygments: k, kn, nf, s2, …
_FIXED: dict[str, frozenset[str]] = {
    "role": frozenset(("note", "group", "img")),
    "rel": frozenset(("noopener noreferrer",)),
    "tabindex": frozenset(("0", "-1")),
    "loading": frozenset(("lazy",)),
    "scope": frozenset(("col",)),
    "aria-hidden": frozenset(("true",)),
    "display": frozenset(("block",)),
}


def _attributes() -> dict[str, set[str]]:
    allowed = {tag: set(names) for tag, names in _OWN.items()}
    for tag in figures.ELEMENTS:
        allowed.setdefault(tag, set()).update(figures.ATTRIBUTES)
    for tag in _MATHML:
        allowed.setdefault(tag, set()).update(maths.ATTRIBUTES)
    for tag in ("h3", "h4", "h5", "h6"):
        allowed[tag] = {"id"}
    return allowed


_TAGS = set(_HTML | _MATHML | figures.ELEMENTS)
_ATTRIBUTES = _attributes()
_SCHEMES = {"http", "https", "mailto"}


def sanitise(markup: str, ids: AbstractSet[str]) -> str:
    """Return the markup with only allowed tags and attributes; of the ids only those in ``ids``.

    Characters that hide or reorder text are taken out too, whether written as such or as entities.
    """
    clean = _clean(markup, ids)
    if has_unseen(clean):
        clean = _clean(readable(clean), ids)
    return clean


def _clean(markup: str, ids: AbstractSet[str]) -> str:
    def checked(tag: str, name: str, value: str) -> str | None:
        if name == "id":
            return value if value in ids else None
        if name == "class":
            return _classes(tag, value)
        if name in _FIXED:
            return value if value in _FIXED[name] else None
        return value

    return nh3.clean(
        markup,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=checked,
        url_schemes=_SCHEMES,
        url_relative=lambda address: address if local(address) else None,
        link_rel=None,
        set_tag_attribute_values={"pre": {"tabindex": "0"}},
    )


def _classes(tag: str, value: str) -> str | None:
    kept = [word for word in value.split() if _class_allowed(tag, word)]
    return " ".join(kept) or None


def _class_allowed(tag: str, word: str) -> bool:
    if tag in figures.ELEMENTS:
        return word in figures.CLASSES
    if tag == "code":
        return bool(_CODE_CLASS.fullmatch(word))
    if tag == "span":
        return bool(_TOKEN_CLASS.fullmatch(word))
    return word in _CLASSES.get(tag, frozenset())
