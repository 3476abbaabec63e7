"""One file with everything: the database as one moment saw it, and the media. Made, read, put back, and let go.

The file is a plain tar: ``manifest.json`` first, then ``database.dump`` (pg_dump's custom format), then ``media/…``.
The manifest says what each part must be: length and SHA-256 of the files, number of rows and MD5 of all rows of every
table, how far the sequences are, the names of columns, constraints and indexes. docs/operators.md tells how to use it.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
import tempfile
import time
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from studyhub.postgres import dump as programs
from studyhub.postgres import prints
from studyhub.postgres.scratch import scratch_server
from studyhub.web.manifest import DUMP, MEDIA, body_print, file_print, odd_parts

FORMAT = 1
PRODUCT = "studyhub"
MANIFEST = "manifest.json"
DAYS, WEEKS = 7, 4  # of each of which one backup is kept
LARGEST_MANIFEST = 4 * 1024 * 1024  # bytes
CHUNK = 1 << 20
SCRATCH = ".backup-"
LEFT_BEHIND = 24 * 3600.0  # seconds after which a backup that was not finished never will be
A_DAY = timedelta(days=1)
KEPT_BEFORE = 28 * 24 * 3600.0  # seconds that a backup made before a restore or a migration is kept
MOMENT = "%Y%m%dT%H%M%SZ"  # in the names of the site's own backups, UTC
PARTING = 3.0  # seconds that the server may need to see that a connection was closed


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

    The site may run and write meanwhile: rows and prints come from one snapshot. Raises BackupProblem when there is
    nothing to keep or the disk is too full, PostgresProblem when pg_dump fails.
    """
    if not has_data():
        raise BackupProblem(f"The database is empty. Is it the right one? {_target()}")
    if path.is_dir():
        raise BackupProblem(f"{path} is a folder. Name the file that is to be written.")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _sweep(path.parent)
    if shutil.disk_usage(path.parent).free < 2 * _size() + CHUNK:
        raise BackupProblem(
            f"The disk of {path.parent} has too little room for a backup. Make room, or write it elsewhere."
        )
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=SCRATCH) as scratch:
        body = Path(scratch, DUMP)
        manifest = {
            "format": FORMAT,
            "product": PRODUCT,
            "version": version(),
            "made_at": at.astimezone(UTC).isoformat(),
            "migrations": sorted(".".join(one) for one in MigrationRecorder(connection).applied_migrations()),
            **_dump_and_prints(body),
        }
        media = {f"{MEDIA}{one.relative_to(settings.MEDIA_ROOT).as_posix()}": one for one in _media()}
        manifest["files"] = {name: file_print(one) for name, one in {DUMP: body, **media}.items()}
        fresh = Path(scratch, "fresh.tar")
        _pack(fresh, manifest, {DUMP: body, **media})
        fresh.replace(path)
        _sync(path.parent)
    return Backup(path, manifest)


def _dump_and_prints(body: Path) -> dict[str, Any]:
    """Dump the database into ``body``; what the dump holds, seen in the same moment."""
    given = connection.get_connection_params()
    with prints.reading(given, one_moment=True) as reader:
        row = reader.execute("SELECT pg_export_snapshot()").fetchone()
        assert row is not None
        sequences = prints.sequences(reader)  # before the dump, which cannot be behind them then
        programs.dump(given, body, snapshot=str(row[0]))
        return {
            "tables": prints.rows(reader),
            "sequences": sequences,
            "shape": prints.shape(reader),
            "postgres": str(reader.info.server_version),
        }


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
                if found is None or body_print(found) != tuple(missing.pop(member.name)):
                    raise BackupProblem(
                        f"{member.name} in {path} is not what was backed up: it was cut off or changed. "
                        "Use another backup."
                    )
    except (tarfile.TarError, EOFError, KeyError, TypeError, ValueError, RecursionError) as problem:
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

    The media come first: they have names that nothing else has, and nobody looks at them before the database does.
    The database changes in one transaction. So whenever this ends early, by a kill too, the site is as it was and the
    same command can be given again. Raises BackupProblem when data is there already and ``replace`` is not wanted, or
    somebody else uses the database; PostgresProblem when the server refuses.
    """
    _check_target(replace=replace)
    folder_of_backups().mkdir(mode=0o700, parents=True, exist_ok=True)
    _sweep(folder_of_backups())
    with (
        tempfile.TemporaryDirectory(dir=folder_of_backups(), prefix=SCRATCH) as scratch,
        _opened(backup) as parcel,
    ):
        body = Path(scratch, DUMP)
        _take_out(parcel, DUMP, body)
        for name in (one for one in backup.manifest["files"] if one.startswith(MEDIA)):
            kept = Path(settings.MEDIA_ROOT, name.removeprefix(MEDIA))
            kept.parent.mkdir(parents=True, exist_ok=True)
            fresh = kept.with_name(f".{kept.name}.new")
            _take_out(parcel, name, fresh)
            fresh.replace(kept)
            _sync(kept.parent)
        programs.load(connection.get_connection_params(), body, clear=has_data())
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # else the first pages are planned blindly
    with prints.reading(connection.get_connection_params()) as reader:
        return differences(backup, reader)


def prove(backup: Backup) -> list[str]:
    """Restore a backup into a server made for that and gone afterwards; what differs there: nothing."""
    with tempfile.TemporaryDirectory(prefix="studyhub-verify-") as scratch, _opened(backup) as parcel:
        body = Path(scratch, DUMP)
        _take_out(parcel, DUMP, body)
        with scratch_server() as given:
            programs.load(given, body, clear=False)
            with prints.reading(given) as reader:
                return differences(backup, reader)


def differences(backup: Backup, reader: psycopg.Connection[Any]) -> list[str]:
    """What in a database is not as in the backup: rows of tables, sequences that are behind, parts of tables."""
    now, then = prints.rows(reader), backup.tables
    found = [
        f"{name}: {then.get(name, ['no', ''])[0]} rows in the backup, {now.get(name, ['no', ''])[0]} here"
        for name in sorted({*now, *then})
        if list(now.get(name, ())) != list(then.get(name, ()))
    ]
    counted = prints.sequences(reader)
    found += [
        f"{name}: at {last} in the backup, at {counted.get(name)} here"
        for name, last in backup.manifest.get("sequences", {}).items()
        if counted.get(name, -1) < last
    ]
    made = {*prints.shape(reader)}
    wanted = {*backup.manifest.get("shape", made)}
    found += [f"{one}: only in the backup" for one in sorted(wanted - made)]
    return [*found, *(f"{one}: only here" for one in sorted(made - wanted))]


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
            found[one] = datetime.strptime(one.stem, f"studyhub-{MOMENT}").replace(tzinfo=UTC)
        except ValueError:
            continue
    return found


def back_up_and_rotate(at: datetime) -> Backup:
    """Make one of the site's own backups, then let go of those that are too many; none of the last day goes."""
    made = write_backup(folder_of_backups() / f"studyhub-{at.astimezone(UTC):{MOMENT}}.tar", at)
    known = made_by_the_site()
    for one in superfluous(known):
        if at - known[one] > A_DAY:
            one.unlink(missing_ok=True)
    return made


