"""What is wrong with the wording of questions: negations, and the same question twice."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from studyhub.packs.draft import Fault, PackDraft, QuestionDraft
from studyhub.packs.formats.report import shown
from studyhub.packs.lints.words import jaccard, words

NEGATION = re.compile(r"\b(?:not|except|never)\b")
EMPHASISED = re.compile(r"\*\*[^*]{1,200}\*\*|\*[^*\s][^*]{0,200}\*|__[^_]{1,200}__|`[^`]{1,200}`")
SENTENCE = re.compile(r"(?<=[.!?:])\s+")
ALIKE = 0.85  # shared words by all words
FEWEST = 4  # words of a stem, before it can be a copy
PAIRS = 200  # questions that one question is compared with
Asked = tuple[str, QuestionDraft]


def lint_stems(pack: PackDraft) -> list[Fault]:
    """W404: a negation that is easily missed. W405: two stems that say nearly the same."""
    asked = [(quiz.path, question) for quiz in pack.quizzes for question in quiz.questions]
    return [*_negations(asked), *_duplicates(asked)]


def _negations(asked: Iterable[Asked]) -> list[Fault]:
    faults = []
    for path, question in asked:
        sentence = SENTENCE.split(question.stem_md[-1000:].strip())[-1]
        if sentence.lower().startswith("why"):
            continue
        found = NEGATION.search(EMPHASISED.sub(" ", sentence))
        if found:
            what = f'the question turns on "{found.group(0)}", which is easily missed'
            mend = f"Write **{found.group(0)}**, or ask it the other way round."
            faults.append(Fault(path, question.line, "W404", what, mend))
    return faults


def _duplicates(asked: Sequence[Asked]) -> list[Fault]:
    sets = [frozenset(words(f"{question.stem_md}\n{question.body_md}")) for _, question in asked]
    frequency = Counter(word for one in sets for word in one)
    holders: defaultdict[str, list[int]] = defaultdict(list)
    faults = []
    for at, (path, question) in enumerate(asked):
        if len(sets[at]) < FEWEST:
            continue
        prefix = _prefix(sets[at], frequency)
        twin = _twin(at, prefix, sets, holders)
        if twin is not None:
            first_path, first = asked[twin]
            place = f"line {first.line}" if first_path == path else f"{first_path}:{first.line}"
            what = f'"{shown(question.slug)}" asks nearly the same as "{shown(first.slug)}" on {place}'
            faults.append(Fault(path, question.line, "W405", what, "Delete one, or ask for something else."))
        for word in prefix:
            holders[word].append(at)
    return faults


def _prefix(found: frozenset[str], frequency: Counter[str]) -> list[str]:
    """The rarest words: two sets that are alike must share one of them (prefix filter of set joins)."""
    ranked = sorted(found, key=lambda word: (frequency[word], word))
    return ranked[: len(ranked) - math.ceil(ALIKE * len(ranked)) + 1]


def _twin(
    at: int, prefix: Sequence[str], sets: Sequence[frozenset[str]], holders: dict[str, list[int]]
) -> int | None:
    others = dict.fromkeys(other for word in prefix for other in holders.get(word, ())[:PAIRS])
    return next((other for other in list(others)[:PAIRS] if jaccard(sets[at], sets[other]) >= ALIKE), None)
