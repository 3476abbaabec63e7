"""The files of the house and what stands in them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOUSE = ("studyhub", "chapters", "quizzes")
CELLAR = ("rhythm", "measure", "text", "postgres")
TEMPLATES = ROOT / "templates"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def _python(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


@cache
def production() -> tuple[Path, ...]:
    """Every module that runs on the site."""
    return (ROOT / "manage.py", *_python(*HOUSE))


@cache
def everything() -> tuple[Path, ...]:
    """Every module, tests included."""
    return (*production(), *_python("tests"))


@cache
def tree(path: Path) -> ast.Module:
    """The module, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def functions(path: Path) -> Iterator[Function]:
    """Every function of a module, methods and inner ones too."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def public_functions(path: Path) -> Iterator[Function]:
    """The functions at the top of a module that others may call."""
    for node in tree(path).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, full dotted name) of everything a module imports."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{name.name}") for name in node.names)


def lines_of(function: Function) -> int:
    """From ``def`` to the last line; decorators are not counted."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def place(path: Path, line: int = 0) -> str:
    """path:line, as an editor understands it."""
    name = str(path.relative_to(ROOT))
    return f"{name}:{line}" if line else name


def room_of(path: Path) -> str:
    """The room of a module: views, actions and so on; a package counts as its room."""
    for part in path.relative_to(ROOT).with_suffix("").parts:
        if part not in {*HOUSE, "accounts", "web", "plans", "cohorts", "packs", "desk"}:
            return part
    return path.stem


@cache
def templates() -> tuple[Path, ...]:
    """Every page, part and letter."""
    return tuple(sorted(path for path in TEMPLATES.rglob("*") if path.suffix in {".html", ".txt"}))


_MARK = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
_TAG = re.compile(r"<([a-zA-Z][\w-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")


def elements(path: Path) -> Iterator[tuple[int, str, str]]:
    """(line, element, attributes) of every opening tag in a template; template marks become ``…``."""
    text = _MARK.sub(lambda found: "…" + "\n" * found[0].count("\n"), path.read_text(encoding="utf-8"))
    for found in _TAG.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found[1].lower(), found[2]


def has(attributes: str, name: str) -> bool:
    """Whether an element carries the attribute."""
    return re.search(rf"(?:^|[\s…]){re.escape(name)}(?:\s*=|[\s…/]|$)", attributes) is not None
