"""``python -m tests.bench``: starts the real site and a bare view, measures both in turns, prints ratios.

Ends with 1 when a figure is below 0.7 of its goal, and with 2 when nothing could be measured. docs/speed.md says how to read it.
"""

from __future__ import annotations

import argparse
import os
import sys

from tests.bench import house
from tests.bench.figures import Figure, table
from tests.bench.load import tool

PORT = 8710


def main() -> int:
    """Measure everything, print the table, and say whether a figure is a fault."""
    given = argparse.ArgumentParser(prog="python -m tests.bench")
    given.add_argument("--seconds", type=float, default=3.0, help="of load for each figure and round")
    given.add_argument("--rounds", type=int, default=3, help="whose medians count, at least 3")
    given.add_argument(
        "--port",
        type=int,
        default=PORT,
        help="for the site; the bare view and the site without layers take the next ones",
    )
    chosen = given.parse_args()
    try:
        figures = _measured(chosen.port, chosen.seconds, max(3, chosen.rounds))
    except (house.NotStarted, house.NothingMeasured) as problem:
        print(problem)
        return 2
    print(
        f"\n{chosen.rounds} rounds of {chosen.seconds:g} s, medians, {os.cpu_count()} cores; load by {tool()}.\n"
    )
    print(table(figures))
    faults = [one.name for one in figures if one.verdict == "FAULT"]
    print(
        f"\nBelow 0.7 of the goal: {'; '.join(faults)}."
        if faults
        else "\nNo figure is below 0.7 of its goal."
    )
    return 1 if faults else 0


def _measured(port: int, seconds: float, rounds: int) -> list[Figure]:
    with house.folder() as data:
        print("Starting the site for the first time.", flush=True)
        with house.site(data, port) as (_, first):
            pass
        with house.site(data, port) as (serving, second), house.yardstick(data, port + 1) as bare:
            _settle(house.environment(data, port))
            from tests.bench.measures import Measures, layers

            measures = Measures(port, house.roots(data, serving), {bare.pid}, seconds, rounds)
            figures = [*_starts(first, second), *measures.all()]
            with house.bared(data, port + 2) as without:
                return [*figures, *layers(measures, house.roots(data, without))]


def _starts(first: float, second: float) -> list[Figure]:
    return [
        Figure("first start to first page", first, 60, at_most=True, unit="s", note="packages were there"),
        Figure("second start to first page", second, 6, at_most=True, unit="s"),
    ]


def _settle(environment: dict[str, str]) -> None:
    """Make this process a neighbour of the site: the same settings, the same database."""
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(environment)
    os.environ["DJANGO_SETTINGS_MODULE"] = "studyhub.settings"
    import django

    django.setup()


if __name__ == "__main__":
    sys.exit(main())
