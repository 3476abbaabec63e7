"""The health check of kept connections: silence is health, and a closed socket is not. And the limits for pages.

trust.md 2, rows connection drop and lock pile-up: what a page waits for ends by itself, and is told as passing.
"""

import time

import psycopg
import pytest
from django.contrib.sessions.exceptions import SessionInterrupted
from django.core.exceptions import SuspiciousOperation
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
)
from django.db.utils import load_backend
from psycopg import errors

from studyhub.web.database import base

pytestmark = pytest.mark.django_db(transaction=True)


def end_of(pid):
    """Let another session end the one with this process id, and wait until it is gone."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
            assert cursor.fetchone() == (True,)
    finally:
        other.close()


def pid_of():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def test_quiet_connection_is_usable_without_a_statement(django_assert_num_queries):
    pid = pid_of()
    connection.is_usable()
    with connection.wrap_database_errors, django_assert_num_queries(0):
        assert connection.is_usable()
    assert pid_of() == pid


def test_connection_that_the_server_closed_is_not_usable():
    pid = pid_of()
    assert connection.is_usable()
    end_of(pid)
    assert not connection.is_usable()
    connection.close()
    assert pid_of() != pid


def test_request_after_the_end_of_its_connection_is_answered(client, settings):
    settings.READY_SECONDS = 0
    assert client.get("/").status_code == 200
    pid = pid_of()
    end_of(pid)
    connection.health_check_enabled, connection.health_check_done = True, False
    assert client.get("/").status_code == 200
    assert pid_of() != pid


@pytest.fixture
def limited():
    """A connection as pages have it."""
    made = load_backend("studyhub.web.database").DatabaseWrapper(connection.settings_dict)
    made.limited = True
    yield made
    made.close()


def shown(wrapper, name):
    with wrapper.cursor() as cursor:
        cursor.execute(f"SHOW {name}")
        return cursor.fetchone()[0]


def test_pages_have_limits_and_commands_have_none(limited):
    assert {name: shown(limited, name) for name in base.LIMITS} == base.LIMITS
    assert {name: shown(connection, name) for name in base.LIMITS} == dict.fromkeys(base.LIMITS, "0")


def test_options_of_the_address_win(limited):
    limited.settings_dict = {**limited.settings_dict, "OPTIONS": {**limited.settings_dict["OPTIONS"]}}
    limited.settings_dict["OPTIONS"]["options"] = "-c statement_timeout=7s"
    assert shown(limited, "statement_timeout") == "7s"
    assert shown(limited, "lock_timeout") == "2s"


def test_no_options_are_sent_where_a_pooler_may_stand_between(limited):
    limited.settings_dict = {**limited.settings_dict, "OPTIONS": {}}
    assert "options" not in limited.get_connection_params()


def test_silence_ends_the_connection_and_the_next_one_works(limited, monkeypatch):
    monkeypatch.setattr(base, "SILENCE", 0.3)
    began = time.monotonic()
    with pytest.raises(OperationalError), limited.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(4)")
    assert time.monotonic() - began < 2
    limited.close_if_unusable_or_obsolete()
    assert shown(limited, "lock_timeout") == "2s"


def test_lock_that_is_held_is_waited_for_in_vain(limited, monkeypatch):
    monkeypatch.setitem(base.LIMITS, "lock_timeout", "100ms")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(20261201)")
        try:
            with pytest.raises(OperationalError) as met, limited.cursor() as other:
                other.execute("SELECT pg_advisory_lock(20261201)")
        finally:
            cursor.execute("SELECT pg_advisory_unlock(20261201)")
    assert isinstance(met.value.__cause__, errors.LockNotAvailable)
    assert base.is_passing(met.value)


def came_of(problem, cause):
    problem.__cause__ = cause
    return problem


def came_after(problem, before):
    problem.__context__ = before
    return problem


@pytest.mark.parametrize(
    ("problem", "passing"),
    [
        (None, False),
        (ValueError("x"), False),
        (IntegrityError("x"), False),
        (DatabaseError("x"), False),
        (OperationalError("x"), True),
        (InterfaceError("x"), True),
        (psycopg.OperationalError("x"), True),
        (came_of(InternalError("x"), errors.ReadOnlySqlTransaction("x")), True),
        (came_of(InternalError("x"), errors.IdleInTransactionSessionTimeout("x")), True),
        (came_of(InternalError("x"), errors.InternalError_("x")), False),
        (came_after(SessionInterrupted("x"), came_after(ValueError("x"), OperationalError("x"))), True),
        (came_after(SuspiciousOperation("x"), ValueError("x")), False),
    ],
)
def test_what_passes_is_told_from_what_does_not(problem, passing):
    assert base.is_passing(problem) is passing


def test_reasons_that_go_in_a_circle_come_to_an_end():
    first, second = ValueError("x"), ValueError("y")
    first.__cause__, second.__cause__ = second, first
    assert not base.is_passing(first)
