"""Learners who answer questions until each answer is acknowledged, always with the same key."""

from __future__ import annotations

import asyncio
import random
import re
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from urllib.parse import urlencode

import psycopg

from tests.drills.plain_http import Browser, Lost, Reply

QUIZ = "/c/llm-inference/quizzes/model-optimization-practice/"
VERDICT = re.compile(rb'class="verdict (right|wrong|partly)" id="verdict"')
MOST_TRIES = 400  # then the drill has failed: nobody answers any more
TABS = 2  # of each learner, answering at the same time
POSED = """SELECT s.position, v.kind, s."order", s.tokens, k.key FROM quizzes_slot s
    JOIN quizzes_questionversion v ON v.id = s.version_id JOIN quizzes_questionkey k ON k.version_id = v.id
    WHERE s.attempt_id = %s ORDER BY s.position"""


@dataclass(frozen=True, slots=True)
class Intent:
    """One answer as its learner means it. ``expected`` is what the key of the question makes of it."""

    attempt: str
    position: int
    choice: tuple[str, ...]
    expected: str
    again: bool
    key: str = field(default_factory=lambda: str(uuid.uuid4()))

    def form(self) -> bytes:
        """The body of the POST."""
        again = [("again", "1")] if self.again else []
        fields = [("q", str(self.position)), ("key", self.key), *again]
        return urlencode([*fields, *(("choice", one) for one in self.choice)]).encode()


@dataclass(slots=True)
class Tally:
    """What the learners saw: the acknowledged answers with the verdict shown, and every status."""

    wanted: int
    begun: int = 0
    acked: dict[str, tuple[Intent, str]] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)
    tries: int = 0

    def take(self, most: int) -> int:
        """How many of at most so many answers are still to be given."""
        given = max(0, min(most, self.wanted - self.begun))
        self.begun += given
        return given


def intents_of(attempt: str, rows: Sequence[tuple[object, ...]], dice: random.Random) -> list[Intent]:
    """An answer to each question of an attempt, right or wrong."""
    made = []
    for position, kind, order, tokens, key in rows:
        choices = _choices(str(kind), order, tokens, key)
        expected = dice.choice(sorted(choices))
        made.append(Intent(attempt, int(str(position)), choices[expected], expected, again=False))
    return made


def _choices(kind: str, order: object, tokens: object, key: object) -> dict[str, tuple[str, ...]]:
    """What to send for each verdict."""
    assert isinstance(key, dict)
    if kind == "number":
        first = key["accepted"][0]
        middle = (Decimal(first["low"]) + Decimal(first["high"])) / 2
        return {"right": (str(middle),), "wrong": (str(Decimal(first["high"]) * 977 + 1),)}
    assert isinstance(order, list)
    assert isinstance(tokens, list)
    right = tuple(token for slug, token in zip(order, tokens, strict=True) if key["options"][slug]["right"])
    wrong = tuple(token for token in tokens if token not in right)
    return {"right": right, "wrong": wrong[:1]} if kind == "single" else {"right": right}


@dataclass(slots=True)
class Learner:
    """A guest who goes through attempt after attempt. Pages come straight from the server, answers go by the line."""

    browser: Browser
    line: int
    address: str  # of the database, to read which questions were posed
    tally: Tally
    dice: random.Random

    async def study(self) -> None:
        """Answer until the tally is full."""
        while self.tally.begun < self.tally.wanted:
            attempt = await self.begin()
            intents = intents_of(attempt, await self.posed(attempt), self.dice)
            mine = intents[: self.tally.take(len(intents))]
            tabs = [self._tab(mine[number::TABS]) for number in range(TABS)]
            await asyncio.gather(*tabs)

    async def submit(self, intent: Intent) -> None:
        """Send an answer until it is acknowledged; the browser's own script does it in the same way."""
        path, body = f"/attempts/{intent.attempt}/", intent.form()
        for tries in range(MOST_TRIES):
            self.tally.tries += 1
            try:
                reply = await self.browser.ask("POST", path, body, "question", self.line)
            except Lost:
                await asyncio.sleep(min(0.02 * 2**tries, 0.5))
                continue
            self.tally.statuses[reply.status] += 1
            if reply.status == 503:
                assert reply.header("retry-after"), "503 says when to come back"
                await asyncio.sleep(min(0.05 * 2**tries, 0.5))
                continue
            found = VERDICT.search(reply.body)
            self.tally.acked[intent.key] = (intent, found[1].decode() if found else f"status {reply.status}")
            return
        raise AssertionError(f"{intent} was never acknowledged")

    async def _tab(self, intents: Sequence[Intent]) -> None:
        for intent in intents:
            await self.submit(intent)
            if self.dice.random() < 0.1 and self.tally.take(1):
                again = Intent(intent.attempt, intent.position, intent.choice, intent.expected, again=True)
                await self.submit(again)

    async def begin(self) -> str:
        """A new attempt's id."""
        while "csrf" not in self.browser.cookies:
            await self._patiently("GET", QUIZ)
        reply = await self._patiently("POST", f"{QUIZ}start/", b"fresh=1")
        return reply.header("location").split("/")[2]

    async def _patiently(self, method: str, path: str, body: bytes = b"") -> Reply:
        for _ in range(MOST_TRIES):
            try:
                reply = await self.browser.ask(method, path, body)
            except Lost:
                await asyncio.sleep(0.2)
                continue
            if reply.status < 400:
                return reply
            assert reply.status == 503, f"{method} {path}: {reply.status}"
            await asyncio.sleep(0.2)
        raise AssertionError(f"{method} {path} was never answered")

    async def posed(self, attempt: str) -> list[tuple[object, ...]]:
        for _ in range(MOST_TRIES):
            try:
                return await asyncio.to_thread(self._read, attempt)
            except psycopg.OperationalError:
                await asyncio.sleep(0.2)
        raise AssertionError("the database never answered")

    def _read(self, attempt: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.address, autocommit=True, connect_timeout=5) as connection:
            return connection.execute(POSED, [attempt]).fetchall()
