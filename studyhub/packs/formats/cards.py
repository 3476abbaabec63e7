"""A card file: front matter, an introduction, and an interview card under every ``##`` heading."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from studyhub.packs.draft import DeckDraft, Fault, MisconceptionDraft, SourceDraft
from studyhub.packs.formats.blocks import report_open_fence, split_blocks, split_lines, trimmed
from studyhub.packs.formats.card import CardRead, read_card
from studyhub.packs.formats.front_matter import FrontMatter, check_front_matter, pairs_of, read_front_matter
from studyhub.packs.formats.limits import check_size
from studyhub.packs.formats.references import Reference, refer_prose
from studyhub.packs.formats.report import Report, did_you_mean, in_order, shown
from studyhub.packs.formats.sources import read_sources

KEYS = frozenset({"kind", "id", "title", "chapter", "misconceptions", "sources", "was"})
CARDS = 1000


@dataclass(frozen=True, slots=True)
class DeckRead:
    """``slugs`` are the ids of all cards in the file with their lines, of those that are left out too."""

    draft: DeckDraft | None
    faults: tuple[Fault, ...]
    references: tuple[Reference, ...] = ()
    slugs: tuple[tuple[str, int], ...] = ()
    sources: tuple[SourceDraft, ...] = ()
    slug: str = ""
    chapter: str = ""


def read_cards(text: str, path: str) -> DeckRead:
    """Read a card file with what it says about others. A faulty card costs no other."""
    report = Report(path)
    lines = split_lines(text.removeprefix("\ufeff"))
    matter = read_front_matter(lines, report)
    if not matter.usable:
        return DeckRead(None, tuple(in_order(report.faults)))
    check_front_matter(matter, "cards", KEYS, report)
    own = pairs_of(matter, "misconceptions", report)
    sources = read_sources(matter, report)
    blocks = split_blocks(lines[matter.body :], matter.body, report)
    intro, _ = trimmed(blocks[0].lines)
    check_size(intro, matter.body + 1, report)
    report_open_fence(blocks[0], report)
    references = [*_refer_chapter(matter, report), *refer_prose(blocks[0].lines, matter.body, report)]
    if len(blocks) > CARDS + 1:
        line = blocks[CARDS + 1].line
        report.add(line, "E224", f"more than {CARDS} cards in one file", "Divide the file.")
        del blocks[CARDS + 1 :]
    if len(blocks) == 1 and matter.sound:
        report.add(1, "E200", "no card in this file", 'Add a heading "## …? {#id}" with its answer below it.')
    met: dict[str, int] = {}
    read = [read_card(block, met, report) for block in blocks[1:] if not report.full()]
    for card in read:
        references.extend(card.references)
    draft = _draft(matter, intro, read, own, path) if matter.sound and _complete(matter) else None
    faults, slugs = tuple(in_order(report.faults)), tuple(met.items())
    return DeckRead(
        draft, faults, tuple(references), slugs, sources, matter.text("id"), matter.text("chapter")
    )


def _complete(matter: FrontMatter) -> bool:
    return matter.text("kind") == "cards" and bool(matter.text("id")) and bool(matter.text("title"))


def _refer_chapter(matter: FrontMatter, report: Report) -> list[Reference]:
    chapter = matter.text("chapter")
    if matter.sound and not chapter:
        report.add(1, "E303", "the cards name no chapter", 'Add "chapter: id" to the front matter.')
    return [Reference(report.path, matter.line("chapter"), "chapter", chapter)] if chapter else []


def _draft(
    matter: FrontMatter, intro: str, read: list[CardRead], own: dict[str, str], path: str
) -> DeckDraft:
    return DeckDraft(
        slug=matter.text("id"),
        title=matter.text("title"),
        chapter=matter.text("chapter"),
        intro_md=intro,
        cards=tuple(card.draft for card in read if card.draft),
        misconceptions=tuple(MisconceptionDraft(slug, text) for slug, text in own.items()),
        was=matter.text("was"),
        path=path,
    )


def look_up_cards(
    decks: Mapping[str, DeckRead], quizzes: Mapping[str, Collection[str]], misconceptions: Collection[str]
) -> list[Fault]:
    """What cards name and the pack does not have: questions (E308), misconceptions (E212); ids met twice (E313).

    ``decks`` by path; ``quizzes``: ids of the questions by id of their quiz.
    """
    faults = _twice(decks)
    for deck in decks.values():
        for one in deck.references:
            if one.kind == "card-question" and not places_of(one.value, quizzes):
                known = {slug for slugs in quizzes.values() for slug in slugs}
                mend = did_you_mean(
                    one.value, known, 'Use the {#id} of a question, or "quiz-id#question-id".'
                )
                what = f'question "{shown(one.value)}" is in no quiz'
                faults.append(Fault(one.path, one.line, "E308", what, mend))
            if one.kind == "card-mistake" and one.value not in misconceptions:
                otherwise = "Add it under misconceptions: in the front matter of this file or of the course."
                mend = did_you_mean(one.value, misconceptions, otherwise)
                what = f'misconception "{shown(one.value)}" is not declared'
                faults.append(Fault(one.path, one.line, "E212", what, mend))
    return faults


def places_of(named: str, quizzes: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    """(quiz id, question id) of every question that ``named`` means: "question" or "quiz#question"."""
    quiz, mark, question = named.rpartition("#")
    return [
        (slug, question) for slug, ids in quizzes.items() if question in ids and (not mark or slug == quiz)
    ]


def _twice(decks: Mapping[str, DeckRead]) -> list[Fault]:
    faults: list[Fault] = []
    files: dict[str, str] = {}
    cards: dict[str, str] = {}
    for path, deck in decks.items():
        if deck.slug and deck.slug in files:
            what = f'cards id "{shown(deck.slug)}" is already used in {files[deck.slug]}'
            faults.append(Fault(path, 1, "E313", what, "Give one of the two files another."))
        files.setdefault(deck.slug, path)
        for slug, line in deck.slugs:
            if cards.get(slug, path) != path:
                what = f'card id "{shown(slug)}" is already used in {cards[slug]}'
                faults.append(Fault(path, line, "E313", what, "Card ids are unique in a course: change one."))
            cards.setdefault(slug, path)
    return faults
