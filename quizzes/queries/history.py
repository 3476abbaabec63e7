"""The history of a question for its authors: every version, and what the step from the one before changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count

from chapters.models import Chapter, Release
from chapters.queries import CourseView, ReleaseLine, course_named, release_lines, view_of
from quizzes.models import Question, QuestionKey, QuestionVersion, Quiz
from quizzes.queries.corrections import waiting_in
from studyhub.text.diffs import SAME, Piece, word_diff
from studyhub.text.paragraphs import paragraphs_of

MOST = 20  # versions on a page
NAMED_BY = ("slug", "id", "gap", "row", "left", "text")  # by which an entry of a list is known again
GROUPS = {
    "rationale": "rationales",
    "misconception": "misconceptions",
    "belief": "misconceptions",
    "read": "links",
    "html": "options",
    "text": "options",
}
KIND_WORDS = {
    "single": "single choice",
    "multiple": "multiple choice",
    "number": "number",
    "short": "short text",
    "match": "matching",
    "order": "ordering",
    "cloze": "text with gaps",
}
GROUP_WORDS = {"context": "text below the stem", "links": "paragraphs that settle it"}
NAMED = {
    "kind",
    "stem",
    "context",
    "explanation",
    "points",
}  # groups of one part, which is called by its name
# Parts of a key as they stand in the pack's rows, in words; others are called what they are.
PART_WORDS = {
    "belief": "belief named",
    "read": "paragraph that settles it",
    "weight": "share of the points",
    "score": "how it is scored",
    "accepted": "accepted answers",
    "mistakes": "expected mistakes",
    "low": "from",
    "high": "up to",
    "pairs": "pairs",
    "sequence": "right order",
    "shuffle": "options are mixed",
}
ORDER = (
    "kind",
    "stem",
    "context",
    "options",
    "key",
    "rationales",
    "misconceptions",
    "links",
    "explanation",
    "points",
)


@dataclass(frozen=True, slots=True)
class PartChange:
    """One part of a question that says something else than before."""

    group: str  # one of ORDER
    label: str
    diff: tuple[Piece, ...]

    @property
    def within(self) -> str:
        """The group in words, where the label does not name it."""
        return "" if self.group in NAMED else GROUP_WORDS.get(self.group, self.group)


@dataclass(frozen=True, slots=True)
class VersionView:
    """One version of a question, in one wording."""

    number: int
    wording: int
    made_at: datetime
    release: int | None  # number of the load that brought it; None where it is not known
    kind: str
    first: bool
    current: bool
    groups: tuple[str, ...]  # what changed, of ORDER
    said: str  # the same in words
    changes: tuple[PartChange, ...]  # of the first version: all that it said


@dataclass(frozen=True, slots=True)
class QuestionHistory:
    """One page of a question's history."""

    course: CourseView
    quiz_slug: str
    quiz_title: str
    slug: str
    stem_html: str
    retired_at: datetime | None
    versions: tuple[VersionView, ...]  # newest first
    leaf: Page[Any]


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A question in the list of its quiz."""

    slug: str
    stem: str
    versions: int
    retired_at: datetime | None


@dataclass(frozen=True, slots=True)
class CourseHistory:
    """The loads of a course, 20 to a page, and what has a history in it."""

    course: CourseView
    releases: tuple[ReleaseLine, ...]
    leaf: Page[Any]
    waiting: tuple[str, ...]  # corrections of keys that nobody has looked at
    chapters: tuple[Chapter, ...]
    quizzes: tuple[Quiz, ...]
    quiz: str  # whose questions are listed
    questions: tuple[QuestionLine, ...]


Parts = dict[tuple[str, str], tuple[str, str]]  # (group, what it is known by) → (label, words)


def question_history(course: str, quiz: str, question: str, leaf: str) -> QuestionHistory:
    """All versions of a question, newest first, 20 to a page (five queries). ``leaf`` as for a chapter's history.

    A question that left its quiz still has its history. Raises Question.DoesNotExist.
    """
    row = Question.objects.select_related("quiz__course__release", "current").get(
        quiz__course__slug=course, quiz__slug=quiz, slug=question, quiz__course__release__isnull=False
    )
    every = QuestionVersion.objects.filter(question=row).defer("words").order_by("-number", "-wording")
    found = Paginator(every, MOST).get_page(leaf)
    end = found.number * MOST
    versions = list(every[end - MOST : end + 1])  # one more, for the step to the last on this page
    keys = {one.version_id: one for one in QuestionKey.objects.filter(version__in=versions)}
    releases = dict(
        Release.objects.filter(
            course_id=row.quiz.course_id, loaded_at__in=[one.made_at for one in versions]
        ).values_list("loaded_at", "number")
    )
    views = [
        _version_view(one, older, keys, (releases.get(one.made_at), row.current_id))
        for one, older in zip(versions, [*versions[1:], None], strict=False)
    ][:MOST]
    return QuestionHistory(
        course=view_of(row.quiz.course),
        quiz_slug=row.quiz.slug,
        quiz_title=row.quiz.title,
        slug=row.slug,
        stem_html=row.current.stem_html if row.current else "",
        retired_at=row.retired_at,
        versions=tuple(views),
        leaf=found,
    )


def course_history(slug: str, leaf: str, quiz: str) -> CourseHistory:
    """The loads of a course, and where the histories of its chapters and questions are (six queries, seven where
    the questions of ``quiz`` are asked for). Raises Course.DoesNotExist.
    """
    course, view = course_named(slug)
    releases, found = release_lines(course.pk, leaf)
    chapters = Chapter.objects.filter(course=course).defer("notes", "purpose_html").order_by("position", "pk")
    quizzes = tuple(Quiz.objects.filter(course=course, purpose="quiz").order_by("chapter__position", "pk"))
    named = next((one for one in quizzes if one.slug == quiz), None)
    questions = (
        Question.objects.filter(quiz=named).select_related("current") if named else Question.objects.none()
    )
    return CourseHistory(
        course=view,
        releases=releases,
        leaf=found,
        waiting=waiting_in(slug),
        chapters=tuple(chapters),
        quizzes=quizzes,
        quiz=named.slug if named else "",
        questions=tuple(
            QuestionLine(one.slug, one.current.stem_text if one.current else one.slug, one.n, one.retired_at)
            for one in questions.annotate(n=Count("versions")).order_by("position", "pk")
        ),
    )


def _version_view(
    row: QuestionVersion,
    older: QuestionVersion | None,
    keys: Mapping[int, QuestionKey],
    about: tuple[int | None, int | None],
) -> VersionView:
    now = parts_of(row, keys.get(row.pk))
    changes = _steps(parts_of(older, keys.get(older.pk)), now) if older else _whole(now)
    groups = dict.fromkeys(one.group for one in changes)
    release, current = about
    return VersionView(
        number=row.number,
        wording=row.wording,
        made_at=row.made_at,
        release=release,
        kind=KIND_WORDS[row.kind],
        first=older is None,
        current=row.pk == current,
        groups=tuple(groups),
        said=", ".join(GROUP_WORDS.get(one, one) for one in groups),
        changes=tuple(changes),
    )


def _whole(parts: Parts) -> list[PartChange]:
    return _in_order(
        PartChange(group, label, ((SAME, words),)) for (group, _), (label, words) in parts.items() if words
    )


def _steps(old: Parts, new: Parts) -> list[PartChange]:
    changes = []
    for place in dict.fromkeys((*new, *old)):
        label, words = new.get(place, ("", ""))
        before, earlier = old.get(place, ("", ""))
        if words != earlier:
            changes.append(PartChange(place[0], label or before, word_diff(earlier, words)))
    return _in_order(changes)


def _in_order(changes: Iterator[PartChange] | Sequence[PartChange]) -> list[PartChange]:
    return sorted(changes, key=lambda one: ORDER.index(one.group))


def parts_of(version: QuestionVersion, key: QuestionKey | None) -> Parts:
    """Everything a version says, in words, taken apart so that two versions can be compared part by part."""
    parts: Parts = {
        ("kind", ""): ("Kind", KIND_WORDS[version.kind]),
        ("stem", ""): ("Stem", version.stem_text),
        ("context", ""): ("Below the stem", _plain(version.body_html)),
        ("explanation", ""): ("Explanation", _plain(key.explanation_html) if key else ""),
        ("points", ""): ("Points", str(version.points)),
    }
    names = {one["slug"]: one.get("text", "") for one in version.body.get("options", []) if "slug" in one}
    leaves = [("options", leaf) for leaf in _leaves(version.body, ())]
    leaves += [("key", leaf) for leaf in _leaves(key.key if key else {}, ())]
    for otherwise, (path, value) in leaves:
        group = GROUPS.get(path[-1], otherwise) if otherwise == "key" else otherwise
        group = "key" if otherwise == "key" and group == "options" else group
        parts[group, "/".join(path)] = (_label(path, names), _said(path[-1], value))
    return parts


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """(path, value) of every plain value in nested JSON; entries of lists go by their name where they have one."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if not (name == "html" and "text" in value) and name not in ("slug", "id"):
                yield from _leaves(inner, (*path, str(name)))
    elif isinstance(value, list):
        for at, inner in enumerate(value, start=1):
            yield from _leaves(inner, (*path, _name(inner, at)))
    else:
        yield path, value


def _name(entry: Any, at: int) -> str:
    if isinstance(entry, Mapping):
        return next((str(entry[name]) for name in NAMED_BY if entry.get(name)), str(at))
    return str(at)


def _label(path: tuple[str, ...], names: Mapping[str, str]) -> str:
    """A path in words: the option by its text, then what it says of it."""
    said = [one for one in path if one not in ("options", "text", "html", "right")]
    told = (f"“{names[one]}”" if names.get(one) else PART_WORDS.get(one, one) for one in said)
    return ": ".join(told) or path[-1]


def _said(name: str, value: Any) -> str:
    if name == "right":
        return "right" if value else "wrong"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else _plain(str(value)) if name in ("rationale", "html") else str(value)


def _plain(html: str) -> str:
    return " ".join(text for _, text in paragraphs_of(html)) if html else ""
