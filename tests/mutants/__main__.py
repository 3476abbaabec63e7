"""``python -m tests.mutants``: small faults are put into the code one by one, and the tests must notice each.

Prints killed and survived for every module. Ends with 1 when a survivor is not listed with a reason in
docs/mutants.md, or when one that is listed is gone; with 2 when the run could not be made.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from fnmatch import fnmatch
from pathlib import Path

from tests.mutants import listed, survey
from tests.mutants.runs import RUNS, Run

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*", "*.pyc", "shared")
LIST = "docs/mutants.md"


def main() -> int:
    """Run what was asked for, print the figures, and say whether a survivor has no reason."""
    given = argparse.ArgumentParser(prog="python -m tests.mutants")
    given.add_argument("--only", default="*", help="modules, as a pattern: quizzes.kinds.*")
    given.add_argument("--children", type=int, default=os.cpu_count() or 1, help="mutants tried at a time")
    chosen = given.parse_args()
    known = listed.read((ROOT / LIST).read_text(encoding="utf-8"))
    new: list[survey.Mutant] = []
    met: set[listed.Mark] = set()
    seen: set[str] = set()
    print(f"{'module':<40} {'killed':>7} {'survived':>9} {'listed':>7}")
    for run in RUNS:
        modules = [one for one in run.modules(ROOT) if fnmatch(one, chosen.only)]
        if not modules or (run.named_only and chosen.only == "*"):
            continue
        found = _found(run, modules, chosen.children)
        if found is None:
            return 2
        seen.update(modules)
        _print(found, modules, known)
        alive = [one for one in found if one.survived]
        new += [one for one in alive if one.mark not in known]
        met |= {one.mark for one in alive}
    gone = [mark for mark in sorted(known) if mark[0] in seen and mark not in met]
    for one in new:
        print(f"\nNot listed: {one.name}\n{one.diff}")
    for mark in gone:
        print(f"\nListed in {LIST}, but no survivor: {mark[0]} {mark[1]}\n- {mark[2]}\n+ {mark[3]}")
    return 1 if new or gone else 0


def _found(run: Run, modules: list[str], children: int) -> list[survey.Mutant] | None:
    """Every mutant of the modules with what became of it; None when the tests could not be run at all."""
    with tempfile.TemporaryDirectory(prefix="studyhub-mutants-") as name:
        tree = Path(name)
        for part in ("chapters", "docs", "fixtures", "quizzes", "static", "studyhub", "templates", "tests"):
            shutil.copytree(ROOT / part, tree / part, ignore=LEFT_OUT)
        (tree / "pyproject.toml").write_text(run.settings(modules), encoding="utf-8")
        program = [sys.executable, "-m", "mutmut", "run", "--max-children", str(children)]
        with run.surroundings(tree) as environ:
            done = subprocess.run(program, cwd=tree, env=environ, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stdout[-4000:], done.stderr[-4000:], sep="\n")
            return None
        return survey.read(tree)


def _print(found: list[survey.Mutant], modules: list[str], known: set[listed.Mark]) -> None:
    by_module = defaultdict(list)
    for one in found:
        by_module[one.module].append(one)
    for module in modules:
        mutants = by_module[module]
        alive = [one for one in mutants if one.survived]
        named = sum(one.mark in known for one in alive)
        print(f"{module:<40} {len(mutants) - len(alive):>7} {len(alive):>9} {named:>7}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
