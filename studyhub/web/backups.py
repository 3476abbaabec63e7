"""One file with everything: the database as one moment saw it, and the media. Made, read, put back, and let go.

The file is a plain tar: ``manifest.json`` first, then ``database.dump`` (pg_dump's custom format), then ``media/…``.
The manifest says what each part must be: length and SHA-256 of the files, number of rows and MD5 of all rows of every
table. docs/operators.md tells how to use it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import IO, Any

import psycopg
import psycopg.sql
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from studyhub.postgres import dump as programs

FORMAT = 1
PRODUCT = "studyhub"
MANIFEST, DUMP, MEDIA = "manifest.json", "database.dump", "media/"
DAYS, WEEKS = 7, 4  # of each of which one backup is kept
LARGEST_MANIFEST = 4 * 1024 * 1024  # bytes
CHUNK = 1 << 20


class BackupProblem(Exception):
    """What is wrong with a backup or with the place it goes to, and how to mend it. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was read to its end and is whole."""

    path: Path
    manifest: Mapping[str, Any]

    @property
    def tables(self) -> dict[str, list[Any]]:
        """Table -> number of rows, MD5 of all rows."""
        return dict(self.manifest["tables"])


def write_backup(path: Path, at: datetime) -> Backup:
    """Write everything into one file, which only its owner may read; a file of that name is replaced at the end.

    The site may run and write meanwhile: rows and prints come from one snapshot. Raises BackupProblem when the disk is
    too full, PostgresProblem when pg_dump fails.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if shutil.disk_usage(path.parent).free < 2 * _size() + CHUNK:
        raise BackupProblem(
            f"The disk of {path.parent} has too little room for a backup. Make room, or write it elsewhere."
        )
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".backup-") as scratch:
        body = Path(scratch, DUMP)
        with _snapshot() as (reader, name):
            programs.dump(connection.get_connection_params(), body, snapshot=name)
            tables = prints(reader)
            server = str(reader.info.server_version)
        media = {f"{MEDIA}{one.name}": one for one in _media()}
        manifest = {
            "format": FORMAT,
            "product": PRODUCT,
            "version": version(),
            "made_at": at.astimezone(UTC).isoformat(),
            "postgres": server,
            "migrations": sorted(".".join(one) for one in MigrationRecorder(connection).applied_migrations()),
            "tables": tables,
            "files": {name: _print_of(one) for name, one in {DUMP: body, **media}.items()},
        }
        fresh = Path(scratch, "fresh.tar")
        _pack(fresh, manifest, {DUMP: body, **media})
        fresh.replace(path)
    return Backup(path, manifest)


def read_backup(path: Path) -> Backup:
    """Read a backup to its end and compare every part with its manifest; touches nothing else.

    Raises BackupProblem for a file that is no backup, was cut off or changed, or was made by a newer StudyHub.
    """
    try:
        with tarfile.open(path, "r:") as parcel:
            members = iter(parcel)
            manifest = _manifest_in(parcel, next(members, None))
            missing = dict(manifest["files"])
            for member in members:
                if member.name not in missing or not member.isreg():
                    raise BackupProblem(
                        f"{path} holds {member.name!r}, which its list does not name: do not use it."
                    )
                found = parcel.extractfile(member)
                if found is None or _print(found) != tuple(missing.pop(member.name)):
                    raise BackupProblem(
                        f"{member.name} in {path} is not what was backed up: it was cut off or changed. "
                        "Use another backup."
                    )
    except (tarfile.TarError, EOFError, KeyError, TypeError, ValueError) as problem:
        raise BackupProblem(
            f"{path} is not a backup of StudyHub, or only a part of one: {problem}."
        ) from problem
    except OSError as problem:
        raise BackupProblem(f"{path} cannot be read: {problem.strerror or problem}.") from problem
    if missing:
        raise BackupProblem(
            f"{path} was cut off: {', '.join(sorted(missing)[:3])} is missing. Use another backup."
        )
    return Backup(path, manifest)


def restore_backup(backup: Backup, *, replace: bool) -> list[str]:
    """Put a whole backup into the database and the media folder; answers what differs afterwards: nothing.

    The database changes in one transaction. Raises BackupProblem when data is there already and ``replace`` is not
    wanted, PostgresProblem when the server refuses; the database is then as it was.
    """
    if has_data() and not replace:
        raise BackupProblem(
            "The database holds data already, and nothing was changed. Restore into an empty data folder "
            "(STUDYHUB_DATA=…), or write --replace: what is there now is backed up first."
        )
    with (
        tempfile.TemporaryDirectory(prefix="studyhub-restore-") as scratch,
        tarfile.open(backup.path, "r:") as parcel,
    ):
        body = Path(scratch, DUMP)
        _take_out(parcel, DUMP, body)
        programs.load(connection.get_connection_params(), body, clear=True)
        connection.close()
        folder = Path(settings.MEDIA_ROOT)
        folder.mkdir(parents=True, exist_ok=True)
        for name in (one for one in backup.manifest["files"] if one.startswith(MEDIA)):
            fresh = folder / f".{Path(name).name}.new"
            _take_out(parcel, name, fresh)
            fresh.replace(folder / Path(name).name)
    return differences(backup)


def differences(backup: Backup) -> list[str]:
    """The tables of the database that are not as in the backup, each with both numbers of rows."""
    with _reading() as reader:
        now, then = prints(reader), backup.tables
    return [
        f"{name}: {then.get(name, ['no', ''])[0]} rows in the backup, {now.get(name, ['no', ''])[0]} here"
        for name in sorted({*now, *then})
        if list(now.get(name, ())) != list(then.get(name, ()))
    ]


