"""One whole drill: learners, the faulty line, the killer and the naive control, all at once."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from studyhub import postgres
from tests.drills.books import Books, balance
from tests.drills.killing import Killer
from tests.drills.learners import Learner, Tally
from tests.drills.line import Faults, FaultyLine
from tests.drills.naive import naive_books, naive_site, send_naively
from tests.drills.plain_http import Browser
from tests.journeys.house import House

CLIENTS = 12
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that a drill has to show."""

    books: Books
    line: Counter[str]
    kills: Counter[str]
    recoveries: list[float]
    statuses: Counter[int]
    naive: tuple[int, int, int]  # acknowledged, different ones stored, rows too many
    seconds: float


def drill(site: House, *, answers: int, kills: Counter[str], seed: int) -> Outcome:
    """Give so many answers while processes are killed, and balance the books."""
    return apart(_drill(site, answers, kills, random.Random(seed)))


def apart(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end in a thread of its own: where a browser is driven, this one has a loop already."""
    found: list[Result] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(asyncio.run(work))
        except BaseException as problem:
            failed.append(problem)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return found[0]


async def _drill(site: House, answers: int, kills: Counter[str], dice: random.Random) -> Outcome:
    began, address, tally = time.monotonic(), postgres.url(site.data), Tally(answers)
    killer = Killer(site, kills, lambda: len(tally.acked) / answers, random.Random(dice.random()))
    with naive_site(address) as naive:
        async with (
            FaultyLine(site.port, Faults(), dice) as line,
            FaultyLine(naive, Faults(), random.Random(dice.random())) as other,
        ):
            learners = [
                Learner(Browser(site.port), line.port, address, tally, random.Random(dice.random()))
                for _ in range(CLIENTS)
            ]
            async with asyncio.TaskGroup() as tasks:
                control = tasks.create_task(send_naively(other, max(100, answers // 20), dice))
                tasks.create_task(killer.work())
                for learner in learners:
                    tasks.create_task(learner.study())
    stored, too_many = naive_books(address)
    return Outcome(
        books=balance(address, tally.acked),
        line=line.seen,
        kills=killer.done,
        recoveries=killer.recoveries,
        statuses=tally.statuses,
        naive=(control.result(), stored, too_many),
        seconds=time.monotonic() - began,
    )
