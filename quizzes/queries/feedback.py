"""Turn a stored answer and its key into what the page says. Only called once the answer is in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from chapters.queries import paragraph_labels
from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer, Remark, option_letter
from quizzes.kinds.words import HOLDS
from quizzes.queries.ready import Frame, Opened, street
from quizzes.queries.shapes import OptionFeedback, ParagraphLink, PartFeedback, TypedFeedback, Verdict

WORDS = {"right": ("Right", "✓"), "wrong": ("Not this one", "✕"), "partly": ("Partly right", "◐")}
MISSED = {
    "number": "Not this number",
    "short": "Not this answer",
    "match": "Not all rows",
    "order": "Not this order",
    "cloze": "Not all gaps",
}
WORDED = ("short", "cloze")  # kinds that are answered in words
SURE = {
    1: "you were unsure (below 67 %)",
    2: "you were fairly sure (67–80 %)",
    3: "you were sure (above 80 %)",
}


@dataclass(frozen=True, slots=True)
class Streets:
    """How to get from a quiz to the paragraphs of its course and back."""

    course_slug: str
    release_pk: int
    back: str  # quoted for a query

    def link(self, read: str) -> ParagraphLink | None:
        """The way to "chapter#anchor"; None where nothing is named."""
        if not read:
            return None
        chapter, _, anchor = read.partition("#")
        labels, lab = paragraph_labels(self.course_slug, chapter, self.release_pk)
        page = "lab" if anchor in lab else "chapter"
        address = f"{street(page, self.course_slug, chapter)}?back={self.back}#{anchor}"
        return ParagraphLink(address, labels.get(anchor, "the paragraph"))


def streets_of(frame: Frame, back: str) -> Streets:
    """The streets of a quiz; ``back`` is the address they lead back to."""
    return Streets(frame.course.slug, frame.release_pk, quote(back))


@dataclass(frozen=True, slots=True)
class Given:
    """What an answer came to. ``number`` 1 is the recorded one."""

    number: int
    state: str
    detail: str
    certainty: int | None
    at: datetime


def verdict_of(given: Given, first_state: str, kind: str, answer: Answer) -> Verdict:
    """The verdict on an ``answer`` to a question of ``kind``; ``first_state`` is of the first answer to it."""
    word, sign = WORDS[given.state]
    if given.state == "wrong":
        word = MISSED.get(kind, word)
    words = (answer.typed, *answer.parts) if kind in WORDED else ()
    said = [given.detail, SURE.get(given.certainty or 0, "")]
    return Verdict(
        word=word,
        sign=sign,
        state=given.state,
        detail=", ".join(filter(None, said)),
        answered_at=given.at,
        retry=given.number > 1,
        first_state=first_state,
        arguable=given.state != "right" and any(map(HOLDS.search, words)),
    )


def option_feedback(
    seen: Mapping[str, str], opened: Opened, answer: Answer, streets: Streets
) -> tuple[OptionFeedback, ...]:
    """Every option with its rationale: the chosen first, the right next, then the others as they were shown.

    ``seen`` gives the id of each option in this attempt by its slug, in the order shown.
    """
    if not seen:
        return ()
    places = {slug: index for index, slug in enumerate(seen)}
    remarks = KINDS[opened.shown.kind].remarks(answer, opened.shown.body, opened.key)
    told = sorted(remarks, key=lambda one: (not one.chosen, not one.right, places[one.slug]))
    return tuple(
        _option(one, seen[one.slug], places[one.slug], opened.shown.texts[one.slug], streets) for one in told
    )


def _option(remark: Remark, token: str, index: int, html: str, streets: Streets) -> OptionFeedback:
    return OptionFeedback(
        id=token,
        letter=option_letter(index),
        digit=index + 1,
        html=html,
        chosen=remark.chosen,
        right=remark.right,
        rationale_html=remark.rationale_html,
        misconception=remark.misconception,
        read=streets.link(remark.read),
        first=remark.chosen or remark.right,
    )


def typed_feedback(opened: Opened, answer: Answer, streets: Streets) -> tuple[TypedFeedback, ...]:
    """What is said of a typed answer; nothing for kinds with options."""
    version = opened.shown
    if version.texts:
        return ()
    remarks: Sequence[Remark] = KINDS[version.kind].remarks(answer, version.body, opened.key)
    return tuple(
        TypedFeedback(
            title=one.title,
            right=one.right,
            rationale_html=one.rationale_html,
            misconception=one.misconception,
            read=streets.link(one.read),
            id=one.slug,
        )
        for one in remarks
    )


def part_feedback(opened: Opened, answer: Answer, streets: Streets) -> tuple[PartFeedback, ...]:
    """Every row, item or gap with its rationale; nothing for other kinds."""
    version = opened.shown
    return tuple(
        PartFeedback(
            digit=number,
            html=one.title_html,
            yours_html=one.yours_html,
            right=one.right,
            wanted_html=one.wanted_html,
            rationale_html=one.rationale_html,
            misconception=one.misconception,
            read=streets.link(one.read),
        )
        for number, one in enumerate(KINDS[version.kind].parts(answer, version.body, opened.key), start=1)
    )