def prints(reader: psycopg.Connection[Any]) -> dict[str, list[Any]]:
    """Number of rows, and MD5 of the MD5s of all rows in order, of every table."""
    found: dict[str, list[Any]] = {}
    with reader.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        for (table,) in cursor.fetchall():
            name = psycopg.sql.Identifier(table)
            cursor.execute(
                psycopg.sql.SQL(
                    "SELECT count(*), md5(coalesce(string_agg(row, '' ORDER BY row), '')) "
                    "FROM (SELECT md5(t::text) AS row FROM {} t) rows"
                ).format(name)
            )
            found[table] = list(cursor.fetchone() or ())
    return found


def has_data() -> bool:
    """Whether the database holds tables."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public')")
        return bool(cursor.fetchone()[0])


def superfluous(made: Mapping[Path, datetime]) -> list[Path]:
    """Of backups and their moments (UTC), those that are neither the newest of one of the last 7 days that have one,
    nor the newest of one of the last 4 such weeks (ISO).
    """
    newest_first = sorted(made, key=lambda one: (made[one], one), reverse=True)
    days: dict[date, Path] = {}
    weeks: dict[tuple[int, int], Path] = {}
    for one in newest_first:
        days.setdefault(made[one].date(), one)
        weeks.setdefault(made[one].isocalendar()[:2], one)
    kept = {*list(days.values())[:DAYS], *list(weeks.values())[:WEEKS]}
    return [one for one in newest_first if one not in kept]


def folder_of_backups() -> Path:
    """Where the site itself puts backups."""
    return settings.DATA / "backups"


def made_by_the_site() -> dict[Path, datetime]:
    """The site's own backups with the moments in their names."""
    found = {}
    for one in folder_of_backups().glob("studyhub-*.tar"):
        try:
            found[one] = datetime.strptime(one.stem, "studyhub-%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        except ValueError:
            continue
    return found


def back_up_and_rotate(at: datetime) -> Backup:
    """Make one of the site's own backups, then let go of those that are too many."""
    made = write_backup(folder_of_backups() / f"studyhub-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}.tar", at)
    for one in superfluous(made_by_the_site()):
        one.unlink(missing_ok=True)
    return made


@contextmanager
def _reading() -> Iterator[psycopg.Connection[Any]]:
    """A connection of its own whose texts of rows do not depend on any setting."""
    address, environment = programs.conninfo(connection.get_connection_params())
    with psycopg.connect(address, password=environment.get("PGPASSWORD")) as reader:
        reader.execute("SET TIME ZONE 'UTC'; SET datestyle TO 'ISO, YMD'; SET extra_float_digits TO 1")
        reader.commit()
        yield reader


@contextmanager
def _snapshot() -> Iterator[tuple[psycopg.Connection[Any], str]]:
    with _reading() as reader:
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.read_only = True
        row = reader.execute("SELECT pg_export_snapshot()").fetchone()
        assert row is not None
        yield reader, str(row[0])


def _manifest_in(parcel: tarfile.TarFile, first: tarfile.TarInfo | None) -> dict[str, Any]:
    if first is None or first.name != MANIFEST or first.size > LARGEST_MANIFEST:
        raise BackupProblem(
            f"{parcel.name!r} is not a backup of StudyHub: it does not begin with a manifest."
        )
    found = parcel.extractfile(first)
    manifest: dict[str, Any] = json.loads(found.read()) if found else {}
    if manifest["product"] != PRODUCT or not isinstance(manifest["files"], dict):
        raise BackupProblem(f"{parcel.name!r} is a backup of something else.")
    known = {".".join(one) for one in MigrationLoader(None).disk_migrations}
    newer = [one for one in manifest["migrations"] if one not in known]
    if manifest["format"] > FORMAT or newer:
        raise BackupProblem(
            f"{parcel.name!r} was made by a newer StudyHub ({manifest['version']}): "
            f"{', '.join(newer[:3]) or 'its format'} is not known here. Update StudyHub first."
        )
    return manifest


def _pack(path: Path, manifest: Mapping[str, Any], files: Mapping[str, Path]) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        with tarfile.open(fileobj=out, mode="w:", format=tarfile.PAX_FORMAT) as parcel:
            text = json.dumps(manifest, indent=1, sort_keys=True).encode()
            _add(parcel, MANIFEST, text, None)
            for name, one in files.items():
                _add(parcel, name, b"", one)
        out.flush()
        os.fsync(out.fileno())


def _add(parcel: tarfile.TarFile, name: str, text: bytes, file: Path | None) -> None:
    member = tarfile.TarInfo(name)
    member.mode, member.size = 0o600, file.stat().st_size if file else len(text)
    if file is None:
        parcel.addfile(member, io.BytesIO(text))
        return
    with file.open("rb") as body:
        parcel.addfile(member, body)


def _take_out(parcel: tarfile.TarFile, name: str, into: Path) -> None:
    found = parcel.extractfile(name)
    assert found is not None
    with into.open("wb") as out:
        shutil.copyfileobj(found, out, CHUNK)


def _print(body: IO[bytes]) -> tuple[int, str]:
    total, size = hashlib.sha256(), 0
    while chunk := body.read(CHUNK):
        total.update(chunk)
        size += len(chunk)
    return size, total.hexdigest()


def _print_of(file: Path) -> tuple[int, str]:
    with file.open("rb") as body:
        return _print(body)


def _media() -> Sequence[Path]:
    folder = Path(settings.MEDIA_ROOT)
    files = folder.iterdir() if folder.is_dir() else ()
    return sorted(one for one in files if one.is_file() and not one.name.startswith("."))


def _size() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0]) + sum(one.stat().st_size for one in _media())


def version() -> str:
    """Of this StudyHub."""
    return str(tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"])
