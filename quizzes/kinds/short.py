"""A few typed words: accepted answers, each with a weight, and mistakes the author expects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quizzes.kinds.nearness import beside_html
from quizzes.kinds.shapes import Answer, AnswerProblem, Body, Key, Mark, PartRemark, Pieces, Remark
from quizzes.kinds.words import LONGEST, also, compared, folded, met

NAME = "short"
UNEXPECTED = (
    "<p>This is none of the accepted answers, and no mistake the author expected. "
    "What is accepted, and why, stands below.</p>"
)
Entry = Mapping[str, Any]


def read(raw: Sequence[str], body: Body) -> Answer:
    """A few words, kept as they were typed. Raises AnswerProblem."""
    if len(raw) > 1:
        raise AnswerProblem("This question takes one answer.")
    typed = raw[0].strip() if raw else ""
    if not folded(typed):
        raise AnswerProblem("Type your answer, then check. Nothing was recorded yet.")
    if len(typed) > LONGEST:
        raise AnswerProblem(f"That is longer than {LONGEST} characters. A few words are enough.")
    return Answer(typed=typed)


def _accepted_by(answer: Answer, body: Body, key: Key) -> Entry | None:
    """The accepted answer that was given; of several names given together the one that counts least."""
    hits = _met(answer, body, key["accepted"], every=True)
    return min(hits, key=_fraction, default=None)


def _mistake_in(answer: Answer, body: Body, key: Key) -> Entry | None:
    """The expected mistake that was made, or that is one of the names given together."""
    return next(iter(_met(answer, body, key["mistakes"], every=False)), None)


def _met(answer: Answer, body: Body, entries: Sequence[Entry], *, every: bool) -> list[Entry]:
    forms = [str(entry["text"]) for entry in entries]
    return [entries[at] for at in met(answer.typed, forms, **_how(body), every=every)]


def _how(body: Body) -> dict[str, bool]:
    """How words are compared in this question."""
    return {"exact": bool(body.get("exact")), "strict": bool(body.get("strict"))}


def _fraction(entry: Entry) -> float:
    return 1.0 if entry["weight"] is None else max(0.0, float(entry["weight"]))


def mark(answer: Answer, body: Body, key: Key) -> Mark:
    """Right where the words are accepted (see ``compared`` and ``together``), with the answer's weight as fraction.

    Only what is not accepted is looked for among the expected mistakes.
    """
    accepted = _accepted_by(answer, body, key)
    if accepted is not None:
        fraction = _fraction(accepted)
        detail = "" if fraction >= 1 else f"counts {fraction:.0%}".replace("%", " %")
        return Mark("right" if fraction >= 1 else "partly" if fraction else "wrong", fraction, detail)
    mistake = _mistake_in(answer, body, key)
    named = (str(mistake["misconception"]),) if mistake and mistake["misconception"] else ()
    return Mark("wrong", 0.0, misconceptions=named)


def remarks(answer: Answer, body: Body, key: Key) -> tuple[Remark, ...]:
    """The learner's words first, with the mistake behind them where the author expected it, then the accepted answers.

    Of those only the given one where it counts in full, else also the ones that do. Words that nobody expected are
    set beside the accepted ones (``beside_html``): a slip counts as wrong all the same.
    """
    exact = bool(body.get("exact"))
    hit = _accepted_by(answer, body, key)
    if hit is not None:
        title = f"Your answer: {answer.typed}"
        if answer.typed != hit["text"]:
            title += f". Accepted: {hit['text']}"
        rest = [one for one in key["accepted"] if one is not hit and _fraction(one) >= 1 > _fraction(hit)]
        return (_remark("accepted", title, hit, chosen=True), *_accepted(rest, exact=exact))
    told = _accepted(key["accepted"], exact=exact, every=not answer.typed)
    if not answer.typed:
        return told
    mistake = _mistake_in(answer, body, key)
    beside = beside_html(answer.typed, [str(one["text"]) for one in key["accepted"]], exact=exact)
    unexpected = {"rationale": f"{UNEXPECTED}{beside}", "belief": "", "read": ""}
    return (_remark("yours", f"Your answer: {answer.typed}", mistake or unexpected, chosen=True), *told)


def _accepted(entries: Sequence[Entry], *, exact: bool, every: bool = False) -> tuple[Remark, ...]:
    """The forms that count in full as one answer with the reason of the first; then those that count less."""
    alike: dict[tuple[float, str, str], list[Entry]] = {}
    for entry in sorted(entries, key=_fraction, reverse=True):
        fraction = _fraction(entry)
        why = ("", "") if fraction >= 1 else (entry["rationale"], entry["read"])
        alike.setdefault((fraction, *why), []).append(entry)
    told = []
    for (fraction, _, _), group in alike.items():
        counts = "" if fraction >= 1 else f", counts {fraction:.0%}".replace("%", " %")
        words = also((str(one["text"]) for one in group), exact=exact, every=every)
        told.append(_remark("accepted", f"Accepted{counts}: {words}", group[0], chosen=False))
    return tuple(told)


def _remark(slug: str, title: str, entry: Entry, *, chosen: bool) -> Remark:
    return Remark(
        slug=slug,
        title=title,
        chosen=chosen,
        right=slug == "accepted",
        rationale_html=str(entry["rationale"]),
        misconception=str(entry["belief"]) if slug == "yours" else "",
        read=str(entry["read"]),
    )


def parts(answer: Answer, body: Body, key: Key) -> tuple[PartRemark, ...]:
    """Nothing: what was typed is told by ``remarks``."""
    return ()


def said(answer: Answer, body: Body) -> str:
    """The words as typed."""
    return answer.typed


def pieces(body: Body) -> Pieces:
    """Nothing is shuffled."""
    return Pieces()


def meaning(body: Body, key: Key) -> Any:
    """How words are compared, and the accepted answers with their weights, each that is ever met once."""
    how = _how(body)
    forms: dict[str, float] = {}
    for one in key["accepted"]:
        forms.setdefault(compared(one["text"], **how), _fraction(one))
    return [how["exact"], sorted(forms.items()), *(["strict"] if how["strict"] else [])]
