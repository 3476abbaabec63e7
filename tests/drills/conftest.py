"""Real sites for the drills, each on a data folder of its own. The long ones run with ``make drill`` only."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from studyhub import postgres
from tests.journeys.house import House, free_port


@pytest.fixture
def folder() -> Iterator[Path]:
    """A new folder that every account may pass through."""
    made = Path(tempfile.mkdtemp(prefix="studyhub-drill-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def site(folder: Path) -> Iterator[House]:
    """A site that serves."""
    house = House(folder / "data", free_port())
    try:
        house.start()
        yield house
    finally:
        house.stop()
        postgres.stop(house.data)
