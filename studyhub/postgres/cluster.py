"""The cluster on disk: made once, configured at every start."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

from studyhub.postgres import folder
from studyhub.postgres.account import Account
from studyhub.postgres.place import NAME, PORT, Embedded
from studyhub.postgres.problem import PostgresProblem
from studyhub.postgres.programs import Programs

LOG_LIMIT = 5_000_000  # bytes; a longer log is put aside at the next start
LOCAL = "local.conf"

SETTINGS = {
    "listen_addresses": "''",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "80",
    # What was acknowledged must survive a power cut.
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    # Small at rest: the whole of StudyHub is to fit in 350 MB.
    "shared_buffers": "64MB",
    "max_worker_processes": "4",
    "max_parallel_workers": "2",
    "max_wal_senders": "2",
    "max_logical_replication_workers": "0",
    "autovacuum_max_workers": "2",
    "io_method": "sync",
    "min_wal_size": "80MB",
    "max_wal_size": "256MB",
    # Short queries only: compiling them costs more than it gains.
    "jit": "off",
    "random_page_cost": "1.1",
    "timezone": "'UTC'",
    "log_timezone": "'UTC'",
    "lc_messages": "'C'",
    "log_checkpoints": "off",
    # What failed is in the site's own log; here it would stand with the values of rows and statements.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_line_prefix": "'%m [%p] '",
}


def make(place: Embedded, account: Account, found: Programs) -> None:
    """Make the cluster if there is none: beside its place, then renamed, so that half a one never counts.

    Raises PostgresProblem when initdb fails or the cluster is of another Postgres version.
    """
    home = place.home.resolve()
    for leftover in home.glob("cluster.new-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    if (home / "cluster").exists():
        _check_major(place, found)
        return
    fresh = home / f"cluster.new-{secrets.token_hex(4)}"
    code, said = account.run([found.folder / "initdb", *_choices(fresh)])
    if code:
        shutil.rmtree(fresh, ignore_errors=True)
        raise PostgresProblem(
            f"A new database could not be made in {home}.",
            said.splitlines()[-1] if said else f"initdb ended with {code}.",
            "Mend that (often a full disk) and start again. Nothing was left behind.",
        )
    fresh.rename(home / "cluster")
    _sync(home)


def configure(place: Embedded, account: Account) -> None:
    """Write the settings, who may connect, and put a long log aside. Your own settings go into local.conf."""
    cluster = place.home.resolve() / "cluster"
    lines = ["# StudyHub writes this file at every start. Your own settings go into local.conf beside it."]
    lines += [f"{key} = {value}" for key, value in SETTINGS.items()]
    lines += [f"unix_socket_directories = {_quoted(os.fspath(folder.server_socket(place)))}"]
    lines += [f"include '{LOCAL}'"]
    if not os.path.lexists(cluster / LOCAL):
        _write(cluster / LOCAL, ["# Settings of your own, such as: shared_buffers = 1GB"], account)
    _write(cluster / "postgresql.conf", lines, account)
    _write(cluster / "pg_hba.conf", ["local all all peer map=studyhub"], account)
    allowed = dict.fromkeys(["root", account.name])
    _write(cluster / "pg_ident.conf", [f'studyhub "{name}" {NAME}' for name in allowed], account)
    log = cluster.parent / "log"
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        log.rename(log.with_name("log.old"))


def _choices(fresh: Path) -> list[str | Path]:
    return [
        "--pgdata",
        fresh,
        "--username",
        NAME,
        "--auth=peer",
        "--encoding=UTF8",
        "--locale=C",
        # The same order of words on every machine and after every upgrade of the system.
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        "--no-instructions",
    ]


def _check_major(place: Embedded, found: Programs) -> None:
    try:
        made_by = (place.cluster / "PG_VERSION").read_text().strip()
    except OSError:
        made_by = "an unknown version"
    if made_by != str(found.major):
        raise PostgresProblem(
            f"The database in {place.cluster} is of another Postgres version.",
            f"It was made by Postgres {made_by}, and this StudyHub brings {found.major}.",
            "Dump it with the StudyHub it was made with (pg_dump), then load that into a new data folder.",
        )


def _write(path: Path, lines: list[str], account: Account) -> None:
    """Replace the file in one step. The old one is never opened: under root it might be a trap."""
    fresh = path.with_name(f"{path.name}.new-{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
        os.fchown(file.fileno(), account.uid, account.gid)
    fresh.replace(path)


def _quoted(value: str) -> str:
    """A string of postgresql.conf. The setting is a list, so the name is quoted inside as well."""
    inner = value.replace('"', '""')
    return "'" + f'"{inner}"'.replace("\\", "\\\\").replace("'", "''") + "'"


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
