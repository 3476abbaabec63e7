"""What begins with an underscore is used in its own module only; no query is left that nobody asks."""

import ast
import re
from pathlib import Path

import pytest

from quizzes import queries

ROOT = Path(__file__).parent.parent.parent
MODULES = sorted((ROOT / "quizzes").rglob("*.py"))


def private_imports(path: Path) -> list[str]:
    found = [one for one in ast.walk(ast.parse(path.read_text())) if isinstance(one, ast.ImportFrom)]
    return [name.name for one in found for name in one.names if name.name.startswith("_")]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_imports_what_is_private_to_another(path):
    assert [name for name in private_imports(path) if name != "__future__"] == []


@pytest.mark.parametrize("name", [one for one in queries.__all__ if one.islower()])
def test_every_query_is_asked_by_somebody(name):
    asked = re.compile(rf"(?<!def )\b{name}\(")
    texts = [path.read_text() for folder in ("quizzes", "studyhub") for path in (ROOT / folder).rglob("*.py")]
    assert any(asked.search(text) for text in texts)
