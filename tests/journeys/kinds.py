"""Questions that are written, matched, put in order and completed: their key, and the moves to answer them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.journeys.ledger import Ledger
from tests.journeys.visitor import COURSE, check, show, start_quiz

FORMS = f"{COURSE}quizzes/model-optimization-forms/"
NUMBERS = f"{COURSE}quizzes/inference-optimization/"
KINDS = ("number", "short", "match", "order", "cloze")
OF_PARTS = ("match", "order", "cloze")
LISTS = ("match", "order")  # their fields are lists of choices
CHECK = "#answer button.go:not(.quiet)"
NOWHERE = 'a "dark" <b>hörse</b> & co'  # what no question accepts
TOO_MUCH = "9.87e30"
Given = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """A complete answer: its values, one for each field as the page lists them, and how the export tells it."""

    values: Given
    stored: Given  # option ids of the course or typed words
    said: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as one attempt shows it."""

    attempt: str
    place: int
    kind: str
    fields: Given  # their ids
    right: Side
    wrong: Side  # at least two faults where there are parts
    missed: str  # the state that the wrong answer comes to

    def turns(self, values: Sequence[str]) -> list[tuple[str, str]]:
        """Field and value in the order in which a hand gives them: items by their places, else down the page."""
        pairs = list(zip(self.fields, values, strict=True))
        return sorted(pairs, key=lambda one: int(one[1][1:])) if self.kind == "order" else pairs


@dataclass(frozen=True, slots=True)
class Row:
    """What is stored of a question in an attempt."""

    order: list[str]
    tokens: list[str]
    key: dict[str, Any]
    body: dict[str, Any]

    def token(self, slug: str) -> str:
        """The id that an option has in this attempt."""
        return self.tokens[self.order.index(slug)]

    def words(self, slug: str) -> str:
        """An option's words."""
        return next(str(one["text"]) for one in self.body["options"] if one["slug"] == slug)


Sides = tuple[Given, Side, Side]


def _number(row: Row) -> Sides:
    first = row.key["accepted"][0]
    right = str((Decimal(first["low"]) + Decimal(first["high"])) / 2)
    unit = row.body.get("unit", "")
    right_side, wrong_side = (Side((one,), (one,), f"{one} {unit}".strip()) for one in (right, TOO_MUCH))
    return ("typed",), right_side, wrong_side


def _short(row: Row) -> Sides:
    right = str(row.key["accepted"][0]["text"])
    return ("typed",), Side((right,), (right,), right), Side((NOWHERE,), (NOWHERE,), NOWHERE)


def _cloze(row: Row) -> Sides:
    right = tuple(str(gap["accepted"][0]) for gap in row.key["gaps"])
    wrong = (NOWHERE, NOWHERE, *right[2:])
    told = ["; ".join(f"Gap {at}: {one}" for at, one in enumerate(each, 1)) for each in (right, wrong)]
    return _numbered(len(right)), Side(right, right, told[0]), Side(wrong, wrong, told[1])


def _match(row: Row) -> Sides:
    rows, choices = row.body["options"][: row.body["rows"]], row.body["options"][row.body["rows"] :]
    slugs = [str(one["slug"]) for one in choices]
    right = tuple(slugs[at] for at in row.key["pairs"])
    wrong = (*(next(slug for slug in slugs if slug != one) for one in right[:2]), *right[2:])
    names = [str(one["text"]).removeprefix("row: ") for one in rows]

    def side(each: Given) -> Side:
        told = (f"{name}: {row.words(slug)}" for name, slug in zip(names, each, strict=True))
        return Side(tuple(row.token(slug) for slug in each), each, "; ".join(told))

    return _numbered(len(rows)), side(right), side(wrong)


def _order(row: Row) -> Sides:
    right = tuple(str(row.body["options"][at]["slug"]) for at in row.key["sequence"])
    shown = [slug for slug in row.order if slug in right]

    def side(each: Given) -> Side:
        told = (f"{at}. {row.words(slug)}" for at, slug in enumerate(each, 1))
        return Side(tuple(f"#{each.index(slug) + 1}" for slug in shown), each, "; ".join(told))

    return tuple(f"place-{row.token(slug)}" for slug in shown), side(right), side(right[::-1])


READ: dict[str, Callable[[Row], Sides]] = {
    "number": _number,
    "short": _short,
    "match": _match,
    "order": _order,
    "cloze": _cloze,
}


def _numbered(count: int) -> Given:
    return tuple(f"part-{at}" for at in range(1, count + 1))


def quiz_of(kind: str) -> str:
    """The address of a quiz that has such questions."""
    return NUMBERS if kind == "number" else FORMS


def ask(page: Page, ledger: Ledger, kind: str) -> Asked:
    """Begin a quiz and open its first question of a kind."""
    question = asked(ledger, start_quiz(page, quiz_of(kind)), kind)
    show(page, question.attempt, question.place)
    return question


def asked(ledger: Ledger, attempt: str, kind: str) -> Asked:
    """The first question of a kind in an attempt, with its key."""
    place = ledger.positions(attempt, kind)[0]
    ((order, tokens, key, body),) = ledger.rows(
        """SELECT s."order", s.tokens, k.key, v.body FROM quizzes_slot s
        JOIN quizzes_questionversion v ON v.id = s.version_id
        JOIN quizzes_questionkey k ON k.version_id = v.id
        WHERE s.attempt_id = %s AND s.position = %s""",
        attempt,
        place,
    )
    fields, right, wrong = READ[kind](Row(order, tokens, key, body))
    share = kind in {"match", "cloze"} and key["score"] == "partial" and len(fields) > 2
    return Asked(attempt, place, kind, fields, right, wrong, "partly" if share else "wrong")


def field(page: Page, name: str) -> Locator:
    """A field by its id."""
    return page.locator(f'[id="{name}"]')


def values_on(page: Page, question: Asked) -> Given:
    """What the fields hold, in the order of ``question.fields``."""
    return tuple(field(page, name).input_value() for name in question.fields)


def give(page: Page, question: Asked, side: Side, leave: Sequence[str] = ()) -> None:
    """Fill the fields, but for those named in ``leave``, without checking."""
    for name, value in question.turns(side.values):
        if name in leave:
            continue
        if question.kind in LISTS:
            field(page, name).select_option(value)
        else:
            field(page, name).fill(value)


def answer(page: Page, question: Asked, side: Side) -> None:
    """Fill the fields, check, and see the verdict."""
    give(page, question, side)
    check(page)


def told(page: Page, within: str = "#question") -> list[str]:
    """The state of each row, item or gap in the feedback."""
    classes = page.locator(f"{within} .opt.part").evaluate_all("nodes => nodes.map(node => node.className)")
    return [next((state for state in ("right", "wrong") if state in one.split()), "") for one in classes]


def expect_refused(page: Page, question: Asked, missing: Sequence[str]) -> None:
    """The fields that are missing, and no others, are marked and lead to the message."""
    for name in question.fields:
        one, wanted = field(page, name), name in missing
        assert one.get_attribute("aria-invalid") == ("true" if wanted else None)
        assert ("error" in (one.get_attribute("aria-describedby") or "").split()) == wanted
    numbers = [str(question.fields.index(name) + 1) for name in missing]
    if question.kind in {"match", "cloze"}:
        expect(page.locator("#error")).to_contain_text(f"s {', '.join(numbers)}")
