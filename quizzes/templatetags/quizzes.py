"""Tags for the pages of an attempt: addresses, the progress line, the options.

What is repeated for every question or option of a page is written here as text at once: a template takes ten times as
long for it. HTML of options and rationales was sanitised when the pack was loaded; every other value is escaped or
one of a few fixed words.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString

from quizzes.queries import AttemptLine, Dot, OptionFeedback, OptionView, ParagraphLink, TypedFeedback
from quizzes.queries.ready import address, street

register = template.Library()
register.simple_tag(street, name="street")
SIGNS = {"right": "✓", "wrong": "✕", "partly": "◐", "skipped": "–", "unseen": ""}
EITHER = (False, True)
OUTSIDE = "<p>This number lies outside what is accepted.</p>"


def _dot(state: str, flagged: bool, unsure: bool, here: bool) -> str:
    words = (state, "unsure" * unsure, "flagged" * flagged, "here" * here)
    return f'<i class="{" ".join(filter(None, words))}"></i>'


DOTS = {(s, f, u, h): _dot(s, f, u, h) for s in SIGNS for f in EITHER for u in EITHER for h in EITHER}


@register.simple_tag
def ways(attempt_id: str, position: int) -> dict[str, str]:
    """The addresses of an attempt: ``question`` ends with "?q=", ``here`` is this question's; skip, flag, finish."""
    question = f"{address('attempt', attempt_id)}?q="
    acts = {name: address(name, attempt_id) for name in ("skip", "flag", "finish")}
    return {"question": question, "here": f"{question}{position}", **acts}


@register.simple_tag
def dots(line: Iterable[Dot]) -> SafeString:
    """The progress line: a small point for each question."""
    return SafeString("".join([DOTS[state, flag, unsure, here] for _, state, flag, unsure, here in line]))


@register.simple_tag
def places(line: Iterable[Dot], before: str) -> SafeString:
    """A link to each question of the attempt whose page this is: ``before`` is "?q=", on the review "#q"."""
    return SafeString("".join([_place(one, before) for one in line]))


@lru_cache(maxsize=4096)
def _place(dot: Dot, before: str) -> str:
    said, flag = (", flagged", "⚑") if dot.flagged else ("", "")
    sign = f'<span class="sign" aria-hidden="true">{SIGNS[dot.state]}{flag}</span>'
    here = ' aria-current="true"' if dot.here else ""
    state = "partly right" if dot.state == "partly" else dot.state
    return (
        f'<a class="{dot.state}" href="{escape(before)}{dot.position}"{here}>{dot.position}'
        f'<span class="away">, {state}{said}</span>{sign}</a>'
    )


@register.filter
def begun(slug: str, attempts: Iterable[AttemptLine]) -> bool:
    """Whether one of these attempts is at the quiz with this id."""
    return any(one.quiz_slug == slug for one in attempts)


def _certainty(chosen: int | None) -> SafeString:
    labels = [
        f'<label><input type="radio" name="certainty" value="{value}"{" checked" if value == chosen else ""}> '
        f"{words}</label>"
        for value, words in ((1, "below 67 %"), (2, "67–80 %"), (3, "above 80 %"))
    ]
    return SafeString("\n      ".join(labels))


CERTAINTIES = {chosen: _certainty(chosen) for chosen in (None, 1, 2, 3)}


@register.simple_tag
def certainties(chosen: int | None) -> SafeString:
    """How sure one is, in three steps; ``chosen`` is 1 to 3 or nothing."""
    return CERTAINTIES[chosen]


@register.simple_tag
def options(shown: Iterable[OptionView], kind: str) -> SafeString:
    """The options before the answer, to choose one or, of kind multiple, several."""
    box = "checkbox" if kind == "multiple" else "radio"
    items = [
        f'<li class="opt" data-digit="{one.digit}"><label class="l" data-option="{escape(one.id)}">'
        f'<kbd aria-hidden="true" title="{one.letter}">{one.digit}</kbd> <span>{one.html}</span> '
        f'<input type="{box}" id="choice-{one.digit}" name="choice" value="{escape(one.id)}"'
        f"{' checked' if one.checked else ''}></label></li>"
        for one in shown
    ]
    return SafeString("\n        ".join(items))


@register.simple_tag
def reasons(
    told: Iterable[OptionFeedback], typed: Iterable[TypedFeedback], read: ParagraphLink | None
) -> SafeString:
    """What is said of each option, or of what was typed; ``read`` is the paragraph that settles the question.

    A paragraph is named again only where it is another one, and at what was chosen.
    """
    settled = read.url if read else ""
    said = [_typed(one, at) for at, one in enumerate(typed)]
    items = "\n    ".join([*(_reason(one, settled) for one in told), *said])
    return SafeString(f'<ul class="options">\n    {items}\n  </ul>' if items else "")


def _typed(one: TypedFeedback, at: int) -> str:
    """What is said of typed words; the first two are open, one's own and the first accepted."""
    state, sign, why = ("right", "✓", "Why it holds") if one.right else ("wrong", "✕", "Why it fails")
    return (
        f'<li class="opt chosen {state}"><details{" open" if at < 2 else ""}><summary><span class="l">'
        f'<span aria-hidden="true">{sign}</span> <span>{escape(one.title)}</span></span></summary>\n      '
        f'<div class="why" data-rationale="{escape(one.id)}"><b>{why}</b>{one.rationale_html or OUTSIDE}'
        f"{belief(one.misconception)}{way(one.read) if one.read else ''}</div></details></li>"
    )


def belief(misconception: str) -> str:
    """The misconception behind a wrong answer, in words."""
    return f'<p class="belief">The belief behind it: {escape(misconception)}</p>' if misconception else ""


def _reason(one: OptionFeedback, settled: str) -> str:
    token, why = escape(one.id), "Why it holds" if one.right else "Why it fails"
    classes = f"opt{' chosen' if one.chosen else ''} {'right' if one.right else 'wrong'}"
    said = " said" if one.chosen or one.right else ""
    link = way(one.read) if one.read and (one.chosen or one.read.url != settled) else ""
    return (
        f'<li class="{classes}" data-option="{token}" data-digit="{one.digit}">'
        f'<details{" open" if one.first else ""}><summary><span class="l">'
        f'<kbd aria-hidden="true" title="{one.letter}">{one.digit}</kbd> <span>{one.html}</span> '
        f'<span class="mark{said}">{MARKS[one.chosen, one.right]}</span></span></summary>\n      '
        f'<div class="why" data-rationale="{token}"><b>{why}</b>{one.rationale_html}'
        f"{belief(one.misconception)}{link}</div></details></li>"
    )


def way(read: ParagraphLink) -> str:
    """The link to a paragraph."""
    return (
        f'<p><a class="paragraph" href="{escape(read.url)}">Read the paragraph: {escape(read.label)}</a></p>'
    )


MARKS = {
    (True, True): "✓ your answer",
    (True, False): "✕ your answer",
    (False, True): "✓ right",
    (False, False): "why it fails",
}
