"""What every question kind speaks in: answers, marks, and what is said after an answer. Plain Python.

A *body* is what a learner may see before answering; a *key* is everything else. Both are the plain JSON values
that the loader stored. Texts in them are sanitised HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Body = Mapping[str, Any]
Key = Mapping[str, Any]


class AnswerProblem(ValueError):
    """An answer that cannot be marked. The text says what is wrong and how to mend it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the learner gave: option slugs, or the typed text, or one text for each row or gap.

    Options of a choice are in the author's order, those of an ordering in the learner's.
    """

    options: tuple[str, ...] = ()
    typed: str = ""
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """The verdict on one answer. ``fraction`` of the question's points, 0 to 1."""

    state: str  # right, wrong, partly
    fraction: float
    detail: str = ""
    misconceptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said of one option, or of one typed answer, once the answer is in."""

    slug: str  # the option's slug; "yours" or "accepted" for typed answers
    title: str  # "" for options (their text is in the body)
    chosen: bool
    right: bool
    rationale_html: str
    misconception: str  # the belief in words, or ""
    read: str  # "chapter#anchor" or ""


class Kind(Protocol):
    """One question kind: a module in this folder with these functions."""

    NAME: str

    def read(self, raw: Sequence[str], body: Body) -> Answer:
        """Turn form values into an answer, strictly. Raises AnswerProblem."""

    def mark(self, answer: Answer, body: Body, key: Key) -> Mark:
        """Judge an answer against the key of the version that was shown."""

    def remarks(self, answer: Answer, body: Body, key: Key) -> tuple[Remark, ...]:
        """Everything that is said afterwards: the chosen first, the right ones next, then the rest."""

    def meaning(self, body: Body, key: Key) -> Any:
        """What must stay the same for two versions to be the same question: key and option set, not wording."""


def option_slugs(raw: Sequence[str], body: Body) -> tuple[str, ...]:
    """The chosen option slugs in the author's order. Raises AnswerProblem for one that is not among the options."""
    known = [str(option["slug"]) for option in body["options"]]
    if set(raw) - set(known):
        raise AnswerProblem("That option does not belong to this question. Choose among the ones shown.")
    return tuple(slug for slug in known if slug in raw)


def option_remarks(answer: Answer, body: Body, key: Key) -> tuple[Remark, ...]:
    """One remark for every option: chosen, then right, then the others, each group in the author's order."""
    remarks = []
    for option in body["options"]:
        slug = str(option["slug"])
        about = key["options"][slug]
        remarks.append(
            Remark(
                slug=slug,
                title="",
                chosen=slug in answer.options,
                right=bool(about["right"]),
                rationale_html=about["rationale"],
                misconception=about["belief"],
                read=about["read"],
            )
        )
    return tuple(sorted(remarks, key=lambda one: (not one.chosen, not one.right)))


def option_meaning(body: Body, key: Key) -> Any:
    """The option set with what is right and with which weight."""
    return sorted((slug, bool(about["right"]), about["weight"]) for slug, about in key["options"].items())


def believed(slugs: Sequence[str], key: Key) -> tuple[str, ...]:
    """The misconceptions that the chosen options name."""
    named = (key["options"][slug]["misconception"] for slug in slugs)
    return tuple(dict.fromkeys(one for one in named if one))
