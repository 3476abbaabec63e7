"""Which account the server runs under. Postgres refuses to run as root."""

from __future__ import annotations

import os
import pwd
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from studyhub.postgres.place import Embedded
from studyhub.postgres.problem import PostgresProblem

UNPRIVILEGED = ("postgres", "nobody")


@dataclass(frozen=True, slots=True)
class Account:
    """The account that owns the cluster; ``switch`` when it is not the one we are."""

    uid: int
    gid: int
    name: str
    switch: bool

    def run(
        self, command: Sequence[str | Path], *, pass_fds: Sequence[int] = (), seconds: float = 120
    ) -> tuple[int, str]:
        """Run a program as this account; return its exit code and everything it said.

        Output goes through a file: a server left behind would keep a pipe open for ever.
        Raises PostgresProblem when it cannot be run or takes longer than ``seconds``.
        """
        with tempfile.TemporaryFile() as output:
            try:
                done = subprocess.run(
                    [os.fspath(part) for part in command],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd="/",
                    env=_environment(),
                    pass_fds=pass_fds,
                    timeout=seconds,
                    start_new_session=True,
                    check=False,
                    user=self.uid if self.switch else None,
                    group=self.gid if self.switch else None,
                    extra_groups=[] if self.switch else None,
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise PostgresProblem(
                    f"{Path(command[0]).name} could not be run.", f"{error}.", "See docs/operators.md."
                ) from error
            output.seek(0)
            return done.returncode, output.read().decode(errors="replace").strip()

    def can(self, test: str, path: Path) -> bool:
        """Say whether this account passes the shell's ``test`` (-x, -w, -r) on the path."""
        return self.run(["/bin/sh", "-c", 'test "$1" "$2"', "sh", test, path])[0] == 0


def choose(place: Embedded) -> Account:
    """The account for this cluster: its owner; for a new one ourselves, or as root an unprivileged one.

    Raises PostgresProblem when the cluster belongs to somebody we cannot act for.
    """
    me = os.geteuid()
    owner = place.home.stat().st_uid if place.home.exists() else None
    if me == 0:
        return _known(owner) if owner else _unprivileged()
    if owner not in {None, me}:
        raise PostgresProblem(
            f"The database in {place.home} belongs to another account.",
            f"It was made by {_name(owner or 0)}, and you are {_name(me)}.",
            "Start as that account or as root, or choose another folder: STUDYHUB_DATA=/path/to/folder.",
        )
    return Account(me, os.getegid(), _name(me), switch=False)


def _unprivileged() -> Account:
    for name in UNPRIVILEGED:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid, name, switch=True)
    raise PostgresProblem(
        "No account for the database was found.",
        "You are root, Postgres does not run as root, and there is neither 'postgres' nor 'nobody' here.",
        "Make an account (useradd --system postgres), or start as an ordinary user.",
    )


def _known(uid: int) -> Account:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise PostgresProblem(
            "The database belongs to an account that is gone.",
            f"No account here has the number {uid}.",
            "Make the account again, or give the folder to another one with chown -R.",
        ) from None
    return Account(uid, entry.pw_gid, entry.pw_name, switch=True)


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _environment() -> dict[str, str]:
    """Our environment without what would steer Postgres or its messages elsewhere."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PG", "LC_", "LANG"))}
    return kept | {"LC_ALL": "C"}
