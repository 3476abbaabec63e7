"""What the documents list is what the code has: acts of the audit log, settings, files of an example deployment."""

from __future__ import annotations

import re
import subprocess

from studyhub.accounts.models import AuditEvent
from tests.architecture.sources import ROOT


def words_of(name: str) -> str:
    """A document's text."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_every_act_of_the_audit_log_is_described_in_order() -> None:
    listed = re.findall(r"^\| `([a-z-]+)` \|", words_of("audit.md"), re.MULTILINE)
    assert listed == [act.value for act in AuditEvent.Act]


def test_every_setting_is_described_and_nothing_else() -> None:
    settings = (ROOT / "studyhub" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r'(?:environ\.get|_flag|_number|_choice)\(\s*"([A-Z_]+)"', settings))
    table = words_of("operators.md").split("## Settings")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|", table, re.MULTILINE)
    assert set(re.findall(r"[A-Z_]{4,}", " ".join(rows))) == read


def test_example_deployment_lists_its_files() -> None:
    there = {path.name for path in (ROOT / "docs" / "deploy").iterdir()} - {"README.md"}
    assert set(re.findall(r"^\| `([\w.-]+)` \|", words_of("deploy/README.md"), re.MULTILINE)) == there


def test_container_copies_all_that_the_site_runs_on() -> None:
    file = words_of("deploy/Containerfile")
    copied = {
        word for line in re.findall(r"^COPY ([^-].*)$", file, re.MULTILINE) for word in line.split()[:-1]
    }
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    top = {one.split("/")[0] for one in listed.splitlines()} or copied
    kept_out = {
        ".ci",
        ".gitignore",
        ".importlinter",
        "Makefile",
        "README.md",
        "docs",
        "requirements-dev.txt",
        "requirements-mutants.txt",
        "tests",
    }
    assert copied == {one for one in top if not one.startswith(".git")} - kept_out
