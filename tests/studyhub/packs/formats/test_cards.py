"""Card files: what is read, what is left out, and in which words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studyhub.packs.draft import DeckDraft, PackDraft, QuizDraft
from studyhub.packs.formats import read_quiz
from studyhub.packs.formats.cards import look_up_cards, places_of, read_cards
from studyhub.packs.lints.cards import lint_cards

HEAD = "---\nkind: cards\nid: tea-cards\ntitle: Tea, aloud\nchapter: water\n---\n\n"
SOUND = """## Why not boil green tea? {#boil}
level: beginner
tags: [heat, leaves]
objectives: pour
read: water#scald

- It turns bitter. {read: water#scald, question: heat}
- Its leaves
  scald early.

### In depth

- Tannins dissolve above 80 °C: {#tannins}
  - more of them,
  - and faster.

### Example

- At 95 °C it takes one minute. {read: water#scald, water#time, question: heat, tea-quiz#cold}

### Common mistakes

- “Hotter is stronger”: strength comes from leaves. {mis: hotter}

### Follow-ups

- And black tea?
"""


def deck(text: str) -> DeckDraft:
    read = read_cards(HEAD + text, "cards/tea.cards.md")
    assert read.draft is not None
    return read.draft


def found(text: str) -> list[tuple[int, str]]:
    """(line, code) of every fault; lines count from the first heading."""
    faults = read_cards(HEAD + text, "cards/tea.cards.md").faults
    return [(fault.line - HEAD.count("\n"), fault.code) for fault in faults]


def swapped(old: str, new: str) -> str:
    assert SOUND.count(old) == 1, old
    return SOUND.replace(old, new)


def test_sound_card_is_read_whole() -> None:
    assert found(SOUND) == []
    (card,) = deck(SOUND).cards
    assert (card.slug, card.front_md, card.level) == ("boil", "Why not boil green tea?", "beginner")
    assert (card.tags, card.objectives, card.read) == (("heat", "leaves"), ("pour",), "water#scald")
    assert [(point.part, point.text_md) for point in card.points] == [
        ("short", "It turns bitter."),
        ("short", "Its leaves\nscald early."),
        ("depth", "Tannins dissolve above 80 °C: {#tannins}\n- more of them,\n- and faster."),
        ("example", "At 95 °C it takes one minute."),
        ("mistakes", "“Hotter is stronger”: strength comes from leaves."),
        ("follow-ups", "And black tea?"),
    ]
    first, example, mistake = card.points[0], card.points[3], card.points[4]
    assert (first.read, first.questions) == (("water#scald",), ("heat",))
    assert (example.read, example.questions) == (("water#scald", "water#time"), ("heat", "tea-quiz#cold"))
    assert (mistake.misconception, mistake.line) == ("hotter", 30)


def test_deck_says_what_it_is() -> None:
    told = deck("Say it aloud.\n\n" + SOUND)
    assert (told.slug, told.title, told.chapter, told.intro_md) == (
        "tea-cards",
        "Tea, aloud",
        "water",
        "Say it aloud.",
    )


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("level: beginner", "level: wizard", [(2, "W230")]),
        ("level: beginner\n", "", [(1, "W230")]),
        ("level: beginner", "levle: beginner", [(1, "W230"), (2, "E103")]),
        ("{#boil}", "", [(1, "W100")]),
        ("{#boil}", "{#Boil}", [(1, "E102")]),
        ("### In depth", "### In dept", [(11, "E231")]),
        ("### Example", "### In depth", [(17, "E232")]),
        (" {mis: hotter}", "", [(23, "W234")]),
        ("- And black tea?", "And black tea?", [(27, "W231")]),
        ("- And black tea?", "- And black tea? {mis: hotter}", [(27, "E211")]),
        ("- And black tea?", "- It turns bitter.", [(27, "E210")]),
        ("- And black tea?", "- {question: heat}", [(27, "E222")]),
        ("question: heat}\n- Its", "qestion: heat}\n- Its", [(7, "E215")]),
        ("tags: [heat, leaves]", "tags: " + "x" * 41, [(3, "E108")]),
        ("objectives: pour", "objectives: Pour It", [(4, "E102")]),
        ("read: water#scald\n", "read: scald\n", [(5, "E316")]),
        ("- And black tea?", "```", [(1, "E105"), (27, "W231")]),
    ],
)  # fmt: skip
def test_fault_is_told_at_its_line(old: str, new: str, codes: list[tuple[int, str]]) -> None:
    assert found(swapped(old, new)) == codes


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        (SOUND.split("### Common", maxsplit=1)[0], "common mistakes"),
        ("## Why? {#why}\nlevel: senior\n\n### Common mistakes\n\n- No. {mis: a}\n", "short answer"),
        ("## Why? {#why}\nlevel: senior\n", "short answer and common mistakes"),
    ],
)
def test_card_that_lacks_a_part_is_left_out_and_its_neighbour_kept(text: str, lacks: str) -> None:
    text += "\n" + SOUND.replace("{#boil}", "{#other}")
    read = read_cards(HEAD + text, "cards/tea.cards.md")
    assert [fault.code for fault in read.faults] == ["W232"]
    assert f"lacks {lacks};" in read.faults[0].what
    assert read.draft is not None
    assert [card.slug for card in read.draft.cards] == ["other"]


def test_paragraph_is_a_point_too() -> None:
    (card,) = deck(swapped("- And black tea?", "And black tea?\n\nAnd white?")).cards
    assert [point.text_md for point in card.points[-2:]] == ["And black tea?", "And white?"]


def test_braces_that_are_no_marks_stay_text() -> None:
    (card,) = deck(swapped("- And black tea?", "- Which set is {1, 2}")).cards
    assert card.points[-1].text_md == "Which set is {1, 2}"


def test_more_than_forty_points_are_refused() -> None:
    assert (67, "E233") in found(SOUND + "".join(f"- Point {n}\n" for n in range(40)))


@pytest.mark.parametrize(
    ("text", "code"),
    [(HEAD, "E200"), (HEAD.replace("chapter: water\n", "") + SOUND, "E303"), (SOUND, "E001")],
)
def test_file_that_is_no_deck(text: str, code: str) -> None:
    assert code in [fault.code for fault in read_cards(text, "cards/tea.cards.md").faults]


def test_id_twice_in_a_file_and_in_two_files() -> None:
    assert (29, "E101") in found(SOUND + "\n" + SOUND)
    first = read_cards(HEAD + SOUND, "cards/a.cards.md")
    second = read_cards(HEAD.replace("tea-cards", "other") + SOUND, "cards/b.cards.md")
    faults = look_up_cards(
        {"cards/a.cards.md": first, "cards/b.cards.md": second}, {"tea-quiz": ["heat", "cold"]}, ["hotter"]
    )
    assert [(fault.path, fault.code) for fault in faults] == [("cards/b.cards.md", "E313")]


def test_question_and_misconception_that_are_not_there() -> None:
    read = {"cards/a.cards.md": read_cards(HEAD + SOUND, "cards/a.cards.md")}
    faults = look_up_cards(read, {"tea-quiz": ["heat"]}, ["hottr"])
    assert [(fault.line, fault.code) for fault in faults] == [(26, "E308"), (30, "E212")]
    assert faults[1].mend == 'Did you mean "hottr"?'


@pytest.mark.parametrize(
    ("named", "places"),
    [
        ("heat", [("one", "heat"), ("two", "heat")]),
        ("two#heat", [("two", "heat")]),
        ("one#cold", []),
        ("cold", [("two", "cold")]),
        ("#cold", []),
    ],
)
def test_places_of_a_question(named: str, places: list[tuple[str, str]]) -> None:
    assert places_of(named, {"one": ["heat"], "two": ["heat", "cold"]}) == places


def quiz_with(misconception: str) -> QuizDraft:
    text = (
        "---\nkind: quiz\nid: q\ntitle: Q\nchapter: water\n---\n\n## Which? {#w}\n\n"
        f"- [x] A\n  > It does.\n- [ ] B {{mis: {misconception}}}\n  > It does not.\n"
    )
    quiz, _ = read_quiz(text, "quizzes/q.quiz.md", ("hotter", "colder"))
    assert quiz is not None
    return quiz


@pytest.mark.parametrize(
    ("quizzes", "codes"), [((), []), (("hotter",), []), (("colder",), ["W414"])], ids=str
)
def test_mistake_that_no_wrong_option_makes(quizzes: Sequence[str], codes: list[str]) -> None:
    pack = PackDraft(None, (), tuple(quiz_with(one) for one in quizzes), (), decks=(deck(SOUND),))
    assert [fault.code for fault in lint_cards(pack)] == codes


PIECES = st.sampled_from(
    ["- ", "###", "### In depth\n", "### Common mistakes\n", "{mis: a}", "{read: ", "}", "\n", "```\n", " ", "x",
     "level: senior\n", "## q {#q}\n", "tags: a\n", "{#", ",", ":", "|"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=60).map("".join)))
def test_any_text_is_read_without_raising(text: str) -> None:
    for whole in (text, HEAD + text, HEAD + "## q {#q}\nlevel: senior\n\n" + text):
        read = read_cards(whole, "c.md")
        lines = whole.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        assert all(1 <= fault.line <= lines and fault.what.isprintable() for fault in read.faults)
        for card in read.draft.cards if read.draft else ():
            assert {"short", "mistakes"} <= {point.part for point in card.points}
            assert all(point.text_md for point in card.points)
