"""One interview card: its settings, its parts, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studyhub.packs.draft import CARD_LEVELS, CardDraft, CardPointDraft
from studyhub.packs.formats.blocks import Block, Settings, report_open_fence, take_settings, trimmed
from studyhub.packs.formats.limits import check_name
from studyhub.packs.formats.marks import check_id, is_id, slug_of, split_id
from studyhub.packs.formats.points import read_points
from studyhub.packs.formats.references import Reference, refer_prose, refer_read
from studyhub.packs.formats.report import Report, did_you_mean, shown

SETTINGS = frozenset({"level", "tags", "objectives", "read", "was"})
SHORT, MISTAKES = "short", "mistakes"
PARTS: Mapping[str, str] = {
    "in depth": "depth",
    "example": "example",
    "common mistakes": MISTAKES,
    "follow-ups": "follow-ups",
}
TITLES = ("In depth", "Example", "Common mistakes", "Follow-ups")
TAG, TAGS = 40, 8  # characters of one tag, and how many a card may have


@dataclass(frozen=True, slots=True)
class CardRead:
    """``draft`` is None when the card is left out."""

    draft: CardDraft | None
    slug: str
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    name: str  # short, depth, …; "" when its heading is not known
    before: int  # file lines above its text
    lines: tuple[str, ...]
    fenced: tuple[bool, ...]


def read_card(block: Block, met: dict[str, int], report: Report) -> CardRead:
    """Read the card under one ``##`` heading. ``met``: ids of the file so far with their lines; its own is added."""
    own = Report(report.path)
    front, slug = split_id(block.heading)
    slug = _named(front, slug, block.line, met, own)
    settings = take_settings(block, SETTINGS, own, "the short answer")
    _check_settings(settings, own)
    report_open_fence(block, own)
    parts = _parts(block, settings.rest, own)
    points = tuple(
        point
        for part in parts
        if part.name
        for point in read_points(part.name, part.lines, part.fenced, part.before, own)
    )
    references = [
        *refer_prose([front], block.line - 1, own),
        *refer_prose(block.lines[settings.rest :], block.line + settings.rest, own),
        *_refer(settings, points, own),
    ]
    _check_marked(points, own)
    whole = _is_whole(slug, points, settings, block.line, own)
    draft = _draft(front, slug, settings, points, block.line) if whole and not own.has_errors() else None
    report.take(own.faults)
    return CardRead(draft, slug, tuple(references))


def _named(front: str, slug: str, line: int, met: dict[str, int], report: Report) -> str:
    if not front:
        what = "a card without a question"
        report.add(line, "E109", what, "Write the question into its heading: ## … {#id}.")
    check_name("heading", front, line, report)
    if not slug:
        slug = slug_of(front)
        mend = f"Add {{#{slug}}} so that answers stay with the card when you reword it."
        report.add(line, "W100", f'card "{shown(front)}" has no id', mend)
    else:
        check_id(slug, line, report)
    if slug in met:
        what = f'id "{shown(slug)}" is already used on line {met[slug]}'
        report.add(line, "E101", what, "Give this card another id.")
    met.setdefault(slug, line)
    return slug


def _check_settings(settings: Settings, report: Report) -> None:
    for slug in settings.items("objectives"):
        if not is_id(slug):
            check_id(slug, settings.lines["objectives"], report)
    if settings.text("was"):
        check_id(settings.text("was"), settings.lines["was"], report)
    tags = settings.items("tags")
    if len(tags) > TAGS or any(len(tag) > TAG for tag in tags):
        what = f"more than {TAGS} tags, or one of more than {TAG} characters"
        report.add(settings.lines["tags"], "E108", what, "Write two or three short topics.")


