"""A pytest plugin: what is tested is imported anew for every mutant.

Every mutant runs in a copy of one process that has imported everything. Without this, what a module works out when it
is imported, and what a cache of it remembers, would be of the code without the fault, and such mutants would survive.
"""

from __future__ import annotations

import os
import sys

TESTED = ("chapters", "quizzes", "studyhub", "tests")


def pytest_configure() -> None:
    """Forget the modules, except this folder's."""
    if "_mutmut_" not in os.environ.get("MUTANT_UNDER_TEST", ""):
        return
    for name in list(sys.modules):
        if name.partition(".")[0] in TESTED and not name.startswith(("tests.mutants", "tests.embedded")):
            del sys.modules[name]
