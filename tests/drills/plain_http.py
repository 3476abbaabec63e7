"""As little HTTP as the drills need: one request on one connection, and what was lost says so."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

WAIT = 30.0  # seconds for an answer: longer than the site lets anybody wait


class Lost(Exception):
    """No whole answer came: whether the request was worked on is not known."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """The first header of this name, or an empty string."""
        return next((value for key, value in self.headers if key == name), "")

    def cookies(self) -> dict[str, str]:
        """What the answer sets."""
        pairs = [value.split(";")[0].partition("=") for key, value in self.headers if key == "set-cookie"]
        return {name: value for name, _, value in pairs}


@dataclass(slots=True)
class Browser:
    """Cookies and the port that is asked."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    async def ask(self, method: str, path: str, body: bytes = b"", htmx: str = "", port: int = 0) -> Reply:
        """Ask once. Raises Lost."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close"]
        if self.cookies:
            lines += ["Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items())]
        if body or method == "POST":
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        if htmx:
            lines += ["HX-Request: true", f"HX-Target: {htmx}"]
        if "csrf" in self.cookies:
            lines += [f"X-CSRFToken: {self.cookies['csrf']}"]
        raw = await exchange(port or self.port, "\r\n".join([*lines, "", ""]).encode() + body)
        reply = parsed(raw)
        self.cookies.update(reply.cookies())
        return reply


async def exchange(port: int, request: bytes) -> bytes:
    """Send a request as it stands and return all that comes back, maybe nothing. Raises Lost."""
    try:
        async with asyncio.timeout(WAIT):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(request)
                await writer.drain()
                return await reader.read()
            finally:
                writer.close()
    except (OSError, TimeoutError) as problem:
        raise Lost(str(problem)) from problem


def parsed(raw: bytes) -> Reply:
    """The answer in ``raw``. Raises Lost where it is cut off."""
    head, gap, body = raw.partition(b"\r\n\r\n")
    if not gap:
        raise Lost("the connection ended before the answer")
    first, *rest = head.decode("latin-1").split("\r\n")
    pairs = [line.partition(":") for line in rest]
    headers = tuple((name.strip().lower(), value.strip()) for name, _, value in pairs)
    reply = Reply(int(first.split()[1]), headers, body)
    length = reply.header("content-length")
    if length and len(body) < int(length):
        raise Lost("the connection ended within the answer")
    return reply


async def request_in(reader: asyncio.StreamReader) -> bytes:
    """One whole request, with its body, as it came. Raises asyncio.IncompleteReadError."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").lower().split("\r\n")
    lengths = [int(line.partition(":")[2]) for line in lines if line.startswith("content-length:")]
    return head + (await reader.readexactly(lengths[0]) if lengths else b"")