def _parts(block: Block, rest: int, report: Report) -> list[_Part]:
    """The text cut at its ``###`` headings: the short answer, then the parts known by name (E231, E232)."""
    starts = [
        at
        for at, line in enumerate(block.lines)
        if at >= rest and not block.fenced[at] and line.startswith("###") and line[3:4] != "#"
    ]
    seen: dict[str, int] = {}
    found = [_part(block, SHORT, rest, starts[0] if starts else len(block.lines))]
    for at, end in zip(starts, [*starts, len(block.lines)][1:], strict=True):
        line, title = block.line + at + 1, block.lines[at][3:].strip()
        name = PARTS.get(title.lower(), "")
        if not name:
            mend = did_you_mean(title, TITLES, f"Known are: {', '.join(TITLES)}.")
            report.add(line, "E231", f'"{shown(title)}" is no part of a card', mend)
        elif name in seen:
            what = f'"{shown(title)}" is already on line {seen[name]}'
            report.add(line, "E232", what, "Put both lists under one heading.")
        seen.setdefault(name, line)
        found.append(_part(block, name, at + 1, end))
    return found


def _part(block: Block, name: str, start: int, end: int) -> _Part:
    return _Part(name, block.line + start, tuple(block.lines[start:end]), tuple(block.fenced[start:end]))


def _check_marked(points: tuple[CardPointDraft, ...], report: Report) -> None:
    slugs: dict[str, int] = {}
    texts: dict[str, int] = {}
    for point in points:
        if point.slug and point.slug in slugs:
            what = f'id "{shown(point.slug)}" is already used on line {slugs[point.slug]}'
            report.add(point.line, "E101", what, "Give this point another id.")
        slugs.setdefault(point.slug, point.line)
        text = " ".join(point.text_md.split())
        if text and text in texts:
            what = f"same point as on line {texts[text]}"
            report.add(point.line, "E210", what, "Change or delete one.")
        texts.setdefault(text, point.line)
        if point.part == MISTAKES and not point.misconception:
            what = f'mistake "{shown(point.text_md, 40)}" names no misconception'
            mend = "End it with {mis: id}: the belief that wrong options of the quizzes name."
            report.add(point.line, "W234", what, mend)


def _is_whole(
    slug: str, points: tuple[CardPointDraft, ...], settings: Settings, line: int, report: Report
) -> bool:
    """Whether the card can be asked; what is missing is reported (W230, W232) and the card left out."""
    level = settings.text("level")
    if level not in CARD_LEVELS:
        what = f'level "{shown(level)}" is not known' if level else f'card "{shown(slug)}" has no level'
        mend = did_you_mean(level, CARD_LEVELS, f'Write "level: …" with one of: {", ".join(CARD_LEVELS)}.')
        report.add(settings.lines.get("level", line), "W230", f"{what}; it is left out", mend)
    parts = {point.part for point in points}
    lacks = [
        title for name, title in ((SHORT, "short answer"), (MISTAKES, "common mistakes")) if name not in parts
    ]
    if lacks:
        what = f'card "{shown(slug)}" lacks {" and ".join(lacks)}; it is left out'
        mend = "The short answer stands between the settings and the first ###, mistakes under ### Common mistakes."
        report.add(line, "W232", what, mend)
    return level in CARD_LEVELS and not lacks


def _refer(settings: Settings, points: tuple[CardPointDraft, ...], report: Report) -> list[Reference]:
    path = report.path
    found = refer_read(settings.text("read"), settings.lines.get("read", 0), report)
    line = settings.lines.get("objectives", 0)
    found += [Reference(path, line, "objective", one) for one in settings.items("objectives") if is_id(one)]
    for point in points:
        for place in point.read:
            found += refer_read(place, point.line, report)
        found += [Reference(path, point.line, "card-question", one) for one in point.questions]
        if point.misconception:
            found.append(Reference(path, point.line, "card-mistake", point.misconception))
    return found


def _draft(
    front: str, slug: str, settings: Settings, points: tuple[CardPointDraft, ...], line: int
) -> CardDraft:
    return CardDraft(
        slug=slug,
        front_md=trimmed([front])[0],
        level=settings.text("level"),
        tags=settings.items("tags"),
        objectives=settings.items("objectives"),
        read=settings.text("read"),
        points=points,
        was=settings.text("was"),
        line=line,
    )
