"""Pages for strangers, kept for a moment.

A visitor of whom nothing is kept yet sees what every other such visitor sees. The page is rendered once a second in
each process; in between only the form token is filled in. A course that is loaded anew is seen at most a second later.
"""

from __future__ import annotations

import re
import secrets
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch

from studyhub.web.regions import VARY, KeptResponse, SplicedResponse
from studyhub.web.splice import QUICK, TOKEN_LENGTH, SetPage, gzip_member, recompressed, squeezed, takes_gzip

SECRET = re.compile(r"[A-Za-z0-9]{32}")
UNMASKED = "a" * 32  # a mask that changes nothing
ZEROS = "0" * TOKEN_LENGTH
MOST = 256  # pages kept in each process


@dataclass(frozen=True, slots=True)
class StrangersPage:
    """A set page whose CRC-32 for any token is ``check`` changed by ``columns``.

    CRC-32 is affine over GF(2): another token in the holes changes it by a linear function of the change of the
    token's own CRC-32. ``columns[i]`` is that function's value for bit i.
    """

    until: float  # monotonic seconds
    page: SetPage
    check: int
    columns: tuple[int, ...]
    size: int

    def gzipped(self, token: str) -> bytes:
        """Give the page with a token of 64 characters, as one gzip member, without another look at all its bytes."""
        hole = squeezed(token, QUICK)[0]
        check, change, bit = self.check, zlib.crc32(hole.raw) ^ zlib.crc32(ZEROS.encode()), 0
        while change:
            if change & 1:
                check ^= self.columns[bit]
            change >>= 1
            bit += 1
        return gzip_member(hole.squeezed.join(run.squeezed for run in self.page.runs), check, self.size)


def keep(page: SetPage, until: float, before: StrangersPage | None = None) -> StrangersPage:
    """Prepare a set page for any token."""
    raw = page.plain(ZEROS)
    if before is not None and before.page.plain(ZEROS) == raw:
        return replace(before, until=until)
    page = recompressed(page)
    columns = [0] * 32
    for index, run in enumerate(page.runs):
        zeros = bytes(len(run.raw))
        nothing, gap = zlib.crc32(zeros), zlib.crc32(bytes(len(ZEROS)))
        for bit in range(32):
            value = columns[bit]
            if index:
                value = zlib.crc32(bytes(len(ZEROS)), value) ^ gap ^ (1 << bit)
            columns[bit] = zlib.crc32(zeros, value) ^ nothing
    return StrangersPage(until, page, zlib.crc32(raw), tuple(columns), len(raw))


class StrangersMiddleware:
    """Answers a stranger's GET of a page from memory for READY_SECONDS after it was rendered."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.pages: dict[str, StrangersPage] = {}
        self.matches: dict[str, ResolverMatch | None] = {}  # of the kept pages, for log and counts

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Take the page that is ready, or have it made."""
        if not self._is_strangers(request):
            return self.get_response(request)
        request.get_host()  # a name that is not ours is refused here as everywhere
        found = self.pages.get(request.path_info)
        if found is not None and found.until > time.monotonic():
            request.resolver_match = self.matches[request.path_info]
            return self._filled(request, found)
        response = self.get_response(request)
        if (
            isinstance(response, SplicedResponse | KeptResponse)
            and response.set_page is not None
            and response.status_code == 200
            and not set(response.cookies) - {settings.CSRF_COOKIE_NAME}
        ):
            if len(self.pages) >= MOST:
                self.pages.clear()
                self.matches.clear()
            self.matches[request.path_info] = request.resolver_match
            until = time.monotonic() + settings.READY_SECONDS
            self.pages[request.path_info] = kept = keep(response.set_page, until, found)
            return self._filled(request, kept)  # squeezed as a whole: a quarter less to send
        return response

    @staticmethod
    def _is_strangers(request: HttpRequest) -> bool:
        meta = request.META
        return (
            settings.READY_SECONDS > 0
            and request.method == "GET"
            and not meta.get("QUERY_STRING")
            and "HTTP_HX_REQUEST" not in meta
            and settings.SESSION_COOKIE_NAME not in meta.get("HTTP_COOKIE", "")
        )

    @staticmethod
    def _filled(request: HttpRequest, found: StrangersPage) -> HttpResponse:
        """Fill in this visitor's token. Its mask changes nothing: what a stranger sends never stands on the page."""
        secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "") if "HTTP_COOKIE" in request.META else ""
        headers = {"Vary": ", ".join((*VARY, "Cookie"))}
        if not SECRET.fullmatch(secret):
            secret = secrets.token_hex(16)
            headers["Set-Cookie"] = _cookie(secret)
        token = UNMASKED + secret
        if takes_gzip(request.META.get("HTTP_ACCEPT_ENCODING", "")):
            headers["Content-Encoding"] = "gzip"
            content = found.gzipped(token)
        else:
            content = found.page.plain(token)
        headers["Content-Length"] = str(len(content))
        return HttpResponse(content, headers=headers)


def _cookie(secret: str) -> str:
    """Write the token's cookie as Django's CSRF middleware does."""
    parts = [
        f"{settings.CSRF_COOKIE_NAME}={secret}",
        f"Max-Age={settings.CSRF_COOKIE_AGE}",
        f"Path={settings.CSRF_COOKIE_PATH}",
        f"SameSite={settings.CSRF_COOKIE_SAMESITE}",
    ]
    if settings.CSRF_COOKIE_HTTPONLY:
        parts.append("HttpOnly")
    if settings.CSRF_COOKIE_SECURE:
        parts.append("Secure")
    return "; ".join(parts)
