"""Looking up what files of a pack say about one another: the E3xx faults."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from studyhub.packs.draft import Fault
from studyhub.packs.formats.references import Reference
from studyhub.packs.formats.report import did_you_mean, shown


@dataclass(frozen=True, slots=True)
class Known:
    """Everything in a pack that something else may name. ``*_paths`` are keyed by the path of a file."""

    domains: frozenset[str]
    sources: frozenset[str]
    misconceptions: frozenset[str]
    anchors: Mapping[str, frozenset[str]]  # chapter id to anchors
    objectives: Mapping[str, frozenset[str]]  # chapter id to objectives
    chapter_paths: Mapping[str, str]  # path to chapter id
    quiz_paths: Mapping[str, frozenset[str]]  # path to question ids
    quiz_chapters: Mapping[str, str]  # path to chapter id
    media: frozenset[str]


MOST = 500
Finding = tuple[str, str, str]  # code, what, mend


def look_up(references: Iterable[Reference], known: Known) -> list[Fault]:
    """One fault for every reference that leads nowhere, at most 500."""
    faults: list[Fault] = []
    for reference in references:
        check = CHECKS.get(reference.kind)
        finding = check(reference, known) if check else None
        if finding is not None:
            faults.append(Fault(reference.path, reference.line, *finding))
        if len(faults) == MOST:
            what = f"more than {MOST} mentions lead nowhere, the rest is not listed"
            faults.append(Fault(reference.path, 1, "E099", what, "Mend these first, then check again."))
            break
    return faults


def _missing(code: str, kind: str, value: str, known: Collection[str], otherwise: str) -> Finding | None:
    if value in known:
        return None
    return code, f'{kind} "{shown(value)}" is not known', did_you_mean(value, known, otherwise)


def _domain(reference: Reference, known: Known) -> Finding | None:
    if not reference.value:
        return "E302", "the chapter names no domain", 'Add "domain: id" with an id of the list in course.md.'
    return _missing("E302", "domain", reference.value, known.domains, "Use an id of ## Domains in course.md.")


def _chapter(reference: Reference, known: Known) -> Finding | None:
    return _missing(
        "E303", "chapter", reference.value, known.anchors, "Use the id of a chapter of this course."
    )


def _quiz_chapter(reference: Reference, known: Known) -> Finding | None:
    if not reference.value:
        return "E303", "the quiz names no chapter", 'Add "chapter: id" to the front matter.'
    return _chapter(reference, known)


def _source(reference: Reference, known: Known) -> Finding | None:
    mend = "Add it under sources: in the front matter of course.md."
    return _missing("E306", "source", reference.value, known.sources, mend)


def _callout(reference: Reference, known: Known) -> Finding | None:
    mend = "Add it under misconceptions: in the front matter of course.md."
    return _missing("E309", "misconception", reference.value, known.misconceptions, mend)


def _objective(reference: Reference, known: Known) -> Finding | None:
    chapter = known.quiz_chapters.get(reference.path, "")
    if chapter not in known.objectives:
        return None  # the chapter itself is reported
    mend = f'Use an id of ## Objectives in chapter "{shown(chapter)}".'
    return _missing("E305", "objective", reference.value, known.objectives[chapter], mend)


def _read(reference: Reference, known: Known) -> Finding | None:
    chapter, _, anchor = reference.value.partition("#")
    if chapter not in known.anchors:
        return _missing("E303", "chapter", chapter, known.anchors, "Use the id of a chapter of this course.")
    return _anchor(chapter, anchor, known)


def _anchor(chapter: str, anchor: str, known: Known) -> Finding | None:
    if anchor in known.anchors[chapter]:
        return None
    mend = f"End the paragraph with {{#{shown(anchor)}}}; a place by number (section-p3) would move."
    what = f'anchor "{shown(anchor)}" is not in chapter "{shown(chapter)}"'
    return "E304", what, did_you_mean(anchor, known.anchors[chapter], mend)


def _link(reference: Reference, known: Known) -> Finding | None:
    path, _, anchor = reference.value.partition("#")
    if path in known.chapter_paths:
        chapter = known.chapter_paths[path]
        return _anchor(chapter, anchor, known) if anchor and chapter in known.anchors else None
    if path in known.quiz_paths:
        if not anchor or anchor in known.quiz_paths[path]:
            return None
        mend = did_you_mean(anchor, known.quiz_paths[path], "Use the {#id} of a question of that file.")
        return "E308", f'question "{shown(anchor)}" is not in {shown(path)}', mend
    if path in known.media or path == "course.md":
        return None
    paths = (*known.chapter_paths, *known.quiz_paths, *known.media)
    mend = did_you_mean(path, paths, "Check the path; it starts from the folder of this file.")
    return "E307", f'a link to "{shown(path)}" leads nowhere', mend


def _picture(reference: Reference, known: Known) -> Finding | None:
    path = reference.value.partition("#")[0]
    if path in known.media:
        return None
    mend = did_you_mean(path, known.media, "Put the file into media/ and write ../media/name.svg.")
    return "E311", f'picture "{shown(path)}" does not exist', mend


CHECKS: Mapping[str, Callable[[Reference, Known], Finding | None]] = {
    "domain": _domain,
    "chapter": _chapter,
    "quiz-chapter": _quiz_chapter,
    "source": _source,
    "callout": _callout,
    "objective": _objective,
    "read": _read,
    "link": _link,
    "picture": _picture,
}
