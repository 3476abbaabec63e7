"""W414: what counts as a wrong answer that makes a card's mistake."""

from __future__ import annotations

import pytest

from studyhub.packs.draft import PackDraft
from studyhub.packs.formats import read_quiz
from studyhub.packs.formats.cards import read_cards
from studyhub.packs.lints.cards import lint_cards

WHY = "  > It draws without scalding.\n"
ITEM = "   > It draws without scalding.\n"
QUIZ = "---\nkind: quiz\nid: q\ntitle: Q\nchapter: water\n---\n\n## Which? {#w}\n"
CARDS = (
    "---\nkind: cards\nid: c\ntitle: C\nchapter: water\n---\n\n## What heats? {#c}\nlevel: beginner\n\n- Fire.\n\n"
    "### Common mistakes\n\n- “Ice”: it cools. {mis: colder}\n"
)
QUESTIONS = {
    "option": f"\n- [x] A\n{WHY}- [ ] B {{mis: colder}}\n{WHY}",
    "typed": f"\n- [=] hot\n{WHY}- [!] cold {{mis: colder}}\n{WHY}",
    "match": f"\n| A | B |\n|---|---|\n| One | x |\n| Two | y |\n\n- One {{mis: colder}}\n{WHY}- Two\n{WHY}",
    "order": f"type: order\n\n1. Heat\n{ITEM}2. Pour {{mis: colder}}\n{ITEM}3. Wait\n{ITEM}",
    "cloze": f"\nUse {{{{c1::hot}}}} water.\n\n- c1 {{mis: colder}}\n{WHY}",
}


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize(("named", "codes"), [("colder", []), ("hotter", ["W414"])])
def test_misconception_counts_wherever_a_question_names_it(kind: str, named: str, codes: list[str]) -> None:
    known = ("colder", "hotter")
    quiz, _ = read_quiz(QUIZ + QUESTIONS[kind].replace("colder", named), "quizzes/q.quiz.md", known)
    deck = read_cards(CARDS, "cards/c.cards.md").draft
    assert quiz is not None
    assert deck is not None
    assert len(quiz.questions) == len(deck.cards) == 1
    faults = lint_cards(PackDraft(None, (), (quiz,), (), decks=(deck,)))
    assert [fault.code for fault in faults] == codes
