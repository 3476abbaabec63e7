"""Responses spliced from pieces that were compressed before.

A chapter's prose is the same for everybody and large; what is personal is small. ``{% shelf html %}`` leaves a mark
in the rendered page, and the response puts the prose there: as it is, or, where the browser takes gzip, as a deflate
block compressed once per process. Deflate blocks that end on a byte boundary may stand side by side in one gzip
member (RFC 1951, section 3.2; RFC 1952), so only the personal parts are compressed for each request.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.cache import patch_vary_headers

MARK = re.compile("\x00([0-9]+)\x00")
HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # gzip, deflate, no flags, no time, unknown system
QUICK, THOROUGH = 1, 9


class Pieces:
    """The ready-made pieces of one page, in the order in which the template named them."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def leave_mark(self, text: str) -> str:
        """Remember ``text`` and return the mark that stands for it."""
        self.texts.append(text)
        return f"\x00{len(self.texts) - 1}\x00"


@lru_cache(maxsize=1024)
def _block(text: str) -> tuple[bytes, bytes]:
    """``text`` as UTF-8, and as a deflate block that ends on a byte boundary."""
    return _squeezed(text, THOROUGH)


def _squeezed(text: str, level: int) -> tuple[bytes, bytes]:
    raw = text.encode()
    squeeze = zlib.compressobj(level, zlib.DEFLATED, -15)
    return raw, squeeze.compress(raw) + squeeze.flush(zlib.Z_FULL_FLUSH)


def _parts(rendered: str, pieces: Pieces) -> Iterator[tuple[str, bool]]:
    """The page in order: what was rendered now, and the pieces that were ready; a mark that nobody left is text."""
    for index, part in enumerate(MARK.split(rendered)):
        if index % 2 == 0:
            yield part, False
        elif int(part) < len(pieces.texts):
            yield pieces.texts[int(part)], True
        else:
            yield f"\x00{part}\x00", False


def takes_gzip(accept: str) -> bool:
    """Whether an Accept-Encoding header allows gzip (RFC 9110, section 12.5.3); named or by ``*``, and not with q=0."""
    offers = {}
    for offer in accept.lower().split(","):
        name, _, weight = offer.partition(";")
        offers[name.strip()] = not re.fullmatch(r"q=0(\.0*)?", weight.strip())
    return offers.get("gzip", offers.get("*", False))


def plain(rendered: str, pieces: Pieces) -> str:
    """Put the pieces in place."""
    return "".join(text for text, _ in _parts(rendered, pieces))


def gzipped(rendered: str, pieces: Pieces) -> bytes:
    """The page as one gzip member; only what lies between the pieces is compressed now."""
    out, check, size = [HEADER], 0, 0
    for text, is_ready in _parts(rendered, pieces):
        raw, squeezed = _block(text) if is_ready else _squeezed(text, QUICK)
        out.append(squeezed)
        check = zlib.crc32(raw, check)
        size += len(raw)
    out.append(b"\x03\x00")  # an empty last block
    out.append(struct.pack("<II", check, size & 0xFFFFFFFF))
    return b"".join(out)


class SplicedResponse(TemplateResponse):
    """A template response whose shelved pieces are put in after rendering. It varies by Accept-Encoding."""

    def __init__(
        self, request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200
    ) -> None:
        super().__init__(request, template, context, status=status)
        self.pieces = Pieces()
        self.squeeze = takes_gzip(request.headers.get("Accept-Encoding", ""))
        context["pieces"] = self.pieces
        patch_vary_headers(self, ("Accept-Encoding",))
        if self.squeeze:
            self.headers["Content-Encoding"] = "gzip"

    @property
    def rendered_content(self) -> Any:
        """The page as text, or as gzip bytes where the browser said it takes them."""
        rendered = super().rendered_content
        return gzipped(rendered, self.pieces) if self.squeeze else plain(rendered, self.pieces)
