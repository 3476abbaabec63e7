"""Ids, and the braces that end a line: ``{#id}``, ``{mis: id, 50%}``, ``{read, NVIDIA, 30 min}``."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from studyhub.packs.formats.report import Report, did_you_mean, shown

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
PERCENT = re.compile(r"[+-]?\d{1,3}(?:\.\d{1,6})?%", re.ASCII)
ID_LENGTH = 80
OPTION_KEYS = ("mis", "read")


def is_id(text: str) -> bool:
    """Small letters, digits and single hyphens, at most 80 characters."""
    return len(text) <= ID_LENGTH and ID.fullmatch(text) is not None


def slug_of(text: str) -> str:
    """An id made from ``text``; "item" when nothing of it can be used."""
    flat = unicodedata.normalize("NFKD", text[:400]).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", flat)[:60].strip("-")
    return slug or "item"


def split_braces(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without the braces that end it, and what stands in them between commas.

    No braces at the end: the text as it is, and nothing.
    """
    bare = text.rstrip()
    start = bare.rfind("{")
    if start < 0 or not bare.endswith("}") or "}" in bare[start:-1]:
        return bare, ()
    parts = tuple(part.strip() for part in bare[start + 1 : -1].split(","))
    return bare[:start].rstrip(), tuple(part for part in parts if part)


def split_id(text: str) -> tuple[str, str]:
    """The text without a closing ``{#id}``, and the id ("" when there is none)."""
    bare, parts = split_braces(text)
    if len(parts) == 1 and parts[0].startswith("#"):
        return bare, parts[0][1:].strip()
    return text.rstrip(), ""


def check_id(slug: str, line: int, report: Report) -> None:
    """Report an id whose letters are not those of ids."""
    if not is_id(slug):
        what = f'id "{shown(slug)}" has letters that ids cannot have'
        report.add(line, "E102", what, "Use small letters, digits and hyphens, e.g. {#kv-cache}.")


@dataclass(frozen=True, slots=True)
class OptionMarks:
    """What the braces after an option say; ``weight`` is a fraction of the points."""

    text: str
    slug: str = ""
    misconception: str = ""
    read: str = ""
    weight: float | None = None


def _recognised(part: str) -> tuple[str, str] | None:
    if part.startswith("#"):
        return "#", part[1:].strip()
    if PERCENT.fullmatch(part):
        return "%", part[:-1]
    key, colon, value = part.partition(":")
    if colon and key.strip() in OPTION_KEYS:
        return key.strip(), value.strip()
    return None


def _misspelt(part: str) -> bool:
    key, colon, value = part.partition(":")
    near = did_you_mean(key.strip(), (*OPTION_KEYS, "misconception"), "")
    return bool(colon and near and is_id(value.strip().replace("#", "-")))


def option_marks(text: str, line: int, report: Report) -> OptionMarks:
    """Read the braces that end an option; braces that hold none of our marks are text."""
    bare, parts = split_braces(text)
    found = [_recognised(part) for part in parts]
    if not any(found) and not any(_misspelt(part) for part in parts):
        return OptionMarks(text.rstrip())
    for part, mark in zip(parts, found, strict=True):
        if mark is None:
            mend = did_you_mean(
                part.partition(":")[0], OPTION_KEYS, "Use {mis: id}, {50%}, {#id} or {read: chapter#anchor}."
            )
            report.add(line, "E215", f'unknown mark "{shown(part)}" at the end of an option', mend)
    marks = dict(mark for mark in found if mark)
    if marks.get("#"):
        check_id(marks["#"], line, report)
    weight = float(marks["%"]) / 100 if "%" in marks else None
    if weight is not None and abs(weight) > 1:
        report.add(line, "E223", f"weight {marks['%']}% is out of range", "Use -100% to 100%.")
    return OptionMarks(bare, marks.get("#", ""), marks.get("mis", ""), marks.get("read", ""), weight)
