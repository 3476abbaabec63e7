"""The strict reader of front matter: text, ``[lists]`` and maps of one level. It is not YAML, on purpose.

Nothing is guessed about types: ``no`` stays "no" and ``010`` stays "010". Aliases and tags are refused,
so that no small file can grow.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from studyhub.packs.formats.limits import check_name
from studyhub.packs.formats.marks import check_id
from studyhub.packs.formats.report import Report, did_you_mean, shown

LINES = 2000  # front matter longer than this is a mistake
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,79}", re.ASCII)
MAP_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}", re.ASCII)
QUOTE_IT = 'Put text with a colon or a tag in "quotes".'
FENCE = "---"


class _AliasFound(Exception):
    """An alias or an anchor of YAML: the file is read no further."""


class _NotValid(Exception):
    def __init__(self, reason: str, mend: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.mend = mend


@dataclass(slots=True)
class FrontMatter:
    """What stands between the ``---`` lines.

    ``sound`` is false when a line could not be read (its faults are reported); ``usable`` is false when the
    body must not be read either. ``body`` is the index of the first line after the front matter.
    """

    texts: dict[str, str] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    maps: dict[str, dict[str, str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    map_lines: dict[tuple[str, str], int] = field(default_factory=dict)
    body: int = 0
    sound: bool = True
    usable: bool = True

    def text(self, key: str) -> str:
        """The text of ``key``; "" when it is not given."""
        return self.texts.get(key, "")

    def items(self, key: str) -> tuple[str, ...]:
        """The list of ``key``; one text counts as a list of its parts between commas."""
        if key in self.lists:
            return self.lists[key]
        return tuple(part.strip() for part in self.text(key).split(",") if part.strip())

    def pairs(self, key: str) -> Mapping[str, str]:
        """The map of ``key``; empty when it is not given."""
        return self.maps.get(key, {})

    def line(self, key: str) -> int:
        """The line where ``key`` stands; 1 when it is not given."""
        return self.lines.get(key, 1)


def read_front_matter(lines: Sequence[str], report: Report) -> FrontMatter:
    """Read the front matter at the top of ``lines`` and report what is wrong with it (E001 to E005)."""
    matter = FrontMatter()
    if not lines or lines[0].rstrip() != FENCE:
        mend = 'Start the file with a line "---", then "kind: …", "id: …", "title: …", then "---".'
        report.add(1, "E001", "front matter is missing", mend)
        matter.sound = False
        return matter
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), 0)
    if not end:
        report.add(1, "E002", "front matter is not closed", 'Add a line "---" after the last setting.')
        matter.sound = matter.usable = False
        return matter
    matter.body = end + 1
    if end > LINES:
        report.add(1, "E005", f"front matter is not valid: more than {LINES} lines", "Shorten it.")
        matter.sound = matter.usable = False
        return matter
    try:
        _Reader(matter, report).read(lines[1:end])
    except _AliasFound:
        report.add(1, "E004", "YAML aliases (&name, *name) are not allowed here", "Write the value out.")
        matter.sound = matter.usable = False
    return matter


class _Reader:
    """Reads line after line; ``open_key`` is the key whose indented lines may follow."""

    def __init__(self, matter: FrontMatter, report: Report) -> None:
        self.matter = matter
        self.report = report
        self.open_key = ""
        self.twice = False  # the map that is read now belongs to a key given twice

    def read(self, lines: Sequence[str]) -> None:
        """Read the lines between the two ``---``; raises _AliasFound."""
        for number, line in enumerate(lines, 2):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            try:
                self._pair(line, number) if line[0] in " \t" else self._key(line, number)
            except _NotValid as fault:
                self.matter.sound = False
                self.report.add(number, "E005", f"front matter is not valid: {fault.reason}", fault.mend)
        for key, pairs in self.matter.maps.items():
            if not pairs:
                self.matter.texts.setdefault(key, "")

    def _key(self, line: str, number: int) -> None:
        self.open_key = ""
        key, value = _split(line, KEY)
        self.twice = key in self.matter.lines
        if self.twice:
            self._given_twice(key, number)
        else:
            self.matter.lines[key] = number
        if not value:
            self.open_key = key
            self.matter.maps.setdefault(key, {})
            return
        content = self._value(key, value)
        if self.twice:
            return
        if isinstance(content, str):
            self.matter.texts[key] = content
        else:
            self.matter.lists[key] = content

    def _value(self, key: str, value: str) -> str | tuple[str, ...]:
        try:
            return _list(value) if value.startswith("[") else _scalar(value)
        except _NotValid:
            if not self.twice:
                self.matter.texts[key] = value  # kept, so that what names it is not reported as well
            raise

    def _pair(self, line: str, number: int) -> None:
        if not self.open_key:
            raise _NotValid(
                "an indented line belongs to no key", 'Write "key: value" without spaces in front.'
            )
        key, value = _split(line.strip(), MAP_KEY)
        pairs = self.matter.maps[self.open_key]
        if key in pairs:
            if not self.twice:
                self._given_twice(key, number)
            return
        pairs[key] = value
        self.matter.map_lines[self.open_key, key] = number
        pairs[key] = _scalar(value)

    def _given_twice(self, key: str, number: int) -> None:
        what = f'setting "{shown(key)}" is given twice'
        self.report.add(number, "E003", what, "Keep one of the two; the first one counts until then.")


def _split(line: str, pattern: re.Pattern[str]) -> tuple[str, str]:
    """Key and value of one line; refuses what YAML would read in a way of its own."""
    key, colon, value = line.partition(":")
    if key.strip() == "<<" or line.startswith(("&", "*")):
        raise _AliasFound
    if line.startswith("- "):
        raise _NotValid("a list over several lines", "Write the list on one line: key: [a, b].")
    if not colon or (value and value[0] not in " \t") or not pattern.fullmatch(key):
        raise _NotValid(
            f'"{shown(line, 40)}" is not "key: value"', "Write one key, a colon, a space and the value."
        )
    return key, value.strip()


def _scalar(value: str) -> str:
    """The text of a value: quoted or plain."""
    if value[:1] in ("&", "*") and value[1:2].strip():
        raise _AliasFound
    if value[:1] in ('"', "'"):
        return _quoted(value)
    if value.startswith("!"):
        raise _NotValid("tags are not read here", QUOTE_IT)
    if value in ("|", ">", "|-", ">-", "|+", ">+"):
        raise _NotValid("text over several lines is not read here", "Write the text on one line.")
    if value.startswith("{"):
        raise _NotValid(
            "a map in braces is not read here",
            'Write indented "id: text" lines, or put the text in "quotes".',
        )
    if ": " in value or value.endswith(":"):
        raise _NotValid("mapping values are not allowed here", QUOTE_IT)
    return value


def _quoted(value: str) -> str:
    mark, inner = value[0], value[1:-1]
    if len(value) < 2 or value[-1] != mark:
        raise _NotValid(
            "a quote is opened and not closed at the end of the line", f"End the text with {mark}."
        )
    bare = inner.replace("\\\\", "").replace('\\"', "") if mark == '"' else inner.replace("''", "")
    if mark in bare or (mark == '"' and bare.endswith("\\")):
        raise _NotValid(
            "a quote ends before the line does",
            f"Inside quotes write {mark} as {chr(92) if mark == chr(34) else mark}{mark}.",
        )
    if mark == "'":
        return inner.replace("''", "'")
    return re.sub(r"\\([\\\"])", r"\1", inner)


def _list(value: str) -> tuple[str, ...]:
    if not value.endswith("]"):
        raise _NotValid("a list is opened and not closed at the end of the line", 'End the list with "]".')
    parts = [part.strip() for part in value[1:-1].split(",")]
    items = tuple(_scalar(part) for part in parts if part)
    if any(item.startswith("[") or item.endswith("]") for item in items):
        raise _NotValid("a list inside a list", "Write the list on one level: [a, b].")
    return items


def check_front_matter(matter: FrontMatter, kind: str, known: Collection[str], report: Report) -> None:
    """Report a wrong kind (E010), missing id or title (E011) and unknown keys (E012)."""
    given = matter.text("kind")
    if given != kind and (given or matter.sound):
        what = f'kind is "{shown(given)}" where "{kind}" is expected' if given else '"kind" is missing'
        report.add(matter.line("kind"), "E010", what, f'Write "kind: {kind}" in the front matter.')
    for key in ("id", "title"):
        if matter.sound and not matter.text(key):
            report.add(
                matter.line(key), "E011", f'"{key}" is missing', f'Add a line "{key}: …" to the front matter.'
            )
    _check_values(matter, report)
    for key, line in matter.lines.items():
        if key not in known:
            mend = did_you_mean(key, known, "Known are: " + ", ".join(sorted(known)) + ".")
            report.add(line, "E012", f'unknown setting "{shown(key)}" in the front matter', mend)


def _check_values(matter: FrontMatter, report: Report) -> None:
    for key in ("title", "exam", "licence", "language"):
        check_name(key, matter.text(key), matter.line(key), report)
    for key in ("id", "was"):
        if matter.text(key):
            check_id(matter.text(key), matter.line(key), report)


def pairs_of(matter: FrontMatter, key: str, report: Report) -> dict[str, str]:
    """The map ``key`` (sources, misconceptions) with its ids checked; "key: text" on one line is refused."""
    if matter.text(key) or key in matter.lists:
        report.add(
            matter.line(key), "E013", f'"{key}" is not a map', 'Write indented lines "id: text" below it.'
        )
    pairs = dict(matter.pairs(key))
    for slug, text in pairs.items():
        line = matter.map_lines[key, slug]
        check_id(slug, line, report)
        if not text:
            report.add(line, "E013", f'"{shown(slug)}" under "{key}" has no text', 'Write "id: text".')
    return pairs


def whole_number(matter: FrontMatter, key: str, report: Report) -> int | None:
    """The number of ``key`` (0 to 9999), or None when it is not given or not a number (E014)."""
    text = matter.text(key)
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) <= 4:
        return int(text)
    report.add(
        matter.line(key), "E014", f'{key} "{shown(text)}" is not a whole number', f'Write e.g. "{key}: 4".'
    )
    return None
