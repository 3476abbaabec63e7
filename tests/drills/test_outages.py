"""trust.md 2, rows connection drop and disk full, and pass mark 12: told as 503 with Retry-After and never as 500,
no acknowledged answer missing, back within 10 s without a restart of the site.

The disk is a tmpfs of its own, which only root may mount; elsewhere that drill is skipped and says so.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from studyhub import postgres
from studyhub.postgres import Embedded, probe
from tests.drills.books import Books, balance, faults_of_tables
from tests.drills.far import FarHouse, stalling
from tests.drills.learners import Intent, Learner, Tally
from tests.drills.plain_http import Browser, Reply
from tests.drills.races import answers, begun, saved
from tests.drills.run import apart
from tests.journeys.house import House, free_port

pytestmark = pytest.mark.long

BACK = 10.0  # seconds
DISK = 300  # MB


def newcomer(site: House, data: Path) -> Learner:
    """A guest to be."""
    return Learner(Browser(site.port), site.port, postgres.url(data), Tally(0), random.Random(5))


def expect_all_saved(learner: Learner, intents: list[Intent]) -> None:
    began = time.monotonic()
    apart(saved(learner, intents))
    assert time.monotonic() - began < BACK
    assert balance(learner.address, learner.tally.acked) == Books(acked=len(intents), rows=len(intents))


def expect_come_back(replies: list[Reply]) -> None:
    assert {(reply.status, reply.header("retry-after")) for reply in replies} <= {(503, "2"), (200, "")}
    assert 503 in {reply.status for reply in replies}


@pytest.mark.parametrize("silent", [3, 20], ids="{} s".format)
def test_database_that_says_nothing(folder: Path, silent: int) -> None:
    near = folder / "near"
    postgres.ensure_running(near)
    with stalling(near) as line:
        site = FarHouse(folder / "data", free_port(), line.port)
        try:
            site.start()
            learner = newcomer(site, near)
            intents = apart(begun(learner))[:24]
            apart(saved(learner, intents[:4]))
            line.open.clear()
            replies = apart(met(learner, intents[4:], silent, line.open.set))
            if silent > BACK:
                expect_come_back(replies)
            assert {reply.status for reply in replies} <= {200, 503}
            expect_all_saved(learner, intents)
            assert site.ready()
        finally:
            line.open.set()
            site.stop()
            postgres.stop(near)


async def met(learner: Learner, intents: list[Intent], silent: float, go_on: object) -> list[Reply]:
    """What answers met that were sent into the silence."""
    assert callable(go_on)
    asked = asyncio.ensure_future(answers(learner, intents))
    await asyncio.sleep(silent)
    assert asked.done() or silent < BACK, "nobody waits longer than the site allows"
    go_on()
    return await asked


def test_database_that_is_restarted_at_once(site: House) -> None:
    learner = newcomer(site, site.data)
    intents = apart(begun(learner))[:24]
    place = Embedded.at(site.data)
    account, found = postgres_programs(place)
    for few in range(0, 24, 8):
        account.run([found / "pg_ctl", "stop", "-D", place.cluster.resolve(), "-m", "immediate"])
        replies = apart(answers(learner, intents[few : few + 8]))
        assert {reply.status for reply in replies} <= {200, 503}
        began = time.monotonic()
        while not site.ready():
            assert time.monotonic() - began < BACK
            time.sleep(0.05)
    expect_all_saved(learner, intents)


def postgres_programs(place: Embedded):  # type: ignore[no-untyped-def]
    """The account of the server and the folder of its programs."""
    from studyhub.postgres.account import choose
    from studyhub.postgres.programs import programs

    account = choose(place)
    return account, programs(place, account).folder


@pytest.fixture
def disk(folder: Path) -> Iterator[Path]:
    """A small disk of its own."""
    place = folder / "disk"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}m,mode=755", "tmpfs", str(place)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(
            f"a full disk needs the right to mount one of a fixed size; mount said: {done.stderr.strip()}"
        )
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.parametrize("what", ["rows", "log"])
def test_full_disk(disk: Path, what: str) -> None:
    """No space for rows: Postgres refuses them. None for its log: it ends, and is started again until it can."""
    site = House(disk / "data", free_port())
    try:
        site.start()
        learner = newcomer(site, site.data)
        intents = apart(begun(learner))
        apart(saved(learner, intents[:4]))
        place = Embedded.at(site.data)
        server = probe.owner_of(place)
        refused = fill_and_answer(disk, learner, intents[4:], what)
        (disk / "ballast").unlink()
        expect_all_saved(learner, intents)
        assert (probe.owner_of(place) == server) is (what == "rows")
        assert refused > 0, "the disk was not full"
        assert faults_of_tables(learner.address) == ""
        assert site._process is not None
        assert site._process.poll() is None
    finally:
        (disk / "ballast").unlink(missing_ok=True)
        site.stop()
        postgres.stop(site.data)


def fill_and_answer(disk: Path, learner: Learner, intents: list[Intent], what: str) -> int:
    """Fill the disk and give answers until some are refused; how many were."""
    free = os.statvfs(disk)
    size = free.f_bavail * free.f_frsize
    with (disk / "ballast").open("wb") as file:
        try:
            for _ in range(0, size + (4 << 20), 1 << 16):
                file.write(bytes(1 << 16))
                file.flush()
        except OSError:
            pass
    refused = 0
    grow(learner.address, what)
    for few in range(0, len(intents), 6):
        replies = apart(answers(learner, intents[few : few + 6]))
        assert {reply.status for reply in replies} <= {200, 503}
        refused += sum(reply.status == 503 for reply in replies)
    return refused


def grow(address: str, what: str) -> None:
    """Use up what Postgres has left in its own files: then the next row, or the next piece of its log, needs space
    that is not there.
    """
    more = ["SELECT pg_switch_wal()", "SELECT pg_logical_emit_message(true, 'drill', 'more')"]
    if what == "rows":
        more = [
            "CREATE TABLE IF NOT EXISTS drill_fat (fat text)",
            "INSERT INTO drill_fat SELECT repeat(md5(random()::text), 200) FROM generate_series(1, 200)",
        ]
    with suppress(psycopg.Error), psycopg.connect(address, autocommit=True) as connection:
        for _ in range(200):
            for statement in more:
                connection.execute(statement)
