"""Asks, and says in a word what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.http import HttpResponse

from tests.matrix.actors import CANARY, Actor

TOKEN = re.compile(rb'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[^"]+')
FREE = frozenset(
    {"accounts_session", "web_cache", "usersessions_usersession"}
)  # of sessions and of limits at doors


def outcome(answer: HttpResponse) -> str:
    """The status; where it leads to the sign-in page, ``login``."""
    if 300 <= answer.status_code < 400 and answer["Location"].startswith(
        ("/accounts/login/", "/accounts/reauth")
    ):
        return "login"
    return str(answer.status_code)


def denied(said: str) -> bool:
    """Whether this outcome lets nobody through."""
    return said == "login" or said.startswith("4")


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is kept in here is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def written() -> dict[str, int]:
    """Rows put in, changed and taken out in this transaction so far, by table: what Postgres counts itself."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_xact_user_tables"
            " WHERE n_tup_ins + n_tup_upd + n_tup_del > 0"
        )
        return {name: number for name, number in cursor.fetchall() if name not in FREE}


def ask(
    actor: Actor, method: str, address: str, body: dict[str, Any] | None = None, **headers: str
) -> HttpResponse:
    """One request; cookies stay as they were."""
    before = actor.browser.cookies.copy()
    try:
        if method == "POST":
            return actor.browser.post(address, body or {}, headers=headers)
        return actor.browser.generic(
            method, address, headers={name.replace("_", "-"): one for name, one in headers.items()}
        )
    finally:
        actor.browser.cookies = before


def bare(answer: HttpResponse) -> bytes:
    """The body without the form token."""
    return TOKEN.sub(rb"\1", b"".join(answer.streaming_content) if answer.streaming else answer.content)


def leaks(answer: HttpResponse) -> bool:
    """Whether something of the owner's stands in the answer."""
    whole = bare(answer) + str(sorted(answer.headers.items())).encode()
    return CANARY.encode() in whole or b"98765.4321" in whole
