"""Tags for one question of an attempt: what stands above it, the verdict, the keys, the ways on.

The answer to an answer is nearly all of this and is made for one learner once. It is written as text at once:
a template takes five times as long for it. HTML was sanitised when the pack was loaded; every other value is escaped,
a number, or one of a few fixed words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString

from quizzes.queries import QuestionPage, Verdict
from quizzes.templatetags.quizzes import dots, places
from studyhub.web.templatetags.studyhub import moment

register = template.Library()
Ways = Mapping[str, str]  # see the tag ``ways``
FIRSTS = {"right": "right", "partly": "partly right", "wrong": "wrong"}


def _token(context: template.Context) -> str:
    return f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(context.get("csrf_token", ""))}">'


@register.simple_tag(takes_context=True)
def status(context: template.Context, page: QuestionPage, to: Ways) -> SafeString:
    """Above the question: where one is, all questions, the end, what is saved."""
    left = f'<span class="away">. {page.unanswered} not answered yet. All questions.</span>'
    open_ones = f", {page.unanswered} not answered" if page.unanswered else ""
    finish = f'<button class="plain" type="submit">Finish and see the review{open_ones}</button>'
    return SafeString(
        f"""<div class="status">
    <details class="map">
      <summary><h1>Question {page.position} of {page.of}{left}</h1>
        <span class="dots" aria-hidden="true">{dots(page.dots)}</span></summary>
      <div class="places">{places(page.dots, "?q=")}</div>
      <form class="finish" method="post" action="{escape(to["finish"])}">{_token(context)}{finish}</form>
    </details>
    <p class="label side" id="saved">{_saved(page)}</p>
  </div>"""
    )


def _saved(page: QuestionPage) -> str:
    said = []
    if page.saved_at:
        at = page.saved_at
        said.append(f'<span>saved <time datetime="{at.isoformat()}">{moment(at)}</time></span>')
    if page.flagged:
        said.append("<span>flagged</span>")
    if page.retrying:
        said.append("<span>another try, not recorded as the first</span>")
    return " ".join(said)


@register.simple_tag
def verdict(told: Verdict) -> SafeString:
    """What the answer came to."""
    detail = f" <small>{escape(told.detail)}</small>" if told.detail else ""
    again = (
        f" <small>another try; the first one, {FIRSTS[told.first_state]}, stays the recorded one</small>"
        if told.retry
        else ""
    )
    return SafeString(
        f'<h2 class="verdict {told.state}" id="verdict" tabindex="-1">'
        f'<span><span aria-hidden="true">{told.sign}</span> {told.word}</span>{detail}{again}</h2>'
    )


@register.simple_tag(takes_context=True)
def onward(context: template.Context, page: QuestionPage, to: Ways) -> SafeString:
    """Below the feedback: the next question or the end, another try, the flag."""
    token, here, question = _token(context), escape(to["here"]), escape(to["question"])
    swap = 'hx-target="#question" hx-swap="outerHTML'
    if page.next_position:
        way = f"{question}{page.next_position}"
        first = (
            f'<a class="go" href="{way}" hx-get="{way}" {swap} show:window:top" hx-push-url="true" data-next>'
            'Next question <kbd aria-hidden="true">Enter</kbd></a>'
        )
    else:
        first = (
            f'<form method="post" action="{escape(to["finish"])}">{token}<button class="go" type="submit" data-next>'
            'Finish and see the review <kbd aria-hidden="true">Enter</kbd></button></form>'
        )
    state, word = ("off", "Take the flag off") if page.flagged else ("on", "Flag")
    again, flag = f"{here}&amp;again=1", escape(to["flag"])
    mark = (
        f'{token}<input type="hidden" name="q" value="{page.position}"><button class="plain" id="flag" type="submit" '
        f'name="state" value="{state}" data-flag>{word}</button>'
    )
    return SafeString(
        f"""<div class="row next">
    {first}
    <a class="go quiet" href="{again}" hx-get="{again}" {swap}" hx-replace-url="true">Try it again</a>
    <form class="end" method="post" action="{flag}" hx-post="{flag}" {swap}">{mark}</form>
  </div>"""
    )


@register.simple_tag
def keys(page: QuestionPage) -> SafeString:
    """The keys that do something here."""
    if page.verdict and not page.retrying:
        return _keys_after(len(page.feedback))
    return _keys_before(len(page.options))


def _keys(*said: str) -> SafeString:
    both = (
        *said,
        "<kbd>f</kbd> flag",
        '<button type="button" data-keys><kbd>?</kbd> all keys</button>',
    )
    return SafeString(" ".join(f'<span class="script">{one}</span>' for one in both))


@lru_cache(maxsize=64)
def _keys_before(options: int) -> SafeString:
    check = "<kbd>Enter</kbd> check"
    if options:
        return _keys(f"<kbd>1</kbd>–<kbd>{options}</kbd> choose", "<kbd>u</kbd> take back", check)
    return _keys("<kbd>0</kbd>–<kbd>9</kbd> type the number", check)


@lru_cache(maxsize=64)
def _keys_after(reasons: int) -> SafeString:
    more = (f"<kbd>1</kbd>–<kbd>{reasons}</kbd> open a reason",) if reasons else ()
    return _keys("<kbd>Enter</kbd> go on", *more)
