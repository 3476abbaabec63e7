"""Load on one address: wrk where it is installed, else a small client of our own."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CONNECTIONS = 16  # enough to keep both workers busy
SIZE = 8  # digits of a length
SCRIPT = """
local requests, turn = {}, 0
function init(args)
  local file = assert(io.open(args[1], "rb"))
  local text, at = file:read("*a"), 1
  file:close()
  while at <= #text do
    local size = tonumber(text:sub(at, at + 7))
    requests[#requests + 1] = text:sub(at + 8, at + 7 + size)
    at = at + 8 + size
  end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
"""


@dataclass(frozen=True, slots=True)
class Load:
    """What a round came to: requests per second, and how many answers were errors (4xx, 5xx, cut off)."""

    rate: float
    bad: int
    made: int


def tool() -> str:
    """The name of what measures."""
    return "wrk" if shutil.which("wrk") else "the asyncio client (install wrk for truer figures)"


def press(port: int, requests: Sequence[bytes], seconds: float) -> Load:
    """Send the requests in their order, again from the start when they are used up, for so many seconds."""
    if shutil.which("wrk"):
        return _wrk(port, requests, seconds)
    return asyncio.run(_client(port, requests, seconds))


def _wrk(port: int, requests: Sequence[bytes], seconds: float) -> Load:
    with tempfile.TemporaryDirectory(prefix="studyhub-bench-wrk-") as folder:
        script, sent = Path(folder, "send.lua"), Path(folder, "requests")
        script.write_text(SCRIPT)
        sent.write_bytes(b"".join(b"%0*d%b" % (SIZE, len(one), one) for one in requests))
        command = [
            "wrk",
            "-t1",
            f"-c{CONNECTIONS}",
            f"-d{max(1, round(seconds))}s",
            "--timeout",
            "10s",
            "-s",
            script,
        ]
        done = subprocess.run(
            [*command, f"http://127.0.0.1:{port}/", "--", sent], capture_output=True, text=True, check=True
        )
    said = done.stdout
    bad = sum(
        int(one)
        for one in re.findall(r"(?:Non-2xx or 3xx responses: |connect |read |write |timeout )(\d+)", said)
    )
    return Load(
        rate=float(re.findall(r"Requests/sec:\s+([\d.]+)", said)[0]),
        bad=bad,
        made=int(re.findall(r"(\d+) requests in", said)[0]),
    )


async def _client(port: int, requests: Sequence[bytes], seconds: float) -> Load:
    made = bad = 0
    began = time.perf_counter()
    until = began + seconds

    def turns() -> Iterator[bytes]:
        while True:
            yield from requests

    turn = turns()

    async def one() -> None:
        nonlocal made, bad
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() < until:
            writer.write(next(turn))
            head = await reader.readuntil(b"\r\n\r\n")
            await _skip_body(head, reader)
            made += 1
            bad += head[9:10] not in b"23"
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    return Load(rate=made / (time.perf_counter() - began), bad=bad, made=made)


def _length(head: bytes) -> int:
    found = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
    return int(found[1]) if found else 0


def _in_chunks(head: bytes) -> bool:
    return b"\r\ntransfer-encoding: chunked" in head.lower()


async def _skip_body(head: bytes, reader: asyncio.StreamReader) -> None:
    if not _in_chunks(head):
        await reader.readexactly(_length(head))
        return
    size = 1
    while size:
        size = int(await reader.readuntil(b"\r\n"), 16)
        await reader.readexactly(size + 2)


class Line:
    """One connection, one request at a time: for latencies."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb", 1 << 18)

    def ask(self, request: bytes) -> tuple[float, int]:
        """Seconds until the whole answer was here, and its status."""
        began = time.perf_counter()
        self.socket.sendall(request)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.file.readline() or self._gone()
        size = 1 if _in_chunks(head) else 0
        self.file.read(_length(head))
        while size:
            size = int(self.file.readline(), 16)
            self.file.read(size + 2)
        return time.perf_counter() - began, int(head[9:12])

    def close(self) -> None:
        """Hang up."""
        self.file.close()
        self.socket.close()

    def _gone(self) -> bytes:
        raise ConnectionError("The server closed the connection in the middle of an answer.")
