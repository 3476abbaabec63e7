"""Questions of several parts: the rows of a match, the items of an order, the gaps of a cloze."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from quizzes.kinds.words import folded
from studyhub.packs.draft import PartDraft
from studyhub.packs.formats.answers import NUMBERED, Answers, Item, read_parts
from studyhub.packs.formats.blocks import trimmed
from studyhub.packs.formats.gaps import cut_gaps
from studyhub.packs.formats.kinds import NO_ANSWER
from studyhub.packs.formats.limits import check_size
from studyhub.packs.formats.marks import OptionMarks, option_marks
from studyhub.packs.formats.report import Report, did_you_mean, shown
from studyhub.packs.formats.tables import find_table, read_table

GAP_ITEM = re.compile(r"[-*+][ \t]{1,4}c\d{1,3}(?![\w-])")
GAP_NAME = re.compile(r"(c\d{1,3})(?![\w-])")
ITEMS = 20  # of an order; its form sends two values for each
FEWEST = 3  # two items in the order they are not shown in would tell the key
WORDS = {"match": "row", "order": "item", "cloze": "gap"}


@dataclass(frozen=True, slots=True)
class Several:
    """A question of parts as read. ``answers`` has its body (gaps and table taken out), list and explanation."""

    answers: Answers
    stem: str
    body: str
    body_cut: int  # empty lines above the body
    parts: tuple[PartDraft, ...]
    decoys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A question's text: its lines, which of them are code, how many file lines stand above, its heading's line."""

    lines: Sequence[str]
    fenced: Sequence[bool]
    before: int
    heading: int


def read_several(
    kind: str, stem: str, place: Place, misconceptions: Collection[str], report: Report
) -> Several:
    """Read a question of kind match, order or cloze (E207 to E212, E215, E222, E241 to E250, W214)."""
    read = {"match": _match, "order": _order, "cloze": _cloze}[kind](stem, place, report)
    marks = [(item, option_marks(item.words(), item.line, report)) for item in read.answers.items]
    for item, mark in marks:
        _check_marks(kind, item, mark, misconceptions, report)
    named = _named(kind, read, marks, report)
    parts = tuple(_told(part, *named[name]) if name in named else part for name, part in _names(kind, read))
    for part in parts:
        for text in (part.text_md, part.rationale_md):
            check_size(text, part.line, report)
    _check_rationales(kind, parts, place.heading, report)
    return replace(read, parts=parts)


def _split(place: Place, start: int, after: int, report: Report) -> tuple[Answers, str, int]:
    """The list from index ``after`` on, and the body above ``start`` with the empty lines cut from its top."""
    answers = read_parts(place.lines, place.fenced, after, place.before, report)
    answers.body = list(place.lines[:start])
    body, cut = trimmed(answers.body)
    return answers, body, cut


def _match(stem: str, place: Place, report: Report) -> Several:
    where = find_table(place.lines, place.fenced)
    if where is None:
        report.add(place.heading, "E207", "a match without a table", NO_ANSWER)
        where = (len(place.lines), len(place.lines))
        return Several(*_rest(stem, place, where, report))
    table = read_table(place.lines, where, place.before, report)
    after = next(
        (at for at in range(where[1], len(place.lines)) if place.lines[at].strip()), len(place.lines)
    )
    answers, body, cut = _split(place, where[0], after, report)
    parts = tuple(_part(left, (right,), "", line) for left, right, line in table.rows)
    return Several(answers, stem, body, cut, parts, tuple(decoy for decoy, _ in table.decoys))


def _rest(
    stem: str, place: Place, where: tuple[int, int], report: Report
) -> tuple[Answers, str, str, int, tuple[PartDraft, ...]]:
    answers, body, cut = _split(place, *where, report)
    return answers, stem, body, cut, ()


def _order(stem: str, place: Place, report: Report) -> Several:
    start = _first(place, NUMBERED)
    answers, stem, body, cut, _ = _rest(stem, place, (start, start), report)
    items = answers.items
    if not items:
        report.add(place.heading, "E207", "an order without an ordered list", NO_ANSWER)
    elif len(items) < FEWEST:
        what = f"an order of {len(items)} items"
        report.add(items[0].line, "E245", what, f"Write at least {FEWEST}, or ask for the first one.")
    if len(items) > ITEMS:
        report.add(items[ITEMS].line, "E246", f"more than {ITEMS} items", "Divide the question.")
    parts = tuple(_part(item.words(), (), "", item.line) for item in items[:ITEMS])
    return Several(answers, stem, body, cut, parts)


