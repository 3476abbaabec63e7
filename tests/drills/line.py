"""A line between browser and server that loses, doubles, delays and reorders."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field

from tests.drills.plain_http import Lost, exchange, parsed, request_in

LATE = 0.8  # seconds at most that a delayed request, or the second one of two, comes later


@dataclass(frozen=True, slots=True)
class Faults:
    """How often each fault happens to a POST; they exclude each other. The rest arrives as it was sent."""

    lost_before: float = 0.03
    doubled: float = 0.09
    lost_after: float = 0.08
    delayed: float = 0.03


@dataclass(slots=True)
class FaultyLine:
    """Listens on ``port`` once entered and passes on to ``target``. What happened is counted in ``seen``.

    A doubled request counts when the server answered both of it, a lost answer when there was one.
    """

    target: int
    faults: Faults
    dice: random.Random
    port: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    _server: asyncio.Server | None = None
    _later: set[asyncio.Task[None]] = field(default_factory=set)

    async def __aenter__(self) -> FaultyLine:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        while self._later:
            await asyncio.gather(*self._later)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await request_in(reader)
            writer.write(await self._pass_on(request))
            await writer.drain()
        except (Lost, OSError, asyncio.IncompleteReadError):
            pass  # the browser sees a closed connection
        finally:
            writer.close()

    async def _pass_on(self, request: bytes) -> bytes:
        """What the browser gets. Raises Lost."""
        happening = self._fate(request)
        if happening == "lost_before":
            self.seen[happening] += 1
            raise Lost(happening)
        if happening == "delayed":
            self.seen[happening] += 1
            await asyncio.sleep(self.dice.uniform(0, LATE))
        answer = asyncio.ensure_future(self._asked(request))
        if happening == "doubled":
            task = asyncio.ensure_future(self._again(request, answer))
            self._later.add(task)
            task.add_done_callback(self._later.discard)
        raw = await answer
        if happening == "lost_after" and parsed(raw).status < 500:
            self.seen[happening] += 1
            raise Lost(happening)
        return raw

    def _fate(self, request: bytes) -> str:
        if not request.startswith(b"POST"):
            return ""
        point = self.dice.random()
        for name in ("lost_before", "doubled", "lost_after", "delayed"):
            point -= getattr(self.faults, name)
            if point < 0:
                return name
        return ""

    async def _asked(self, request: bytes) -> bytes:
        raw = await exchange(self.target, request)
        self.seen[f"status {parsed(raw).status}"] += 1
        return raw

    async def _again(self, request: bytes, first: asyncio.Future[bytes]) -> None:
        """Send the same once more: at the same time, or late, when other things have happened."""
        await asyncio.sleep(self.dice.choice([0.0, self.dice.uniform(0, LATE)]))
        try:
            await self._asked(request)
            await first
        except Lost:
            return
        self.seen["doubled"] += 1
