"""Starts and stops the embedded server. Safe to call at any moment, from several processes at once."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from studyhub.postgres import account as accounts
from studyhub.postgres import cluster, folder, lock, probe
from studyhub.postgres.account import Account
from studyhub.postgres.place import SOCKET, Embedded
from studyhub.postgres.probe import State
from studyhub.postgres.problem import PostgresProblem
from studyhub.postgres.programs import Programs, programs

TURN = 150  # seconds to wait for another process that starts or stops the server
ANSWER = 60  # seconds a live server may be silent
RECOVERY = 900  # seconds it may take to recover after a crash
ORPHANS = 5  # seconds that children of a killed server get to leave
STOP = 60  # seconds for a clean stop
IN_BACKGROUND = 'umask 077; exec >>"$1" 2>&1; shift; "$@" &'


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers. ``note`` is a line worth showing at the start, or empty."""

    url: str
    started: bool
    note: str


def ensure_running(data: Path) -> Running:
    """Make, start or find the server of this data folder, and return when a connection works.

    Calling it again changes nothing. Takes about 4 s for a new cluster, 1 s for a stopped one and
    some milliseconds for a running one. Raises PostgresProblem (what, why, mend) in plain words.
    """
    place = Embedded.at(data)
    if probe.state(place) is State.READY:
        return Running(place.conninfo(), False, folder.note(place))
    folder.make_data(place.data)
    try:
        with lock.turn(place.turn, seconds=TURN):
            started = _start(place)
    except (OSError, psycopg.Error) as error:
        raise PostgresProblem(
            f"The database in {place.home} could not be started.",
            f"{str(error).strip()}.",
            f"Mend that and start again. What the server said is in {place.log}.",
        ) from error
    return Running(place.conninfo(), started, folder.note(place))


def answers(data: Path) -> bool:
    """Say whether the server of this data folder takes connections, or is busy starting or recovering."""
    return probe.state(Embedded.at(data)) in {State.READY, State.BUSY}


def stop(data: Path) -> None:
    """Stop the server of this data folder cleanly; nothing happens when none runs.

    Open connections are ended, committed work is kept. Raises PostgresProblem if it does not end.
    """
    place = Embedded.at(data)
    if not place.home.exists() or lock.is_free(place.alive):
        return
    with lock.turn(place.turn, seconds=TURN):
        account = accounts.choose(place)
        _end(place, account, programs(place, account))


def _start(place: Embedded) -> bool:
    """Start the server; True when we did, False when somebody else had."""
    account = accounts.choose(place)
    folder.settle(place, account)
    found = programs(place, account)
    alive = _claim(place)
    if alive is None:
        return False
    try:
        cluster.make(place, account, found)
        _launch(place, account, found, alive)
    finally:
        os.close(alive)  # the server holds its own copy from here on
    _await(place)
    try:
        probe.check_durable(place)
    except PostgresProblem:
        _end(place, account, found)  # else the next call would find it running
        raise
    return True


def _claim(place: Embedded) -> int | None:
    """Take the lock that says no process of the server lives; None when a live one answers meanwhile.

    A process number can be a zombie's or a stranger's. The lock cannot: the kernel frees it
    when the server and all its children are gone.
    """
    patience = time.monotonic() + ANSWER
    orphans = time.monotonic() + ORPHANS
    while (alive := lock.try_lock(place.alive)) is None:
        met = probe.state(place)
        if met is State.READY:
            return None
        if met is State.BUSY:
            patience = orphans = time.monotonic() + ANSWER
        elif time.monotonic() > orphans:
            _clear_orphans(place)
        if time.monotonic() > patience:
            raise _stuck(place)
        time.sleep(lock.STEP)
    return alive


def _launch(place: Embedded, account: Account, found: Programs, alive: int) -> None:
    """Start the server with the lock in its hands. What an earlier one left behind is cleared first."""
    if (stranger := probe.owner_of(place)) is not None:
        raise PostgresProblem(
            "Another Postgres uses this database.",
            f"Process {stranger} works in {place.cluster}, and StudyHub did not start it.",
            f"Stop it (kill {stranger}) and start again.",
        )
    directory = place.cluster.resolve()
    socket = folder.server_socket(place) / SOCKET
    for stale in (directory / "postmaster.pid", socket, socket.with_name(f"{socket.name}.lock")):
        stale.unlink(missing_ok=True)
    cluster.configure(place, account)
    # Not by pg_ctl: it builds a shell line that breaks on quotes in the path.
    start: list[str | Path] = [found.folder / "postgres", "-D", directory]
    log = directory.parent / "log"
    code, said = account.run(["/bin/sh", "-c", IN_BACKGROUND, "sh", log, *start], pass_fds=[alive])
    if code:
        raise PostgresProblem(
            "The database did not start.", said or f"The shell ended with {code}.", f"Look at {place.log}."
        )


def _await(place: Embedded) -> None:
    """Wait until a connection works; recovery after a crash may take its time."""
    began = time.monotonic()
    limit = ANSWER
    while (met := probe.state(place)) is not State.READY:
        if met is State.EMPTY:
            probe.make_database(place)
            return
        if met is State.BUSY:
            limit = RECOVERY
        if lock.is_free(place.alive):
            raise PostgresProblem("The database did not start.", _last_words(place), f"Look at {place.log}.")
        if time.monotonic() - began > limit:
            raise _stuck(place)
        time.sleep(lock.STEP)


def _end(place: Embedded, account: Account, found: Programs) -> None:
    """Stop the server cleanly and wait until its last process is gone."""
    ending: list[str | Path] = ["-D", place.cluster.resolve(), "-m", "fast", "-w", "-t", str(STOP)]
    account.run([found.folder / "pg_ctl", "stop", *ending], seconds=STOP + 10)
    if not _until(lambda: lock.is_free(place.alive), ORPHANS) and not _clear_orphans(place):
        raise _stuck(place)


def _clear_orphans(place: Embedded) -> bool:
    """End children of a server that is gone, and say whether the cluster is free now."""
    if probe.owner_of(place) is not None:
        return False
    for number in probe.workers(place):
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
    return _until(lambda: lock.is_free(place.alive), ORPHANS)


def _until(true: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(lock.STEP)
    return True


def _stuck(place: Embedded) -> PostgresProblem:
    number = probe.owner_of(place)
    return PostgresProblem(
        f"The database in {place.cluster} runs but does not answer.",
        f"Process {number or '?'} holds it. {_last_words(place)}",
        f"Stop it (kill {number or 'with its number from ps'}) and start again.",
    )


def _last_words(place: Embedded) -> str:
    try:
        lines = place.log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "It left no log."
    telling = [line for line in lines if " FATAL: " in line or " PANIC: " in line] or lines
    return f"Its log says: {telling[-1]}" if telling else "Its log is empty."
