"""Asks the server whether it is there: by connecting, never by a process number."""

from __future__ import annotations

import os
import socket
from enum import Enum, auto
from pathlib import Path

import psycopg

from studyhub.postgres.place import NAME, SOCKET, Embedded
from studyhub.postgres.problem import PostgresProblem

PATIENCE = 3  # seconds for one connection
DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "data_checksums": "on"}


class State(Enum):
    """What a connection met."""

    READY = auto()
    EMPTY = auto()  # runs, but our database is not made yet
    BUSY = auto()  # starting, recovering or shutting down
    SILENT = auto()  # nobody answers


# A refused connection carries no error code, only words; the server speaks plain English (lc_messages).
MEANINGS = {
    State.EMPTY: (f'database "{NAME}" does not exist',),
    State.READY: ("too many clients", "connection slots"),
    State.BUSY: ("starting up", "recovery", "not yet accepting", "shutting down"),
    State.SILENT: ("timeout", "closed the connection", "refused", "No such file", "reset"),
}


def state(place: Embedded) -> State:
    """Connect once and say what was met. Raises PostgresProblem when the server turns us away."""
    if not _listens(place):
        return State.SILENT
    try:
        with psycopg.connect(place.conninfo(), connect_timeout=PATIENCE, autocommit=True):
            return State.READY
    except psycopg.OperationalError as error:
        return _judge(place, str(error))


def make_database(place: Embedded) -> None:
    """Make our database in a cluster that has none yet."""
    with psycopg.connect(place.conninfo("postgres"), connect_timeout=PATIENCE, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {NAME}")


def check_durable(place: Embedded) -> None:
    """Refuse a server whose own settings would lose acknowledged answers. Raises PostgresProblem."""
    with psycopg.connect(place.conninfo(), connect_timeout=PATIENCE, autocommit=True) as connection:
        rows = connection.execute(
            "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(DURABLE)]
        ).fetchall()
    wrong = sorted(name for name, setting in rows if DURABLE[name] != setting)
    if wrong:
        raise PostgresProblem(
            "The database would lose answers in a power cut.",
            f"Switched off: {', '.join(wrong)}.",
            f"Take these lines out of {place.cluster / 'local.conf'} and start again.",
        )


def owner_of(place: Embedded) -> int | None:
    """The process in the server's pid file if it really works in this cluster, else None (Linux only)."""
    try:
        number = int((place.cluster / "postmaster.pid").read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None
    return number if number in workers(place) else None


def workers(place: Embedded) -> list[int]:
    """Live processes whose working folder is this cluster: the server and its children (Linux only)."""
    cluster = os.path.realpath(place.cluster)
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(entry / "cwd") == cluster and (entry / "comm").read_text().startswith("postgres"):
                found.append(int(entry.name))
        except OSError:  # gone, a zombie, or somebody else's
            continue
    return found


def _listens(place: Embedded) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(PATIENCE)
        try:
            probe.connect(os.fspath(place.socket / SOCKET))
        except OSError:
            return False
    return True


def _judge(place: Embedded, said: str) -> State:
    for met, phrases in MEANINGS.items():
        if any(phrase in said for phrase in phrases):
            return met
    raise PostgresProblem(
        "The database turns StudyHub away.",
        said.strip().splitlines()[-1],
        f"Look at {place.log}.",
    )