def back_up_before(what: str, at: datetime) -> Backup:
    """Keep what is there before ``what`` is done to it (restore, migration), for 28 days and whatever else is made."""
    made = write_backup(folder_of_backups() / f"before-{what}-{at.astimezone(UTC):{MOMENT}}.tar", at)
    for one in folder_of_backups().glob("before-*.tar"):
        with suppress(OSError):
            if at.timestamp() - one.stat().st_mtime > KEPT_BEFORE:
                one.unlink()
    return made


def _check_target(*, replace: bool) -> None:
    if has_data() and not replace:
        raise BackupProblem(
            "The database holds data already, and nothing was changed. Restore into an empty data folder "
            "(STUDYHUB_DATA=…), or write --replace: what is there now is backed up first."
        )
    if has_data() and not MigrationRecorder(connection).has_table():
        raise BackupProblem(f"The database holds something else than StudyHub. Use an empty one. {_target()}")
    deadline = time.monotonic() + PARTING
    while others := _others():
        if time.monotonic() > deadline:
            raise BackupProblem(
                f"The database is in use: {', '.join(others)}. Stop the site and whatever else works on it."
            )
        time.sleep(0.1)


def _others() -> list[str]:
    """Who else is connected to the database, by the name that programs give themselves."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(nullif(application_name, ''), usename, '?') || ' (process ' || pid || ')' "
            "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend' ORDER BY pid"
        )
        return [str(name) for (name,) in cursor.fetchall()]


def _target() -> str:
    return f"STUDYHUB_DATA is {settings.DATA}." if settings.EMBEDDED else "DATABASE_URL names it."


def _opened(backup: Backup) -> tarfile.TarFile:
    return tarfile.open(backup.path, "r:")


def _manifest_in(parcel: tarfile.TarFile, first: tarfile.TarInfo | None) -> dict[str, Any]:
    if first is None or first.name != MANIFEST or first.size > LARGEST_MANIFEST:
        raise BackupProblem(
            f"{parcel.name!r} is not a backup of StudyHub: it does not begin with a manifest."
        )
    found = parcel.extractfile(first)
    manifest: dict[str, Any] = json.loads(found.read()) if found else {}
    if manifest["product"] != PRODUCT:
        raise BackupProblem(f"{parcel.name!r} is a backup of something else.")
    odd = odd_parts(manifest)
    if odd or DUMP not in manifest["files"]:
        raise BackupProblem(
            f"The manifest in {parcel.name!r} is odd: {', '.join(odd) or DUMP}. Do not use it."
        )
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
        out.flush()
        os.fsync(out.fileno())


def _media() -> list[Path]:
    folder = Path(settings.MEDIA_ROOT)
    return sorted(
        one for one in folder.rglob("*") if one.is_file() and one.suffix != ".part" and one.name[0] != "."
    )


def _sweep(folder: Path) -> None:
    """Take away what a backup that was killed left behind."""
    for one in folder.glob(f"{SCRATCH}*"):
        with suppress(FileNotFoundError):
            if time.time() - one.stat().st_mtime > LEFT_BEHIND:
                shutil.rmtree(one, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Have a new name in a folder on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _size() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0]) + sum(one.stat().st_size for one in _media())


def version() -> str:
    """Of this StudyHub."""
    return str(tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"])
