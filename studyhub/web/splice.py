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
    raw = text.encode()
    return raw, _deflate(raw, THOROUGH)


def _deflate(raw: bytes, level: int) -> bytes:
    squeeze = zlib.compressobj(level, zlib.DEFLATED, -15)
    return squeeze.compress(raw) + squeeze.flush(zlib.Z_FULL_FLUSH)


def plain(rendered: str, pieces: Pieces) -> str:
    """The page with its pieces in place."""
    return MARK.sub(lambda found: pieces.texts[int(found[1])], rendered)


def gzipped(rendered: str, pieces: Pieces) -> bytes:
    """The page as one gzip member; only what lies between the pieces is compressed now."""
    out, check, size = [HEADER], 0, 0
    for index, part in enumerate(MARK.split(rendered)):
        if index % 2:
            raw, squeezed = _block(pieces.texts[int(part)])
        else:
            raw = part.encode()
            squeezed = _deflate(raw, QUICK)
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
        self.squeeze = "gzip" in request.headers.get("Accept-Encoding", "")
        context["pieces"] = self.pieces
        patch_vary_headers(self, ("Accept-Encoding",))
        if self.squeeze:
            self.headers["Content-Encoding"] = "gzip"

    @property
    def rendered_content(self) -> Any:
        """The page as text, or as gzip bytes where the browser said it takes them."""
        rendered = super().rendered_content
        return gzipped(rendered, self.pieces) if self.squeeze else plain(rendered, self.pieces)
