"""What is wrong with the cards of a pack: mistakes that no wrong option of the quizzes makes."""

from __future__ import annotations

from collections.abc import Iterator

from studyhub.packs.draft import Fault, PackDraft
from studyhub.packs.formats.report import shown


def lint_cards(pack: PackDraft) -> list[Fault]:
    """W414: a card's mistake whose misconception no wrong option and no expected mistake of the course names."""
    if not pack.quizzes:
        return []  # nothing to compare with
    used = set(_used(pack))
    faults = []
    for deck in pack.decks:
        for card in deck.cards:
            for point in card.points:
                if point.misconception and point.misconception not in used:
                    what = f'misconception "{shown(point.misconception)}" is on a card and on no wrong option'
                    mend = "Mark a wrong option of a quiz with {mis: …} too, so that practice can meet it."
                    faults.append(Fault(deck.path, point.line, "W414", what, mend))
    return faults


def _used(pack: PackDraft) -> Iterator[str]:
    for quiz in pack.quizzes:
        for question in quiz.questions:
            yield from (option.misconception for option in question.options if option.misconception)
            yield from (typed.misconception for typed in question.typed if typed.misconception)
            yield from (part.misconception for part in question.parts if part.misconception)
