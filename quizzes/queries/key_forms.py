"""What a key of typed words or numbers accepts, form by form, and what two keys do not have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from quizzes.kinds import cloze, number, short
from quizzes.kinds.shapes import Body, Key
from quizzes.kinds.words import compared

KINDS_OF_FORMS = (short.NAME, number.NAME, cloze.NAME)
MISTAKE = "an expected mistake"


@dataclass(frozen=True, slots=True)
class Form:
    """One form in a key, in plain words; ``rationale_html`` is "" for the words of a gap."""

    text: str
    said: str  # accepted, accepted for 90 %, an expected mistake
    rationale_html: str


@dataclass(frozen=True, slots=True)
class FormChange:
    """A form that two keys do not mark alike: None where a key does not speak of it."""

    was: Form | None
    now: Form | None

    @property
    def text(self) -> str:
        """The form as the newer key writes it that has it."""
        one = self.now or self.was
        return one.text if one else ""

    @property
    def said(self) -> str:
        """What became of it, in words."""
        if self.was is None:
            return f"now {self.now.said}" if self.now else ""
        if self.now is None:
            return f"no longer {self.was.said}"
        was, now = self.was.said, self.now.said
        if MISTAKE not in (was, now):
            was, now = (f"{one} in full" if one == "accepted" else one for one in (was, now))
        return f"was {was}, is {now}"

    @property
    def rationale_html(self) -> str:
        """The reason that holds now, or the one that held."""
        one = self.now or self.was
        return one.rationale_html if one else ""


@dataclass(frozen=True, slots=True)
class Group:
    """The forms of a question, or of one gap: those that changed, and how many stay as they were."""

    title: str  # "Gap 2", or ""
    changes: Sequence[FormChange]
    same: int
    reasons: int  # of those that stay, how many have another reason


Forms = Mapping[Any, Form]  # by what is compared of it


def forms_of(kind: str, body: Body, key: Key) -> list[Forms]:
    """Every form that is ever met once, as ``body`` says to compare it; one group for each gap of a cloze."""
    if kind == cloze.NAME:
        lists = [[(_plain(text), "accepted") for text in gap["accepted"]] for gap in key["gaps"]]
    else:
        accepted = [(one, _weighed(one)) for one in key["accepted"]]
        lists = [[*accepted, *((one, MISTAKE) for one in key["mistakes"])]]
    told: list[Forms] = []
    for entries in lists:
        forms: dict[Any, Form] = {}
        for entry, said in entries:
            forms.setdefault(_place(kind, body, entry), _form(kind, body, entry, said))
        told.append(forms)
    return told


def _plain(text: str) -> Mapping[str, Any]:
    return {"text": text, "rationale": ""}


def _weighed(entry: Mapping[str, Any]) -> str:
    fraction = 1.0 if entry["weight"] is None else max(0.0, float(entry["weight"]))
    return "accepted" if fraction >= 1 else f"accepted for {fraction * 100:.0f} %"


def _place(kind: str, body: Body, entry: Mapping[str, Any]) -> Any:
    if kind == number.NAME:
        return Decimal(entry["low"]), Decimal(entry["high"])
    how = {name: bool(body.get(name)) for name in ("exact", "strict")}
    return compared(str(entry["text"]), **how)


def _form(kind: str, body: Body, entry: Mapping[str, Any], said: str) -> Form:
    text = str(entry["text"])
    if kind == number.NAME:
        text = f"{' to '.join(text.split('..'))} {body.get('unit', '')}".strip()
    return Form(text, said, str(entry["rationale"]))


def groups_of(old: Sequence[Forms], new: Sequence[Forms]) -> list[Group]:
    """What changed between two keys, group by group: what was put in or marks otherwise, then what was taken out."""
    told = []
    for at, (was, now) in enumerate(zip(old, new, strict=True), start=1):
        stay = [one for one in now if one in was and was[one].said == now[one].said]
        names = [one for one in dict.fromkeys([*now, *was]) if one not in stay]
        told.append(
            Group(
                title=f"Gap {at}" if len(new) > 1 else "",
                changes=[FormChange(was.get(one), now.get(one)) for one in names],
                same=len(stay),
                reasons=sum(was[one].rationale_html != now[one].rationale_html for one in stay),
            )
        )
    return told


def changed_first(kind: str, body: Body, key: Key, beside: Key) -> Key:
    """A key whose accepted forms begin with its first one, then name those that the other key does not accept alike.

    So that they are told where only some are. Keys of other kinds stay.
    """
    if kind == cloze.NAME:
        pairs = zip(key["gaps"], forms_of(kind, body, key), forms_of(kind, body, beside), strict=True)
        gaps = [
            {**gap, "accepted": _sorted(kind, body, [_plain(one) for one in gap["accepted"]], mine, theirs)}
            for gap, mine, theirs in pairs
        ]
        return {
            **key,
            "gaps": [{**one, "accepted": [form["text"] for form in one["accepted"]]} for one in gaps],
        }
    if kind != short.NAME:
        return key
    mine, theirs = forms_of(kind, body, key)[0], forms_of(kind, body, beside)[0]
    return {**key, "accepted": _sorted(kind, body, key["accepted"], mine, theirs)}


def _sorted(
    kind: str, body: Body, entries: Sequence[Mapping[str, Any]], mine: Forms, theirs: Forms
) -> list[Mapping[str, Any]]:
    def stays(entry: Mapping[str, Any]) -> bool:
        place = _place(kind, body, entry)
        return place in theirs and theirs[place].said == mine[place].said

    return [*entries[:1], *sorted(entries[1:], key=stays)]
