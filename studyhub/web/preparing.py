"""What has to be done before the first page, and nothing that was done before.

Each step remembers what it worked on as a stamp in the data folder, so that a second start takes seconds.
"""

from __future__ import annotations

import hashlib
import inspect
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import psycopg
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command, get_commands
from django.core.management.base import CommandError
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from psycopg.errors import LockNotAvailable

from studyhub import postgres
from studyhub.web import backups

DAY = timedelta(hours=23)  # between two of the site's own backups, a little less so that they do not wander
OLDEST = 15  # Postgres
LOCK_WAIT = "2s"  # for a lock, while the tables change
LOCK_TRIES = 15
LOCK_PAUSE = 2.0  # seconds between two tries
NEVER_FREE = (
    "The tables could not be changed: another program kept using one of them. What was there is as it was.\n"
    "End what works on the database for long (a report, a dump, another StudyHub), then start again."
)
# What may be wrong with a database or a backup and is told in its own words.
TROUBLE = (backups.BackupProblem, postgres.PostgresProblem, DatabaseError, psycopg.Error, OSError)
Say = Callable[[str], None]
# A pack is loaded again when the code that reads or renders it changes.
PACK_CODE = ("studyhub/packs", "studyhub/text", "chapters", "quizzes")


def migrate(say: Say, at: datetime) -> None:
    """Bring the tables up to date when a migration is missing, after a backup of what is there.

    Raises CommandError on an old server, and when no backup can be made: then no table changed.
    """
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        version = int(cursor.fetchone()[0]) // 10000
    if version < OLDEST:
        raise CommandError(
            f"Postgres {version} is too old. StudyHub needs {OLDEST} or newer; "
            "leave DATABASE_URL unset for the embedded server."
        )
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        if executor.loader.applied_migrations:
            say("Making a backup before the tables change.")
            try:
                backups.back_up_before("migration", at)
            except TROUBLE as problem:
                raise CommandError(
                    f"The tables were not changed, because no backup could be made. {problem}"
                ) from problem
        say("Preparing the tables.")
        _migrate_patiently(say)


def _migrate_patiently(say: Say) -> None:
    """Change the tables without making others queue behind us.

    Whoever asks for a table waits behind a change that waits itself. So a change waits LOCK_WAIT at most, steps back,
    lets the others through and tries again; each migration is one transaction, and those that are done stay done.
    Raises CommandError when the tables are never free.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [LOCK_WAIT])
    try:
        for rest in range(LOCK_TRIES, 0, -1):
            try:
                call_command("migrate", interactive=False, verbosity=0)
            except OperationalError as problem:
                if not isinstance(problem.__cause__, LockNotAvailable):
                    raise
                if rest == 1:
                    raise CommandError(NEVER_FREE) from problem
                say("Another program is using a table that is to be changed. Trying again in a moment.")
                time.sleep(LOCK_PAUSE)
            else:
                return
    finally:
        if connection.connection is not None and not connection.connection.closed:
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")


@contextmanager
def database_up(*, beginning: bool = False) -> Iterator[None]:
    """The embedded server for the block, left running if it ran before; nothing with DATABASE_URL.

    Raises CommandError where there is no embedded database yet, unless one is to begin.
    """
    mine = settings.EMBEDDED and not postgres.answers(settings.DATA)
    if mine and not beginning and not postgres.Embedded.at(settings.DATA).cluster.exists():
        raise CommandError(
            f"There is no database in {settings.DATA} yet. Is it the right folder (STUDYHUB_DATA)? make run begins one."
        )
    if mine:
        postgres.ensure_running(settings.DATA)
    try:
        yield
    finally:
        connection.close()
        if mine:
            postgres.stop(settings.DATA)


def back_up_daily(at: datetime) -> bool:
    """Make one of the site's own backups unless there is one of the last day; answers whether it did."""
    newest = max(backups.made_by_the_site().values(), default=None)
    if newest is not None and at - newest < DAY:
        return False
    backups.back_up_and_rotate(at)
    return True


def close_mail_folder() -> None:
    """Letters hold links that open accounts: only the site's own user may read where they lie."""
    folder = getattr(settings, "EMAIL_FILE_PATH", None)
    if folder:
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        Path(folder).chmod(0o700)


def sweep_guests() -> None:
    """Let go of guests who kept nothing for 30 days, and of ended sessions."""
    call_command("sweep_guests", verbosity=0)


def load_shipped_pack(say: Say) -> None:
    """Load the course that comes with StudyHub when it, its reader or the database changed.

    A faulty pack changes nothing; its report is shown and the site starts with what it had.
    """
    pack: Path = settings.SHIPPED_PACK
    if "load_pack" not in get_commands() or not pack.is_dir():
        return
    code = [path for name in PACK_CODE for path in (settings.BASE_DIR / name).rglob("*.py")]
    now = _digest([*_contents(pack.rglob("*")), *_contents(code), _tables().encode()])
    stamp = settings.DATA / "course.stamp"
    if _reads(stamp) == now:
        return
    say("Loading the course.")
    try:
        call_command("load_pack", str(pack))
    except (CommandError, SystemExit) as problem:
        say(f"The course could not be loaded; the site goes on with what it has. {problem}")
        return
    stamp.write_text(now)


def collect_static(say: Say) -> None:
    """Gather, hash and compress the static files when one of them changed."""
    parts = [inspect.getsource(type(staticfiles_storage)).encode()]
    for finder in get_finders():
        for name, storage in finder.list([]):
            found = Path(storage.path(name)).stat()
            parts.append(f"{name} {found.st_size} {found.st_mtime_ns}".encode())
    now = _digest(parts)
    stamp = settings.DATA / "static.stamp"
    if _reads(stamp) == now and Path(settings.STATIC_ROOT).is_dir():
        return
    say("Gathering the static files.")
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(now)


def _tables() -> str:
    """Which tables these are: changes when they are emptied, restored or migrated, not when rows change."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT string_agg(relname || ' ' || relfilenode, ', ' ORDER BY relname) FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        )
        row = cursor.fetchone()
    return str(row[0]) if row else ""


def _contents(paths: Iterable[Path]) -> list[bytes]:
    return [f"{path}\0".encode() + path.read_bytes() for path in sorted(paths) if path.is_file()]


def _digest(parts: Iterable[bytes]) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(hashlib.sha256(part).digest())
    return total.hexdigest()


def _reads(stamp: Path) -> str:
    try:
        return stamp.read_text().strip()
    except OSError:
        return ""
