"""Set a pack: from drafts to goods that are rendered, sanitised and ready for the shelves."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.urls import reverse
from django.utils.html import format_html

from chapters.draft import (
    ChapterGoods,
    CheckpointGoods,
    CourseGoods,
    DomainGoods,
    MisconceptionGoods,
    ObjectiveGoods,
    ResourceGoods,
    SectionGoods,
    SourceGoods,
)
from quizzes.draft import CardGoods, QuizGoods
from studyhub.packs.actions.cards import hand_in_deck, take_cards
from studyhub.packs.actions.galley import Galley, Streets
from studyhub.packs.actions.pictures import read_figure
from studyhub.packs.actions.questions import hand_in_quiz, plain_stem, take_quiz
from studyhub.packs.draft import ChapterDraft, CourseDraft, PackDraft, SectionDraft, SourceDraft

CITE = re.compile(r"\[@([a-z0-9-]{1,120})\]")
FIRST_WORDS = 60  # characters


@dataclass(frozen=True, slots=True)
class Set:
    """A whole pack, set."""

    course: CourseGoods
    chapters: tuple[ChapterGoods, ...]
    quizzes: tuple[QuizGoods, ...]
    cards: tuple[CardGoods, ...] = ()


def set_pack(pack: PackDraft, folder: Path) -> Set:
    """Render every text of the pack in one run of the press. Raises PressRefused."""
    course = pack.course
    assert course is not None
    galley = Galley(_streets(pack, folder))
    galley.hand_in(("intro",), course.intro_md, (course.path, course.line))
    numbers = {chapter.slug: _numbers(chapter, course) for chapter in pack.chapters}
    for chapter in pack.chapters:
        _hand_in_chapter(galley, chapter, numbers[chapter.slug])
    for quiz in pack.quizzes:
        hand_in_quiz(galley, quiz)
    for deck in pack.decks:
        hand_in_deck(galley, deck)
    galley.print()
    sources = {one.slug: source_html(one) for one in course.sources}
    practice = {
        chapter.slug: tuple(
            (quiz.slug, quiz.title, sum(1 for one in quiz.questions if not one.draft))
            for quiz in pack.quizzes
            if quiz.chapter == chapter.slug
        )
        for chapter in pack.chapters
    }
    return Set(
        course=_take_course(galley, pack, course, sources),
        chapters=tuple(
            _take_chapter(galley, one, numbers[one.slug], sources, practice[one.slug])
            for one in pack.chapters
        ),
        quizzes=tuple(take_quiz(galley, one, beliefs_of(pack)) for one in pack.quizzes),
        cards=take_cards(galley, pack, beliefs_of(pack)),
    )


def beliefs_of(pack: PackDraft) -> dict[str, str]:
    """Every misconception of the course, its quizzes and cards, in words."""
    course = pack.course
    own = [one for quiz in pack.quizzes for one in quiz.misconceptions]
    own += [one for deck in pack.decks for one in deck.misconceptions]
    return {one.slug: one.text for one in [*(course.misconceptions if course else ()), *own]}


def source_html(source: SourceDraft) -> str:
    """The source's text, followed by its address as a link."""
    if not source.url:
        return format_html("{}", source.text)
    shown = re.sub(r"^https?://(www\.)?", "", source.url).rstrip("/")
    shown = shown if len(shown) <= FIRST_WORDS else shown[: FIRST_WORDS - 1] + "…"
    return format_html('{} <a href="{}" rel="noopener noreferrer">{}</a>', source.text, source.url, shown)


def _streets(pack: PackDraft, folder: Path) -> Streets:
    course = pack.course.slug if pack.course else ""
    return Streets(
        chapters={one.path: reverse("chapter", args=[course, one.slug]) for one in pack.chapters},
        quizzes={one.path: reverse("quiz", args=[course, one.slug]) for one in pack.quizzes},
        stems={
            f"{quiz.path}#{one.slug}": plain_stem(one.stem_md)
            for quiz in pack.quizzes
            for one in quiz.questions
        },
        figure=partial(read_figure, folder),
    )


