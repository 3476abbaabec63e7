"""Tags for questions of several parts: rows to match, items to order, gaps to fill, and what is said of each.

Written as text at once, like the options (``quizzes.templatetags.quizzes``). HTML of rows, items and reasons was
sanitised when the pack was loaded; every other value is escaped or one of a few fixed words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString

from quizzes.kinds.cloze import blank
from quizzes.kinds.order import place_value
from quizzes.queries import ParagraphLink
from quizzes.queries.shapes import FieldView, OptionView, PartFeedback
from quizzes.templatetags.quizzes import belief, way

register = template.Library()
TAG = re.compile(r"<annotation.*?</annotation>|<[^>]*>", re.DOTALL)
VERDICTS = {True: ("right", "✓ right"), False: ("wrong", "✕ wrong")}
NARROW, WIDE = 12, 24  # characters of a gap's field: fixed, so that its width tells nothing


def words_of(html: str) -> str:
    """The words of a piece of HTML, for places that hold no marks; they stay escaped."""
    return " ".join(TAG.sub("", html).split()).replace('"', "&quot;")


def _wrong(one: FieldView) -> str:
    return ' aria-invalid="true" aria-describedby="error"' if one.invalid else ""


@register.simple_tag
def rows(fields: Iterable[FieldView], choices: Sequence[OptionView]) -> SafeString:
    """The rows of a match, each with a list of all choices."""
    words = [(escape(one.id), words_of(one.html)) for one in choices]
    return SafeString("\n        ".join([_row(one, words) for one in fields]))


def _row(one: FieldView, choices: Iterable[tuple[str, str]]) -> str:
    given = escape(one.value)
    options = "".join(
        [
            f'<option value="{token}"{" selected" if token == given else ""}>{words}</option>'
            for token, words in choices
        ]
    )
    return (
        f'<li class="opt part" data-digit="{one.digit}"><label class="l" for="part-{one.digit}">'
        f'<kbd aria-hidden="true">{one.digit}</kbd> <span>{one.html}</span></label>'
        f'<select id="part-{one.digit}" name="choice"{_wrong(one)}>'
        f'<option value="">Choose</option>{options}</select></li>'
    )


@register.simple_tag
def items(fields: Sequence[FieldView]) -> SafeString:
    """The items of an order, each with its place or none; buttons place and move it where scripts run."""
    return SafeString("\n        ".join([_item(one, len(fields)) for one in fields]))


def _item(one: FieldView, count: int) -> str:
    token, words = escape(one.id), words_of(one.html)
    places = "".join(
        [
            f'<option value="{value}"{" selected" if value == one.value else ""}>{place}</option>'
            for place, value in ((place, place_value(place)) for place in range(1, count + 1))
        ]
    )
    moves = "".join(
        [
            '<button class="plain script" type="button" data-move="next">Put at <i>1</i>'
            f'<span class="away">: {words}</span></button>',
            *(
                f'<button class="plain script" type="button" data-move="{to}" aria-label="Move {to}: {words}">'
                f"{sign}</button>"
                for to, sign in (("up", "↑"), ("down", "↓"))
            ),
        ]
    )
    return (
        f'<li class="opt part" data-digit="{one.digit}"><label class="l" for="place-{token}">'
        f'<kbd aria-hidden="true">{one.digit}</kbd> <span><span class="away">Place of </span>{one.html}</span></label>'
        f'<input type="hidden" name="choice" value="{token}">'
        f'<span class="moves"><select id="place-{token}" name="choice"{_wrong(one)}>'
        f'<option value="">not placed</option>{places}</select>{moves}</span></li>'
    )


def gapped(html: str, fields: Iterable[FieldView]) -> str:
    """The text of a cloze with a field in the place of each gap."""
    for one in fields:
        html = html.replace(blank(one.digit), _gap(one))
    return html


def _gap(one: FieldView) -> str:
    hint = f", {escape(one.hint)}" if one.hint else ""
    shown = f' placeholder="{escape(one.hint)}"' if one.hint else ""
    size = WIDE if len(one.hint) > NARROW else NARROW
    return (
        f'<input class="gap" id="part-{one.digit}" form="answer" type="text" name="choice" value="{escape(one.value)}" '
        f'aria-label="Gap {one.digit}{hint}" size="{size}" maxlength="200" autocomplete="off" autocapitalize="off" '
        f'spellcheck="false"{shown}{_wrong(one)}>'
    )


@register.simple_tag
def part_reasons(told: Sequence[PartFeedback], kind: str, read: ParagraphLink | None) -> SafeString:
    """What is said of each row, item or gap; those that are wrong are open.

    A paragraph is named only where it is another one than ``read``, which settles the question, or at a wrong part.
    """
    if not told:
        return SafeString("")
    settled = read.url if read else ""
    parts = "\n    ".join([_reason(one, kind, settled) for one in told])
    return SafeString(f'{_rule(told, kind)}<ol class="options">\n    {parts}\n  </ol>')


def _rule(told: Sequence[PartFeedback], kind: str) -> str:
    """How an order is judged, since it is not by places. Its items are told in the right order."""
    if kind != "order" or not any(one.yours_html for one in told):
        return ""
    pairs = [one.right for one in told[1:]]
    return (
        '<p class="how">Neighbouring pairs decide the credit, not places: each item should come right after the one '
        f"that stands above it here. {sum(pairs)} of {len(pairs)} pairs are right.</p>\n  "
    )


def _reason(one: PartFeedback, kind: str, settled: str) -> str:
    given = bool(one.yours_html)
    state, mark = _followed(one) if kind == "order" else VERDICTS[one.right]
    if not one.right and not given:
        state, mark = "", "not answered"
    title = one.html or f"Gap {one.digit}"
    link = way(one.read) if one.read and (one.read.url != settled or (given and not one.right)) else ""
    return (
        f'<li class="opt part chosen {state}" data-digit="{one.digit}">'
        f'<details{"" if one.right else " open"}><summary><span class="l">'
        f'<kbd aria-hidden="true">{one.digit}</kbd> <span>{title}<span class="away">. </span>'
        f'<small class="pair">{_pair(one, kind)}</small></span> '
        f'<span class="mark said">{mark}</span></span></summary>\n      '
        f'<div class="why" data-rationale="part-{one.digit}"><b>{"Why it holds" if one.right else "Why it is so"}</b>'
        f"{one.rationale_html}{belief(one.misconception)}{link}</div></details></li>"
    )


def _followed(one: PartFeedback) -> tuple[str, str]:
    """State and words for an item: it is judged by the item before it, and its place may be right all the same."""
    after = f"right after {one.digit - 1}" if one.digit > 1 else "first"
    if one.right:
        return "right", f"✓ comes {after}"
    if one.yours_html == f"place {one.digit}":
        return "", f"◐ in its place, yet not {after}"
    return "wrong", f"✕ should come {after}"


def _pair(one: PartFeedback, kind: str) -> str:
    """What was given and what is right; of an item always both places."""
    yours = f"<span>Yours: {one.yours_html}.</span>" if one.yours_html else ""
    if one.right and kind != "order":
        return yours
    return f"{yours} <span>Right: {one.wanted_html}.</span>".strip()
