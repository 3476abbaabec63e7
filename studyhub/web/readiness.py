"""Whether the site can work: the database answers, its tables are ours, what it acknowledges is on the disk."""

from __future__ import annotations

import time
from functools import cache

from django.db import DatabaseError, InterfaceError, ProgrammingError, connection
from django.db.migrations.loader import MigrationLoader

SAFE = ("fsync", "full_page_writes", "synchronous_commit")  # on: an acknowledged answer is on the disk
UNSAFE = frozenset({"off", "local"})
MOST_DRIFT = 2.0  # seconds between this clock and the database's
LOOK = """
SELECT extract(epoch FROM clock_timestamp())::float8,
    ARRAY[current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit')],
    (SELECT array_agg(app || '.' || name) FROM django_migrations)
"""


def obstacles() -> list[str]:
    """Why the site is not ready, for the operator and without anything personal; empty when it is. One statement."""
    before = time.time()
    try:
        with connection.cursor() as cursor:
            cursor.execute(LOOK)
            clock, kept, applied = cursor.fetchone() or (before, (), None)
    except ProgrammingError:
        return ["there are no tables yet: run manage.py migrate"]
    except (DatabaseError, InterfaceError):
        return ["the database does not answer"]
    found = [
        f"Postgres runs with {name} {how}" for name, how in zip(SAFE, kept, strict=True) if how in UNSAFE
    ]
    if missing := len(_migrations() - set(applied or ())):
        found.append(f"{missing} migrations are pending: run manage.py migrate")
    drift = max(before - clock, clock - time.time(), 0.0)
    if drift > MOST_DRIFT:
        found.append(f"this clock and the database's differ by {drift:.1f} s: let both follow a time server")
    return found


@cache
def _migrations() -> frozenset[str]:
    """Every migration of this version, as app.name; the files are read once per process."""
    return frozenset(f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations)
