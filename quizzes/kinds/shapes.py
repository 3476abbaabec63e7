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


def option_letter(index: int) -> str:
    """What an option is called by its place from 0: A to Z, then AA, AB, … as columns of a sheet are."""
    letters = ""
    number = index + 1
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


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


@dataclass(frozen=True, slots=True)
class PartRemark:
    """What is said of one row, item or gap, once the answer is in. Texts named ``*_html`` are sanitised HTML."""

    title_html: str  # the row or item; "" for a gap, which goes by its number
    yours_html: str  # what was given for it, "" for nothing
    right: bool
    wanted_html: str  # what is right for it
    rationale_html: str
    misconception: str  # the belief in words, told where the part is wrong, or ""
    read: str  # "chapter#anchor" or ""


@dataclass(frozen=True, slots=True)
class Pieces:
    """What an attempt has ids for: ``mixed`` are option slugs, shuffled and with random ids; ``fixed`` are their own.

    A fixed one is a value of the form that tells nothing, such as "no choice" or a place; it cannot be a slug.
    """

    mixed: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    shuffle: bool = True


class Kind(Protocol):
    """One question kind: a module in this folder with these functions."""

    NAME: str

    def read(self, raw: Sequence[str], body: Body) -> Answer:
        """Turn form values into an answer, strictly. Raises AnswerProblem."""

    def mark(self, answer: Answer, body: Body, key: Key) -> Mark:
        """Judge an answer against the key of the version that was shown."""

    def remarks(self, answer: Answer, body: Body, key: Key) -> tuple[Remark, ...]:
        """What is said afterwards of options or typed words: the chosen first, the right ones next, then the rest.

        Nothing for kinds that speak of parts.
        """

    def parts(self, answer: Answer, body: Body, key: Key) -> tuple[PartRemark, ...]:
        """What is said afterwards of each row, item or gap; nothing for other kinds."""

    def said(self, answer: Answer, body: Body) -> str:
        """The answer as plain text, for export and lists; "" for no answer."""

    def pieces(self, body: Body) -> Pieces:
        """What an attempt shuffles and gives ids to."""

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


def option_pieces(body: Body) -> Pieces:
    """Every option, shuffled unless the author says no."""
    slugs = tuple(str(option["slug"]) for option in body.get("options", ()))
    return Pieces(slugs, shuffle=bool(body.get("shuffle", True)))


def option_said(answer: Answer, body: Body) -> str:
    """The chosen options' words, with semicolons between."""
    return "; ".join(str(one["text"]) for one in body["options"] if one["slug"] in answer.options)


def part_mark(rightly: Sequence[bool], key: Key, words: str, beliefs: Sequence[str]) -> Mark:
    """The verdict on an answer of parts, each right or wrong: all of them, or with ``score: partial`` their share.

    ``words`` name the parts ("rows"), ``beliefs`` are the misconceptions behind each part, "" for none.
    """
    hit = sum(rightly)
    if hit == len(rightly):
        return Mark("right", 1.0)
    fraction = round(hit / len(rightly), 6) if key["score"] == "partial" else 0.0
    named = dict.fromkeys(one for one, right in zip(beliefs, rightly, strict=True) if one and not right)
    return Mark(
        "partly" if fraction else "wrong", fraction, f"{hit} of {len(rightly)} {words} right", tuple(named)
    )
