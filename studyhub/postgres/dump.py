"""Runs pg_dump, pg_restore and psql of the embedded package against any server, its own or a foreign one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from psycopg import pq
from psycopg.conninfo import make_conninfo

from studyhub.postgres.problem import PostgresProblem
from studyhub.postgres.programs import installed

CLEARED = b"DROP SCHEMA public CASCADE;\nCREATE SCHEMA public;\n"


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
    """Put a dump into a database, in one transaction: all of it or nothing, also when the machine dies.

    ``clear`` empties the database in that same transaction. Raises PostgresProblem with what the server said.
    """
    address, environment = conninfo(given)
    writer = subprocess.Popen(
        [_program("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    reader = subprocess.Popen(
        [_program("psql"), "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
         "--output=/dev/null", f"--dbname={address}"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    assert reader.stdin is not None
    assert writer.stdout is not None
    taken = _pass_on(writer.stdout, reader.stdin, clear=clear)
    if taken and writer.wait() == 0:
        reader.stdin.close()
    else:  # psql commits at the end of its input: it must not see one
        (reader if taken else writer).kill()
    code, broken = reader.wait(), writer.wait()
    if code or broken:
        raise PostgresProblem(
            "The dump could not be put into the database; it is as it was.",
            _said(writer if taken else reader) or f"pg_restore ended with {broken}, psql with {code}.",
            "Look at what was said, mend it, and restore again.",
        )


def _pass_on(out: IO[bytes], into: IO[bytes], *, clear: bool) -> bool:
    """Copy one stream into the other; False when the reader went away."""
    try:
        into.write(CLEARED if clear else b"")
        while chunk := out.read(1 << 16):
            into.write(chunk)
        into.flush()
    except BrokenPipeError:
        out.close()
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
