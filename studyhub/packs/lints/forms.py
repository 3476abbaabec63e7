"""What is wrong with typed answers, matches and orders: what gives the answer away, and what teaches nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from quizzes.kinds.number import range_of
from quizzes.kinds.words import compared, folded, met
from studyhub.packs.draft import Fault, PackDraft, QuestionDraft
from studyhub.packs.formats.report import shown
from studyhub.packs.lints.words import contains, words

SEQUENCE = re.compile(r"(?:first|firstly|then|next|afterwards|after that|finally|lastly)\b", re.IGNORECASE)
SHORTEST = 3  # letters of an answer that can give itself away
MATHS = re.compile(r"\$[^$]+\$|`[^`]+`")


def lint_forms(pack: PackDraft) -> list[Fault]:
    """W421 no mistake. W422 by elimination. W423 the text says it. W424 order in words. W425 maths. W426 twins.
    E427 a mistake that counts as right.
    """
    faults: list[Fault] = []
    for quiz in pack.quizzes:
        for question in quiz.questions:
            lint = LINTS.get(question.kind)
            faults.extend(lint(quiz.path, question) if lint else ())
    return faults


def _short(path: str, question: QuestionDraft) -> Iterator[Fault]:
    how = {"exact": question.exact, "strict": question.strict}
    for accepted in (True, False):
        same = ((one.text, one.line) for one in question.typed if one.accepted is accepted)
        yield from _twins(path, same, how)
    yield from _never_met(path, question, how)
    if all(typed.accepted for typed in question.typed):
        what = f'"{shown(question.slug)}" expects no mistake'
        mend = 'Write the wrong answers that people give as "- [!] …", each with what it misses.'
        yield Fault(path, question.line, "W421", what, mend)
    told = words(f"{question.stem_md}\n{question.body_md}")
    if any(_said(typed.text, told) for typed in question.typed if not typed.accepted):
        return  # it names what can be chosen from
    for typed in question.typed:
        if typed.accepted and _said(typed.text, told):
            what = f'the question says "{shown(typed.text)}" itself'
            mend = "Reword it so that only who knows can answer, or name what can be chosen from."
            yield Fault(path, typed.line, "W423", what, mend)


def _cloze(path: str, question: QuestionDraft) -> Iterator[Fault]:
    for part in question.parts:
        how = {"exact": question.exact, "strict": question.strict}
        yield from _twins(path, ((answer, part.line) for answer in part.answers), how)


def _twins(path: str, answers: Iterable[tuple[str, int]], how: Mapping[str, bool]) -> Iterator[Fault]:
    """Typed answers, with their lines, that are compared as the same: only the first of them is ever met."""
    seen: dict[str, str] = {}
    for answer, line in answers:
        same = compared(answer, **how)
        if same in seen:
            what = f'"{shown(answer)}" is needless: it is compared as the same as "{shown(seen[same])}"'
            yield Fault(path, line, "W426", what, "Delete it; the first of the two is the one that is met.")
        seen.setdefault(same, answer)


def _never_met(path: str, question: QuestionDraft, how: Mapping[str, bool]) -> Iterator[Fault]:
    """Expected mistakes that are accepted, since accepted answers are looked for first."""
    forms = [one.text for one in question.typed if one.accepted]
    for typed in question.typed:
        hits = () if typed.accepted else met(typed.text, forms, **how)
        if hits:
            what = f'the mistake "{shown(typed.text)}" is compared as the same as "{shown(forms[hits[0]])}"'
            mend = 'Delete one, reword it, or write "case: exact" (or "case: strict") if only that tells them apart.'
            yield Fault(path, typed.line, "E427", what, mend)


def _number(path: str, question: QuestionDraft) -> Iterator[Fault]:
    """Expected mistakes that lie within an accepted range."""
    ranges = [(range_of(one.text), one.text) for one in question.typed if one.accepted]
    for typed in question.typed:
        if typed.accepted:
            continue
        low, high = range_of(typed.text)
        for (least, most), text in ranges:
            if least <= low and high <= most:
                what = f'the mistake "{shown(typed.text)}" lies within the accepted "{shown(text)}"'
                yield Fault(
                    path, typed.line, "E427", what, "Narrow the accepted range, or delete the mistake."
                )
                break


def _said(answer: str, told: tuple[str, ...]) -> bool:
    inner = words(answer)
    return len("".join(inner)) >= SHORTEST and not "".join(inner).isdigit() and contains(told, inner)


def _match(path: str, question: QuestionDraft) -> Iterator[Fault]:
    choices = [folded(part.answers[0], exact=True) for part in question.parts]
    if not question.decoys and len(set(choices)) == len(choices):
        what = f'the last row of "{shown(question.slug)}" is left over'
        mend = "Add a decoy (a row with an empty left cell), or let one choice fit two rows."
        yield Fault(path, question.line, "W422", what, mend)
    for part in question.parts:
        if MATHS.search(part.answers[0]):
            what = f'"{shown(part.answers[0])}" is shown as plain text in the list of choices'
            yield Fault(
                path, part.line, "W425", what, "Write choices in words; maths and code may stand on the left."
            )


def _order(path: str, question: QuestionDraft) -> Iterator[Fault]:
    for part in question.parts:
        if SEQUENCE.match(part.text_md):
            what = f'"{shown(part.text_md)}" tells its place by its first word'
            yield Fault(path, part.line, "W424", what, "Say what is done, and leave out when.")


LINTS = {"short": _short, "match": _match, "order": _order, "cloze": _cloze, "number": _number}
