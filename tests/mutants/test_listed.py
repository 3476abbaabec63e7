"""docs/mutants.md: every survivor has a reason, and stands in code that is there."""

from __future__ import annotations

import pytest

from tests.architecture.sources import ROOT
from tests.mutants.listed import plain, read
from tests.mutants.runs import RUNS

ENTRY = "### a.b\n\n**go**: no test can tell.\n```diff\n- x = 1\n+ x  = 2\n+ x = 3\n```\n"


def test_each_fault_of_an_entry_is_one_survivor() -> None:
    assert read(ENTRY) == {("a.b", "go", "x = 1", "x = 2"), ("a.b", "go", "x = 1", "x = 3")}


@pytest.mark.parametrize(
    "wrong",
    ["### a.b\n**go**: why not\n+ x", "### a.b\n**go**: a good reason\n**on**: another good reason\n"],
)
def test_entry_without_a_reason_or_a_fault_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"a\.b go"):
        read(wrong)


def test_every_listed_survivor_stands_in_code_that_is_tried() -> None:
    tried = {module for run in RUNS for module in run.modules(ROOT)}
    listed = read((ROOT / "docs" / "mutants.md").read_text(encoding="utf-8"))
    assert listed
    for module, function, line, _ in listed:
        assert module in tried
        source = (ROOT / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8")
        assert f"def {function}(" in source
        assert line in plain(source)
