"""Work on the lines of a text before Markdown reads its blocks: code fences, display maths, list indents."""

from __future__ import annotations

import html
import re
from functools import lru_cache

from markdown import Markdown
from markdown.preprocessors import Preprocessor
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_FENCE = re.compile(r"^([ >]*)(`{3,}|~{3,}) *([^\s`]*)[^`]*$")
_MARK = re.compile(r"^( *)([*+-]|\d{1,9}[.)])( +)(?=\S)")
_RULE = re.compile(r"^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$")
_MATHS = re.compile(r"^([ >]*)\$\$(.*)$")
LONGEST_FORMULA = 60  # lines


class Fences(Preprocessor):
    """Fenced code, also inside lists and quotes, becomes highlighted HTML behind a place holder."""

    def run(self, lines: list[str]) -> list[str]:
        made: list[str] = []
        at = 0
        while at < len(lines):
            opening = _FENCE.match(lines[at])
            if opening is None:
                made.append(lines[at])
                at += 1
                continue
            prefix, fence, language = opening[1], opening[2], opening[3]
            code, at = _fenced(lines, at + 1, prefix, fence)
            placeholder = self.md.htmlStash.store(code_block("\n".join(code), language))
            edge = prefix.rstrip()
            made += [edge, prefix + placeholder, edge]
        return made


def _fenced(lines: list[str], at: int, prefix: str, fence: str) -> tuple[list[str], int]:
    """The lines of code from ``at`` to the closing fence or the end of the quote, and where to go on."""
    code: list[str] = []
    quotes = prefix.count(">")
    closing = re.compile(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}} *")
    while at < len(lines):
        inside = _unquoted(lines[at], quotes)
        if inside is None:
            return code, at
        at += 1
        inside = _dedented(inside, len(prefix) if not quotes else 1)
        if closing.fullmatch(inside):
            return code, at
        code.append(inside)
    return code, at


def _unquoted(line: str, quotes: int) -> str | None:
    """The line without its quote marks, or None if it has fewer of them."""
    for _ in range(quotes):
        line = line.lstrip(" ")
        if not line.startswith(">"):
            return None
        line = line[1:]
    return line


def _dedented(line: str, spaces: int) -> str:
    """The line without up to so many leading spaces."""
    return line[min(spaces, len(line) - len(line.lstrip(" "))) :]


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return None


def code_block(code: str, language: str) -> str:
    """A block of code as HTML, coloured by CSS classes when the language is known."""
    name = re.sub(r"[^a-z0-9+#-]", "", language.lower())
    lexer = _lexer(name) if name else None
    body = html.escape(code) if lexer is None else highlight(code, lexer, HtmlFormatter(nowrap=True))
    label = f' class="language-{name}"' if name else ""
    return f'<div class="codehilite"><pre><code{label}>{body.rstrip()}\n</code></pre></div>'


class DisplayMaths(Preprocessor):
    """A ``$$`` formula over several lines is put on one, so that none is read as a list or a quote."""

    def run(self, lines: list[str]) -> list[str]:
        made: list[str] = []
        at = 0
        while at < len(lines):
            opening = _MATHS.match(lines[at])
            end = _end_of_maths(lines, at) if opening and "$$" not in opening[2] else None
            if opening is None or end is None:
                made.append(lines[at])
                at += 1
                continue
            inner = [line.lstrip(" >" if ">" in opening[1] else " ") for line in lines[at + 1 : end + 1]]
            made.append(" ".join([lines[at], *inner]).rstrip())
            at = end + 1
        return made


def _end_of_maths(lines: list[str], at: int) -> int | None:
    for place in range(at + 1, min(at + LONGEST_FORMULA, len(lines))):
        if "$$" in lines[place]:
            return place
        if not lines[place].strip(" >"):
            return None
    return None


class Lists(Preprocessor):
    """List items are indented as CommonMark reads them, written in the four columns that Markdown wants."""

    def __init__(self, md: Markdown) -> None:
        super().__init__(md)
        self.columns: list[int] = []  # where the text of each open item begins
        self.made: list[str] = []

    def run(self, lines: list[str]) -> list[str]:
        self.columns, self.made = [], []
        blank = True
        for line in lines:
            if not line.strip():
                self.made.append("")
                blank = True
                continue
            mark = None if _RULE.match(line) else _MARK.match(line)
            if mark and self._is_item(mark, blank):
                self._item(line, mark, blank)
            else:
                self._other(line, blank)
            blank = False
        return self.made

    def _is_item(self, mark: re.Match[str], blank: bool) -> bool:
        if self.columns:
            return True
        starts = blank or len(mark[2]) == 1 or mark[2] in ("1.", "1)")
        return starts and len(mark[1]) < 4

    def _item(self, line: str, mark: re.Match[str], blank: bool) -> None:
        indent = len(mark[1])
        self._close(indent)
        if not self.columns and not blank and not _continues_list(self.made):
            self.made.append("")
        sign = mark[2].replace(")", ".")
        self.made.append(f"{'    ' * len(self.columns)}{sign} {line[mark.end() :]}")
        width = len(mark[3]) if len(mark[3]) < 5 else 1
        self.columns.append(indent + len(mark[2]) + width)

    def _other(self, line: str, blank: bool) -> None:
        indent = len(line) - len(line.lstrip(" "))
        if not self.columns:
            self.made.append(line)
        elif blank:
            self._close(indent)
            column = self.columns[-1] if self.columns else 0
            self.made.append(f"{'    ' * len(self.columns)}{line[column:]}")
        else:
            self.made.append(line.lstrip(" "))
            if line.startswith("#"):
                self.columns.clear()

    def _close(self, indent: int) -> None:
        while self.columns and indent < self.columns[-1]:
            self.columns.pop()


def _continues_list(made: list[str]) -> bool:
    """Whether the block of lines just written began with a list item."""
    for line in reversed(made):
        if not line.strip():
            return False
        if _MARK.match(line):
            return True
    return False
