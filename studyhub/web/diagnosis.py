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
from typing import Any

import django
from django.apps import apps
from django.conf import settings
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import DO_NOTHING, Exists, ForeignKey, OuterRef

from studyhub.postgres import pages, prints
from studyhub.web import backups
from studyhub.web.readiness import MOST_DRIFT, SAFE, UNSAFE

OK, LOOK, WRONG = "ok", "look", "wrong"
LEAST_ROOM = 512 * 1024 * 1024  # bytes
OLDEST_BACKUP = timedelta(days=2)
HANDSHAKE = 5  # seconds
# Columns that a sequence numbers: table, column, sequence, each as it is written.
NUMBERED = """
SELECT d.refobjid::regclass::text, quote_ident(a.attname), d.objid::regclass::text
FROM pg_depend AS d JOIN pg_class AS s ON s.oid = d.objid AND s.relkind = 'S'
JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
WHERE d.deptype IN ('a', 'i') AND d.classid = 'pg_class'::regclass AND s.relnamespace = 'public'::regnamespace
ORDER BY 1, 2
"""


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


def examine(at: datetime, address: str = "") -> list[Finding]:
    """Everything but the data itself, in the order in which one mends it. ``address``: where the site is reached."""
    try:
        connection.ensure_connection()
    except OperationalError as problem:
        said = str(problem).strip().splitlines()[-1]
        database = [
            Finding(WRONG, f"The database does not answer: {said}", "Start it, or check DATABASE_URL.")
        ]
    else:
        database = [*_server(), *_database()]
    return [*_versions(), *database, *_room(), *_letters(), *_backups(at), *_address(address)]


def soundness() -> list[Finding]:
    """Whether the data agrees with itself: every agreement of every storey, references, and the server's own pages."""
    return [*map(_judged, AGREEMENTS), *_references(), *_pages()]


def _judged(one: Agreement) -> Finding:
    with connection.cursor() as cursor:
        cursor.execute(one.statement)
        n = int(cursor.fetchone()[0])
    if n:
        return Finding(
            WRONG, f"{one.words}: {n} rows do not", "Restore a backup, or ask for help with this line."
        )
    return Finding(OK, f"{one.words}.")


def _references() -> Iterator[Finding]:
    """What the database itself does not hold: references without a constraint, and sequences that are behind."""
    for model in apps.get_models():
        for field in model._meta.local_fields:
            if isinstance(field, ForeignKey) and not getattr(field, "db_constraint", True):
                yield _lost(field)
    behind = []
    with connection.cursor() as cursor:
        cursor.execute(NUMBERED)
        for table, column, sequence in cursor.fetchall():
            cursor.execute(f"SELECT coalesce(max({column}), 0) FROM {table}")  # noqa: S608 - names, quoted by Postgres
            highest = cursor.fetchone()[0]
            cursor.execute("SELECT coalesce(pg_sequence_last_value(%s::regclass), 0)", [sequence])
            if cursor.fetchone()[0] < highest:
                behind.append(sequence)
    if behind:
        yield Finding(WRONG, f"Sequences are behind their tables: {', '.join(behind)}", "Restore a backup.")
    else:
        yield Finding(OK, "No sequence is behind its table.")


def _lost(field: ForeignKey[Any, Any]) -> Finding:
    """Rows of a reference without a constraint whose other end is gone; a passing trace where nothing follows it."""
    lost = field.model._base_manager.filter(**{f"{field.name}__isnull": False}).exclude(
        Exists(field.remote_field.model._base_manager.filter(pk=OuterRef(field.attname)))
    )
    n, words = lost.count(), f"{field.model._meta.verbose_name} → {field.name}"
    if not n:
        return Finding(OK, f"Every {words} leads somewhere.")
    if field.remote_field.on_delete is DO_NOTHING:
        return Finding(LOOK, f"{n} rows of {words} lead nowhere.", "Nothing to do: they end by themselves.")
    return Finding(
        WRONG, f"{n} rows of {words} lead nowhere", "Restore a backup, or ask for help with this line."
    )


def _pages() -> Iterator[Finding]:
    """What Postgres finds when it reads every row and looks it up in every index."""
    with prints.reading(connection.get_connection_params()) as reader:
        damaged = pages.damaged(reader)
    if damaged is None:
        may = "Let a superuser run it: pg_amcheck --install-missing --heapallindexed."
        yield Finding(LOOK, "The tables were not read page by page: amcheck may not be used here.", may)
    elif damaged:
        yield Finding(
            WRONG,
            f"Damaged: {'; '.join(damaged)}",
            "Copy the data folder away, then restore a backup on a good disk.",
        )
    else:
        yield Finding(OK, "Every row of every table can be read and is in every index.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(sum(checksum_failures), 0) FROM pg_stat_database")
        failures = int(cursor.fetchone()[0])
    if failures:
        words = f"{failures} pages read from the disk were damaged"
        yield Finding(WRONG, words, "Restore a backup on a good disk.")
    yield _checksums()


def _checksums() -> Finding:
    with connection.cursor() as cursor:
        cursor.execute("SHOW data_checksums")
        if cursor.fetchone()[0] == "on":
            return Finding(OK, "Postgres checks what it reads from the disk.")
    unchecked = "Postgres does not check what it reads from the disk."
    return Finding(LOOK, unchecked, "Turn data checksums on: pg_checksums --enable.")


def _server() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        yield Finding(OK, f"Postgres {cursor.fetchone()[0]}.")
    yield _checksums()


def _versions() -> Iterator[Finding]:
    of_python = f"Python {platform.python_version()}, Django {django.get_version()}"
    yield Finding(OK, f"StudyHub {backups.version()}, {of_python}.")
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
        off = sorted(name for name, setting in cursor.fetchall() if setting in UNSAFE)
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
    private = [settings.DATA / "secret-key", *backups.made_by_the_site()]
    if open_ones := [str(one) for one in private if one.exists() and one.stat().st_mode & 0o077]:
        words = f"Others on this machine can read {', '.join(open_ones[:3])}."
        yield Finding(WRONG, words, f"chmod 600 {' '.join(open_ones[:3])}")


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


def _address(address: str) -> Iterator[Finding]:
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
        yield Finding(OK, f"The site's address is {address or settings.SITE_URL}.")
