"""Django's Postgres backend; it looks for this module by this name."""

from __future__ import annotations

import select
import time
from typing import Any

from django.db.backends.postgresql import base

ASK_AFTER = 30  # seconds of trust in a connection that says nothing


class DatabaseWrapper(base.DatabaseWrapper):
    """Connections are checked before a request uses them, mostly without a round trip.

    When a server ends, or closes a connection, the socket has something to read: its last words or the end. A socket
    with nothing to read is usable. What cannot be seen that way (a machine that lost its power) is asked for now and
    then, and would hold up the question as long as the statement behind it.
    """

    _asked_at = 0.0  # monotonic seconds

    def is_usable(self) -> bool:
        """Whether the connection can be used."""
        now = time.monotonic()
        if now - self._asked_at < ASK_AFTER and self.connection is not None and _is_quiet(self.connection):
            return True
        self._asked_at = now
        usable: bool = super().is_usable()
        return usable


def _is_quiet(connection: Any) -> bool:
    """Whether the socket of a psycopg connection is open and has nothing to read."""
    if connection.closed:
        return False
    line = select.poll()
    line.register(connection.fileno(), select.POLLIN)
    return not line.poll(0)
