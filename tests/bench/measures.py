"""What is measured on the running site. Needs Django's settings."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings

from tests.bench import house, learners, search
from tests.bench.figures import Figure
from tests.bench.load import Line, press
from tests.bench.weight import NoBrowser, Weight, weigh

MANY = 10_000  # stored answers
ANSWERS_PER_SECOND = 1500  # prepared for each second of load
SAMPLES = 60  # answers whose latency counts; as many go before them to warm up
QUIZ = "/c/llm-inference/quizzes/inference-optimization/"
GOALS = {
    "chapter page, signed in": 0.12,
    "chapter page, anonymous": 0.40,
    "question page": 0.10,
    "answer with feedback": 0.05,
}
LONG = " after 10,000 answers"


@dataclass
class Measures:
    """The site at ``port``, the bare view at the next one, and the processes behind each."""

    port: int
    site: set[int]
    bare: set[int]
    seconds: float
    rounds: int
    rate: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  # requests per second
    cost: dict[str, list[float]] = field(
        default_factory=lambda: defaultdict(list)
    )  # seconds of processor time each

    def all(self) -> list[Figure]:
        """Every figure, in the order in which people ask for them."""
        reader = learners.reader()
        memory = self._memory(reader)
        self._load(reader)
        figures = [*self._ratios(), *self._growth(), self._latency(), *self._weights(reader), memory]
        return [*figures, self._search()]  # last: its course would stand on everybody's pages

    def _memory(self, reader: learners.Browser) -> Figure:
        """Idle, after both workers have answered pages."""
        press(self.port, [learners.get(learners.CHAPTER, reader)], 1)
        shared_once, plain = house.memory(self.site)
        note = f"shared pages counted once; plain sum of resident sets {plain:.0f} MB"
        return Figure("memory of web and database", shared_once, 350, at_most=True, unit="MB", note=note)

    def _load(self, reader: learners.Browser) -> None:
        """Everything in turns, so that a busy moment of the machine hits all alike."""
        old = learners.reader()
        learners.answer_much(old, MANY)
        question, other = (f"/attempts/{learners.attempts(one)[0].pk}/" for one in (reader, old))
        pages = {
            "chapter page, signed in": learners.get(learners.CHAPTER, reader),
            f"chapter page{LONG}": learners.get(learners.CHAPTER, old),
            "chapter page, anonymous": learners.get(learners.CHAPTER),
            "question page": learners.get(question, reader),
            f"question page{LONG}": learners.get(other, old),
        }
        for request in pages.values():
            press(self.port, [request], 1)
        for turn in range(self.rounds):
            print(f"Round {turn + 1} of {self.rounds}.", flush=True)
            self.round("bare", [learners.get("/")])
            for name, request in pages.items():
                self.round(name, [request])
            self.answers()

    def round(self, name: str, requests: Sequence[bytes]) -> int:
        """One round. Returns how many requests were made."""
        port, family = (self.port + 1, self.bare) if name == "bare" else (self.port, self.site)
        before = house.processor(family)
        made = press(port, requests, self.seconds)
        used = house.processor(family) - before
        if made.bad > made.made * 0.001 + 2:
            raise house.NothingMeasured(f"{made.bad} of {made.made} requests for “{name}” failed.")
        self.rate[name].append(made.rate)
        self.cost[name].append(used / made.made)
        return made.made

    def answers(self) -> None:
        """Every answer is the first one to its question, by one of many learners."""
        prepared = learners.answers(max(24, -(-int(self.seconds * ANSWERS_PER_SECOND) // 100)))
        if self.round("answer with feedback", prepared) > len(prepared):
            raise house.NothingMeasured("The prepared questions did not last: raise ANSWERS_PER_SECOND.")

    def _ratios(self) -> list[Figure]:
        return [self._share(name, goal) for name, goal in GOALS.items()]

    def _share(self, name: str, goal: float) -> Figure:
        """The rate as a share of the bare view's; beside it the same by processor time, which neighbours blur less."""
        used, yard = (1000 * statistics.median(self.cost[one]) for one in (name, "bare"))
        note = (
            f"{statistics.median(self.rate[name]):.0f}/s of {statistics.median(self.rate['bare']):.0f}/s; "
            f"{used:.2f} ms of processor time against {yard:.3f}, by that {_compared(self.cost, 'bare', name):.3f}"
        )
        return Figure(name, _compared(self.rate, name, "bare"), goal, note=note)

    def _growth(self) -> list[Figure]:
        """Processor time with a long history over the time with none."""
        pairs = {f"chapter page{LONG}": "chapter page, signed in", f"question page{LONG}": "question page"}
        return [
            Figure(
                old,
                _compared(self.cost, old, none),
                1.1,
                at_most=True,
                note=f"by rate {_compared(self.rate, none, old):.3f}",
            )
            for old, none in pairs.items()
        ]

    def _latency(self) -> Figure:
        """One at a time: an answer with its feedback page against the bare view."""
        prepared = learners.answers(4)[: 2 * SAMPLES]
        bare, line = Line(self.port + 1), Line(self.port)
        yard, took = [], []
        for answer in prepared:
            yard.append(bare.ask(learners.get("/"))[0])
            sent, status = line.ask(answer)
            if status != 200:
                raise house.NothingMeasured(f"An answer got {status} instead of its feedback.")
            took.append(sent)
        bare.close()
        line.close()
        one, base = statistics.median(took[SAMPLES:]), statistics.median(yard[SAMPLES:])
        note = f"{one * 1000:.1f} ms against {base * 1000:.2f} ms, one at a time"
        return Figure("answer with feedback, latency", one / base, 15, at_most=True, note=note)

    def _search(self) -> Figure:
        """One at a time: a search among fifty chapters and five thousand questions against the bare view."""
        search.copy_course()
        browser = learners.newcomer()
        search.answer_some(browser)
        bare, line = Line(self.port + 1), Line(self.port)
        yard, took = [], []
        for request in search.searches(browser, 5):
            yard.append(bare.ask(learners.get("/"))[0])
            sent, status = line.ask(request)
            if status != 200:
                raise house.NothingMeasured(f"A search got {status} instead of its results.")
            took.append(sent)
        bare.close()
        line.close()
        warm = len(search.ASKED)  # the first turn
        one, base = statistics.median(took[warm:]), statistics.median(yard[warm:])
        note = f"{one * 1000:.1f} ms against {base * 1000:.2f} ms, one at a time"
        return Figure("search, latency", one / base, 15, at_most=True, note=note)

    def _weights(self, reader: learners.Browser) -> list[Figure]:
        attempt = f"/attempts/{learners.attempts(reader)[0].pk}/"
        paths = [learners.CHAPTER, QUIZ, attempt, "/", "/progress/"]
        try:
            first, *later = weigh(self.port, (settings.SESSION_COOKIE_NAME, reader.session), paths)
        except NoBrowser as problem:
            print(f"No page was weighed, for want of Chromium: {problem}")
            return []
        heaviest: Weight = max(later, key=lambda one: one.without_fonts)
        kb = {"at_most": True, "unit": "KB"}
        return [
            Figure("chapter page without fonts", first.without_fonts, 90, note=str(first), **kb),
            Figure("of it JavaScript", first.scripts, 25, **kb),
            Figure("requests of the chapter page", first.requests, 10, at_most=True, unit="requests"),
            Figure("second page, the heaviest of four", heaviest.without_fonts, 25, note=str(heaviest), **kb),
        ]


