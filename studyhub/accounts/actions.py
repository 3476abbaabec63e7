"""What can happen to people: becoming a guest, opening an account, joining both, changing, leaving."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

from allauth.account.internal.stagekit import LOGIN_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import F, Q
from django.utils.http import int_to_base36
from psycopg.errors import DeadlockDetected

from studyhub.accounts.auditing import COMMAND, Act, Actor, Kind, Thing, record
from studyhub.accounts.erasing import ERASERS, HOLDERS
from studyhub.accounts.merging import MERGERS
from studyhub.accounts.models import Session, User

GUEST_IDLE = timedelta(days=30)
ROLES = {"author": "is_author", "admin": "is_admin"}
FIRST_CLICKS = timedelta(minutes=1)  # within which one form token stands for one guest
PATIENCE = 3  # times a transaction gives way to somebody else before the next one is the last
_BATCH = 200
Done = TypeVar("Done")


class AddressTaken(Exception):
    """An account with this address exists already; nothing was changed."""


class LastAdministrator(Exception):
    """The only administrator cannot leave: nobody could give the role to anybody any more. Nothing was changed."""


class NoSuchSession(Exception):
    """This person is not signed in there, or no longer."""


class NoSuchAccount(Exception):
    """No account has this address; guests have none."""


@transaction.atomic
def make_guest(*, zone: str, at: datetime, token: str = "") -> User:
    """A learner without an account, seen today (UTC).

    A browser's first clicks may come at once, none of them with a session yet. ``token``, its form token's secret,
    tells that they are one browser's: within a minute it gets the same guest again.
    """
    born_of = sha256(token.encode()).hexdigest() if token else ""
    if born_of:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [born_of])
        same = User.objects.guests().filter(born_of=born_of, joined_at__gte=at - FIRST_CLICKS).first()
        if same is not None:
            return same
    return User.objects.create(guest=True, time_zone=zone, seen_on=at.astimezone(UTC).date(), born_of=born_of)


@transaction.atomic
def open_account(
    *, email: str, password: str | None, zone: str, at: datetime, guest_id: int | None = None
) -> User:
    """An account with this address. A guest's own row becomes it, so everything kept stays where it is.

    A guest that is gone or has become an account in another tab is left alone, and a new row is made.
    ``password`` None means that none works. Raises AddressTaken.
    """
    guest = User.objects.guests().filter(pk=guest_id).select_for_update().first() if guest_id else None
    person = guest or User(time_zone=zone)
    person.email, person.guest = email.strip().lower(), False
    person.set_password(password)
    person.seen_on = at.astimezone(UTC).date()
    try:
        with transaction.atomic():
            person.save()
    except IntegrityError as problem:
        raise AddressTaken(person.email) from problem
    return person


def rehearse_account(*, password: str) -> None:
    """Do the work of opening an account and keep nothing: what an address that has one already takes as long as."""
    with transaction.atomic():
        stranger = User(email=f"{token_hex(16)}@nobody.invalid")
        stranger.set_password(password)
        stranger.save()
        EmailAddress.objects.create(user=stranger, email=stranger.email, primary=True)
        transaction.set_rollback(True)


def merge_guest(*, guest: User, into: User, at: datetime) -> bool:
    """Move all that the guest kept into the account; see ``_merge``."""
    return _patiently(lambda: _merge(guest=guest, into=into, at=at))


def _patiently(act: Callable[[], Done]) -> Done:
    """Do a whole transaction, and do it again where the database ended it for another one that held rows it wanted.

    An answer of the same person may be on its way and hold rows in another order; the next time it is in.
    """
    for _ in range(PATIENCE):
        try:
            return act()
        except OperationalError as problem:
            if not isinstance(problem.__cause__, DeadlockDetected):
                raise
    return act()


@transaction.atomic
def _merge(*, guest: User, into: User, at: datetime) -> bool:
    """Move all that the guest kept into the account, then delete the guest. All or nothing.

    Both rows are locked first: of two simultaneous merges the second waits, finds no guest, changes
    nothing and answers False. Only a guest is ever merged, and only into an account.
    """
    rows = User.objects.filter(pk__in=[guest.pk, into.pk]).order_by("pk").select_for_update()
    found = {row.pk: row for row in rows}
    leaving, staying = found.get(guest.pk), found.get(into.pk)
    if leaving is None or staying is None or not leaving.guest or staying.guest:
        return False
    for move in MERGERS:
        move(leaving.pk, staying.pk)
    leaving.delete()
    User.objects.filter(pk=staying.pk).update(seen_on=at.astimezone(UTC).date())
    return True


# What ``note_change`` does, for a statement that does other things too; its parameters are named.
CHANGED = "UPDATE accounts_user SET changes = changes + 1 WHERE id = %(learner)s"


def note_change(*, learner_id: int) -> None:
    """Count that something of the learner's was kept, in the same transaction: pages made before are old."""
    User.objects.filter(pk=learner_id).update(changes=F("changes") + 1)


def note_seen(*, learner: User, at: datetime) -> None:
    """Remember that the learner kept something on this UTC day; the row is written once a day."""
    learner.seen_on = at.astimezone(UTC).date()
    User.objects.filter(pk=learner.pk).update(seen_on=learner.seen_on)


def change_settings(*, learner: User, name: str, zone: str) -> None:
    """Set the shown name and the time zone (a known IANA name). What was dated before keeps its day."""
    learner.name, learner.time_zone = name, zone
    learner.save(update_fields=["name", "time_zone"])


