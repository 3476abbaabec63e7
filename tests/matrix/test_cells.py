"""Who may do what: every address, every object, every method, twelve people; expectations in cells.csv, kept by hand.

Proves trust.md 1.1 (goal 1): an address without a line fails, hidden looks exactly like missing, a refused request
changes no table and shows nothing of the owner's.
"""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path

import pytest

from tests.matrix import things as matrix_things
from tests.matrix.actors import ACTORS, everyone
from tests.matrix.things import address_of, body_of, rows
from tests.matrix.walk import ask, bare, denied, leaks, outcome, undone, written

CELLS = Path(__file__).with_name("cells.csv")
TEMPLATES = Path(__file__).parents[2] / "templates"
PARTIAL = re.compile(r"{% partialdef ([\w-]+)")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


@pytest.fixture
def actors(course):
    return everyone()


@pytest.fixture
def things(actors):
    return matrix_things.made(actors["owner"])


def expected() -> dict[tuple[str, str, str, str], str]:
    """(address, object, method, actor) -> outcome."""
    found = {}
    with CELLS.open(newline="") as file:
        for line in csv.DictReader(file):
            for method in line["methods"].split():
                for actor in ACTORS:
                    found[line["address"], line["object"], method, actor] = line[actor]
    return found


def seen(actors, things):
    """(cell, outcome, what is wrong with it beside the outcome)."""
    missing = bare(actors["visitor"].browser.get("/there/is/nothing/"))
    for name, kind in rows():
        for actor in actors.values():
            address = address_of(name, kind, actor, things)
            for method in METHODS:
                cell = name, kind, method, actor.name
                if address is None:
                    yield cell, "-", ""
                    continue
                with undone():
                    body = body_of(name, actor, things) if method == "POST" else None
                    before = written()
                    answer = ask(actor, method, address, body)
                    said = outcome(answer)
                    yield cell, said, wrong(actor.name, method, answer, said, before, missing)


def wrong(actor, method, answer, said, before, missing) -> str:
    """What no refused request may do."""
    found = []
    if (denied(said) or method in {"GET", "HEAD", "OPTIONS"}) and written() != before:
        found.append("changed a table")
    if said == "404" and method != "HEAD" and bare(answer) != missing:
        found.append("looks unlike a missing page")
    if actor not in {"owner", "author", "admin"} and leaks(answer):
        found.append("shows what the owner wrote")
    return ", ".join(found)


@pytest.mark.django_db
def test_every_cell_is_as_the_table_says(actors, things):
    wanted = expected()
    found = {cell: (said, wrong) for cell, said, wrong in seen(actors, things)}
    if os.environ.get("MATRIX_SHOW"):
        show(found)
    faults = [
        f"{cell}: {said}, wanted {wanted.get(cell)}"
        for cell, (said, _) in found.items()
        if said != wanted.get(cell)
    ]
    faults += [f"{cell}: {wrong}" for cell, (_, wrong) in found.items() if wrong]
    assert not faults, "\n".join(faults[:200])
    assert set(wanted) == set(found)
    assert len(found) > 3000


REGIONS = sorted({name for file in TEMPLATES.rglob("*.html") for name in PARTIAL.findall(file.read_text())})


@pytest.mark.django_db
def test_regions_open_no_door_that_the_page_keeps_shut(actors, things):
    faults, asked = [], 0
    others = [row for row in rows() if row[1] in {"other", "missing", "retired"}] + [
        ("inbox", "-"),
        ("corrections", "-"),
    ]
    for name, kind in others:
        for actor in (actors[one] for one in ("visitor", "guest", "learner", "instructor")):
            address = address_of(name, kind, actor, things)
            plain = outcome(ask(actor, "GET", address))
            for target in [*REGIONS, "", "nothing"]:
                answer = ask(actor, "GET", address, HX_Request="true", HX_Target=target)
                asked += 1
                if outcome(answer) != plain or leaks(answer):
                    faults.append(f"{name} {kind} {actor.name} {target}: {outcome(answer)}, the page {plain}")
    assert faults == []
    assert asked > 1000


def show(found) -> None:
    """Write the table as it would be now, lines of equal methods joined, for reading and correcting."""
    lines: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for name, kind in rows():
        for method in METHODS:
            said = tuple(found[name, kind, method, actor][0] for actor in ACTORS)
            lines.setdefault((name, kind, said), []).append(method)
    with Path(os.environ["MATRIX_SHOW"]).open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["address", "object", "methods", *ACTORS])
        out.writerows([name, kind, " ".join(methods), *said] for (name, kind, said), methods in lines.items())
