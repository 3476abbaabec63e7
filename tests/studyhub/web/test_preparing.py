"""trust.md 2, row "migration behind a long reader": how often it is tried, and what is said in the end."""

import pytest
from django.core.management.base import CommandError
from django.db import OperationalError, connection
from psycopg.errors import DiskFull, LockNotAvailable

from studyhub.web import preparing

pytestmark = pytest.mark.django_db


def lock_timeout():
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        return cursor.fetchone()[0]


class Migrations:
    """In place of call_command: fails as often as it is told to."""

    def __init__(self, failures, cause=LockNotAvailable):
        self.failures, self.cause, self.waits = failures, cause, []

    def __call__(self, *words, **options):
        self.waits.append(lock_timeout())
        if len(self.waits) <= self.failures:
            raise OperationalError("no") from self.cause("no")


@pytest.fixture
def said(monkeypatch):
    monkeypatch.setattr(preparing, "LOCK_PAUSE", 0)
    return []


@pytest.mark.parametrize("failures", [0, 1, preparing.LOCK_TRIES - 1])
def test_tables_in_use_are_tried_again(monkeypatch, said, failures):
    command = Migrations(failures)
    monkeypatch.setattr(preparing, "call_command", command)
    preparing._migrate_patiently(said.append)
    assert command.waits == ["2s"] * (failures + 1)
    assert (
        said
        == ["Another program is using a table that is to be changed. Trying again in a moment."] * failures
    )
    assert lock_timeout() == "0"


def test_tables_never_free_are_told_in_words(monkeypatch, said):
    monkeypatch.setattr(preparing, "call_command", Migrations(preparing.LOCK_TRIES))
    with pytest.raises(CommandError, match="What was there is as it was"):
        preparing._migrate_patiently(said.append)
    assert lock_timeout() == "0"


def test_other_failure_is_not_tried_again(monkeypatch, said):
    command = Migrations(1, DiskFull)
    monkeypatch.setattr(preparing, "call_command", command)
    with pytest.raises(OperationalError):
        preparing._migrate_patiently(said.append)
    assert (len(command.waits), said) == (1, [])
