"""Keep what sections said from one release to the next, and say which edits ask for another reading."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import F, OuterRef, Subquery

from chapters.models import Chapter, Release, Section, SectionRead, SectionWording
from studyhub.text.edits import TYPO, weigh_edit
from studyhub.text.paragraphs import paragraphs_of

FIRST = "first"


@transaction.atomic
def keep_first_wordings(*, chapter: Chapter, release_id: int | None) -> None:
    """Write what the chapter's sections say now as their first wording, where none was ever written.

    Called before a load changes them: databases that are older than the wordings get theirs at their first load.
    """
    if release_id is None:
        return
    known = SectionWording.objects.filter(section=OuterRef("pk"))
    bare = Section.objects.filter(chapter=chapter).exclude(pk__in=known.values("section_id"))
    release = Release.objects.get(pk=release_id)
    SectionWording.objects.bulk_create(
        _wording(section, release, release.loaded_at) for section in bare.order_by("pk")
    )


@transaction.atomic
def keep_wordings(*, release: Release, said: Mapping[tuple[int, str], str], at: datetime) -> None:
    """Write a wording for each section of the course whose words this release changed, and weigh the edit.

    ``said``: the author's word by (chapter's key, section); it counts for this edit and outweighs its size. After a
    typo, who had read the words before has read these too: the readings move on, and keep their moment, by which
    the words that were really read are found (``chapters.queries.changes``).
    """
    newest = SectionWording.objects.filter(section=OuterRef("pk")).order_by("-number")
    sections = (
        Section.objects.filter(
            chapter__course=release.course, chapter__retired_at__isnull=True, retired_at__isnull=True
        )
        .annotate(told=Subquery(newest.values("fingerprint")[:1]))
        .exclude(told__isnull=False, told=F("fingerprint"))
        .order_by("pk")
    )
    made = [
        _next(section, release, said.get((section.chapter_id, section.slug), ""), at) for section in sections
    ]
    SectionWording.objects.bulk_create(made)


def _next(section: Section, release: Release, said: str, at: datetime) -> SectionWording:
    """The section's next wording, with its weight; after a typo the readings of the wording before move on."""
    wording = _wording(section, release, at)
    last = SectionWording.objects.filter(section=section).order_by("-number").first()
    if last is None:
        return wording
    wording.number = last.number + 1
    wording.said_by_author = bool(said)
    wording.edit = said or _weight(last, wording)
    if wording.edit == TYPO:
        SectionRead.objects.filter(section=section, fingerprint=last.fingerprint).update(
            fingerprint=wording.fingerprint
        )
    return wording


def _weight(last: SectionWording, wording: SectionWording) -> str:
    """Of the step since the last wording, and of all small steps together since one that asked for a reading or
    that the author called a typo: many typos can add up to another text.
    """
    weight = weigh_edit(_words(last), _words(wording))
    settled = (
        SectionWording.objects.filter(section_id=wording.section_id)
        .exclude(edit=TYPO, said_by_author=False)
        .order_by("-number")
        .first()
    )
    if weight == TYPO and settled is not None and settled.pk != last.pk:
        weight = weigh_edit(_words(settled), _words(wording))
    return weight


def _words(wording: SectionWording) -> list[tuple[str, str]]:
    """Everything a wording says, its title first."""
    return [("", wording.title), *((anchor, text) for anchor, text in wording.texts)]


def _wording(section: Section, release: Release, at: datetime) -> SectionWording:
    return SectionWording(
        section=section,
        release=release,
        number=1,
        fingerprint=section.fingerprint,
        title=section.title,
        texts=[[anchor, text] for anchor, text in paragraphs_of(section.html)],
        edit=FIRST,
        made_at=at,
    )
