"""What was found, with what matched marked.

The list is written as text at once, as the questions of an attempt are (quizzes.templatetags): a template takes
several times as long. Everything in it is plain text and escaped here.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString

from chapters.queries.passages import PassageHit
from quizzes.queries.search import AnswerHit, CardHit
from studyhub.desk.queries.search import Hit
from studyhub.text.extracts import BEGIN, END

register = template.Library()
NAMES = {"objective": "Objective", "checkpoint": "Checkpoint"}


@register.simple_tag
def found(hits: Iterable[Hit]) -> SafeString:
    """The items of the list of results."""
    return SafeString("\n".join(map(_item, hits)))


def _item(hit: Hit) -> str:
    if isinstance(hit, PassageHit):
        return _passage(hit)
    return _answer(hit) if isinstance(hit, AnswerHit) else _card(hit)


def _passage(hit: PassageHit) -> str:
    place = f"Chapter {hit.chapter_number}, {escape(hit.chapter_title)}{', mini-lab' if hit.lab else ''}"
    if hit.kind == "title":
        return _line(hit.url, marked(hit.extract), "", place)
    return _line(hit.url, escape(NAMES.get(hit.kind, hit.heading)), marked(hit.extract), place)


def _answer(hit: AnswerHit) -> str:
    name = f"{escape(hit.quiz_title)}, question {hit.position}"
    return _line(hit.url, name, marked(hit.extract), "A question you have answered")


def _card(hit: CardHit) -> str:
    kind = f"Interview card, {escape(hit.level)}"
    if hit.back:
        return _line(
            hit.url, escape(hit.front), marked(hit.extract), f"{kind}, in the answer you have opened"
        )
    return _line(hit.url, marked(hit.extract), "", kind)


def _line(url: str, name: str, extract: str, place: str) -> str:
    """One result; all but the address is HTML."""
    words = f"<p>{extract}</p>" if extract else ""
    return f'<li><h2><a href="{escape(url)}">{name}</a></h2>{words}<p class="label">{place}</p></li>'


def marked(extract: str) -> SafeString:
    """Plain text, escaped, with what stands between BEGIN and END as <mark>; stray ends are dropped."""
    head, *parts = escape(extract).split(BEGIN)
    pieces = [head.replace(END, "")]
    for part in parts:
        matched, _, rest = part.partition(END)
        pieces.append(f"<mark>{matched}</mark>{rest.replace(END, '')}")
    return SafeString("".join(pieces))
