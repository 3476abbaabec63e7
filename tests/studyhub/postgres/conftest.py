"""Real clusters in folders of their own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from studyhub import postgres
from studyhub.postgres import Embedded


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A new folder that every account may pass through; pytest's own are closed to the database's account."""
    folder = Path(tempfile.mkdtemp(prefix="studyhub-pg-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def data(open_folder: Path) -> Iterator[Path]:
    """A data folder that is not made yet. Whatever was started in it is stopped."""
    folder = open_folder / "data"
    yield folder
    postgres.stop(folder)
    place = Embedded.at(folder)
    if place.home.is_symlink():
        shutil.rmtree(place.home.resolve(), ignore_errors=True)
    if place.socket.parent != place.home:
        shutil.rmtree(place.socket, ignore_errors=True)


@pytest.fixture
def as_root() -> None:
    """For what only happens to root."""
    if os.geteuid() != 0:
        pytest.skip(
            "root alone must not run Postgres itself and hands it to another account; nobody else can"
        )
