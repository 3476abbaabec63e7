"""Every field of every form on the site that takes text, found by walking the pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit
from xml.etree.ElementTree import Element

from django.db.models import Min
from django.http import HttpResponse
from django.urls import resolve, reverse

from quizzes.models import Attempt
from tests.matrix.actors import Actor
from tests.matrix.things import Things, address_of, rows
from tests.studyhub.text.judge import parse

TYPED = frozenset(("", "text", "search", "email", "password", "url", "tel"))  # of <input>
SENT = TYPED | {"hidden", "checkbox", "radio"}


@dataclass(frozen=True)
class Form:
    """A form on a page: where it stands and leads, what it sends as it is, and which of its fields take text."""

    actor: str
    page: str
    action: str
    method: str
    sends: tuple[tuple[str, str], ...]
    texts: tuple[str, ...]

    def fields(self) -> Iterator[tuple[str, str]]:
        """(name of the address, field) of each that takes text; a point of a card counts as any point."""
        name = resolve(urlsplit(self.action).path).view_name
        for one in self.texts:
            yield name, one

    def filled(self, text: str, only: str = "") -> dict[str, Any]:
        """What it sends with ``text`` in its fields (or in one)."""
        given: dict[str, list[str]] = {}
        for name, value in self.sends:
            put = name in self.texts and (not only or name == only)
            given.setdefault(name, []).append(text if put else value)
        return given


def is_page(answer: HttpResponse) -> bool:
    """Whether this is HTML."""
    return str(answer.get("Content-Type", "")).startswith("text/html") and not answer.streaming


def pages(actor: Actor, things: Things) -> Iterator[tuple[str, HttpResponse]]:
    """Every address that this person can see as a page; of every attempt of theirs one question of each kind."""
    for name, kind in rows():
        address = address_of(name, kind, actor, things)
        if address is None or kind not in {"own", "live", "-", "retired"} or name == "account_logout":
            continue
        for one in _attempts(actor) if name == "attempt" and kind == "own" else [address]:
            answer = actor.browser.get(one)
            if is_page(answer):
                yield one, answer


def _attempts(actor: Actor) -> Iterator[str]:
    for attempt in Attempt.objects.filter(learner=actor.user).order_by("pk"):
        page = reverse("attempt", args=[attempt.pk])
        first = attempt.slots.values("version__kind").annotate(
            at=Min("position")
        )  # one question of each kind
        yield from (f"{page}?q={one['at']}" for one in first.order_by("at"))
        yield reverse("review", args=[attempt.pk])


def forms(actor: Actor, things: Things) -> Iterator[Form]:
    """Every form on every page of this person's."""
    for page, answer in pages(actor, things):
        tree = parse(answer.content.decode())
        for element in tree.iter("form"):
            yield from _variants(actor.name, page, tree, element)


def _variants(actor: str, page: str, tree: Element, element: Element) -> Iterator[Form]:
    """The form once for each of its buttons, which may send a value and lead elsewhere."""
    mine = element.get("id")
    inside = [*element.iter(), *(one for one in tree.iter() if mine and one.get("form") == mine)]
    sends, texts, seen = [], [], set()
    for one in inside:
        name, kind = one.get("name"), one.get("type", "")
        if not name or one.tag not in ("input", "textarea", "select"):
            continue
        if one.tag == "input" and (kind not in SENT or (kind in ("checkbox", "radio") and name in seen)):
            continue
        seen.add(name)
        sends.append((name, one.get("value") or one.text or _chosen(one)))
        if one.tag == "textarea" or (one.tag == "input" and kind in TYPED):
            texts.append(name)
    for button in [one for one in inside if one.tag == "button" and one.get("type") != "button"] or [element]:
        action = button.get("formaction") or element.get("action") or page
        said = [(button.get("name", ""), button.get("value", ""))] if button.get("name") else []
        method = element.get("method", "get")
        yield Form(
            actor, page, urljoin(page, action), method, tuple(sends + said), tuple(dict.fromkeys(texts))
        )


def _chosen(element: Element) -> str:
    options = [one.get("value", "") for one in element.iter("option")]
    return options[-1] if options else ""
