"""Commands for operators start the embedded server when none runs, and leave none behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from studyhub import postgres

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.drill


def run(data: Path, *words: str) -> int:
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(
        command, cwd=ROOT, env={**env, "STUDYHUB_DATA": str(data)}, capture_output=True, check=False
    )
    return done.returncode


def test_commands_stop_the_server_they_started(folder: Path) -> None:
    data, file = folder / "data", str(folder / "all.tar")
    assert run(data, "doctor") == 1  # there is no database, and none is begun
    assert not (data / "postgres" / "cluster").exists()
    assert run(data, "migrate") == 0
    postgres.stop(data)
    for words in (("backup", file), ("verify",), ("verify", file), ("restore", "--replace", file)):
        assert (words, run(data, *words), postgres.answers(data)) == (words, 0, False)
