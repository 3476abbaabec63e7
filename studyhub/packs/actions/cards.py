"""Set interview cards: hand their texts to the galley, take goods back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quizzes.draft import CardGoods, CardPointGoods
from studyhub.packs.actions.galley import Galley
from studyhub.packs.draft import CardDraft, CardPointDraft, DeckDraft, PackDraft, QuizDraft
from studyhub.packs.formats.cards import places_of


def hand_in_deck(galley: Galley, deck: DeckDraft) -> None:
    """Hand in every text of a file of cards; its introduction is read by authors only."""
    for card in deck.cards:
        key = (deck.slug, "card", card.slug)
        galley.hand_in((*key, "front"), card.front_md, (deck.path, card.line), inline=True)
        for number, point in enumerate(card.points):
            galley.hand_in((*key, "point", number), point.text_md, (deck.path, point.line))


def take_cards(galley: Galley, pack: PackDraft, beliefs: Mapping[str, str]) -> tuple[CardGoods, ...]:
    """The goods of all cards of a pack, by chapter and then as they stand in their files."""
    numbers = {one.slug: one.number for one in pack.chapters}
    decks = sorted(pack.decks, key=lambda deck: (numbers.get(deck.chapter, 0), deck.path))
    return tuple(
        _take_card(galley, deck, card, pack.quizzes, beliefs) for deck in decks for card in deck.cards
    )


def _take_card(
    galley: Galley,
    deck: DeckDraft,
    card: CardDraft,
    quizzes: Sequence[QuizDraft],
    beliefs: Mapping[str, str],
) -> CardGoods:
    key = (deck.slug, "card", card.slug)
    front = galley.take(*key, "front")
    return CardGoods(
        slug=card.slug,
        was=card.was,
        deck=deck.slug,
        deck_title=deck.title,
        chapter=deck.chapter,
        level=card.level,
        topics=card.tags,
        objectives=card.objectives,
        front_html=front.html,
        front_text=front.text,
        read=card.read,
        points=tuple(
            _take_point(galley, (*key, "point", number), point, _aims(point, deck, quizzes), beliefs)
            for number, point in enumerate(card.points)
        ),
    )


def _take_point(
    galley: Galley,
    key: tuple[object, ...],
    point: CardPointDraft,
    questions: tuple[tuple[str, str], ...],
    beliefs: Mapping[str, str],
) -> CardPointGoods:
    text = galley.take(*key)
    return CardPointGoods(
        slug=point.slug,
        part=point.part,
        html=text.html,
        text=text.text,
        misconception=point.misconception,
        belief=beliefs.get(point.misconception, ""),
        read=point.read,
        questions=questions,
    )


def _aims(
    point: CardPointDraft, deck: DeckDraft, quizzes: Sequence[QuizDraft]
) -> tuple[tuple[str, str], ...]:
    """(quiz, question) for each question that a point names; of two of one name that of the cards' chapter."""
    near = sorted(quizzes, key=lambda quiz: quiz.chapter != deck.chapter)
    ids = {quiz.slug: {one.slug for one in quiz.questions} for quiz in near}
    found = [places_of(named, ids)[:1] for named in point.questions]
    return tuple(place for places in found for place in places)