def _numbers(chapter: ChapterDraft, course: CourseDraft) -> dict[str, int]:
    """Note numbers of the sources a chapter cites, in order of first appearance."""
    known = {one.slug for one in course.sources}
    texts = [chapter.purpose_md, *(one.body_md for one in chapter.sections)]
    cited = [slug for text in texts for slug in CITE.findall(text) if slug in known]
    return {slug: number for number, slug in enumerate(dict.fromkeys(cited), start=1)}


def _hand_in_chapter(galley: Galley, chapter: ChapterDraft, numbers: Mapping[str, int]) -> None:
    slug, path = chapter.slug, chapter.path
    galley.hand_in((slug, "purpose"), chapter.purpose_md, (path, chapter.line), numbers=numbers)
    for section in chapter.sections:
        where = (path, section.body_line)
        galley.hand_in((slug, "title", section.slug), section.title_md, (path, section.line), inline=True)
        galley.hand_in(
            (slug, "body", section.slug), section.body_md, where, prefix=section.slug, numbers=numbers
        )
    for objective in chapter.objectives:
        galley.hand_in(
            (slug, "objective", objective.slug), objective.text_md, (path, objective.line), inline=True
        )
    for box in chapter.checkpoints:
        galley.hand_in((slug, "checkpoint", box.slug), box.text_md, (path, box.line), inline=True)


def _take_course(
    galley: Galley, pack: PackDraft, course: CourseDraft, sources: Mapping[str, str]
) -> CourseGoods:
    return CourseGoods(
        slug=course.slug,
        title=course.title,
        exam=course.exam,
        licence=course.licence,
        notice=course.notice,
        language=course.language,
        intro_html=galley.html("intro"),
        domains=tuple(DomainGoods(one.slug, one.title, one.weight) for one in course.domains),
        sources=tuple(SourceGoods(slug, html) for slug, html in sources.items()),
        misconceptions=tuple(MisconceptionGoods(slug, text) for slug, text in beliefs_of(pack).items()),
    )


def _take_chapter(
    galley: Galley,
    chapter: ChapterDraft,
    numbers: Mapping[str, int],
    sources: Mapping[str, str],
    practice: tuple[tuple[str, str, int], ...],
) -> ChapterGoods:
    slug = chapter.slug
    minutes = sum(one.minutes or 0 for one in chapter.sections)
    return ChapterGoods(
        slug=slug,
        was=chapter.was,
        domain=chapter.domain,
        number=chapter.number,
        title=chapter.title,
        minutes=chapter.minutes or minutes,
        purpose_html=galley.html(slug, "purpose"),
        notes=tuple((number, source, sources[source]) for source, number in numbers.items()),
        practice=practice,
        objectives=tuple(
            ObjectiveGoods(one.slug, galley.html(slug, "objective", one.slug)) for one in chapter.objectives
        ),
        sections=tuple(_take_section(galley, slug, one) for one in chapter.sections),
        checkpoints=tuple(
            CheckpointGoods(one.slug, galley.html(slug, "checkpoint", one.slug), one.objectives)
            for one in chapter.checkpoints
        ),
        resources=tuple(
            ResourceGoods(one.slug, one.title, one.url, one.kind, one.publisher, one.minutes, one.checked)
            for one in chapter.resources
        ),
    )


def _take_section(galley: Galley, chapter: str, section: SectionDraft) -> SectionGoods:
    title = galley.take(chapter, "title", section.slug)
    body = galley.take(chapter, "body", section.slug)
    return SectionGoods(
        slug=section.slug,
        kind=section.kind,
        title=title.text,
        title_html=title.html,
        html=body.html,
        minutes=section.minutes,
        fingerprint=_print(f"{title.text}\n{body.text}"),
        paragraphs=tuple(
            (one.slug, _print(one.text)[:16], one.text[:FIRST_WORDS]) for one in body.paragraphs
        ),
        cites=body.cites,
        objectives=section.objectives,
        edit=section.edit,
    )


def _print(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
