"""The audit log: one row for each act on data of others, on roles, on keys, and on ways of signing in.

An action that does such a thing takes ``by``, who asks for it, and writes the row itself, in its own transaction: what
is rolled back was not done and is not written. Views make the ``Actor`` from their request (``actor_of``), commands are
``COMMAND``. Acts on one's own data are not written, but for changes of the ways in. docs/audit.md lists what is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.core.internal.httpkit import get_client_ip
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.http import HttpRequest

from studyhub.accounts.models import AuditEvent

Act, Kind = AuditEvent.Act, AuditEvent.Kind
Plain = bool | int | str | None
Facts = Mapping[str, Plain | Sequence[Plain]]
WORD = re.compile(
    r"[A-Za-z0-9_#.:-]{1,250}"
)  # ids that authors gave, words of the code; nothing that people type


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something: the number of a person with the address and the id of their request, or a command."""

    person_id: int | None
    ip: str | None = None
    request_id: str = ""


COMMAND = Actor(None)  # whoever runs commands on the server


@dataclass(frozen=True, slots=True)
class Thing:
    """What something is done to, by its number."""

    kind: AuditEvent.Kind
    id: int | None = None


def actor_of(request: HttpRequest, person_id: int | None = None) -> Actor:
    """Who asks: the learner of this request, or ``person_id`` where a letter and not a sign-in shows who it is.

    Raises ValueError for a visitor: a row without a person would be a command's.
    """
    if person_id is None:
        learner = getattr(request, "learner", None)
        if learner is None:
            raise ValueError("nobody is known to ask for this")
        person_id = learner.pk
    running = request.__dict__.get("running")  # web.middleware.JournalMiddleware
    return Actor(person_id, get_client_ip(request), running.id if running is not None else "")


def record(
    *,
    by: Actor,
    act: AuditEvent.Act,
    what: Thing,
    at: datetime,
    before: Facts | None = None,
    after: Facts | None = None,
) -> None:
    """Add a row, in the running transaction of the act.

    ``before`` and ``after`` say what changed, in numbers and in words of the code. Raises ValueError for anything that
    a person could have typed: no name, address or text may come in here, for it could never be taken out again.
    """
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("an act and its row belong into one transaction")
    for facts in (before or {}, after or {}):
        for name, value in facts.items():
            _check(name)
            for one in value if isinstance(value, (list, tuple)) else (value,):
                _check(one)
    AuditEvent.objects.create(
        at=at,
        actor_id=by.person_id,
        act=act.value,
        object_kind=what.kind.value,
        object_id=what.id,
        before=dict(before or {}),
        after=dict(after or {}),
        ip=by.ip,
        request_id=by.request_id,
    )


def _check(value: object) -> None:
    if isinstance(value, str) and not WORD.fullmatch(value):
        raise ValueError(f"this is no word of the code: {value[:40]!a}")
    if not isinstance(value, (bool, int, str)) and value is not None:
        raise ValueError(f"this is neither a number nor a word: {type(value).__name__}")


@contextmanager
def ways_in_watched(*, person_id: int, by: Actor, at: datetime) -> Iterator[None]:
    """Do something to a person's addresses and second factors in one transaction, with a row for each that changed.

    For what allauth writes itself. Rows are told apart by number and state; a password is not looked at.
    """
    with transaction.atomic():
        before = _ways_in(person_id)
        yield
        after = _ways_in(person_id)
        for act in before:
            if before[act] != after[act]:
                what = Thing(Kind.PERSON, person_id)
                record(by=by, act=act, what=what, at=at, before=before[act], after=after[act])


def _ways_in(person_id: int) -> dict[AuditEvent.Act, dict[str, list[int]]]:
    """Numbers of a person's rows by what they are for (two queries)."""
    factors: dict[str, list[int]] = {}
    for kind, pk in Authenticator.objects.filter(user_id=person_id).order_by("pk").values_list("type", "pk"):
        factors.setdefault(kind, []).append(pk)
    addresses: dict[str, list[int]] = {}
    rows = EmailAddress.objects.filter(user_id=person_id).order_by("pk")
    for pk, verified, primary in rows.values_list("pk", "verified", "primary"):
        addresses.setdefault("confirmed" if verified else "waiting", []).append(pk)
        if primary:
            addresses.setdefault("primary", []).append(pk)
    return {Act.FACTORS_CHANGED: factors, Act.ADDRESSES_CHANGED: addresses}
