"""Sources: names, sizes, docstrings, and what only some rooms may do."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.sources import (
    CELLAR,
    ROOT,
    everything,
    functions,
    imports,
    lines_of,
    place,
    production,
    public_functions,
    room_of,
    tree,
)

SAY_NOTHING = {"utils", "helpers", "common", "services", "mixins", "base", "managers", "signals"}
NAMED_BY_DJANGO = ["studyhub/web/database/base.py"]  # where it looks for a database backend
LONGEST_MODULE, LONGEST_FUNCTION, LONGEST_VIEW = 400, 40, 25  # lines
MOST_ARGUMENTS = 6
SIGNALS = re.compile(r"(^|\.)(signals|dispatch)(\.|$)|\.receiver$")
# Who may read the environment: settings. wsgi, asgi and manage name the settings module; the database's programs
# inherit what is left of the environment when everything that could mislead them is taken out.
READS_ENVIRONMENT = {"studyhub/settings.py"}
NAMES_SETTINGS = {"manage.py", "studyhub/wsgi.py", "studyhub/asgi.py"}
HANDS_ON_ENVIRONMENT = {"studyhub/postgres/account.py", "studyhub/postgres/dump.py"}
# The doors of the house may look at the clock; everybody behind them is told the time as ``at``.
LOOK_AT_THE_CLOCK = {"views", "management", "middleware", "adapters", "templatetags"}
READ_ONLY = {
    "views",
    "forms",
    "exports",
    "queries",
    "rules",
    "kinds",
    "formats",
    "lints",
    "draft",
    "templatetags",
}
WRITES = {"save", "create", "bulk_create", "get_or_create", "update_or_create", "bulk_update", "delete"}


def test_no_module_has_a_name_that_says_nothing():
    parts = [(path, part) for path in everything() for part in path.relative_to(ROOT).with_suffix("").parts]

    assert [place(path) for path, part in parts if part in SAY_NOTHING] == NAMED_BY_DJANGO


def test_no_module_is_longer_than_400_lines():
    sizes = {place(path): len(path.read_text(encoding="utf-8").splitlines()) for path in everything()}

    assert {name: size for name, size in sizes.items() if size > LONGEST_MODULE} == {}


def test_no_function_is_longer_than_40_lines():
    sizes = {
        f"{place(path, one.lineno)} {one.name}": lines_of(one)
        for path in everything()
        for one in functions(path)
    }

    assert {name: size for name, size in sizes.items() if size > LONGEST_FUNCTION} == {}


def test_no_function_takes_more_than_6_arguments():
    def takes(one: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        every = [*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs]
        return len([argument for argument in every if argument.arg not in {"self", "cls"}])

    found = {
        f"{place(path, one.lineno)} {one.name}": takes(one)
        for path in production()
        for one in functions(path)
    }

    assert {name: count for name, count in found.items() if count > MOST_ARGUMENTS} == {}


def test_no_view_is_longer_than_25_lines():
    views = [path for path in production() if room_of(path) == "views"]
    sizes = {
        f"{place(path, one.lineno)} {one.name}": lines_of(one)
        for path in views
        for one in functions(path)
        if one.args.args and one.args.args[0].arg == "request"
    }

    assert len(sizes) > 10
    assert {name: size for name, size in sizes.items() if size > LONGEST_VIEW} == {}


def test_nothing_sends_or_receives_signals():
    found = [
        place(path, line) for path in production() for line, name in imports(path) if SIGNALS.search(name)
    ]

    assert found == []


def test_nothing_points_to_any_table_whatever():
    found = [
        place(path, line) for path in production() for line, name in imports(path) if "contenttypes" in name
    ]

    assert found == []


def test_no_table_gives_itself_an_order():
    found = [
        place(path, inner.lineno)
        for path in production()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef) and node.name == "Meta"
        for inner in node.body
        if isinstance(inner, ast.Assign | ast.AnnAssign) and "ordering" in ast.unparse(inner).split("=")[0]
    ]

    assert found == []


def _environment(path: Path) -> list[tuple[int, str]]:
    """(line, text) of every use of the environment."""
    return [
        (node.lineno, ast.unparse(node))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute | ast.Call | ast.Name)
        and re.match(r"(os\.)?(environb?|getenv)\b", ast.unparse(node))
    ]


def test_only_settings_read_the_environment():
    allowed = READS_ENVIRONMENT | HANDS_ON_ENVIRONMENT
    uses = {path: _environment(path) for path in production() if place(path) not in allowed}
    wrong = [
        place(path, line)
        for path, found in uses.items()
        for line, text in found
        if place(path) not in NAMES_SETTINGS
        or (text.endswith(")") and "setdefault('DJANGO_SETTINGS" not in text)
    ]

    assert wrong == []


def test_only_the_doors_look_at_the_clock():
    wrong = [
        place(path, node.lineno)
        for path in production()
        if room_of(path) not in LOOK_AT_THE_CLOCK
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and re.match(r"(timezone|datetime|date)\.(now|utcnow|today)$", ast.unparse(node.func))
    ]

    assert wrong == []


def test_rooms_that_only_read_do_not_write():
    wrong = [
        f"{place(path, node.lineno)} {ast.unparse(node.func)}"
        for path in production()
        if room_of(path) in READ_ONLY
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES
    ]

    assert wrong == []


def _must_promise() -> list[Path]:
    cellar = [path for path in production() if set(path.relative_to(ROOT).parts[1:2]) & set(CELLAR)]
    return [*cellar, *(path for path in production() if room_of(path) in {"actions", "queries"})]


def test_actions_queries_and_the_cellar_say_what_they_promise():
    silent = [
        f"{place(path, one.lineno)} {one.name}"
        for path in _must_promise()
        for one in public_functions(path)
        if not ast.get_docstring(one)
    ]

    assert silent == []


def test_every_production_function_is_typed():
    untyped = [
        f"{place(path, one.lineno)} {one.name}"
        for path in production()
        for one in functions(path)
        if one.returns is None and one.name != "__init__"
    ]

    assert untyped == []


@pytest.mark.parametrize("mark", ["noqa", "type: ignore"])
def test_no_rule_is_silenced_without_its_name(mark):
    named = {"noqa": r"#\s*noqa(?!: [A-Z]+\d+)", "type: ignore": r"#\s*type: ignore(?!\[)"}[mark]
    silent = [
        place(path, number)
        for path in everything()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(named, line) and path != Path(__file__)
    ]

    assert silent == []
