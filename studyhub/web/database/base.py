"""Django's Postgres backend; it looks for this module by this name."""

from __future__ import annotations

import select
import time
from collections.abc import Iterator
from typing import Any

import psycopg
from django.db import InterfaceError, OperationalError
from django.db.backends.postgresql import base

from studyhub.web import metrics

ASK_AFTER = 30  # seconds of trust in a connection that says nothing
# What the server ends by itself for a page, so that one that waits does not hold up the others; an address or a role
# may say otherwise.
LIMITS = {
    "statement_timeout": "5s",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",
}
SILENCE = 8.0  # seconds without the end of a statement after which a page gives up its connection
# What comes to an end by itself, told by the server although Django does not count it among the operational errors:
# read only (a standby took over), a transaction that took too long.
PASSING = frozenset({"25006", "25P03", "25P04"})

FAILINGS = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)


class ImpatientConnection(psycopg.Connection[Any]):
    """A connection that does not wait for ever: a server that is out of reach cannot end a statement by itself."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for what ``gen`` asks for; closed, and psycopg.OperationalError, where that takes too long."""
        began, most = time.monotonic(), SILENCE if timeout is None else timeout
        try:
            return super().wait(gen, interval, most)
        except psycopg.OperationalError:
            if time.monotonic() - began >= most:
                self.pgconn.finish()  # in the middle of a statement: of no use to anybody
            raise


class DatabaseWrapper(base.DatabaseWrapper):
    """Connections are checked before a request uses them, mostly without a round trip.

    When a server ends, or closes a connection, the socket has something to read: its last words or the end. A socket
    with nothing to read is usable. What cannot be seen that way (a machine that lost its power) is asked for now and
    then, and would hold up the question as long as the statement behind it.
    """

    limited = False  # for pages: LIMITS and SILENCE hold
    _asked_at = 0.0  # monotonic seconds

    def get_connection_params(self) -> dict[str, Any]:
        """Django's parameters, with the limits where they hold. Options of the address come later and win.

        Without prepared statements a pooler may stand between, which takes no options: there the role has its limits.
        """
        given: dict[str, Any] = super().get_connection_params()
        if self.limited and given.get("prepare_threshold") is not None:
            limits = " ".join(f"-c {name}={value}" for name, value in LIMITS.items())
            given["options"] = f"{limits} {given.get('options', '')}".strip()
        return given

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect; for pages with a connection that gives up."""
        made = super().get_new_connection(conn_params)
        if self.limited:
            metrics.count(metrics.CONNECTIONS)
            made.__class__ = ImpatientConnection
        return made

    def is_usable(self) -> bool:
        """Whether the connection can be used."""
        now = time.monotonic()
        if now - self._asked_at < ASK_AFTER and self.connection is not None and _is_quiet(self.connection):
            return True
        self._asked_at = now
        usable: bool = super().is_usable()
        return usable


def is_passing(problem: BaseException | None) -> bool:
    """Whether it was for the database that something failed, and may succeed in a moment.

    Looks at what the problem came from too: Django's sessions say "interrupted" when their table did not answer.
    """
    return any(
        isinstance(one, FAILINGS) or (isinstance(one, psycopg.Error) and one.sqlstate in PASSING)
        for one in _with_reasons(problem)
    )


def _with_reasons(problem: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while problem is not None and id(problem) not in seen:
        seen.add(id(problem))
        yield problem
        problem = problem.__cause__ or problem.__context__


def _is_quiet(connection: Any) -> bool:
    """Whether the socket of a psycopg connection is open and has nothing to read."""
    if connection.closed:
        return False
    line = select.poll()
    line.register(connection.fileno(), select.POLLIN)
    return not line.poll(0)
