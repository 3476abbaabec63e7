"""Turn a stored answer and its key into what the page says. Only called once the answer is in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.urls import reverse

from chapters.queries import paragraph_labels
from quizzes.kinds import KINDS
from quizzes.kinds.shapes import Answer, Remark
from quizzes.models import Attempt, QuestionVersion, Response, Slot
from quizzes.queries.shapes import OptionFeedback, ParagraphLink, TypedFeedback, Verdict

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
WORDS = {"right": ("Right", "✓"), "wrong": ("Not this one", "✕"), "partly": ("Partly right", "◐")}
SURE = {
    1: "you were unsure (below 67 %)",
    2: "you were fairly sure (67–80 %)",
    3: "you were sure (above 80 %)",
}


@dataclass(frozen=True, slots=True)
class Streets:
    """How to get from a quiz to the paragraphs of its chapter and back."""

    course_slug: str
    chapter_pk: int
    chapter_slug: str
    release_pk: int
    back: str

    def link(self, read: str) -> ParagraphLink | None:
        """The way to "chapter#anchor"; None where nothing is named."""
        if not read:
            return None
        chapter, _, anchor = read.partition("#")
        label, page = "the paragraph", "chapter"
        if chapter == self.chapter_slug:
            _, labels, lab = paragraph_labels(self.chapter_pk, self.release_pk)
            label = labels.get(anchor, label)
            page = "lab" if anchor in lab else page
        url = reverse(page, args=[self.course_slug, chapter])
        return ParagraphLink(f"{url}?back={quote(self.back)}#{anchor}", label)


def streets_of(attempt: Attempt, back: str) -> Streets:
    """The streets of an attempt (with quiz, course and chapter selected)."""
    quiz = attempt.quiz
    return Streets(quiz.course.slug, quiz.chapter_id, quiz.chapter.slug, quiz.course.release_id or 0, back)


def verdict_of(response: Response, recorded: Response) -> Verdict:
    """The verdict on ``response``; ``recorded`` is the first answer to the same question."""
    word, sign = WORDS[response.state]
    said = [response.detail, SURE.get(response.certainty or 0, "")]
    return Verdict(
        word=word,
        sign=sign,
        state=response.state,
        detail=", ".join(filter(None, said)),
        answered_at=response.at,
        retry=response.number > 1,
        first_state=recorded.state,
    )


def option_feedback(
    slot: Slot, version: QuestionVersion, answer: Answer, key: Mapping[str, Any], streets: Streets
) -> tuple[OptionFeedback, ...]:
    """Every option with its rationale: the chosen first, the right next, then the others as they were shown."""
    if not slot.order:
        return ()
    texts = {one["slug"]: one["html"] for one in version.body["options"]}
    remarks = KINDS[version.kind].remarks(answer, version.body, key)
    shown = sorted(remarks, key=lambda one: (not one.chosen, not one.right, slot.order.index(one.slug)))
    return tuple(_option(slot, one, texts[one.slug], streets) for one in shown)


def _option(slot: Slot, remark: Remark, html: str, streets: Streets) -> OptionFeedback:
    index = slot.order.index(remark.slug)
    return OptionFeedback(
        id=slot.tokens[index],
        letter=LETTERS[index % 26],
        digit=index + 1,
        html=html,
        chosen=remark.chosen,
        right=remark.right,
        rationale_html=remark.rationale_html,
        misconception=remark.misconception,
        read=streets.link(remark.read),
        first=remark.chosen or remark.right,
    )


def typed_feedback(
    version: QuestionVersion, answer: Answer, key: Mapping[str, Any], streets: Streets
) -> tuple[TypedFeedback, ...]:
    """What is said of a typed answer; nothing for kinds with options."""
    if version.body.get("options"):
        return ()
    remarks: Sequence[Remark] = KINDS[version.kind].remarks(answer, version.body, key)
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


def answer_of(response: Response) -> Answer:
    """The stored answer as kinds speak of it."""
    return Answer(options=tuple(response.options), typed=response.typed)
