"""Tags for one question of an attempt: what stands above it, the verdict, the keys, the ways on.

The answer to an answer is nearly all of this and is made for one learner once. It is written as text at once:
a template takes five times as long for it. HTML was sanitised when the pack was loaded; every other value is escaped,
a number, or one of a few fixed words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString

from quizzes.queries import QuestionPage, Verdict
from quizzes.queries.notices import Change, CorrectionNote, Notices
from quizzes.queries.ready import address, street
from quizzes.templatetags.parts import gapped, part_reasons
from quizzes.templatetags.quizzes import dots, places, reasons, way
from studyhub.accounts.rules import can_author
from studyhub.web.templatetags.studyhub import day, moment

register = template.Library()
GOES_TO = {"match": "a row", "order": "an item", "cloze": "a gap"}
FIRSTS = {"right": "right", "partly": "partly right", "wrong": "wrong"}


def _token(context: template.Context) -> str:
    return f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(context.get("csrf_token", ""))}">'


@register.simple_tag
def names(page: QuestionPage) -> SafeString:
    """What a script reads of a question: its place, and the title of its page."""
    title = f"Question {page.position} of {page.of} · {escape(page.quiz_title)}"
    return SafeString(f'data-place="{page.position}" data-title="{title}"')


@register.simple_tag(takes_context=True)
def told(context: template.Context, page: QuestionPage) -> SafeString:
    """All of a question that has its answer: an answer is answered with this."""
    token = _token(context)
    more = past(page.attempt_id, page.position) if can_author(context.get("learner")) else ""
    return SafeString("\n  ".join([_above(page, token), _feedback(page, token), below(page, more)]))


@register.simple_tag
def below(page: QuestionPage, more: str = "") -> SafeString:
    """The keys, the way to report and, in ``more``, the author's, and the name of the question."""
    return SafeString(
        f"""<div class="keys">
    {keys(page)}
    {doubt(page.attempt_id, page.position)}{more}
    <code class="slug" title="The stable name of this question">{escape(page.question_slug)}</code>
  </div>"""
    )


@register.simple_tag(takes_context=True)
def above(context: template.Context, page: QuestionPage) -> SafeString:
    """The question with what stands above it."""
    return SafeString(_above(page, _token(context)))


def _above(page: QuestionPage, token: str) -> str:
    body = f'\n  <div class="given">{page.body_html}</div>' if page.body_html else ""
    stem = f'<div class="stem" id="stem" tabindex="-1">{page.stem_html}</div>'
    if page.kind == "cloze" and page.fields:
        stem = f'<div role="group" aria-label="Text with gaps">{gapped(f"{stem}{body}", page.fields)}</div>'
        body = ""
    notice = (
        f'\n  <p class="notice" id="notice" tabindex="-1">{escape(page.notice)}</p>' if page.notice else ""
    )
    return f"""{_status(page, token)}
  {stem}{body}{notice}"""


def _status(page: QuestionPage, token: str) -> str:
    """Where one is, all questions, the end, what is saved."""
    left = f'<span class="away">. {page.unanswered} not answered yet. All questions.</span>'
    return f"""<div class="status">
    <details class="map">
      <summary><h1>Question {page.position} of {page.of}{left}</h1>
        <span class="dots" aria-hidden="true">{dots(page.dots)}</span></summary>
      <div class="places">{places(page.dots, "?q=")}</div>
      {_end(page, token)}
    </details>
    <p class="label side" id="saved">{_saved(page)}</p>
  </div>"""


def _end(page: QuestionPage, token: str) -> str:
    """The way to the review: by ending the attempt, or straight."""
    if page.ended_at:
        return f'<p class="finish"><a href="{address("review", page.attempt_id)}">See the review</a></p>'
    open_ones = f", {page.unanswered} not answered" if page.unanswered else ""
    return (
        f'<form class="finish" method="post" action="{address("finish", page.attempt_id)}">{token}'
        f'<button class="plain" type="submit">Finish and see the review{open_ones}</button></form>'
    )