def sweep_guests(*, at: datetime) -> int:
    """Delete guests who have kept nothing for 30 days, with all they kept; answers how many.

    Rows that someone holds at this moment are left for the next sweep.
    """
    idle_since = at - GUEST_IDLE
    idle = User.objects.guests().filter(
        Q(seen_on__lt=idle_since.astimezone(UTC).date()) | Q(seen_on__isnull=True, joined_at__lt=idle_since)
    )
    swept = 0
    while True:
        with transaction.atomic():
            batch = list(
                idle.order_by("pk").select_for_update(skip_locked=True).values_list("pk", flat=True)[:_BATCH]
            )
            _erase(batch)
            if batch:
                gone = {"guests": len(batch)}
                record(by=COMMAND, act=Act.GUESTS_SWEPT, what=Thing(Kind.SITE), at=at, after=gone)
        swept += len(batch)
        if len(batch) < _BATCH:
            return swept


def erase_person(*, person_id: int) -> None:
    """Delete a person with everything they kept; of their answers counts stay that name nobody.

    All or nothing, under the locks of the person's attempts and row: an answer that is on its way is either in before,
    and counted, or finds nobody. Letters to the person that lie in the mail folder go once the rest is done. Raises
    LastAdministrator, and User.DoesNotExist for somebody who is gone already.
    """
    _patiently(lambda: _erase_person(person_id))


@transaction.atomic
def _erase_person(person_id: int) -> None:
    for hold in HOLDERS:
        hold([person_id])
    person = User.objects.select_for_update().get(pk=person_id)
    if (
        person.is_admin
        and not User.objects.filter(is_admin=True, is_active=True).exclude(pk=person_id).exists()
    ):
        raise LastAdministrator
    kept = EmailAddress.objects.filter(user=person).values_list("email", flat=True)
    addresses = {str(one).lower() for one in (person.email, *kept) if one}
    end_sessions(person=person)
    _erase([person_id])
    _end_sessions_under_way(person_id, addresses)
    transaction.on_commit(lambda: _erase_letters(addresses))


def _erase(people: Sequence[int]) -> None:
    """Everything of these people, in the running transaction."""
    for eraser in ERASERS:
        eraser(people)
    Session.objects.filter(person_id__in=people).delete()
    User.objects.filter(pk__in=people).delete()


def _naming(addresses: Collection[str]) -> re.Pattern[str]:
    """Finds any of these addresses as a whole, in a text in small letters."""
    return re.compile(rf"(?<![\w.+-])(?:{'|'.join(map(re.escape, sorted(addresses)))})(?![\w-]|\.\w)")


def _end_sessions_under_way(person_id: int, addresses: Collection[str]) -> None:
    """Sessions that are nobody's yet and name this person: a sign-in before its second step, a letter announced."""
    naming, waiting = _naming(addresses), int_to_base36(person_id)
    for row in Session.objects.filter(person=None).iterator():
        values = row.get_decoded()
        login = values.get(LOGIN_SESSION_KEY) or {}
        words = json.dumps(values, default=str, ensure_ascii=False).lower()
        if login.get("user_pk") == waiting or (addresses and naming.search(words)):
            row.delete()


def _erase_letters(addresses: Collection[str]) -> None:
    """Letters in the mail folder (there is one while no mail server is named) that name one of these addresses."""
    if not addresses:
        return
    naming = _naming(addresses)
    folder = Path(getattr(settings, "EMAIL_FILE_PATH", "") or "nowhere")
    for letter in folder.glob("*.log") if folder.is_dir() else ():
        with suppress(OSError):
            if naming.search(letter.read_text("utf-8", "replace").lower()):
                letter.unlink()


@transaction.atomic
def grant_role(*, email: str, role: str, by: Actor, at: datetime, revoke: bool = False) -> bool:
    """Give (or take) the site-wide role ``author`` or ``admin``; answers whether anything changed. Is audited.

    A change ends every session of that person, so that what they may do holds from the next sign-in.
    Raises NoSuchAccount; a guest has no address and therefore no role.
    """
    person = User.objects.by_email(email).filter(guest=False).select_for_update().first()
    if person is None:
        raise NoSuchAccount(email)
    field = ROLES[role]
    if getattr(person, field) is (not revoke):
        return False
    setattr(person, field, not revoke)
    person.save(update_fields=[field])
    end_sessions(person=person)
    act = Act.ROLE_TAKEN if revoke else Act.ROLE_GIVEN
    before, after = {role: revoke}, {role: not revoke}
    record(by=by, act=act, what=Thing(Kind.PERSON, person.pk), at=at, before=before, after=after)
    return True


def end_sessions(*, person: User) -> None:
    """Sign this person out everywhere."""
    for session in UserSession.objects.filter(user=person):
        session.end()


@transaction.atomic
def end_session(*, person_id: int, session_id: int, but: str) -> None:
    """Sign this person out in one other browser; it is out with its next request.

    ``but`` is the key of the session that asks, which signs itself out in another way. Raises NoSuchSession.
    """
    there = UserSession.objects.filter(user_id=person_id, pk=session_id).exclude(session_key=but)
    session = there.select_for_update().first()
    if session is None:
        raise NoSuchSession
    session.end()


@transaction.atomic
def renew_session(*, session: SessionBase) -> None:
    """Give a browser's session another key, as at a sign-in: whoever knew the one before is out."""
    before = session.session_key
    session.cycle_key()
    UserSession.objects.filter(session_key=before).update(session_key=session.session_key)
