"""Makes the folders of the embedded cluster, with the right owner, and never opens a parent folder."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from pathlib import Path

from studyhub.postgres.account import Account
from studyhub.postgres.place import Embedded
from studyhub.postgres.problem import PostgresProblem

ELSEWHERE = Path("/var/lib/studyhub")


def make_data(data: Path) -> None:
    """Make sure the data folder exists and can be written to. Raises PostgresProblem in plain words."""
    try:
        data.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=data):
            pass
    except OSError as error:
        raise PostgresProblem(
            f"The data folder {data} cannot be written to.",
            f"{error.strerror or error}.",
            "Give yourself write permission there, or choose another folder: STUDYHUB_DATA=/path/to/folder.",
        ) from error


def settle(place: Embedded, account: Account) -> None:
    """Make ``home`` and the socket's folder for the account.

    Under root, when the account cannot reach the data folder, ``home`` becomes a link to a new
    folder in /var/lib/studyhub, and ``postgres-location`` says so.
    """
    if place.home.is_symlink() and not place.home.exists():
        raise PostgresProblem(
            f"The database of {place.data} is missing.",
            f"It should be in {place.home.readlink()}, and that folder is not there.",
            f"Bring it back, or delete {place.home} to begin with an empty database.",
        )
    if not place.home.exists():
        if account.switch and not account.can("-x", place.data):
            _link_elsewhere(place, account)
        else:
            own_folder(place.home, account)
    real = place.home.resolve()
    if account.switch and not account.can("-w", real):
        raise PostgresProblem(
            f"The account {account.name} cannot reach the database in {real}.",
            "A folder above it is closed to that account.",
            f"Open the way (chmod o+x) or move {place.data} to a folder that others may pass through.",
        )
    own_folder(server_socket(place), account)


def server_socket(place: Embedded) -> Path:
    """The socket's folder by the name the server's account can use (links followed)."""
    return place.socket.resolve()


def note(place: Embedded) -> str:
    """One line for the start when the cluster is not in the data folder, else nothing."""
    if place.home.is_symlink():
        return f"The database is kept in {place.home.resolve()}: its account cannot reach {place.data}."
    return ""


def own_folder(folder: Path, account: Account) -> None:
    """Make a folder that only the account may enter, or check that it is one. Raises PostgresProblem."""
    if not os.path.lexists(folder):
        fresh = folder.with_name(f"{folder.name}.new-{secrets.token_hex(4)}")
        fresh.mkdir(mode=0o700)
        os.chown(fresh, account.uid, account.gid)
        fresh.rename(folder)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != account.uid or found.st_mode & 0o077:
        raise PostgresProblem(
            f"The folder {folder} is not safe to use.",
            f"It must be a folder of {account.name} that nobody else may enter.",
            f"Look at what it is, then delete it: rm -r {folder}",
        )


def _link_elsewhere(place: Embedded, account: Account) -> None:
    ELSEWHERE.mkdir(mode=0o711, parents=True, exist_ok=True)
    home = ELSEWHERE / secrets.token_hex(8)
    own_folder(home, account)
    place.pointer.write_text(
        f"The database of this folder is kept in\n{home}\n"
        f"because the account it runs under ({account.name}) cannot reach this folder.\n"
        "Copy both folders when you copy your data; manage.py commands find it by the link 'postgres'.\n",
        encoding="utf-8",
    )
    place.home.symlink_to(home, target_is_directory=True)
