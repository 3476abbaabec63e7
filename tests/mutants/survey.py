"""What became of every mutant of a run."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.listed import Mark, plain

ALIVE = (0, 33, None)  # every test passed; no test reaches it; never tried


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: its name as mutmut gives it, and its place."""

    name: str
    module: str
    survived: bool
    diff: str = ""
    mark: Mark = ("", "", "", "")


def read(tree: Path) -> list[Mutant]:
    """Every mutant of the run made in ``tree``; those that survived with their difference."""
    found = []
    with _inside(tree):
        for file in sorted(Path("mutants").rglob("*.meta")):
            codes = json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"]
            module = str(file.relative_to("mutants")).removesuffix(".py.meta").replace("/", ".")
            found += [_mutant(name, module, code) for name, code in codes.items()]
    return found


@contextlib.contextmanager
def _inside(tree: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(tree)
    try:
        yield
    finally:
        os.chdir(before)


def _mutant(name: str, module: str, code: int | None) -> Mutant:
    if code not in ALIVE:
        return Mutant(name, module, survived=False)
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    rows = [row for row in get_diff_for_mutant(name).splitlines() if re.match(r"[-+](?!--|\+\+)", row)]
    old, new = (plain(" ".join(row[1:] for row in rows if row[0] == sign)) for sign in "-+")
    function = re.sub(r"^x_|^xǁ\w+ǁ|__mutmut_\d+$", "", name.rpartition(".")[2])
    return Mutant(name, module, survived=True, diff=f"- {old}\n+ {new}", mark=(module, function, old, new))
