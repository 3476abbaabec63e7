"""Which kind a question is: by its setting, else by its marks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from studyhub.packs.formats.answers import Answers, Item
from studyhub.packs.formats.blocks import Settings
from studyhub.packs.formats.report import Report, did_you_mean, shown

PARTED = ("match", "order", "cloze")
LOADED = ("single", "multiple", "number", "short", *PARTED)
LATER = ("open",)
KINDS = (*LOADED, *LATER)
CLOZE = re.compile(r"\{\{c\d{1,3}::")
TYPED = {
    "number": 'Write the accepted number as "- [=] 3.5 ± 0.1" and expected mistakes as "- [!] 28".',
    "short": 'Write accepted answers as "- [=] …" and expected mistakes as "- [!] …".',
}
PARTS = {
    "match": 'Write a table of two columns and below it, for each row, "- left cell" with its reason.',
    "order": 'Write the items as "1. …", "2. …" in the right order, each with its reason.',
    "cloze": 'Write the gaps as {{c1::word::hint}} and below, for each gap, "- c1" with its reason.',
}
NO_ANSWER = 'Add options ("- [x] …", "- [ ] …"), typed answers ("- [=] …"), a table, or type: open.'


def kind_of(name: str, settings: Settings, text: str, answers: Answers, line: int, report: Report) -> str:
    """The kind of a question, or "" when that cannot be said (E201, E206 to E209, E218, E219).

    ``text`` is all that stands above the answers, heading included.
    """
    declared = settings.text("type")
    declared = "multiple" if declared == "multi" else declared
    if "type" in settings.values and declared not in KINDS:
        mend = did_you_mean(declared, KINDS, f"Types are: {', '.join(KINDS)}.")
        report.add(line, "E206", f'unknown type "{shown(declared)}"', mend)
        return ""
    if declared in PARTED or declared in LATER:
        return _parted_kind(name, declared, answers, report)
    options = [item for item in answers.items if item.mark in "x "]
    typed = [item for item in answers.items if item.mark in "=!"]
    if options and typed:
        what = f'"{shown(name)}" mixes options with typed answers'
        report.add(typed[0].line, "E219", what, "Use [x] and [ ] only, or [=] and [!] only.")
        return ""
    if not answers.items:
        return _without_items(name, declared, text, answers, line, report)
    if typed:
        return _typed_kind(name, declared, typed, line, report)
    return _choice_kind(name, declared, options, answers.broken, report, line)


def _parted_kind(name: str, declared: str, answers: Answers, report: Report) -> str:
    if answers.items and declared in PARTED:
        what = f'type "{declared}" takes no brackets, "{shown(name)}" has some'
        report.add(answers.items[0].line, "E218", what, PARTS[declared])
        return ""
    return declared


def _without_items(name: str, declared: str, text: str, answers: Answers, line: int, report: Report) -> str:
    if not declared and CLOZE.search(text):
        return "cloze"
    if not declared and any(row.startswith("|") for row in text.split("\n")):
        return "match"
    if not answers.broken:
        report.add(line, "E207", f'"{shown(name)}" has no answer', NO_ANSWER)
    return ""


def _typed_kind(name: str, declared: str, typed: Sequence[Item], line: int, report: Report) -> str:
    if declared in ("single", "multiple"):
        mend = 'Write options "- [x] …" and "- [ ] …", or set type: number.'
        report.add(line, "E218", f'type "{declared}" needs options, "{shown(name)}" has typed answers', mend)
        return ""
    if not any(item.mark == "=" for item in typed):
        mend = 'Write each accepted answer as "- [=] …".'
        report.add(line, "E201", f'no answer is marked accepted in "{shown(name)}"', mend)
        return ""
    return declared or "short"


def _choice_kind(
    name: str, declared: str, options: Sequence[Item], broken: int, report: Report, line: int
) -> str:
    if declared in TYPED:
        what = f'type "{declared}" needs typed answers, "{shown(name)}" has options'
        report.add(line, "E218", what, TYPED[declared])
        return ""
    right = sum(item.mark == "x" for item in options)
    if not right:
        if not broken:
            mend = 'Put an x in the brackets of each right option: "- [x] …".'
            report.add(line, "E201", f'no option is marked right in "{shown(name)}"', mend)
        return ""
    if right == len(options) and not broken:
        mend = 'Add at least one wrong option: "- [ ] …".'
        report.add(line, "E209", f'no option is wrong in "{shown(name)}"', mend)
    if declared == "single" and right > 1:
        mend = 'Leave one "- [x]", or set type: multiple.'
        report.add(line, "E208", f'type "single" has {right} right options', mend)
        return ""
    return declared or ("single" if right == 1 else "multiple")