def _cloze(stem: str, place: Place, report: Report) -> Several:
    start = _first(place, GAP_ITEM)
    if start == len(place.lines):  # no list: what follows the text may still be the explanation
        quotes = (at for at, line in enumerate(place.lines) if line.startswith(">") and not place.fenced[at])
        start = next(quotes, start)
    answers, stem, body, cut, _ = _rest(stem, place, (start, start), report)
    gapped = cut_gaps(stem, body, (place.heading, place.before + cut + 1), report)
    if not gapped.gaps:
        report.add(place.heading, "E207", "a cloze without a gap", "Write gaps as {{c1::word::hint}}.")
    parts = tuple(_part(gap.name, gap.accepted, gap.hint, gap.line) for gap in gapped.gaps)
    return Several(answers, gapped.stem, gapped.body, cut, parts)


def _first(place: Place, pattern: re.Pattern[str]) -> int:
    """The index of the first line outside code that begins like ``pattern``, or the number of lines."""
    found = (at for at, line in enumerate(place.lines) if not place.fenced[at] and pattern.match(line))
    return next(found, len(place.lines))


def _part(text: str, answers: tuple[str, ...], hint: str, line: int) -> PartDraft:
    return PartDraft("", text, answers, hint, "", "", "", line)


def _told(part: PartDraft, item: Item, mark: OptionMarks) -> PartDraft:
    """The part with what its item of the list says."""
    text = mark.text if item.line == part.line else part.text_md
    return replace(
        part,
        slug=mark.slug,
        text_md=text,
        rationale_md=item.why(),
        misconception=mark.misconception,
        read=mark.read,
    )


def _names(kind: str, read: Several) -> list[tuple[str, PartDraft]]:
    """The parts with the names under which the list speaks of them."""
    if kind == "order":
        return [(str(part.line), part) for part in read.parts]
    return [(folded(part.text_md), part) for part in read.parts]


def _named(
    kind: str, read: Several, marks: Sequence[tuple[Item, OptionMarks]], report: Report
) -> Mapping[str, tuple[Item, OptionMarks]]:
    """What the list says, by the names of the parts (E210, E247, E248)."""
    named: dict[str, tuple[Item, OptionMarks]] = {}
    known = [part.text_md for part in read.parts]
    names = {name for name, _ in _names(kind, read)}
    texts: dict[str, int] = {}
    for item, mark in marks:
        name = _name_of(kind, item, mark)
        if kind == "order":
            same = folded(mark.text, exact=True)
            if same and same in texts:
                report.add(item.line, "E210", f"same item as on line {texts[same]}", "Change or delete one.")
            texts.setdefault(same, item.line)
        elif name not in names:
            what = f'"{shown(mark.text)}" is no {WORDS[kind]} of this question'
            mend = did_you_mean(mark.text[:60], known, f"Write the {WORDS[kind]} as it stands above.")
            report.add(item.line, "E247", what, mend)
        elif name in named:
            what = f'{WORDS[kind]} "{shown(mark.text)}" has its reason on line {named[name][0].line} already'
            report.add(item.line, "E248", what, "Put both into one.")
        named.setdefault(name, (item, mark))
    return named


def _name_of(kind: str, item: Item, mark: OptionMarks) -> str:
    if kind == "order":
        return str(item.line)
    gap = GAP_NAME.match(mark.text) if kind == "cloze" else None
    return f"c{int(gap.group(1)[1:])}" if gap else folded(mark.text)


def _check_marks(
    kind: str, item: Item, mark: OptionMarks, misconceptions: Collection[str], report: Report
) -> None:
    if not mark.text:
        report.add(item.line, "E222", f"a {WORDS[kind]} without text", "Write its text.")
    if mark.weight is not None:
        mend = "Delete it; with score: partial every part counts the same."
        report.add(item.line, "E249", f"a weight on a {WORDS[kind]}", mend)
    if mark.misconception and mark.misconception not in misconceptions:
        otherwise = "Add it under misconceptions: in the front matter of this file or of the course."
        mend = did_you_mean(mark.misconception, misconceptions, otherwise)
        what = f'misconception "{shown(mark.misconception)}" is not declared'
        report.add(item.line, "E212", what, mend)


def _check_rationales(kind: str, parts: Sequence[PartDraft], line: int, report: Report) -> None:
    """W214: the code of a question that stays a draft."""
    word = WORDS[kind]
    missing = [part for part in parts if not part.rationale_md]
    if parts and len(missing) == len(parts):
        where = {
            "order": "each item",
            "match": '"- left cell" below the table',
            "cloze": '"- c1" below the text',
        }
        report.add(line, "W214", f"no {word} says why", f'Add "  > …" under {where[kind]}, for every {word}.')
        return
    for part in missing:
        mend = 'Add "  > …" for it: why this is right, what fails otherwise, and when that would change.'
        report.add(part.line, "W214", f'{word} "{shown(part.text_md)}" has no rationale', mend)
