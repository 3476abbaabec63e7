"""The health check of kept connections: silence is health, and a closed socket is not."""

import pytest
from django.db import connection

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
