"""Ends processes of a site as a power cut or an out-of-memory killer does, and waits until it answers again."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import psutil

from studyhub.postgres import Embedded, probe
from tests.journeys.house import House

BETWEEN_WORKERS = 7.0  # seconds: a worker that dies again at once is a fault of its own, and ends the site
BACK = 60.0  # seconds in which the site has to answer again, or the drill has failed


def kill_postgres(site: House) -> None:
    """SIGKILL the database server and every child of it, by their numbers."""
    place = Embedded.at(site.data)
    postmaster = probe.owner_of(place)
    for number in [*filter(None, [postmaster]), *probe.workers(place)]:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def kill_worker(site: House, dice: random.Random) -> None:
    """SIGKILL one of the processes that answer; the main one replaces it."""
    workers = [one for one in main_process(site).children() if one.status() != psutil.STATUS_ZOMBIE]
    if workers:
        dice.choice(workers).kill()


def kill_server(site: House) -> None:
    """SIGKILL the web server, all of its processes, and start it again. The database lives on."""
    main = main_process(site)
    for process in [main, *main.children()]:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    assert site._process is not None
    site._process.wait()
    site.start()


def main_process(site: House) -> psutil.Process:
    """The process that was started."""
    assert site._process is not None
    return psutil.Process(site._process.pid)


@dataclass(slots=True)
class Killer:
    """Kills at equal steps of a progress from 0 to 1, in an order of its own."""

    site: House
    plan: Counter[str]
    progress: Callable[[], float]
    dice: random.Random
    done: Counter[str] = field(default_factory=Counter)
    recoveries: list[float] = field(
        default_factory=list
    )  # seconds until the site was ready after Postgres died
    _last_worker: float = 0.0

    async def work(self) -> None:
        """Kill all that is planned. Raises AssertionError when the site does not come back."""
        order = list(self.plan.elements())
        self.dice.shuffle(order)
        for number, what in enumerate(order):
            while self.progress() < 0.95 * (number + self.dice.random()) / len(order):
                await asyncio.sleep(0.02)
            await asyncio.to_thread(self._kill, what)

    def _kill(self, what: str) -> None:
        began = time.monotonic()
        if what == "postgres":
            kill_postgres(self.site)
        elif what == "server":
            kill_server(self.site)
        else:
            time.sleep(max(0.0, self._last_worker + BETWEEN_WORKERS - time.monotonic()))
            kill_worker(self.site, self.dice)
            self._last_worker = time.monotonic()
        self.done[what] += 1
        while not self.site.ready():
            assert time.monotonic() - began < BACK, f"not back after {what}:\n{self.site.said()}"
            time.sleep(0.05)
        if what == "postgres":
            self.recoveries.append(time.monotonic() - began)
