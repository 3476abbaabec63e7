"""Pages set from pieces that were compressed before.

A chapter's prose is the same for everybody and large; what is personal is small. ``{% shelf html %}`` and
``{% ready … %}`` leave a mark in the rendered page, the form token leaves another, and the page is set from them:
as it is, or, where the browser takes gzip, from deflate blocks compressed once per process. Deflate blocks that end on
a byte boundary may stand side by side in one gzip member (RFC 1951, section 3.2; RFC 1952), so only the personal
parts are compressed for a request, and of a page that was set before only the token.
"""

from __future__ import annotations

import re
import secrets
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

SEAL = secrets.token_hex(8)  # drawn at every start: what a visitor sends can be no mark
MARK = re.compile(f"\x00{SEAL}:([0-9]+)\x00")
TOKEN = f"\x02{SEAL}\x02"  # stands where a form's token goes
TOKEN_LENGTH = 64  # of a masked form token of Django
# Stands for a token where repeats are looked for: no UTF-8 text has this byte.
HOLE = b"\xff" * TOKEN_LENGTH
HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # gzip, deflate, no flags, no time, unknown system
LAST_BLOCK = b"\x03\x00"  # an empty one
QUICK, THOROUGH = 1, 9
# A stream of zlib has 256 KB of memory, and making that ready takes longer than to compress a few KB. From so many
# bytes on: (wbits, memLevel), the smallest window that is large enough (zlib.h, deflateInit2).
SIZES = ((8192, 15, 8), (512, 13, 6), (0, 9, 1))


class Pieces:
    """The ready-made pieces of one page, in the order in which the template named them."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def leave_mark(self, text: str) -> str:
        """Remember ``text`` and return the mark that stands for it."""
        self.texts.append(text)
        return f"\x00{SEAL}:{len(self.texts) - 1}\x00"


@dataclass(frozen=True, slots=True)
class Run:
    """What stands between two tokens: as UTF-8, and as deflate blocks that end on a byte boundary."""

    raw: bytes
    squeezed: bytes


@dataclass(frozen=True, slots=True)
class SetPage:
    """A page with a hole between any two runs, for the form token."""

    runs: tuple[Run, ...]

    def plain(self, token: str) -> bytes:
        """Give the page with its token, as UTF-8."""
        return token.encode().join(run.raw for run in self.runs)

    def gzipped(self, token: str) -> bytes:
        """Give the page with its token of 64 characters, as one gzip member."""
        hole = squeezed(token, QUICK)[0]
        check = size = 0
        for index, run in enumerate(self.runs):
            if index:
                check = zlib.crc32(hole.raw, check)
                size += len(hole.raw)
            check = zlib.crc32(run.raw, check)
            size += len(run.raw)
        return gzip_member(hole.squeezed.join(run.squeezed for run in self.runs), check, size)


def gzip_member(blocks: bytes, check: int, size: int) -> bytes:
    """Frame deflate blocks; ``check`` is the CRC-32 and ``size`` the length of what they hold."""
    return b"".join((HEADER, blocks, LAST_BLOCK, struct.pack("<II", check, size & 0xFFFFFFFF)))


def set_page(rendered: str, pieces: Pieces) -> SetPage:
    """Set a rendered page with its pieces. Pieces may hold tokens too."""
    runs: list[Run] = []
    open_run: list[Run] = []
    for text, is_ready in _parts(rendered, pieces):
        first, *others = _blocks(text) if is_ready else squeezed(text, QUICK)
        open_run.append(first)
        for other in others:
            runs.append(_joined(open_run))
            open_run = [other]
    runs.append(_joined(open_run))
    return SetPage(tuple(runs))


def recompressed(page: SetPage) -> SetPage:
    """The same page squeezed as a whole: a quarter smaller, for pages that are sent often."""
    return SetPage(squeezed(page.plain(TOKEN).decode(), THOROUGH))


def _joined(parts: list[Run]) -> Run:
    return Run(b"".join(part.raw for part in parts), b"".join(part.squeezed for part in parts))


@lru_cache(maxsize=1024)
def _blocks(text: str) -> tuple[Run, ...]:
    return squeezed(text, THOROUGH)


def squeezed(text: str, level: int) -> tuple[Run, ...]:
    """Compress ``text``, cut at its tokens, into deflate blocks that end on a byte boundary.

    What follows a token may repeat what stands before it: all tokens have the same length, so the distance holds.
    """
    runs: list[Run] = []
    window = b""
    for part in text.split(TOKEN):
        raw = part.encode()
        size = len(window) + len(raw) if level == QUICK else SIZES[0][0]
        squeeze = _stream(level, size, window)
        runs.append(Run(raw, squeeze.compress(raw) + squeeze.flush(zlib.Z_FULL_FLUSH)))
        window = (window + raw + HOLE)[-32768:]
    return tuple(runs)


def _stream(level: int, size: int, before: bytes = b"", frame: int = 0) -> zlib._Compress:
    """A deflate stream for so many bytes, raw or, with ``frame`` 16, in a gzip member."""
    wbits, memory = next((wbits, memory) for least, wbits, memory in SIZES if size >= least)
    wbits = wbits + frame if frame else -wbits
    if before:
        return zlib.compressobj(level, zlib.DEFLATED, wbits, memory, zdict=before)
    return zlib.compressobj(level, zlib.DEFLATED, wbits, memory)


def whole_gzipped(raw: bytes) -> bytes:
    """A small text, seen once, as one gzip member."""
    stream = _stream(QUICK, 8191, frame=16)
    return stream.compress(raw) + stream.flush()


def _parts(rendered: str, pieces: Pieces) -> Iterator[tuple[str, bool]]:
    """The page in order: what was rendered now, and the pieces that were ready; a mark that nobody left is text."""
    for index, part in enumerate(MARK.split(rendered)):
        if index % 2 == 0:
            yield part, False
        elif int(part) < len(pieces.texts):
            yield pieces.texts[int(part)], True
        else:
            yield f"\x00{SEAL}:{part}\x00", False


def takes_gzip(accept: str) -> bool:
    """Whether an Accept-Encoding header allows gzip (RFC 9110, section 12.5.3): named or by ``*``, not with q=0."""
    if accept.startswith("gzip,") or accept == "gzip":
        return True
    offers = {}
    for offer in accept.lower().split(","):
        name, _, weight = offer.partition(";")
        offers[name.strip()] = not re.fullmatch(r"q=0(\.0*)?", weight.strip())
    return offers.get("gzip", offers.get("*", False))