def layers(whole: Measures, bared: set[int]) -> list[Figure]:
    """What the layers of security and notes cost: processor time with them over that without, in turns in one run.

    ``bared`` are the roots of the site without them, at the port after the bare view's.
    """
    without = replace(whole, port=whole.port + 2, site=bared, rate=defaultdict(list), cost=defaultdict(list))
    sites = (replace(whole, rate=defaultdict(list), cost=defaultdict(list)), without)
    page, answer = "chapter page, signed in", "answer with feedback"
    request = learners.get(learners.CHAPTER, learners.reader())
    for one in sites:
        press(one.port, [request], 1)
    for turn in range(whole.rounds):
        print(f"With and without the layers, round {turn + 1} of {whole.rounds}.", flush=True)
        for one in sites if turn % 2 else sites[::-1]:
            one.round(page, [request])
            one.answers()
    found = {
        f"{name}, {which}": values
        for which, site in zip(("with", "without"), sites, strict=True)
        for name, values in site.cost.items()
    }
    return [
        Figure(
            f"{name}: the layers",
            _compared(found, f"{name}, with", f"{name}, without"),
            goal,
            at_most=True,
            note="processor time with security and notes over that without",
        )
        for name, goal in ((page, 1.05), (answer, 1.10))
    ]


def _compared(found: dict[str, list[float]], over: str, under: str) -> float:
    """The median of the ratios of each round: what was measured side by side is compared."""
    return statistics.median(one / other for one, other in zip(found[over], found[under], strict=True))
