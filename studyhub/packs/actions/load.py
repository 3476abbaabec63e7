"""Load a pack in one transaction, or refuse it with every fault at once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db import transaction

import studyhub.text
from chapters import actions as chapters
from chapters.draft import Tally
from chapters.models import Course, Release
from quizzes import actions as quizzes
from quizzes.queries.corrections import keys_changed, waiting_in
from studyhub.accounts.auditing import Act, Actor, Facts, Kind, Thing, record
from studyhub.packs.actions.pictures import figure_faults
from studyhub.packs.actions.setting import Set, set_pack
from studyhub.packs.draft import Fault, PackDraft
from studyhub.packs.formats import read_pack
from studyhub.packs.lints import lint_pack
from studyhub.text.press import PressRefused

MOST_KEYS = 100  # questions that the audit log names of one load
UNPUBLISHED = "W214"  # an option without a rationale: the check fails, the question stays a draft


class PackRefused(Exception):
    """The pack has faults that forbid loading; nothing was changed. ``faults`` lists them all."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(f"{len(faults)} faults")
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did: counts by kind of row (added, changed, reworded, retired, untouched, draft)."""

    course: str
    release: int
    unchanged: bool
    counts: dict[str, dict[str, int]]
    names: dict[str, dict[str, list[str]]]  # of what was changed, reworded, retired, kept as a draft
    faults: tuple[Fault, ...]  # warnings
    waiting: tuple[
        str, ...
    ] = ()  # corrections of keys that wait to be looked at, as quiz#question; earlier ones too


def check_pack(folder: Path) -> tuple[PackDraft, list[Fault]]:
    """The pack as read, and every fault in it: of form and of writing, by path and line."""
    pack = read_pack(folder)
    faults = sorted(
        {*pack.faults, *lint_pack(pack), *figure_faults(folder, pack.media)},
        key=lambda one: (one.path, one.line, one.code, one.what),
    )
    return pack, faults


def load_pack(*, folder: Path, by: Actor, at: datetime) -> LoadReport:
    """Bring the tables in line with the pack at ``folder``; loading the same again changes nothing.

    Texts are rendered first, in a process with limits; then everything is written in one transaction, with a row in the
    audit log where there is a new release. Raises PackRefused, and nothing was changed.
    """
    pack, faults = check_pack(folder)
    errors = [fault for fault in faults if fault.code.startswith("E")]
    if errors or pack.course is None:
        raise PackRefused(errors)
    fingerprint = fingerprint_of(folder)
    known = Course.objects.filter(slug=pack.course.slug, release__fingerprint=fingerprint).select_related(
        "release"
    )
    for course in known:
        assert course.release is not None
        waiting = waiting_in(course.slug)
        return LoadReport(course.slug, course.release.number, True, {}, {}, tuple(faults), waiting)
    try:
        goods = set_pack(pack, folder)
    except PressRefused as refused:
        path, _, line = refused.name.partition(":")
        fault = Fault(path, int(line or 1), "E106", f"this text {refused.reason}", "Shorten or simplify it.")
        raise PackRefused([fault]) from refused
    with transaction.atomic():
        release, tally = _shelve(goods, fingerprint, at)
        if not tally.quiet:
            _record(release, by, at)
    slug, waiting = goods.course.slug, waiting_in(goods.course.slug)
    return LoadReport(slug, release.number, False, tally.counts, tally.names, tuple(faults), waiting)


@transaction.atomic
def _shelve(goods: Set, fingerprint: str, at: datetime) -> tuple[Release, Tally]:
    tally = Tally()
    course = chapters.put_course(goods=goods.course, tally=tally, at=at)
    for chapter in goods.chapters:
        chapters.put_chapter(course=course, goods=chapter, tally=tally, at=at)
    for quiz in goods.quizzes:
        quizzes.put_quiz(course=course, goods=quiz, tally=tally, at=at)
    quizzes.put_cards(course=course, goods=goods.cards, tally=tally, at=at)
    quizzes.retire_quizzes(course=course, keep=[one.slug for one in goods.quizzes], tally=tally, at=at)
    chapters.retire_chapters(course=course, keep=[one.slug for one in goods.chapters], tally=tally, at=at)
    if course.release is not None and tally.quiet:
        return chapters.confirm_release(course=course, fingerprint=fingerprint), tally
    return chapters.put_release(course=course, fingerprint=fingerprint, tally=tally, at=at), tally


def _record(release: Release, by: Actor, at: datetime) -> None:
    """Note a release in the audit log, with the questions whose key it changed, as quiz#question."""
    changed = [f"{quiz}#{question}" for quiz, question in keys_changed(release.course_id, at)]
    after: Facts = {"release": release.number, "keys": changed[:MOST_KEYS], "keys_changed": len(changed)}
    before = {"release": release.number - 1}
    what = Thing(Kind.COURSE, release.course_id)
    record(by=by, act=Act.PACK_LOADED, what=what, at=at, before=before, after=after)


def fingerprint_of(folder: Path) -> str:
    """SHA-256 over the pack's files and over the code that renders and sets them."""
    text = Path(studyhub.text.__file__).parent
    code = [*sorted(text.rglob("*.py")), *sorted(Path(__file__).parent.rglob("*.py"))]
    digest = hashlib.sha256()
    for path in code:
        digest.update(path.read_bytes())
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            digest.update(str(path.relative_to(folder)).encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
