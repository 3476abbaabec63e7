"""Reads of people that every page needs, and of the audit log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from studyhub.accounts.models import AuditEvent, User

MOST_EVENTS = 50  # rows of the audit log on a page
Act = AuditEvent.Act
DID: Mapping[str, str] = {
    Act.ROLE_GIVEN: "gave a role to",
    Act.ROLE_TAKEN: "took a role from",
    Act.REPORT_DECIDED: "decided",
    Act.CORRECTION_APPLIED: "applied",
    Act.CORRECTION_UNDONE: "undid",
    Act.CORRECTION_SET_ASIDE: "set aside",
    Act.CORRECTION_TAKEN_UP: "took up again",
    Act.PACK_LOADED: "loaded a release of",
    Act.GUESTS_SWEPT: "removed idle guests from",
    Act.PASSWORD_CHANGED: "changed the password of",
    Act.ADDRESSES_CHANGED: "changed the e-mail addresses of",
    Act.FACTORS_CHANGED: "changed the second factors of",
}


@cache
def _fields() -> tuple[str, ...]:
    return tuple(field.attname for field in User._meta.concrete_fields)


def columns_of_person(alias: str) -> str:
    """The columns that ``person_of`` takes, for a statement that reads people."""
    return ", ".join(f'{alias}."{field.column}"' for field in User._meta.concrete_fields)


def person_of(row: Sequence[Any]) -> User:
    """The person in a row of ``columns_of_person``."""
    return User.from_db(connection.alias, _fields(), row)


@cache
def _statement() -> str:
    return f'SELECT {columns_of_person("person")} FROM "{User._meta.db_table}" AS person WHERE id = %s'  # noqa: S608


def person_by_id(pk: int) -> User | None:
    """The person with this id, read with one plain statement; None when there is none."""
    with connection.cursor() as cursor:
        cursor.execute(_statement(), [pk])
        row = cursor.fetchone()
    return None if row is None else person_of(row)


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which rows of the audit log are asked for; what is empty asks for all. ``before``: only rows older than this."""

    act: str = ""
    person: int | None = None  # who did it
    kind: str = ""
    thing: int | None = None
    before: int | None = None  # number of a row


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One row of the audit log in words."""

    pk: int
    at: datetime
    who: str
    did: str
    what: str
    changes: Sequence[
        tuple[str, str, str]
    ]  # name, before, after; before is empty where only the outcome is known
    ip: str
    request_id: str


@dataclass(frozen=True, slots=True)
class AuditLeaf:
    """One page of the audit log, the newest first."""

    lines: Sequence[AuditLine]
    older: int | None  # ``before`` of the next page


def audit_events(asked: AuditFilter) -> QuerySet[AuditEvent]:
    """The rows asked for, the newest first."""
    wanted = {
        "act": asked.act,
        "actor_id": asked.person,
        "object_kind": asked.kind,
        "object_id": asked.thing,
        "pk__lt": asked.before,
    }
    given = {name: value for name, value in wanted.items() if value not in {"", None}}
    return AuditEvent.objects.filter(**given).order_by("-pk")


def audit_leaf(asked: AuditFilter) -> AuditLeaf:
    """Fifty rows in words, with the addresses of those people who are still there (two queries)."""
    rows = list(audit_events(asked)[: MOST_EVENTS + 1])
    shown = rows[:MOST_EVENTS]
    people = [one.actor_id for one in shown]
    people += [one.object_id for one in shown if one.object_kind == AuditEvent.Kind.PERSON]
    wanted = {one for one in people if one is not None}
    known = dict(User.objects.filter(pk__in=wanted).values_list("pk", "email"))
    return AuditLeaf(
        lines=[_line(one, known) for one in shown],
        older=shown[-1].pk if len(rows) > MOST_EVENTS else None,
    )


def _line(row: AuditEvent, known: Mapping[int, str | None]) -> AuditLine:
    names = sorted({*row.before, *row.after})
    changes = [
        (name.replace("_", " "), _said(row.before, name) if row.before else "", _said(row.after, name))
        for name in names
    ]
    return AuditLine(
        pk=row.pk,
        at=row.at,
        who="A command on the server" if row.actor_id is None else _named("Person", row.actor_id, known),
        did=DID.get(row.act, row.act),
        what=_what(row, known),
        changes=changes,
        ip=row.ip or "",
        request_id=row.request_id,
    )


def _what(row: AuditEvent, known: Mapping[int, str | None]) -> str:
    if row.object_id is None:
        return f"the {row.object_kind}"
    people = known if row.object_kind == AuditEvent.Kind.PERSON else {}
    return _named(row.object_kind, row.object_id, people)


def _named(kind: str, pk: int, known: Mapping[int, str | None]) -> str:
    address = known.get(pk)
    return f"{kind} {pk} ({address})" if address else f"{kind} {pk}"


def _said(facts: Mapping[str, Any], name: str) -> str:
    """A fact in words."""
    value = facts.get(name)
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return (
        {True: "yes", False: "no"}[value]
        if isinstance(value, bool)
        else "none"
        if value is None
        else str(value)
    )
