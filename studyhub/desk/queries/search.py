"""Search over one course: everything that may be read, and of the rest what this learner has answered or opened."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from django.db import connection

from chapters.queries import CourseView, course_named, shelf_mark
from chapters.queries.passages import (
    ASKED,
    LOOSE,
    PASSAGES,
    PLACE,
    PLACES,
    RANKS,
    STRICT,
    PassageHit,
    Placed,
    asked,
    passages_shown,
)
from quizzes.queries.search import ANSWERED, CARDS, AnswerHit, CardHit, answers_shown, cards_shown
from studyhub.desk.queries.spelling import meant_by

PAGE = 20  # results
FOUND = f"""{ASKED}
SELECT hit.source, hit.id, hit.complete, hit.total, (SELECT stems FROM asked), {PLACE}
FROM (
    SELECT source, id, complete, rank, count(*) OVER () AS total FROM ({{hits}}) hit
    WHERE (SELECT asks FROM asked)
    ORDER BY complete DESC, rank DESC, source, id LIMIT %(most)s OFFSET %(skipped)s
) hit {PLACES}
ORDER BY hit.complete DESC, hit.rank DESC, hit.source, hit.id
"""  # noqa: S608 our own text
Hit = PassageHit | AnswerHit | CardHit


@dataclass(frozen=True, slots=True)
class SearchPage:
    """``asked`` is what was looked for, ``shown_for`` what the results are for: the same, or a likelier spelling."""

    course: CourseView
    asked: str
    error: str  # what is wrong with the question and how to mend it
    shown_for: str = ""
    some_words: bool = False  # no result has all of the words
    results: tuple[Hit, ...] = ()
    total: int = 0
    number: int = 1  # of the page, from 1

    @property
    def first(self) -> int:
        """The number of the first result shown, from 1."""
        return (self.number - 1) * PAGE + 1

    @property
    def last(self) -> int:
        """The number of the last result shown."""
        return self.first + len(self.results) - 1

    @property
    def before(self) -> int | None:
        """The page before this one."""
        return self.number - 1 if self.number > 1 else None

    @property
    def after(self) -> int | None:
        """The page after this one."""
        return self.number + 1 if self.last < self.total else None


class Found(NamedTuple):
    """A hit: where and which, whether every word is in it, how many there are in all, and the question's stems.

    ``place`` is what to show of a passage.
    """

    source: str  # passage, card, answer, or back
    pk: int
    complete: bool
    total: int
    stems: list[str]
    place: Placed


@dataclass(frozen=True, slots=True)
class _Course:
    """A course as it stands on the shelf."""

    pk: int
    slug: str
    release_pk: int
    view: CourseView


@dataclass(frozen=True, slots=True)
class _Look:
    """One way to look: for ``text``, with all of its words or with any of them."""

    text: str
    loosely: bool = False


def search_page(slug: str, text: str, number: int, learner_id: int | None, error: str = "") -> SearchPage:
    """A page of results for ``text`` in a course. Raises Course.DoesNotExist.

    Whatever the course and the history hold, one query looks everywhere, one fetches the cards found and one the
    answers; at most three more where nothing is found at first (see ``_likeliest``). The course itself is known from
    the last look at the shelf, its words from the first look for a slip, and the stems of words from the first result
    they stood in (one query).
    """
    course = _course(slug, shelf_mark())
    if error or not text:
        return SearchPage(course.view, text, error)
    look = _Look(text)
    rows = _found(course, learner_id, look, number)
    if not rows and (number == 1 or not _found(course, learner_id, look, 1)):
        look, rows = _likeliest(course, learner_id, text, number)
    return SearchPage(
        course=course.view,
        asked=text,
        error="",
        shown_for=look.text,
        some_words=bool(rows) and not rows[0].complete,
        results=_results(rows, course, learner_id),
        total=rows[0].total if rows else 0,
        number=number,
    )


def _likeliest(course: _Course, learner_id: int | None, text: str, number: int) -> tuple[_Look, list[Found]]:
    """What to look for instead of a question that nothing answers in full, and what that finds.

    The question with likelier words where it then is answered in full; else any of its words, those with most first,
    and any of the likelier ones only where none of its own is known.
    """
    meant = meant_by(text, course.pk, course.release_pk, learner_id)
    if meant.text:
        look = _Look(meant.text)
        if rows := _found(course, learner_id, look, number):
            return look, rows
    look = _Look(meant.text if meant.text and meant.lost else text, loosely=True)
    several = len(look.text.split()) > 1
    return look, _found(course, learner_id, look, number) if several else []


@lru_cache(maxsize=64)
def _course(slug: str, shelf: Hashable) -> _Course:
    """The course; one query the first time in a process since ``shelf`` changed. Raises Course.DoesNotExist."""
    row, view = course_named(slug)
    assert row.release_id is not None
    return _Course(row.pk, row.slug, row.release_id, view)


def _found(course: _Course, learner_id: int | None, look: _Look, number: int) -> list[Found]:
    """The hits of one page, best first (one query): those with every word, then by how close the words stand."""
    branches = [PASSAGES, CARDS] if learner_id is None else [PASSAGES, CARDS, ANSWERED]
    sought, complete = (LOOSE, f"words @@ {STRICT}") if look.loosely else (STRICT, "TRUE")
    words = {
        "sought": sought,
        "complete": complete,
        "rank": RANKS[" " in asked(look.text, course.pk)["asked"]],
    }
    union = " UNION ALL ".join(f"({branch.format(**words)})" for branch in branches)
    given = {"learner": learner_id, "most": PAGE, "skipped": (number - 1) * PAGE}
    with connection.cursor() as cursor:
        cursor.execute(FOUND.format(hits=union), {**asked(look.text, course.pk), **given})
        return [Found._make((*row[:5], row[5:])) for row in cursor.fetchall()]


def _results(found: list[Found], course: _Course, learner_id: int | None) -> tuple[Hit, ...]:
    """What to show of the hits, in their order (one query for the cards and one for the answers among them)."""
    ids: dict[str, list[int]] = {}
    for one in found:
        ids.setdefault(one.source, []).append(one.pk)
    places = {one.pk: one.place for one in found if one.source == "passage"}
    stems = found[0].stems if found else []
    cards = cards_shown(ids.get("card", []), ids.get("back", []), stems, course.slug)
    shown: dict[str, Mapping[int, Hit]] = {
        "passage": passages_shown(places, stems, course.slug),
        "answer": answers_shown(ids.get("answer", []), learner_id or 0, stems),
        "card": cards,
        "back": cards,
    }
    return tuple(shown[one.source][one.pk] for one in found if one.pk in shown[one.source])
