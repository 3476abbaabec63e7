"""Data of earlier versions lives on: each kept dump, made by that version's own code, means the same after migrating.

Proves trust.md section 2, "upgrade with data" (goal 11). ``DATE.json`` is what the old code's database meant.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from studyhub.postgres import dump
from tests.conftest import PACK
from tests.upgrade.meaning import meaning

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
VERSIONS = sorted(path.stem for path in HERE.glob("*.dump"))
KILLS = 5


@pytest.fixture
def empty(db: None) -> Iterator[dict[str, Any]]:
    """The keywords of a connection to an empty database on the tests' server."""
    given = {
        name: value
        for name, value in connection.get_connection_params().items()
        if isinstance(value, str | int)
    }
    name = f"upgrade_{uuid.uuid4().hex[:12]}"
    server = {key: given[key] for key in ("host", "port", "user", "password") if given.get(key)}
    with psycopg.connect(**server, dbname="postgres", autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}"')
        yield {**server, "dbname": name}
        admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def address_of(given: dict[str, Any]) -> str:
    host = str(given.get("host", "")).replace("/", "%2F")
    secret = f":{given['password']}" if given.get("password") else ""
    return (
        f"postgresql://{given['user']}{secret}@/{given['dbname']}?host={host}&port={given.get('port', 5432)}"
    )


def manage(given: dict[str, Any], folder: Path, *words: str) -> subprocess.Popen[str]:
    """A command of this version on that database."""
    kept = {name: value for name, value in os.environ.items() if name not in {"DEBUG", "SITE_URL"}}
    env = {**kept, "DATABASE_URL": address_of(given), "STUDYHUB_DATA": str(folder), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "manage.py", *words]
    return subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
    )


def done(given: dict[str, Any], folder: Path, *words: str) -> str:
    running = manage(given, folder, *words)
    said, _ = running.communicate(timeout=120)
    assert running.returncode == 0, said
    return said


def test_there_is_a_dump_to_come_from():
    assert VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_old_data_means_the_same_after_migrating_and_loading_the_course(version, empty, tmp_path):
    before = json.loads((HERE / f"{version}.json").read_text(encoding="utf-8"))
    dump.load(empty, HERE / f"{version}.dump", clear=False)
    assert meaning(make_conninfo(**empty)) == before
    done(empty, tmp_path, "migrate")
    assert meaning(make_conninfo(**empty)) == before
    assert "is loaded" in done(empty, tmp_path, "load_pack", str(PACK))
    after = meaning(make_conninfo(**empty))
    for name in ("people", "attempts", "answers", "evidence"):
        assert after[name] == before[name]
    assert {row[0] for row in after["sections read"]} == {row[0] for row in before["sections read"]}
    done(empty, tmp_path, "verify")  # ends with 1 when anything does not agree


@pytest.mark.parametrize("version", VERSIONS)
def test_migration_killed_on_its_way_goes_on_where_it_was(version, empty, tmp_path):
    before = json.loads((HERE / f"{version}.json").read_text(encoding="utf-8"))
    dump.load(empty, HERE / f"{version}.dump", clear=False)
    for _ in range(KILLS):
        running = manage(empty, tmp_path, "migrate")
        assert running.stdout is not None
        applied = 0
        for line in running.stdout:
            applied += line.rstrip().endswith("OK")
            if applied:
                break
        running.kill()
        running.wait(30)
        running.stdout.close()
    done(empty, tmp_path, "migrate")
    assert meaning(make_conninfo(**empty)) == before
    done(empty, tmp_path, "verify")  # ends with 1 when anything does not agree
