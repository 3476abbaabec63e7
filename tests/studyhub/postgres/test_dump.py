"""All of a dump or nothing, whoever is killed in the middle of it (trust.md 2, row backup/restore)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psycopg
import pytest
from django.db import connection
from psycopg.conninfo import conninfo_to_dict

from studyhub.postgres import PostgresProblem, dump
from studyhub.postgres.prints import reading, rows, sequences, shape

# Restores with a death before the n-th piece is passed on: our own, that of psql or that of pg_restore.
DYING = """
import os, sys, signal
from pathlib import Path
from studyhub.postgres import dump
given, file, nth, whose = dict(host=sys.argv[1], port=sys.argv[2], user=sys.argv[3], dbname=sys.argv[4]), sys.argv[5], int(sys.argv[6]), sys.argv[7]
dump.CHUNK = 4096
class Into:
    def __init__(self, into): self.into, self.n = into, 0
    def __getattr__(self, name): return getattr(self.into, name)
    def write(self, words):
        self.n += 1
        if self.n == nth:
            self.into.flush()
            os.kill({"own": os.getpid(), **PROCESSES}[whose], signal.SIGKILL)
        return self.into.write(words)
PROCESSES = {}
class Popen(dump.subprocess.Popen):
    def __init__(self, parts, **named):
        super().__init__(parts, **named)
        PROCESSES[Path(parts[0]).name] = self.pid
        if self.stdin: self.stdin = Into(self.stdin)
dump.subprocess.Popen = Popen
dump.load(given, Path(file), clear=True)
"""


@pytest.fixture
def two(tmp_path):
    """Two databases: one with numbers and words, dumped, and one with other rows; how to reach the second, the dump."""
    own = f"dumped_{os.getpid()}"
    there = connection.settings_dict
    given = {
        "host": there["HOST"],
        "port": there["PORT"],
        "user": there["USER"],
        "password": there["PASSWORD"],
    }
    with psycopg.connect(**given, dbname="postgres", autocommit=True) as server:
        for name in (own, f"{own}_b"):
            server.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    try:
        with psycopg.connect(**given, dbname=own) as first:
            first.execute(
                "CREATE EXTENSION pg_trgm; CREATE TABLE a (id serial PRIMARY KEY, word text NOT NULL)"
            )
            first.execute(
                "INSERT INTO a (word) SELECT repeat('COMMIT;' || n || E'\\n', 9) FROM generate_series(1, 900) n"
            )
            first.execute(
                "CREATE TABLE b (a_id int REFERENCES a, CHECK (a_id > 0)); INSERT INTO b SELECT id FROM a"
            )
        with psycopg.connect(**given, dbname=f"{own}_b") as second:
            second.execute(
                "CREATE TABLE old (n int); INSERT INTO old VALUES (7); CREATE VIEW v AS SELECT n FROM old"
            )
            second.execute(
                "CREATE TYPE mood AS ENUM ('x'); CREATE FUNCTION one() RETURNS int LANGUAGE sql RETURN 1"
            )
        file = tmp_path / "a.dump"
        with reading({**given, "dbname": own}, one_moment=True) as reader:
            name = reader.execute("SELECT pg_export_snapshot()").fetchone()[0]
            dump.dump({**given, "dbname": own}, file, snapshot=name)
            yield {**given, "dbname": f"{own}_b"}, file, look(reader)
    finally:
        with psycopg.connect(**given, dbname="postgres", autocommit=True) as server:
            for name in (own, f"{own}_b"):
                server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def look(reader):
    return rows(reader), sequences(reader), shape(reader)


def seen(given):
    with reading(given) as reader:
        return look(reader)


def settled(given):
    """Wait until nobody else works on the database."""
    for _ in range(100):
        with psycopg.connect(**{k: v for k, v in given.items() if v}) as one:
            busy = one.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            ).fetchone()[0]
        if not busy:
            return
        time.sleep(0.05)
    raise AssertionError("somebody still works on the database")


@pytest.mark.parametrize(
    ("whose", "nth"), [("own", 1), ("own", 2), ("own", 6), ("own", 12), ("psql", 6), ("pg_restore", 6)]
)
def test_death_in_the_middle_leaves_the_old_and_a_second_try_works(two, whose, nth):
    given, file, wanted = two
    before = seen(given)
    words = [
        given["host"],
        given["port"] or "5432",
        given["user"],
        given["dbname"],
        str(file),
        str(nth),
        whose,
    ]
    done = subprocess.run([sys.executable, "-c", DYING, *words], capture_output=True, text=True, check=False)
    assert done.returncode == (-signal.SIGKILL if whose == "own" else 1), done.stderr
    settled(given)
    assert seen(given) == before
    assert before[0].keys() == {"old"}
    dump.load(given, file, clear=True)
    assert seen(given) == wanted


def test_clearing_takes_everything_but_extensions(two):
    given, file, wanted = two
    with psycopg.connect(**{k: v for k, v in given.items() if v}) as second:
        second.execute("CREATE EXTENSION pg_trgm")
    dump.load(given, file, clear=True)
    assert seen(given) == wanted
    with psycopg.connect(**{k: v for k, v in given.items() if v}) as second:
        assert (
            second.execute("SELECT to_regtype('mood'), to_regproc('one'), to_regclass('v')").fetchone()
            == (None,) * 3
        )


def test_somebody_who_holds_a_table_is_not_waited_for_for_ever(two, monkeypatch):
    given, file, _ = two
    monkeypatch.setattr(dump, "CLEAR", dump.CLEAR.replace(b"'10s'", b"'100ms'"))
    with psycopg.connect(**{k: v for k, v in given.items() if v}) as second:
        second.execute("SELECT * FROM old")
        with pytest.raises(PostgresProblem, match="lock timeout"):
            dump.load(given, file, clear=True)


def test_what_only_newer_servers_know_is_left_out(two, tmp_path):
    _given, file, _ = two
    plain = subprocess.run(
        [dump._program("pg_restore"), "--file=-", str(file)], capture_output=True, check=True
    ).stdout
    assert plain[: dump.CHUNK].count(dump.NEWER_THAN_THE_SERVER) == 1
    into = open(tmp_path / "said", "w+b")  # noqa: SIM115
    with open(tmp_path / "plain", "w+b") as out:
        out.write(plain)
        out.seek(0)
        assert dump._pass_on(out, into, clear=False)
    into.close()
    assert (tmp_path / "said").read_bytes() == dump.BEGIN + plain.replace(dump.NEWER_THAN_THE_SERVER, b"")


@pytest.mark.parametrize(
    "limit", ["statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"]
)
def test_limits_of_a_role_do_not_end_a_long_look(two, limit):
    given, _, _ = two
    with reading({**given, "options": f"-c {limit}=50ms"}, one_moment=True) as reader:
        time.sleep(0.1)
        reader.execute("SELECT pg_sleep(0.1)")
        assert rows(reader)["old"][0] == 1


def test_password_is_in_no_process_list():
    address, environment = dump.conninfo(
        {"host": "h", "password": "open sesame", "cursor_factory": 1, "dbname": "d"}
    )
    assert (address, environment["PGPASSWORD"]) == ("host=h dbname=d", "open sesame")
    assert conninfo_to_dict(address) == {"host": "h", "dbname": "d"}
    assert [name for name in environment if name.startswith("PG")] == ["PGPASSWORD"]
