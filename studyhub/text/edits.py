"""How much an edit weighs: a typo leaves what was read as it was, a substantive edit asks for another reading."""

from __future__ import annotations

from difflib import SequenceMatcher

from studyhub.text.diffs import Paragraphs, changed_paragraphs
from studyhub.text.plain import names

TYPO, SUBSTANTIVE = "typo", "substantive"
FEW = 6  # words that a typo may change at most
SMALL = 0.02  # share of the section's words that a typo stays below; one word is always little

_AROUND = ".,;:!?\"'()[]{}“”‘’„«»…"
_SIGNS = frozenset("=<>≤≥≠≈±×÷·−+^*/\\%‰°$€∞→←")
_UNITS = names(
    "B b kB KB MB GB TB PB KiB MiB GiB TiB kb Mb Gb Kbit Mbit Gbit bit bits byte bytes nibble nibbles token tokens"
    " s ms us µs μs ns min h second seconds minute minutes hour hours day days week weeks month months year years"
    " W kW MW J kJ kWh V A Hz kHz MHz GHz K C m cm mm km g kg t FLOP FLOPs FLOPS GFLOPS TFLOPS PFLOPS percent"
    " dollar dollars euro euros cent cents"
)
_FOLDED_UNITS = frozenset(one.casefold() for one in _UNITS)
_COUNTS = names(
    "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand"
    " million billion trillion half third quarter once twice double doubles doubled triple single both"
)
_TURNS = names(
    "no not never none nor neither nothing nobody nowhere without cannot except unless only hardly rarely seldom"
    " always sometimes often every all any some most least more less fewer greater larger smaller higher lower"
    " faster slower quicker cheaper better worse best worst above below over under before after first last"
    " must may can should increases increase decreases decrease reduces reduce raises raise lowers rises rise falls"
    " fall grows grow shrinks shrink gains gain loses lose saves save costs cost true false right wrong and or"
    " yes if minimum maximum"
)


def weigh_edit(old: Paragraphs, new: Paragraphs) -> str:
    """``typo`` or ``substantive``: the weight of the step from one text to another.

    A typo changes at most 6 words and fewer than 2 % of the words (one word is always little), and none of the
    changed words is a number, a formula, a unit, a negation, or a word that compares or turns a statement (more,
    before, only, must, increases …). Punctuation, capitals and the order of paragraphs weigh nothing.
    """
    changed, words = 0, sum(len(text.split()) for _, text in old)
    for one in changed_paragraphs(old, new):
        before, after = _bare(one.old), _bare(one.new)
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if tag == "equal":
                continue
            if any(_turns(word) for word in (*before[i1:i2], *after[j1:j2])):
                return SUBSTANTIVE
            changed += max(i2 - i1, j2 - j1)
        if changed > FEW:
            return SUBSTANTIVE
    return TYPO if changed <= 1 or changed < SMALL * words else SUBSTANTIVE


def _bare(text: str) -> list[str]:
    """The words in small letters and without punctuation around them; units keep their capitals."""
    stripped = (word.strip(_AROUND) for word in text.split())
    return [word if word.casefold() in _FOLDED_UNITS else word.casefold() for word in stripped if word]


def _turns(word: str) -> bool:
    """Whether a word is a number, part of a formula, a unit or a word that turns a statement round."""
    return (
        word in _UNITS
        or word in _TURNS
        or word in _COUNTS
        or word.endswith(("n't", "n’t"))
        or (len(word) == 1 and word.isalpha() and word not in "ai")
        or any(letter.isdigit() or letter in _SIGNS for letter in word)
    )
