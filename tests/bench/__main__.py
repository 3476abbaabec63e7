"""``python -m tests.bench``: starts the real site and a bare view, measures both in turns, prints ratios.

Ends with 1 when a figure is below 0.7 of its goal. docs/speed.md says how to read it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import Any

from tests.bench import house
from tests.bench.figures import Figure, table
from tests.bench.load import Line, press, tool
from tests.bench.weight import Weight, weigh

PORT, BARE_PORT = 8710, 8711
MANY = 10_000  # stored answers
ANSWERS_PER_SECOND = 500  # pairs of answer and feedback page prepared for each second of load
QUESTIONS = 60  # answers whose latency is taken


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to measure."""

    port: int
    bare_port: int
    seconds: float
    rounds: int


def main() -> int:
    """Measure everything, print the table, and say whether a figure is a fault."""
    given = argparse.ArgumentParser(prog="python -m tests.bench")
    given.add_argument("--seconds", type=float, default=3.0, help="of load for each figure and round")
    given.add_argument("--rounds", type=int, default=3, help="whose medians count")
    given.add_argument(
        "--port", type=int, default=PORT, help="for the site; the bare view takes the next one"
    )
    chosen = given.parse_args()
    plan = Plan(chosen.port, chosen.port + 1, chosen.seconds, max(3, chosen.rounds))
    with house.folder() as data:
        with house.site(data, plan.port) as (_, first):
            pass
        with house.site(data, plan.port) as (serving, second), house.yardstick(data, plan.bare_port):
            figures = _starts(first, second) + _measure(data, serving, plan)
    print(
        f"\nMeasured with {tool()}, {plan.rounds} rounds of {plan.seconds:g} s, medians. Cores: {os.cpu_count()}.\n"
    )
    print(table(figures))
    faults = [one.name for one in figures if one.verdict == "FAULT"]
    print(
        f"\nBelow 0.7 of the goal: {', '.join(faults)}."
        if faults
        else "\nNo figure is below 0.7 of its goal."
    )
    return 1 if faults else 0


def _starts(first: float, second: float) -> list[Figure]:
    return [
        Figure(
            "first start to first page", first, 60, at_most=True, unit="s", note="without installing packages"
        ),
        Figure("second start to first page", second, 6, at_most=True, unit="s"),
    ]


def _measure(data: Path, serving: Popen[bytes], plan: Plan) -> list[Figure]:
    os.environ.update(house.environment(data, plan.port))
    os.environ.pop("DATABASE_URL", None)
    os.environ["DJANGO_SETTINGS_MODULE"] = "studyhub.settings"
    import django

    django.setup()
    print("Preparing learners.", flush=True)
    held = _memory(data, serving, plan)
    return [*_rates(plan), *_latency(plan), *_weights(plan), held]


def _memory(data: Path, serving: Popen[bytes], plan: Plan) -> Figure:
    """Idle, after both workers have answered pages."""
    from tests.bench import learners

    browser = learners.reader()
    press(plan.port, [learners.get(learners.CHAPTER, browser)], 1)
    shared_once, plain = house.memory(data, serving)
    note = f"shared pages counted once; plain sum of resident sets {plain:.0f}"
    return Figure("memory of web and database", shared_once, 350, at_most=True, unit="MB", note=note)


def _rates(plan: Plan) -> list[Figure]:
    """Requests per second in turns, and from them the ratios to the bare view."""
    from tests.bench import learners

    fresh, old = learners.reader(), learners.reader()
    stored = learners.answer_much(old, MANY)
    pages = {
        name: f"/attempts/{learners.attempts(one)[0].pk}/" for name, one in (("fresh", fresh), ("old", old))
    }
    targets: dict[str, tuple[int, list[bytes]]] = {
        "bare": (plan.bare_port, [learners.get("/")]),
        "chapter": (plan.port, [learners.get(learners.CHAPTER, fresh)]),
        "chapter old": (plan.port, [learners.get(learners.CHAPTER, old)]),
        "anonymous": (plan.port, [learners.get(learners.CHAPTER)]),
        "question": (plan.port, [learners.get(pages["fresh"], fresh)]),
        "question old": (plan.port, [learners.get(pages["old"], old)]),
    }
    rates: dict[str, list[float]] = {name: [] for name in [*targets, "answer"]}
    for port, requests in targets.values():
        press(port, requests, 1)
    for turn in range(plan.rounds):
        print(f"Round {turn + 1} of {plan.rounds}.", flush=True)
        for name, (port, requests) in targets.items():
            rates[name].append(_clean(name, press(port, requests, plan.seconds)))
        rates["answer"].append(_answer_rate(plan))
    return _ratios({name: statistics.median(found) for name, found in rates.items()}, stored)


