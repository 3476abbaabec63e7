"""Sessions in the database, read with their person in one plain statement: it runs before every page of a learner."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.db import connection

from studyhub.accounts.models import Session, User
from studyhub.accounts.queries import columns_of_person, person_by_id, person_of

GUEST = "guest"  # session: id of the guest bound to this browser


@cache
def _statement() -> str:
    return (
        f"SELECT session.session_data, {columns_of_person('person')} "  # noqa: S608 names of our own columns
        f'FROM "{Session._meta.db_table}" AS session '
        f'LEFT JOIN "{User._meta.db_table}" AS person ON person.id = session.person_id '
        "WHERE session.session_key = %s AND session.expire_date > now()"
    )


class SessionStore(DatabaseSessionStore):
    """As Django's own, with the person it belongs to: the account signed in, or the guest of the browser."""

    _person: User | None = None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """The table of sessions."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row of this session, which names the person that its values name."""
        row = super().create_model_instance(data)
        assert isinstance(row, Session)
        row.person_id = _person_in(data)
        return row

    def load(self) -> dict[str, Any]:
        """Read the session's values; an unknown or ended session is empty and gets another key."""
        key, row = str(self.session_key), None
        if key.isascii() and key.isalnum():  # a key of ours; anything else came from elsewhere
            with connection.cursor() as cursor:
                cursor.execute(_statement(), [key])
                row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return {}
        data, *person = row
        if person[0] is not None:
            self._person = person_of(person)
        return self.decode(data)

    def person(self, pk: int) -> User | None:
        """The person with this id: the one that came with the session, else read now."""
        found = self._person
        return found if found is not None and found.pk == pk else person_by_id(pk)


def _person_in(data: dict[str, Any]) -> int | None:
    """The id of the person whom a session's values name."""
    named = str(data.get(SESSION_KEY) or data.get(GUEST) or "")
    return int(named) if named.isdigit() else None
