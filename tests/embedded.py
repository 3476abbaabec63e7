"""A pytest plugin: the tests' own embedded Postgres, unless DATABASE_URL names a server.

Loaded by ``-p tests.embedded`` before the settings are read. One server serves all test workers of a run; its data
lies in a folder of its own that is removed at the end (or in STUDYHUB_DATA, and then stays).
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

OWN = "STUDYHUB_TESTS_OWN_DATA"  # set by the process that made the folder; the workers inherit it

if not os.environ.get("DATABASE_URL") and not os.environ.get("STUDYHUB_DATA"):
    os.environ["STUDYHUB_DATA"] = os.environ[OWN] = tempfile.mkdtemp(prefix="studyhub-tests-")
    Path(os.environ[OWN]).chmod(0o755)  # under root another account runs Postgres


def _leads(config: pytest.Config) -> bool:
    return not os.environ.get("DATABASE_URL") and not hasattr(config, "workerinput")


def pytest_configure(config: pytest.Config) -> None:
    """Start the server in the process that leads the run."""
    if _leads(config):
        from studyhub import postgres

        postgres.ensure_running(Path(os.environ["STUDYHUB_DATA"]))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop it again and remove its folder, if both are ours."""
    if _leads(config) and os.environ.get(OWN):
        from studyhub import postgres

        postgres.stop(Path(os.environ[OWN]))
        shutil.rmtree(os.environ[OWN], ignore_errors=True)
