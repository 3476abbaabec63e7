"""What is mutated, and which tests must notice. Tests of plain modules run without a database, which is quick."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PLAIN = ("-p", "no:django", "--noconftest", "-p", "tests.mutants.anew")
DATABASE = ("-p", "tests.embedded", "--reuse-db")


@dataclass(frozen=True, slots=True)
class Run:
    """Files that are mutated, as patterns from the top, and the tests that judge them."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    database: bool = False
    named_only: bool = False  # left out unless asked for by name: not every survivor is killed or listed yet

    def modules(self, root: Path) -> list[str]:
        """The modules by name."""
        files = {file.relative_to(root) for pattern in self.sources for file in root.glob(pattern)}
        return sorted(".".join(file.with_suffix("").parts) for file in files if file.name != "__init__.py")

    def settings(self, modules: list[str]) -> str:
        """The pyproject.toml of the copy in which these modules are mutated."""
        return f"""
[tool.pytest.ini_options]
testpaths = ["tests"]
markers = ["browser: needs Chromium", "drill: starts and kills real servers", "long: run by make drill only"]
{'DJANGO_SETTINGS_MODULE = "studyhub.settings"' if self.database else ""}

[tool.mutmut]
source_paths = ["quizzes", "studyhub"]
only_mutate = {_listed([module.replace(".", "/") + ".py" for module in modules])}
also_copy = ["chapters", "docs", "fixtures", "static", "templates"]
pytest_add_cli_args = {_listed([*(DATABASE if self.database else PLAIN), "-p", "no:cacheprovider", "-p", "no:xdist"])}
pytest_add_cli_args_test_selection = {_listed(self.tests)}
process_isolation = "{"forkserver" if self.database else "fork"}"
timeout_constant = 30.0
use_git_change_detection = false
"""

    @contextlib.contextmanager
    def surroundings(self, tree: Path) -> Iterator[dict[str, str]]:
        """The environment of the run; with a database its own server, which is stopped at the end."""
        data = tree / "data"
        environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        if not self.database or os.environ.get("DATABASE_URL"):
            yield environ
            return
        from studyhub import postgres

        tree.chmod(0o755)  # under root another account runs Postgres
        data.mkdir()
        try:
            yield {**environ, "STUDYHUB_DATA": str(data)}
        finally:
            postgres.stop(data)


def _listed(words: list[str] | tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


RUNS = (
    Run(("quizzes/kinds/*.py",), ("tests/quizzes/kinds",)),
    Run(
        ("studyhub/text/sanitise.py", "studyhub/text/addresses.py"),
        ("tests/studyhub/text/test_sanitise.py", "tests/studyhub/text/test_addresses.py"),
    ),
    Run(("studyhub/measure/*.py",), ("tests/studyhub/measure",)),
    Run(("studyhub/accounts/rules.py",), ("tests/studyhub/accounts/test_rules.py",), database=True),
    Run(("studyhub/packs/formats/*.py",), ("tests/studyhub/packs/formats",), named_only=True),
)
