"""The key that a correction takes the place of beside the one it brings, for authors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import escape

from quizzes.kinds import KINDS
from quizzes.kinds.fitting import fitted, shape_of
from quizzes.kinds.shapes import Answer
from quizzes.models import Correction, QuestionVersion
from quizzes.queries.key_forms import KINDS_OF_FORMS, Forms, Group, forms_of, groups_of
from quizzes.queries.ready import Opened, opened_of
from quizzes.queries.remarking import key_before


@dataclass(frozen=True, slots=True)
class KeyLine:
    """An option, a row or an item, or how words are compared: how it was marked, how it is, and why.

    What is named ``*_html`` is HTML. "" where a key does not speak of it.
    """

    html: str
    was_html: str  # right, wrong; of a row, item or gap what was right there
    is_html: str  # "" where a key does not speak of it
    why_was_html: str
    why_html: str

    @property
    def changed(self) -> bool:
        """Whether the keys differ here, and not in their reasons alone."""
        return self.was_html != self.is_html


@dataclass(frozen=True, slots=True)
class KeysBeside:
    """Both versions, and their keys line by line, the changed ones first; no lines where they cannot be compared.

    Of typed words and numbers ``groups`` tell what changed, form by form.
    """

    before: QuestionVersion
    after: QuestionVersion
    lines: Sequence[KeyLine]
    groups: Sequence[Group] = ()


def keys_beside(row: Correction) -> KeysBeside:
    """The key before a correction and by it (one query, and what is not ready in the process)."""
    before = key_before(row)
    shown, was, now = (opened_of(pk) for pk in (row.before.pk, before.pk, row.after.pk))
    if shape_of(was.shown.kind, was.shown.body) != shape_of(now.shown.kind, now.shown.body):
        return KeysBeside(before, row.after, ())
    if now.shown.kind == was.shown.kind and now.shown.kind in KINDS_OF_FORMS:
        return KeysBeside(
            before, row.after, _compared(was, now), groups_of(_forms(was, now), _forms(now, now))
        )
    old, new = _told(shown, was), _told(shown, now)
    lines = [KeyLine(name, *_pair(old.get(name), new.get(name))) for name in dict.fromkeys([*old, *new])]
    return KeysBeside(before, row.after, sorted(lines, key=lambda one: not one.changed))


COMPARED = (
    ("exact", "Upper and lower case", "the same", "told apart"),
    ("strict", "Articles, hyphens and other small signs", "left aside", "told apart"),
)


def _compared(was: Opened, now: Opened) -> list[KeyLine]:
    """What is said of how words are compared, where that changed."""
    told = []
    for name, title, off, on in COMPARED:
        old, new = (on if one.shown.body.get(name) else off for one in (was, now))
        if old != new:
            told.append(KeyLine(title, old, new, "", ""))
    return told


def _forms(one: Opened, now: Opened) -> list[Forms]:
    """The forms of a key, as the key that counts now compares words."""
    return forms_of(one.shown.kind, now.shown.body, one.key)


Said = tuple[str, str]  # HTML: how it is marked, and why


def _pair(old: Said | None, new: Said | None) -> tuple[str, str, str, str]:
    (was, why_was), (now, why) = old or ("", ""), new or ("", "")
    return was, now, why_was, why


def _told(shown: Opened, keyed: Opened) -> dict[str, Said]:
    """By its HTML everything that a key speaks of, in the words of the version that was shown."""
    kind, nothing = KINDS[shown.shown.kind], Answer()
    body, key = fitted(shown.shown.kind, shown.shown.body, keyed.shown.body, keyed.key)
    told: dict[str, Said] = {}
    for one in kind.remarks(nothing, body, key):
        name = shown.shown.texts.get(one.slug) or escape(one.title)
        told[name] = ("right" if one.right else "wrong", one.rationale_html)
    for at, part in enumerate(kind.parts(nothing, body, key), start=1):
        told[part.title_html or f"Gap {at}"] = (part.wanted_html, part.rationale_html)
    return told
