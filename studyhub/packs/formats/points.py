"""The points of an interview card's part: a list, one idea in each item, with the marks that end it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from studyhub.packs.draft import CardPointDraft
from studyhub.packs.formats.answers import ITEM
from studyhub.packs.formats.blocks import trimmed
from studyhub.packs.formats.limits import check_size
from studyhub.packs.formats.marks import check_id, is_id, split_braces
from studyhub.packs.formats.report import Report, did_you_mean, shown

KEYS = ("mis", "read", "question")
MOST = 40  # points of one part


@dataclass(slots=True)
class _Item:
    line: int
    listed: bool
    text: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Marks:
    text: str
    slug: str = ""
    misconceptions: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


def read_points(
    part: str, lines: Sequence[str], fenced: Sequence[bool], before: int, report: Report
) -> tuple[CardPointDraft, ...]:
    """The points of one part. ``before``: number of file lines above it.

    A paragraph that is no list item counts as a point too, and is reported (W231).
    """
    items = _items(lines, fenced, before)
    strayed = next((one for one in items if not one.listed), None)
    if strayed is not None:
        mend = 'Write it as list items, one idea in each: "- …". Learners rate each point by itself.'
        what = f'"{shown(" ".join(strayed.text), 40)}" is not a list item'
        report.add(strayed.line, "W231", what, mend)
    if len(items) > MOST:
        report.add(items[MOST].line, "E233", f"more than {MOST} points in one part", "Divide the card.")
    return tuple(_point(part, one, report) for one in items[:MOST])


def _items(lines: Sequence[str], fenced: Sequence[bool], before: int) -> list[_Item]:
    found: list[_Item] = []
    blank = True  # the line above was empty
    for at, line in enumerate(lines):
        match = None if fenced[at] else ITEM.fullmatch(line)
        if match:
            found.append(_Item(before + at + 1, True, [match.group(1).strip()]))
        elif not line.strip():
            if found:
                found[-1].text.append("")
        elif found and (line[0] in " \t" or not blank):
            found[-1].text.append(line[2:] if line[:2] == "  " else line.lstrip(" \t"))
        else:
            found.append(_Item(before + at + 1, False, [line]))
        blank = not line.strip()
    return found


def _point(part: str, item: _Item, report: Report) -> CardPointDraft:
    whole = trimmed(item.text)[0].strip()
    marks = _marks(whole, item.line, report)
    if not marks.text:
        report.add(item.line, "E222", "a point without text", "Write one idea after the dash.")
    check_size(marks.text, item.line, report)
    if len(marks.misconceptions) > 1:
        report.add(item.line, "E215", "a point names two misconceptions", "Divide it into two points.")
    if marks.misconceptions and part != "mistakes":
        mend = "Move it under ### Common mistakes, or delete {mis: …}."
        report.add(item.line, "E211", "a misconception outside the common mistakes", mend)
    return CardPointDraft(
        part=part,
        slug=marks.slug,
        text_md=marks.text,
        misconception=marks.misconceptions[0] if marks.misconceptions else "",
        read=marks.read,
        questions=marks.questions,
        line=item.line,
    )


def _marks(text: str, line: int, report: Report) -> _Marks:
    """What the braces at the end say; braces that hold none of our marks are text."""
    bare, parts = split_braces(text)
    pairs = _pairs(parts)
    if not any(key in (*KEYS, "#") for key, _ in pairs) and not any(_misspelt(key) for key, _ in pairs):
        return _Marks(text)
    for key, value in pairs:
        if key not in (*KEYS, "#"):
            mend = did_you_mean(key, KEYS, "Use {read: chapter#anchor}, {question: id}, {mis: id} or {#id}.")
            named = shown(f"{key}: {value}" if key else value)
            report.add(line, "E215", f'unknown mark "{named}" at the end of a point', mend)
    slugs = [value for key, value in pairs if key == "#"]
    if slugs:
        check_id(slugs[0], line, report)
    told = {name: tuple(value for key, value in pairs if key == name) for name in KEYS}
    return _Marks(bare, slugs[0] if slugs else "", told["mis"], told["read"], told["question"])


def _pairs(parts: Sequence[str]) -> list[tuple[str, str]]:
    """(key, value) of each part; a part without a key belongs to the key before it."""
    pairs: list[tuple[str, str]] = []
    for part in parts:
        key, colon, value = part.partition(":")
        if part.startswith("#") and is_id(part[1:].strip()):
            pairs.append(("#", part[1:].strip()))
        elif colon:
            pairs.append((key.strip(), value.strip()))
        else:
            pairs.append((pairs[-1][0] if pairs and pairs[-1][0] in ("read", "question") else "", part))
    return pairs


def _misspelt(key: str) -> bool:
    return bool(key) and bool(did_you_mean(key, (*KEYS, "misconception", "questions"), ""))
