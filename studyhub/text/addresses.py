"""Which addresses a course text may lead to."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_FRAGMENT = re.compile(r"#[a-z0-9][a-z0-9-]*")
_GAP = re.compile(r"[\x00-\x20\x7f\\]")


def fragment(address: str) -> bool:
    """Whether the address is a place on this page."""
    return bool(_FRAGMENT.fullmatch(address))


def external(address: str) -> bool:
    """Whether the address leads elsewhere by http, https or mailto, without blanks or control characters."""
    if _GAP.search(address):
        return False
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return (parts.scheme in ("http", "https") and bool(parts.netloc)) or (
        parts.scheme == "mailto" and bool(parts.path)
    )


def local(address: str) -> bool:
    """Whether the address is a path on this site or a place on this page."""
    return not _GAP.search(address) and (
        fragment(address) or (address.startswith("/") and not address.startswith("//"))
    )
