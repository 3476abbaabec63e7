"""What is wrong with the options of one question and with what is said about them and about its other answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from studyhub.packs.draft import Fault, PackDraft, QuestionDraft
from studyhub.packs.formats.report import shown
from studyhub.packs.lints.words import contains, jaccard, numbers, words

NEARLY = 0.95  # shared words by all words
FEWEST = 3  # words of an option, before standing in another one means something
COMPARED = 16  # options of one question
NEW_WORDS = 3  # that a rationale must add to its option
WHOLESALE = (
    "all of the above",
    "none of the above",
    "all of these",
    "none of these",
    "all the above",
    "both of the above",
    "all answers are right",
    "no answer is right",
)
FILLER_WORDS = (
    "a an the this that it is are was were be because so and or of to in on for with as by "
    "right wrong correct incorrect true false yes no option answer indeed here"
)
FILLERS = frozenset(FILLER_WORDS.split())


def lint_options(pack: PackDraft) -> list[Fault]:
    """W403: all or none of the above. W406: options that overlap. W407: a rationale that only repeats."""
    faults = []
    for quiz in pack.quizzes:
        for question in quiz.questions:
            faults.extend(_wholesale(quiz.path, question))
            faults.extend(_overlaps(quiz.path, question))
            faults.extend(_repeats(quiz.path, question))
    return faults


def _wholesale(path: str, question: QuestionDraft) -> list[Fault]:
    faults = []
    for option in question.options:
        text = " ".join(words(option.text_md))
        if len(text) <= 60 and any(phrase in text for phrase in WHOLESALE):
            what = f'option "{shown(option.text_md)}" speaks of the other options'
            mend = "Delete it, or ask for several right options; options are shuffled, so there is no above."
            faults.append(Fault(path, option.line, "W403", what, mend))
    return faults


def _overlaps(path: str, question: QuestionDraft) -> list[Fault]:
    faults = []
    split = [(option, words(option.text_md)) for option in question.options[:COMPARED]]
    for (first, some), (second, others) in combinations(split, 2):
        if _overlap(some, others):
            what = f"the option overlaps with the one on line {first.line}"
            mend = "Change one: who holds the one to be right must hold the other to be wrong."
            faults.append(Fault(path, second.line, "W406", what, mend))
    return faults


def _overlap(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) >= FEWEST and contains(longer, shorter):
        return True
    if numbers(first) != numbers(second) or sorted(first) == sorted(second):
        return first == second and bool(first)
    return jaccard(frozenset(first), frozenset(second)) >= NEARLY


def _repeats(path: str, question: QuestionDraft) -> list[Fault]:
    faults = []
    for name, said, rationale, line in _reasoned(question):
        if rationale and _says_nothing_new(said, rationale):
            what = f'the rationale of "{shown(name)}" only repeats it'
            mend = "Say what it does, why it holds or misses here, and when that would change."
            faults.append(Fault(path, line, "W407", what, mend))
    return faults


def _reasoned(question: QuestionDraft) -> Iterator[tuple[str, str, str, int]]:
    """What is called what, says what, has which rationale, and stands on which line: options, typed answers, parts."""
    for option in question.options:
        yield option.text_md, option.text_md, option.rationale_md, option.line
    for typed in question.typed:
        yield typed.text, typed.text, typed.rationale_md, typed.line
    for part in question.parts:
        yield part.text_md, "\n".join((part.text_md, *part.answers)), part.rationale_md, part.line


def _says_nothing_new(said: str, rationale: str) -> bool:
    known = {*words(said), *FILLERS}
    return len({word for word in words(rationale) if word not in known}) < NEW_WORDS
