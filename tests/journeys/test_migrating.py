"""trust.md 2, rows "migration killed" and "migration behind a long reader", on a running site with data.

An app of this test's own brings the migration: a column, its content from the rows that are there, and a wait.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from studyhub import postgres
from tests.drills.killing import kill_postgres
from tests.journeys.house import ROOT, House

MIGRATION = """
from django.db import migrations

class Migration(migrations.Migration):
    dependencies = []
    operations = [
        migrations.RunSQL(
            "ALTER TABLE quizzes_quiz ADD COLUMN scratch text NOT NULL DEFAULT ''",
            "ALTER TABLE quizzes_quiz DROP COLUMN scratch",
        ),
        migrations.RunSQL("UPDATE quizzes_quiz SET scratch = title", ""),
        migrations.RunSQL("SELECT pg_sleep(coalesce((SELECT max(seconds) FROM scratch_wait), 0))", ""),
    ]
"""
RUN = """
import sys, django
from django.conf import settings
settings.INSTALLED_APPS = [*settings.INSTALLED_APPS, "scratch"]
django.setup()
from django.core.management import call_command
from django.utils import timezone
from studyhub.web import preparing
if sys.argv[1:] == ["prepare"]:
    preparing.migrate(lambda line: print(line, flush=True), timezone.now())
else:
    call_command("migrate", "scratch", *sys.argv[1:], verbosity=0)
"""
COLUMNS = """SELECT table_name, column_name, data_type, column_default FROM information_schema.columns
    WHERE table_schema = 'public' ORDER BY 1, 2"""
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"
DONE = "SELECT app, name FROM django_migrations ORDER BY 1, 2"
QUIZZES = "SELECT quizzes_quiz::text FROM quizzes_quiz ORDER BY id"


class Scratch:
    """The app, and commands that know it."""

    def __init__(self, folder: Path, site: House) -> None:
        self.site = site
        self.folder = folder
        (folder / "scratch" / "migrations").mkdir(parents=True)
        for name in ("scratch/__init__.py", "scratch/migrations/__init__.py"):
            (folder / name).touch()
        (folder / "scratch" / "migrations" / "0001_column.py").write_text(MIGRATION)
        self.rows("CREATE TABLE IF NOT EXISTS scratch_wait (seconds float)")

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Begin a command."""
        environment = self.site._environment() | {
            "DJANGO_SETTINGS_MODULE": "studyhub.settings",
            "PYTHONPATH": os.pathsep.join([str(self.folder), str(ROOT)]),
        }
        return subprocess.Popen(
            [sys.executable, "-c", RUN, *words],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *words: str) -> tuple[int, str]:
        """Its exit code and what it said."""
        process = self.start(*words)
        said, _ = process.communicate(timeout=60)
        return process.returncode, said

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Rows of a query, or nothing of a statement."""
        with psycopg.connect(postgres.url(self.site.data), autocommit=True) as connection:
            cursor = connection.execute(query)  # type: ignore[call-overload]
            return cursor.fetchall() if cursor.description else []

    def picture(self) -> list[list[tuple[object, ...]]]:
        """Schema, applied migrations and the rows of the table."""
        return [self.rows(query) for query in (COLUMNS, INDEXES, DONE, QUIZZES)]


@pytest.fixture
def scratch(tmp_path: Path, house: House) -> Iterator[Scratch]:
    made = Scratch(tmp_path, house)
    yield made
    assert made.run("zero") == (0, "")
    made.rows("DROP TABLE scratch_wait")


def until(true: object, seconds: float = 30) -> None:
    assert callable(true)
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.02)


def test_migration_killed_in_the_middle_leaves_all_as_it_was(scratch: Scratch) -> None:
    before = scratch.picture()
    scratch.rows("INSERT INTO scratch_wait VALUES (60)")
    process = scratch.start()
    asleep = "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'"

    until(lambda: scratch.rows(asleep))
    kill_postgres(scratch.site)
    said, _ = process.communicate(timeout=30)
    assert process.returncode != 0
    assert "OperationalError" in said
    until(scratch.site.ready)
    assert scratch.picture() == before
    scratch.rows("DELETE FROM scratch_wait")
    assert scratch.run() == (0, "")
    assert ("scratch", "0001_column") in scratch.rows(DONE)
    assert scratch.rows("SELECT count(*) FROM quizzes_quiz WHERE scratch <> title") == [(0,)]


def test_migration_behind_a_long_reader_steps_back_and_says_so(scratch: Scratch) -> None:
    lines: list[str] = []
    with psycopg.connect(postgres.url(scratch.site.data)) as reader:
        reader.execute("SELECT count(*) FROM quizzes_quiz")
        process = scratch.start("prepare")
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.strip())
            if line.startswith("Another program"):
                break
        with psycopg.connect(postgres.url(scratch.site.data)) as other:  # traffic flows in between
            other.execute("SET lock_timeout = '2s'")
            assert other.execute("SELECT count(*) > 0 FROM quizzes_quiz").fetchone() == (True,)
    lines += [line.strip() for line in process.stdout]
    assert process.wait(60) == 0
    told = "Another program is using a table that is to be changed. Trying again in a moment."
    assert lines[-1] == told
    assert "Preparing the tables." in lines
    assert ("scratch", "0001_column") in scratch.rows(DONE)