def _answer_rate(plan: Plan) -> float:
    """Answers with their feedback page per second; every answer is the first one to its question."""
    from tests.bench import learners

    wanted = int(plan.seconds * ANSWERS_PER_SECOND)
    pairs = learners.answers(max(24, -(-wanted // 100)))
    round_ = press(plan.port, learners.in_turns(pairs), plan.seconds)
    if round_.made > 2 * len(pairs):
        raise SystemExit(
            "The prepared questions did not last: raise ANSWERS_PER_SECOND in tests/bench/__main__.py."
        )
    return _clean("answer", round_) / 2


def _clean(name: str, load: Any) -> float:
    """The rate of a round without errors; a round with errors measures something else and ends the run."""
    if load.bad > load.made * 0.001 + 2:
        raise SystemExit(f"{load.bad} of {load.made} requests for “{name}” failed: nothing was measured.")
    return float(load.rate)


def _ratios(rate: dict[str, float], stored: int) -> list[Figure]:
    def share(name: str, key: str, goal: float) -> Figure:
        return Figure(name, rate[key] / rate["bare"], goal, note=f"{rate[key]:.0f}/s of {rate['bare']:.0f}/s")

    def growth(name: str, key: str) -> Figure:
        note = f"{stored} stored answers against none"
        return Figure(name, rate[key] / rate[f"{key} old"], 1.1, at_most=True, note=note)

    return [
        share("chapter page, signed in", "chapter", 0.12),
        share("chapter page, anonymous", "anonymous", 0.40),
        share("question page", "question", 0.10),
        share("answer with feedback", "answer", 0.05),
        growth("chapter page with a long history", "chapter"),
        growth("question page with a long history", "question"),
    ]


def _latency(plan: Plan) -> list[Figure]:
    """One at a time: an answer with its feedback page against the bare view."""
    from tests.bench import learners

    pairs = learners.answers(4)[: 2 * QUESTIONS]  # the first half warms up
    bare, lines = Line(plan.bare_port), Line(plan.port)
    yard, took = [], []
    for answer, feedback in pairs:
        yard.append(bare.ask(learners.get("/"))[0])
        sent, status = lines.ask(answer)
        if status != 303:
            raise SystemExit(f"An answer got {status} instead of a redirect: nothing was measured.")
        took.append(sent + lines.ask(feedback)[0])
    bare.close()
    lines.close()
    one, base = statistics.median(took[QUESTIONS:]), statistics.median(yard[QUESTIONS:])
    note = f"{one * 1000:.1f} ms against {base * 1000:.2f} ms, one at a time"
    return [Figure("answer with feedback, latency", one / base, 15, at_most=True, note=note)]


def _weights(plan: Plan) -> list[Figure]:
    from django.conf import settings

    from tests.bench import learners

    browser = learners.reader()
    quiz = "/c/llm-inference/quizzes/inference-optimization/"
    attempt = f"/attempts/{learners.attempts(browser)[0].pk}/"
    paths = [learners.CHAPTER, quiz, attempt, "/", "/progress/"]
    first, *later = weigh(plan.port, (settings.SESSION_COOKIE_NAME, browser.session), paths)
    heaviest: Weight = max(later, key=lambda one: one.without_fonts)
    return [
        Figure(
            "chapter page without fonts", first.without_fonts, 90, at_most=True, unit="KB", note=str(first)
        ),
        Figure("of it JavaScript", first.scripts, 25, at_most=True, unit="KB"),
        Figure("requests of the chapter page", first.requests, 10, at_most=True, unit="requests"),
        Figure(
            "second page, the heaviest of four",
            heaviest.without_fonts,
            25,
            at_most=True,
            unit="KB",
            note=str(heaviest),
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())
