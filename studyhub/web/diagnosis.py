"""What a look at this site finds: versions, settings, disk, letters, clock, backups, and whether the data agrees.

Each finding is a line: ok, look (it works, but see to it) or wrong, with what to do.
"""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
import smtplib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import time

import django
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from studyhub.web import backups

OK, LOOK, WRONG = "ok", "look", "wrong"
SAFE = (
    "fsync",
    "full_page_writes",
    "synchronous_commit",
)  # each must be on: an acknowledged answer is on the disk
LEAST_ROOM = 512 * 1024 * 1024  # bytes
MOST_DRIFT = 2.0  # seconds between this clock and the database's
OLDEST_BACKUP = timedelta(days=2)
HANDSHAKE = 5  # seconds


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a look at the site."""

    state: str
    words: str
    to_do: str = ""

    def __str__(self) -> str:
        """As it is printed."""
        return f"{self.state:5} {self.words}" + (f"\n      {self.to_do}" if self.to_do else "")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Something that must hold of the data. ``statement`` counts the rows of which it does not."""

    words: str
    statement: str


AGREEMENTS: list[Agreement] = []  # each storey puts its own in when the house starts


def examine(at: datetime) -> list[Finding]:
    """Everything but the data itself, in the order in which one mends it."""
    return [*_versions(), *_database(), *_room(), *_letters(), *_backups(at), *_address()]


def soundness() -> list[Finding]:
    """Whether the data agrees with itself: every agreement of every storey, and the server's own checksums."""
    lines = []
    with connection.cursor() as cursor:
        for one in AGREEMENTS:
            cursor.execute(one.statement)
            n = int(cursor.fetchone()[0])
            lines.append(
                Finding(
                    WRONG,
                    f"{one.words}: {n} rows do not",
                    "Restore a backup, or ask for help with this line.",
                )
                if n
                else Finding(OK, f"{one.words}.")
            )
        cursor.execute("SHOW data_checksums")
        on = cursor.fetchone()[0] == "on"
        cursor.execute("SELECT coalesce(sum(checksum_failures), 0) FROM pg_stat_database")
        failures = int(cursor.fetchone()[0])
    if on:
        lines.append(Finding(OK, "Postgres checks what it reads from the disk."))
    else:
        unchecked = "Postgres does not check what it reads from the disk."
        lines.append(Finding(LOOK, unchecked, "Turn data checksums on: pg_checksums --enable."))
    if failures:
        lines.append(
            Finding(
                WRONG, f"{failures} pages read from the disk were damaged", "Restore a backup on a good disk."
            )
        )
    return lines


def _versions() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        postgres = cursor.fetchone()[0]
    yield Finding(
        OK,
        f"StudyHub {backups.version()}, Python {platform.python_version()}, Django {django.get_version()}, "
        f"Postgres {postgres}.",
    )
    wanted = dict(_pinned(settings.BASE_DIR / "requirements.txt"))
    other = [
        f"{name} {now} instead of {pin}"
        for name, pin in wanted.items()
        if (now := _installed(name)) not in {pin, ""}
    ]
    if other:
        yield Finding(
            LOOK, f"Other packages than the locked ones: {', '.join(other[:5])}.", "Run make run once."
        )


def _pinned(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text().splitlines() if path.is_file() else ():
        name, found, rest = line.partition("==")
        if found and not line.startswith((" ", "#")):
            yield name.split("[")[0].strip(), rest.split()[0].strip()


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""  # for another system or Python


def _database() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(SAFE)])
        off = sorted(name for name, setting in cursor.fetchall() if setting in {"off", "local"})
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        drift = abs(float(cursor.fetchone()[0]) - time())
    if off:
        yield Finding(
            WRONG, f"Postgres runs with {', '.join(off)} off: an answer can be lost with the power.",
            f"Set {' and '.join(f'{name} = on' for name in off)} in postgresql.conf and restart the server.",
        )  # fmt: skip
    else:
        yield Finding(
            OK, "What is acknowledged is on the disk (fsync, full_page_writes, synchronous_commit)."
        )
    executor = MigrationExecutor(connection)
    pending = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if pending:
        yield Finding(
            WRONG, f"{pending} migrations are pending.", "Run make run: it makes a backup, then migrates."
        )
    else:
        yield Finding(OK, "No migration is pending.")
    if drift > MOST_DRIFT:
        yield Finding(
            WRONG,
            f"This clock and the database's differ by {drift:.1f} s.",
            "Let both follow a time server (NTP).",
        )
    else:
        yield Finding(OK, f"This clock and the database's differ by {drift:.1f} s.")


def _room() -> Iterator[Finding]:
    free = shutil.disk_usage(settings.DATA).free
    room = f"{free / 1e9:.1f} GB are free where the data lies ({settings.DATA})."
    yield (
        Finding(OK, room)
        if free > LEAST_ROOM
        else Finding(WRONG, room, "Make room: Postgres stops when the disk is full.")
    )
    mode = settings.DATA.stat().st_mode & 0o077
    if mode & 0o066:
        yield Finding(
            LOOK, "Others on this machine can read or write the data folder.", f"chmod 711 {settings.DATA}"
        )


def _letters() -> Iterator[Finding]:
    if not settings.EMAIL_HOST:
        yield Finding(
            LOOK, f"No mail server is named: letters lie in {settings.EMAIL_FILE_PATH}.",
            "Set EMAIL_HOST, so that people can set a new password themselves.",
        )  # fmt: skip
        return
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        with smtplib.SMTP(settings.EMAIL_HOST, settings.EMAIL_PORT, timeout=HANDSHAKE) as server:
            server.ehlo()
            if settings.EMAIL_USE_TLS:
                server.starttls()
            if settings.EMAIL_HOST_USER:
                server.login(settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD)
    except (OSError, smtplib.SMTPException) as problem:
        yield Finding(
            WRONG,
            f"The mail server {where} does not take letters: {problem}",
            "Check EMAIL_HOST, its port and its password.",
        )
    else:
        yield Finding(OK, f"The mail server {where} takes letters.")


def _backups(at: datetime) -> Iterator[Finding]:
    made = backups.made_by_the_site()
    newest = max(made.values(), default=None)
    if newest is None:
        yield Finding(
            LOOK,
            "There is no backup yet.",
            "manage.py backup --rotate makes one; a running site makes one a day.",
        )
    elif at.astimezone(UTC) - newest > OLDEST_BACKUP:
        yield Finding(
            LOOK,
            f"The newest backup is of {newest:%Y-%m-%d %H:%M} UTC.",
            "manage.py backup --rotate makes one.",
        )
    else:
        yield Finding(
            OK,
            f"{len(made)} backups, the newest of {newest:%Y-%m-%d %H:%M} UTC. Copy them to another machine.",
        )


def _address() -> Iterator[Finding]:
    local = settings.HOST in {"127.0.0.1", "::1", "localhost"}
    if settings.DEBUG:
        yield Finding(WRONG, "DEBUG is on: visitors see the inside of the site.", "Unset DEBUG.")
    if not settings.HTTPS and not local:
        yield Finding(
            WRONG,
            "The site listens to others without https.",
            "Put a proxy before it (docs/operators.md) and set SITE_URL.",
        )
    else:
        yield Finding(OK, f"The site's address is {settings.SITE_URL}.")
