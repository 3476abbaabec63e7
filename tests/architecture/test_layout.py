"""The layout: only what the house names lies at the top, and what is installed is locked."""

from __future__ import annotations

import fnmatch
import os
import re

import pytest

from tests.architecture.sources import ROOT

NAMED = {
    ".ci",
    ".git",
    ".gitignore",
    ".importlinter",
    "LICENSE",
    "Makefile",
    "README.md",
    "chapters",
    "docs",
    "fixtures",
    "manage.py",
    "pyproject.toml",
    "quizzes",
    "requirements-dev.txt",
    "requirements-mutants.txt",
    "requirements.txt",
    "static",
    "studyhub",
    "templates",
    "tests",
}
LOCKED = ("requirements.txt", "requirements-dev.txt", "requirements-mutants.txt")


def _ignored(name: str) -> bool:
    patterns = (ROOT / ".gitignore").read_text().split()
    return any(fnmatch.fnmatch(name, pattern.strip("/")) for pattern in patterns)


def test_only_named_entries_lie_at_the_top():
    found = {entry.name for entry in ROOT.iterdir() if not _ignored(entry.name)}

    assert found - NAMED == set()


def test_the_named_entries_are_there():
    assert {name for name in NAMED - {".git"} if not (ROOT / name).exists()} == set()


def test_the_checks_of_a_bare_machine_can_be_run():
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


@pytest.mark.parametrize("name", LOCKED)
def test_every_requirement_is_locked_by_hash(name):
    text = (ROOT / name).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]

    assert len(lines) > 10
    assert [
        line[:60] for line in lines if not re.match(r"[\w.\[\]-]+==\S+.*--hash=sha256:[0-9a-f]{64}", line)
    ] == []


@pytest.mark.parametrize("name", [*LOCKED, "pyproject.toml", "Makefile", ".ci/run"])
def test_no_address_of_a_registry_is_written_down(name):
    text = (ROOT / name).read_text()

    assert (
        re.findall(r"--(?:extra-)?index-url|--find-links|--trusted-host|pypi\.org|pythonhosted", text) == []
    )
    if name in LOCKED:
        assert "://" not in text
