"""Runs pg_dump, pg_restore and psql of the embedded package against any server, its own or a foreign one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from psycopg import pq
from psycopg.conninfo import make_conninfo

from studyhub.postgres.problem import PostgresProblem
from studyhub.postgres.programs import installed

CHUNK = 1 << 16
# psql ends its input, also one that was cut off, by committing what it was told to keep in one transaction. So the
# transaction is ours, and its end is sent only when all of the dump was.
BEGIN, COMMIT = b"BEGIN;\n", b"\nCOMMIT;\n"
# Needs no more than the tables' owner may do: schema and extensions may be somebody else's.
CLEAR = b"""SET LOCAL lock_timeout = '10s';
SET LOCAL client_min_messages = warning;
DO $$ DECLARE one text; BEGIN
    FOR one IN
        WITH foreign_parts AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e')
        SELECT format('DROP %s IF EXISTS %s CASCADE', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN
            'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass)
        FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
            AND ('pg_class'::regclass, oid) NOT IN (SELECT * FROM foreign_parts)
            AND NOT (relkind = 'S' AND EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass
                AND d.objid = pg_class.oid AND d.deptype IN ('a', 'i')))
        UNION ALL SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', oid::regprocedure)
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace
            AND ('pg_proc'::regclass, oid) NOT IN (SELECT * FROM foreign_parts)
        UNION ALL SELECT format('DROP TYPE IF EXISTS %s CASCADE', oid::regtype)
        FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
            AND ('pg_type'::regclass, oid) NOT IN (SELECT * FROM foreign_parts)
    LOOP EXECUTE one; END LOOP;
END $$;
"""
# pg_dump of version 17 and newer sets what older servers do not know; 0 is what it is without being set.
NEWER_THAN_THE_SERVER = b"SET transaction_timeout = 0;\n"


def conninfo(given: Mapping[str, object]) -> tuple[str, dict[str, str]]:
    """A libpq address and the environment that carries its password, so that no process list shows it.

    ``given``: keywords of a connection; what libpq does not know is left out.
    """
    known = {one.keyword.decode() for one in pq.Conninfo.get_defaults()}
    words = {name: str(value) for name, value in given.items() if name in known and value not in {None, ""}}
    password = words.pop("password", "")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return make_conninfo(**words), {**inherited, **({"PGPASSWORD": password} if password else {})}


def dump(given: Mapping[str, object], file: Path, *, snapshot: str) -> None:
    """Write the database, as an exported snapshot sees it, to ``file`` in pg_dump's custom format.

    Raises PostgresProblem with what pg_dump said.
    """
    address, environment = conninfo(given)
    parts = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={file}"]
    _run("pg_dump", [*parts, f"--dbname={address}"], environment)


def load(given: Mapping[str, object], file: Path, *, clear: bool) -> None:
    """Put a dump into a database, in one transaction: all of it or nothing, also when we or the machine die.

    ``clear`` takes away in that same transaction what the database holds. Raises PostgresProblem with what the server
    said.
    """
    address, environment = conninfo(given)
    quietly = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
    writer = subprocess.Popen(
        [_program("pg_restore"), "--no-owner", "--no-privileges", "--no-comments", "--file=-", str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    reader = subprocess.Popen(
        [_program("psql"), *quietly, f"--dbname={address}"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    assert reader.stdin is not None
    assert writer.stdout is not None
    try:
        taken = _pass_on(writer.stdout, reader.stdin, clear=clear) and _end(writer, reader.stdin)
    except BaseException:
        writer.kill()
        reader.kill()
        raise
    with suppress(BrokenPipeError):
        reader.stdin.close()
    writer.stdout.close()
    code, broken = reader.wait(), writer.wait()
    if code or broken or not taken:
        raise PostgresProblem(
            "The dump could not be put into the database; it is as it was.",
            _said(reader if code else writer) or f"pg_restore ended with {broken}, psql with {code}.",
            "Look at what was said, mend it, and restore again.",
        )


def _pass_on(out: IO[bytes], into: IO[bytes], *, clear: bool) -> bool:
    """Copy one stream into the other, in a transaction that stays open; False when the reader went away."""
    try:
        into.write(BEGIN + (CLEAR if clear else b""))
        chunk = out.read(CHUNK).replace(NEWER_THAN_THE_SERVER, b"", 1)
        while chunk:
            into.write(chunk)
            chunk = out.read(CHUNK)
        into.flush()
    except BrokenPipeError:
        return False
    return True


def _end(writer: subprocess.Popen[bytes], into: IO[bytes]) -> bool:
    """Commit when the dump was whole; whether it was and the reader took it."""
    if writer.wait() != 0:
        return False
    try:
        into.write(COMMIT)
        into.close()
    except BrokenPipeError:
        return False
    return True


def _run(name: str, parts: Sequence[str], environment: Mapping[str, str]) -> None:
    done = subprocess.run([_program(name), *parts], env=dict(environment), capture_output=True, check=False)
    if done.returncode:
        raise PostgresProblem(
            f"{name} did not finish.",
            done.stderr.decode("utf-8", "replace").strip(),
            "Check the server, its version (up to 18) and the space on the disk, then try again.",
        )


def _said(process: subprocess.Popen[bytes]) -> str:
    return process.stderr.read().decode("utf-8", "replace").strip() if process.stderr else ""


def _program(name: str) -> str:
    return str(installed() / name)
