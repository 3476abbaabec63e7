"""Can a quiz be guessed by looking at length or place? Counted for each file against chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studyhub.packs.draft import Fault, PackDraft, QuestionDraft, QuizDraft
from studyhub.packs.lints.chance import at_least, chi_square

LONGEST_P = 0.05  # one-sided
LONGEST_SHARE = 0.35
ENOUGH = 10  # single-choice questions, before a share or a chi-square means something
POSITION_P = 0.01
SAME_PLACE = 4  # questions


@dataclass(frozen=True, slots=True)
class Balance:
    """What the single-choice questions of one file give away.

    ``longest_right``: questions whose right option alone is the longest (in characters); ``expected``: how
    many by chance; ``longest_p``: probability of at least that many by chance. ``positions``: how often the
    right option stands first, second, …; ``expected_positions`` by chance; ``position_p``: probability of
    being that uneven.
    """

    path: str
    singles: int
    longest_right: int
    expected: float
    longest_p: float
    positions: tuple[int, ...]
    expected_positions: tuple[float, ...]
    position_p: float

    @property
    def longest_share(self) -> float:
        """Share of the single-choice questions whose right option is the longest, 0 to 1."""
        return self.longest_right / self.singles if self.singles else 0.0


def balance(pack: PackDraft) -> list[Balance]:
    """The counts of every quiz file, by path."""
    return [_count(quiz) for quiz in sorted(pack.quizzes, key=lambda quiz: quiz.path)]


def _count(quiz: QuizDraft) -> Balance:
    singles = [
        question for question in quiz.questions if question.kind == "single" and len(question.options) > 1
    ]
    chances = [1 / len(question.options) for question in singles]
    longest = sum(right_is_longest(question) for question in singles)
    width = max((len(question.options) for question in singles), default=0)
    positions = [0] * width
    expected = [0.0] * width
    for question in singles:
        positions[right_place(question)] += 1
        for place in range(len(question.options)):
            expected[place] += 1 / len(question.options)
    return Balance(
        path=quiz.path,
        singles=len(singles),
        longest_right=longest,
        expected=sum(chances),
        longest_p=at_least(longest, chances),
        positions=tuple(positions),
        expected_positions=tuple(expected),
        position_p=chi_square(positions, expected),
    )


def right_place(question: QuestionDraft) -> int:
    """The place of the (first) right option, from 0."""
    return next(place for place, option in enumerate(question.options) if option.right)


def right_is_longest(question: QuestionDraft) -> bool:
    """True when the right option has more characters than every other."""
    right = question.options[right_place(question)]
    return all(len(right.text_md) > len(option.text_md) for option in question.options if option is not right)


def lint_balance(counts: Sequence[Balance]) -> list[Fault]:
    """W401: the right option is the longest too often. W402: its place is not balanced."""
    faults = []
    for one in counts:
        many = one.longest_share > max(LONGEST_SHARE, one.expected / max(one.singles, 1))
        if one.longest_p < LONGEST_P or (many and one.singles >= ENOUGH):
            what = (
                f"the right option is the longest in {one.longest_right} of {one.singles} "
                f"single-choice questions (chance: {one.expected:.1f})"
            )
            mend = "Shorten right options, or make wrong ones as precise, in as many as are above chance."
            faults.append(Fault(one.path, 1, "W401", what, mend))
        same = one.singles >= SAME_PLACE and one.singles in one.positions
        if same or (one.singles >= ENOUGH and one.position_p < POSITION_P):
            counted = ", ".join(str(count) for count in one.positions)
            what = f"the right option is not spread evenly over the places: {counted}"
            faults.append(
                Fault(one.path, 1, "W402", what, "Move right options so that each place has about as many.")
            )
    return faults
