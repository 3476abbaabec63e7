"""Everything a learner owns, as one zip: a JSON file for each table, and texts to read."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder

from studyhub.accounts.exporting import TABLES, TEXTS, Table
from studyhub.accounts.models import AuditEvent, Membership, User
from studyhub.accounts.queries import AuditFilter, audit_events
from studyhub.text.cells import Cell, csv_text

FORMAT = 1  # of the files; docs/export.md
BATCH = 2000  # rows of the audit log at a time
IN_MEMORY = 2 * 1024 * 1024  # bytes, above which the zip is made in a file that nobody else can open
ABOUT = """# Your data from StudyHub

Made {at:%Y-%m-%d %H:%M} UTC. Each `.json` file is a list of rows from one table, oldest first. Moments are in UTC.
`notes.md` holds your notes and marks as text.

{files}
"""

OPENS = "a secret that opens the account"
OWN = (
    Table(
        file="person.json",
        model=User,
        owner="pk",
        columns={
            name: name
            for name in (
                "email",
                "name",
                "time_zone",
                "guest",
                "is_active",
                "is_author",
                "is_admin",
                "joined_at",
                "last_login",
                "seen_on",
            )
        },
        order=("pk",),
        left_out={
            "password": OPENS,
            "born_of": "a digest of a form token, of no use outside",
            "changes": "a counter for pages that are kept ready",
        },
    ),
    Table(
        file="addresses.json",
        model=EmailAddress,
        owner="user_id",
        columns={"email": "email", "verified": "verified", "primary": "primary"},
        order=("pk",),
    ),
    Table(
        file="memberships.json",
        model=Membership,
        owner="user_id",
        columns={
            "cohort": "cohort__title",
            "course": "cohort__course",
            "role": "role",
            "joined_at": "joined_at",
            "left_at": "left_at",
        },
        order=("joined_at", "pk"),
    ),
    Table(
        file="second-factors.json",
        model=Authenticator,
        owner="user_id",
        columns={"type": "type", "created_at": "created_at", "last_used_at": "last_used_at"},
        order=("pk",),
        left_out={"data": OPENS},
    ),
    Table(
        file="sign-ins.json",
        model=UserSession,
        owner="user_id",
        columns={
            "began_at": "created_at",
            "last_seen_at": "last_seen_at",
            "ip": "ip",
            "browser": "user_agent",
        },
        order=("created_at", "pk"),
        left_out={"session_key": OPENS, "data": "what allauth notes for itself"},
    ),
    Table(
        file="acts.json",
        model=AuditEvent,
        owner="actor_id",
        columns={
            name: name
            for name in (
                "at",
                "act",
                "object_kind",
                "object_id",
                "before",
                "after",
                "ip",
            )
        },
        order=("pk",),
        left_out={"request_id": "the id of a request in the site's own log"},
    ),
)
NOT_OWN = {
    "accounts.Session": "the keys of open sessions; what is known of them stands in sign-ins.json",
    "account.EmailConfirmation": "keys of letters under way; the addresses stand in addresses.json",
}


def write_export(learner_id: int, at: datetime) -> IO[bytes]:
    """The zip of everything this learner owns, ready to be read from its beginning.

    One query for each table and the texts' own. The same rows at the same moment give the same bytes.
    """
    made: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 whoever sends it closes it
    counts = []
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as parcel:
        for table in TABLES:
            rows = list(table.rows(learner_id))
            counts.append(f"- `{table.file}`: {len(rows)}")
            _put(parcel, table.file, _json(rows), at)
        for name, text in TEXTS.items():
            _put(parcel, name, text(learner_id), at)
        _put(parcel, "README.md", ABOUT.format(at=at.astimezone(UTC), files="\n".join(counts)), at)
        about = {"format": FORMAT, "made_at": at.astimezone(UTC).isoformat()}
        _put(parcel, "about.json", _json(about), at)
    made.seek(0)
    return made


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1) + "\n"


def _put(parcel: zipfile.ZipFile, name: str, text: str, at: datetime) -> None:
    moment = at.astimezone(UTC)
    info = zipfile.ZipInfo(
        name, (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
    )
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    parcel.writestr(info, text.encode("utf-8", "replace"))


AUDIT_COLUMNS = (
    "number",
    "at",
    "act",
    "person",
    "object",
    "object number",
    "before",
    "after",
    "address",
    "request",
)


def write_audit(asked: AuditFilter) -> IO[bytes]:
    """The rows of the audit log asked for as CSV, the newest first, ready to be read from its beginning (one query)."""
    made: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 whoever sends it closes it
    made.write(csv_text([AUDIT_COLUMNS]).encode())
    rows = map(_cells, audit_events(asked).iterator(BATCH))
    while some := list(islice(rows, BATCH)):
        made.write(csv_text(some).encode())
    made.seek(0)
    return made


def _cells(row: AuditEvent) -> tuple[Cell, ...]:
    return (
        row.pk,
        row.at.astimezone(UTC).isoformat(),
        row.act,
        row.actor_id,
        row.object_kind,
        row.object_id,
        json.dumps(row.before),
        json.dumps(row.after),
        row.ip,
        row.request_id,
    )


# What stays when a person goes (accounts.erasing): nothing of this storey.
STAYS = {
    "accounts.Session.person": "no foreign key in the database; the sessions are ended by the erasing itself",
}
NOBODYS = {
    "accounts_auditevent": "acts by numbers of people, never taken out: who left is a number that leads to nobody",
    "accounts_cohort": "cohorts; who belongs to them stands in memberships, which go",
    "auth_group": "Django's groups, which the site does not use",
    "auth_group_permissions": "Django's groups, which the site does not use",
    "auth_permission": "Django's list of permissions, made from the models",
    "django_content_type": "Django's list of models",
    "django_migrations": "which migrations ran",
    "django_session": "Django's own table of sessions, which the site does not use: see accounts_session",
    "web_cache": "counts for limits, under network addresses and digests of e-mail addresses; each counts for minutes",
}