@register.simple_tag
def ended(page: QuestionPage) -> SafeString:
    """In the place of the answer's form, once the attempt has ended."""
    review = address("review", page.attempt_id)
    quiz = street("quiz", page.course.slug, page.quiz_slug)
    return SafeString(
        f"""<p class="notice">This attempt ended {moment(page.ended_at)}. This question was not answered in it.</p>
  <div class="row next"><a class="go" href="{review}#q{page.position}">See the review</a>
    <a class="go quiet" href="{quiz}">Take the quiz again</a></div>"""
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


def _feedback(page: QuestionPage, token: str) -> str:
    """What the answer came to, every reason, the explanation, and the ways on."""
    assert page.verdict is not None
    options, typed, read = page.feedback, page.typed_feedback, page.read
    said = [
        _verdict(page.verdict),
        notices(page.notices),
        reasons(options, typed, read),
        part_reasons(page.parts, page.kind, read),
    ]
    if page.explanation_html:
        said.append(f'<div class="explain"><b>In short</b>{page.explanation_html}</div>')
    first = (options or typed or (None,))[0]
    if read and not (first and first.read and first.read.url == read.url):
        said.append(way(read))
    said.append(claim(page.attempt_id, page.position, page.verdict))
    said.append(_onward(page, token))
    return "\n  ".join(filter(None, said))


@register.simple_tag
def claim(attempt_id: str, position: int, verdict: Verdict | None) -> SafeString:
    """The way to say that words which do not count in full are right; nothing for numbers and mere signs."""
    if verdict is None or not verdict.arguable:
        return SafeString("")
    there = f"{address('report', attempt_id)}?q={position}&amp;mine=1"
    return SafeString(
        '<p class="label">Does your answer mean the same? '
        f'<a class="doubt-link" href="{there}">Tell the authors that it is right</a></p>'
    )


@register.simple_tag
def notices(told: Notices) -> SafeString:
    """That the question is in dispute, and that its key was put right."""
    said = ""
    if told.disputed_at:
        said = (
            f'<p class="notice">Disputed since {day(told.disputed_at)}: somebody doubts this question, '
            "and the authors are looking at it.</p>"
        )
    if told.correction:
        said += _correction(told.correction)
    return SafeString(said)


def _correction(note: CorrectionNote) -> str:
    """One notice, of the newest change, with the days of every other one inside."""
    mark = "Your mark stays as it is."
    if note.undone_at:
        said = (
            f"The key of this question was changed on {day(note.at)}, and the change was taken back on "
            f"{day(note.undone_at)}: the key before it counts again."
        )
        if note.state_before:
            mark = f"Your first answer counts as {FIRSTS[note.state_after]} again."
    else:
        said = f"Corrected on {day(note.at)}: the key of this question was wrong."
        if note.state_before:
            before, after = FIRSTS[note.state_before], FIRSTS[note.state_after]
            mark = f"Your first answer counted as {before} before; it counts as {after} now."
    return (
        f'<div class="notice corrected"><p>{said} {mark}</p>'
        f'<details><summary>The key before and now</summary><div class="cols">{_keyed("Before", note.was)}'
        f"{_keyed('Now', note.now)}</div>{_past(note.past)}</details></div>"
    )


def _past(changes: Sequence[Change]) -> str:
    """Every change of the key by its days, where there were several."""
    if len(changes) < 2:
        return ""
    items = "".join(
        f"<li>changed {day(one.at)}{f', taken back {day(one.undone_at)}' if one.undone_at else ''}</li>"
        for one in changes
    )
    return f'<h3 class="s">All changes of this key</h3><ol>{items}</ol>'


def _keyed(title: str, rows: Iterable[tuple[str, str]]) -> str:
    items = "".join(f"<li><span>{html}</span>{why}</li>" for html, why in rows)
    return f'<section><h3 class="s">{title}</h3><ul>{items}</ul></section>'


@register.simple_tag
def doubt(attempt_id: str, position: int) -> SafeString:
    """The way to report a question."""
    return SafeString(
        f'<a class="doubt-link" href="{address("report", attempt_id)}?q={position}">This looks wrong</a>'
    )


@register.simple_tag
def past(attempt_id: str, position: int) -> SafeString:
    """The way to the history of a question, for authors."""
    return SafeString(
        f' <a class="doubt-link" href="{address("question_past", attempt_id)}?q={position}">History</a>'
    )


def _verdict(told: Verdict) -> str:
    detail = f" <small>{escape(told.detail)}</small>" if told.detail else ""
    again = (
        f" <small>another try; the first one, {FIRSTS[told.first_state]}, stays the recorded one</small>"
        if told.retry
        else ""
    )
    return (
        f'<h2 class="verdict {told.state}" id="verdict" tabindex="-1">'
        f'<span><span aria-hidden="true">{told.sign}</span> {told.word}</span>{detail}{again}</h2>'
    )


def _onward(page: QuestionPage, token: str) -> str:
    """The next question or the end, another try, the flag."""
    question = f"{address('attempt', page.attempt_id)}?q="
    swap = 'hx-target="#question" hx-swap="outerHTML'
    if page.ended_at:
        first = f'<a class="go" href="{address("review", page.attempt_id)}" data-next>See the review</a>'
    elif page.next_position:
        following = f"{question}{page.next_position}"
        first = (
            f'<a class="go" href="{following}" hx-get="{following}" {swap} show:window:top" '
            'hx-push-url="true" data-next>Next question <kbd aria-hidden="true">Enter</kbd></a>'
        )
    else:
        first = (
            f'<form method="post" action="{address("finish", page.attempt_id)}">{token}'
            '<button class="go" type="submit" data-next>'
            'Finish and see the review <kbd aria-hidden="true">Enter</kbd></button></form>'
        )
    state, word = ("off", "Take the flag off") if page.flagged else ("on", "Flag")
    again, flag = f"{question}{page.position}&amp;again=1", address("flag", page.attempt_id)
    mark = (
        f'{token}<input type="hidden" name="q" value="{page.position}"><button class="plain" id="flag" type="submit" '
        f'name="state" value="{state}" data-flag>{word}</button>'
    )
    retry = (
        f'<a class="go quiet" href="{again}" hx-get="{again}" {swap}" hx-replace-url="true">Try it again</a>'
    )
    return f"""<div class="row next">
    {first}
    {"" if page.ended_at else retry}
    <form class="end" method="post" action="{flag}" hx-post="{flag}" {swap}">{mark}</form>
  </div>"""


@register.simple_tag
def keys(page: QuestionPage) -> SafeString:
    """The keys that do something here."""
    if page.verdict and not page.retrying:
        return _keys_after(len(page.feedback or page.parts))
    if page.ended_at:
        return _keys()
    return _keys_before(page.kind, len(page.fields or page.options))


def _keys(*said: str) -> SafeString:
    all_of_them = (
        *said,
        "<kbd>f</kbd> flag",
        '<button type="button" data-keys><kbd>?</kbd> all keys</button>',
    )
    return SafeString(" ".join(f'<span class="script">{one}</span>' for one in all_of_them))


@lru_cache(maxsize=64)
def _keys_before(kind: str, count: int) -> SafeString:
    """``count``: options, rows, items or gaps."""
    acts = ("<kbd>Enter</kbd> check", "<kbd>s</kbd> skip")
    digits = f"<kbd>1</kbd>–<kbd>{min(count, 9)}</kbd>"
    if kind in GOES_TO:
        return _keys(f"{digits} go to {GOES_TO[kind]}", "<kbd>u</kbd> take back", *acts)
    if kind == "number":
        return _keys("<kbd>0</kbd>–<kbd>9</kbd> type the number", *acts)
    if kind == "short":
        return _keys("<kbd>t</kbd> type", *acts)
    return _keys(f"{digits} choose", "<kbd>u</kbd> take back", *acts)


@lru_cache(maxsize=64)
def _keys_after(reasons: int) -> SafeString:
    more = (f"<kbd>1</kbd>–<kbd>{min(reasons, 9)}</kbd> open a reason",) if reasons else ()
    return _keys("<kbd>Enter</kbd> go on", *more)
