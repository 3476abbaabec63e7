"""A pytest plugin: the tests' own embedded Postgres, unless DATABASE_URL names a server.

Loaded by ``-p tests.embedded`` before the settings are read; the server runs once for all test workers.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

os.environ.setdefault("STUDYHUB_DATA", str(Path(tempfile.gettempdir()) / f"studyhub-tests-{os.getuid()}"))
os.environ.setdefault("PORT", "8700")


def pytest_configure(config: pytest.Config) -> None:
    """Start the server in the process that leads the run."""
    if os.environ.get("DATABASE_URL") or hasattr(config, "workerinput"):
        return
    from studyhub import postgres

    postgres.ensure_running(Path(os.environ["STUDYHUB_DATA"]))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop it again."""
    if os.environ.get("DATABASE_URL") or hasattr(config, "workerinput"):
        return
    from studyhub import postgres

    postgres.stop(Path(os.environ["STUDYHUB_DATA"]))
