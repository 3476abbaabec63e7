"""The list of options or typed answers under a question, with the quotes that belong to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from studyhub.packs.formats.blocks import trimmed
from studyhub.packs.formats.report import Report, shown

ITEM = re.compile(r"[-*+][ \t]{1,4}(.*)", re.DOTALL)
BRACKETS = re.compile(r"\[([^\[\]]{0,3})\](.*)", re.DOTALL)
NUMBERED = re.compile(r"\d{1,3}[.)][ \t]{1,4}(.*)", re.DOTALL)
MARKS = {"x": "x", "X": "x", " ": " ", "=": "=", "!": "!"}
OPTIONS = 64
PART = "-"  # mark of a row, an item or a gap


@dataclass(slots=True)
class Item:
    """One list item as written. ``mark``: x, blank, = or !; - for a row, an item or a gap."""

    mark: str
    line: int
    text: list[str] = field(default_factory=list)
    rationale: list[str] = field(default_factory=list)

    def words(self) -> str:
        """The item's text, marks in braces included."""
        return trimmed(self.text)[0].strip()

    def why(self) -> str:
        """The rationale; "" when there is none."""
        return trimmed(self.rationale)[0]


@dataclass(slots=True)
class Answers:
    """What follows the settings of a question. ``broken`` counts list items that could not be read."""

    body: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    explanation: list[str] = field(default_factory=list)
    broken: int = 0


def opens_list(line: str) -> bool:
    """True for a list item that starts with brackets of ours (a link does not)."""
    item = ITEM.fullmatch(line)
    brackets = BRACKETS.fullmatch(item.group(1)) if item else None
    return bool(
        brackets and len(brackets.group(1)) <= 1 and not brackets.group(2).startswith(("(", ":", "["))
    )


def read_answers(lines: Sequence[str], fenced: Sequence[bool], before: int, report: Report) -> Answers:
    """Divide a question into its text, its list and its explanation (E202 to E205, E216, E217)."""
    answers = Answers()
    start = next((at for at, line in enumerate(lines) if not fenced[at] and opens_list(line)), len(lines))
    answers.body = list(lines[:start])
    _ListReader(answers, report, ITEM, _read_item).take_all(lines, fenced, start, before)
    if len(answers.items) > OPTIONS:
        line = answers.items[OPTIONS].line
        report.add(line, "E220", f"more than {OPTIONS} options", "Divide the question, or delete options.")
        answers.broken += len(answers.items) - OPTIONS
        del answers.items[OPTIONS:]
    return answers


def read_parts(
    lines: Sequence[str], fenced: Sequence[bool], start: int, before: int, report: Report
) -> Answers:
    """The list of rows, items or gaps that begins at index ``start``, and the explanation; the body is left empty.

    Whether it is an ordered list is told by its first line (E216, E217).
    """
    answers = Answers()
    first = lines[start] if start < len(lines) else ""
    pattern = NUMBERED if NUMBERED.fullmatch(first) else ITEM

    def read(line: str, number: int, _: Report) -> Item | None:
        match = pattern.fullmatch(line)
        return Item(PART, number, [match.group(1).strip()]) if match else None

    _ListReader(answers, report, pattern, read).take_all(lines, fenced, start, before)
    return answers


class _ListReader:
    """Takes the lines from the first option on. ``item`` is the one that indented lines belong to."""

    def __init__(
        self,
        answers: Answers,
        report: Report,
        pattern: re.Pattern[str],
        read: Callable[[str, int, Report], Item | None],
    ) -> None:
        self.answers = answers
        self.report = report
        self.pattern = pattern
        self.read = read
        self.item: Item | None = None
        self.explaining = False
        self.explained_at = 0
        self.after_blank = False
        self.in_quote = False  # the last line of the item was part of its rationale
        self.strayed = False

    def take_all(self, lines: Sequence[str], fenced: Sequence[bool], start: int, before: int) -> None:
        """Take every line from index ``start`` on; ``before``: number of file lines above the first."""
        for at in range(start, len(lines)):
            self.take(lines[at], fenced[at], before + at + 1)

    def take(self, line: str, fenced: bool, number: int) -> None:
        """Put one line where it belongs."""
        if not line.strip():
            self._blank()
            return
        if fenced and (line[0] in " \t" or not self.after_blank):
            self._target().append(_dedented(line))
        elif line[0] in " \t":
            self._indented(line)
        elif line[0] == ">":
            self._explain(line, number)
        elif self.pattern.fullmatch(line) and not fenced:
            self._item(line, number)
        elif self.after_blank:
            self._stray(number)
        else:
            self._lazy(line)
        self.after_blank = False

    def _target(self) -> list[str]:
        if self.explaining or self.item is None:
            return self.answers.explanation if self.explaining else []
        return self.item.rationale if self.in_quote else self.item.text

    def _blank(self) -> None:
        self._target().append("")
        self.after_blank = True

    def _indented(self, line: str) -> None:
        bare = line.strip()
        if self.item is not None and not self.explaining and bare.startswith(">"):
            self.in_quote = True
            self.item.rationale.append(bare[1:].removeprefix(" "))
            return
        if self.after_blank and self.in_quote:
            self.in_quote = False
        self._target().append(_dedented(line))

    def _explain(self, line: str, number: int) -> None:
        if not self.explaining:
            self.explaining, self.explained_at = True, number
        self.answers.explanation.append(line[1:].removeprefix(" "))

    def _lazy(self, line: str) -> None:
        self._target().append(line)

    def _stray(self, number: int) -> None:
        if not self.strayed:
            mend = 'Start it with ">" to make it the explanation, or move it above the options.'
            self.report.add(number, "E216", "text after the options", mend)
            self.answers.broken += 1
        self.strayed = True

    def _item(self, line: str, number: int) -> None:
        if self.explaining:
            mend = "Indent it by two spaces to make it the rationale of the option above."
            self.report.add(
                self.explained_at, "E217", "a quote at the left margin stands between options", mend
            )
            self.answers.broken += 1
        self.explaining = self.in_quote = False
        self.item = self.read(line, number, self.report)
        if self.item is None:
            self.item = Item("", number)  # takes the lines that follow, and is forgotten
            self.answers.broken += 1
        else:
            self.answers.items.append(self.item)


def _dedented(line: str) -> str:
    """The line without the indent of a list item."""
    return line[2:] if line[:2] == "  " else line.lstrip(" \t")


def _read_item(line: str, number: int, report: Report) -> Item | None:
    match = ITEM.fullmatch(line)
    inner = match.group(1) if match else ""
    brackets = BRACKETS.fullmatch(inner)
    if brackets is None or brackets.group(2).startswith("("):
        mend = f'Write "- [ ] {shown(inner)}", or move the list above the options.'
        report.add(number, "E204", "a list item without brackets among the options", mend)
        return None
    mark, text = brackets.group(1), brackets.group(2)
    if not mark:
        mend = 'Write "- [ ]" with a space for a wrong option, "- [x]" for a right one.'
        report.add(number, "E202", "empty brackets", mend)
        return None
    if mark not in MARKS:
        mend = "Use [x] right, [ ] wrong, [=] accepted typed answer, [!] expected typed mistake."
        report.add(number, "E205", f'unknown mark "[{shown(mark)}]"', mend)
        return None
    if text and text[0] not in " \t":
        report.add(number, "E203", "no space after the brackets", f'Write "- [{MARKS[mark]}] {shown(text)}".')
        return None
    return Item(MARKS[mark], number, [text.strip()])
