"""Whether the site is ready: 503 with reasons where it is not; one statement, for nobody, kept by nobody.

tests/drills/test_watching.py tries it on a real site whose Postgres is killed and runs without fsync. Proves trust.md 2,
rows power loss and clock jump (what is looked at).
"""

import time

import pytest
from django.db import InterfaceError, OperationalError, connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from studyhub.web import readiness
from studyhub.web.readiness import obstacles

REASONS = {
    "fsync": ["Postgres runs with fsync off"],
    "full_page_writes": ["Postgres runs with full_page_writes off"],
    "synchronous_commit": ["Postgres runs with synchronous_commit off"],
}


@pytest.mark.django_db
def test_ready_is_one_statement(client):
    with CaptureQueriesContext(connection) as seen:
        assert client.get("/readyz").status_code == 200
    assert len(seen) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/readyz", "/healthz"])
@pytest.mark.parametrize("method", ["get", "head"])
def test_answer_is_for_nobody_and_kept_by_nobody(signed_in, address, method):
    before = dict(signed_in.cookies)
    signed_in.cookies["csrf"] = "x" * 32
    with CaptureQueriesContext(connection) as seen:
        answer = getattr(signed_in, method)(address, headers={"HX-Request": "true"})
    assert (answer.status_code, dict(answer.cookies), "Set-Cookie" in answer.headers) == (200, {}, False)
    assert answer["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    assert [one["sql"] for one in seen if "session" in one["sql"].casefold()] == []
    assert len(seen) == (address == "/readyz")
    assert "session" in before


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["off", "local"])
def test_server_that_forgets_what_it_acknowledged_is_not_ready(client, how):
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL synchronous_commit = {how}")
    answer = client.get("/readyz")
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    assert answer.content.decode() == f"not ready: Postgres runs with synchronous_commit {how}\n"


class Row:
    """A cursor that has one row."""

    def __init__(self, row):
        self.row = row

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def execute(self, statement):
        if isinstance(self.row, Exception):
            raise self.row

    def fetchone(self):
        return self.row


def told(monkeypatch, row):
    monkeypatch.setattr(readiness, "connection", type("Found", (), {"cursor": lambda self: Row(row)})())
    return obstacles()


@pytest.mark.parametrize("name", readiness.SAFE)
def test_every_setting_that_loses_answers_is_named(monkeypatch, name):
    kept = ["off" if one == name else "on" for one in readiness.SAFE]
    assert told(monkeypatch, (time.time(), kept, list(readiness._migrations()))) == REASONS[name]


@pytest.mark.parametrize(("drift", "ready"), [(0, True), (1.5, True), (-1.5, True), (5, False), (-5, False)])
def test_clocks_that_differ_are_named(monkeypatch, drift, ready):
    found = told(monkeypatch, (time.time() + drift, ["on"] * 3, list(readiness._migrations())))
    assert [one.split(" differ")[0] for one in found] == ([] if ready else ["this clock and the database's"])


def test_migrations_of_a_newer_version_do_not_matter(monkeypatch):
    newer = [*readiness._migrations(), "quizzes.9999_of_tomorrow"]
    assert told(monkeypatch, (time.time(), ["on"] * 3, newer)) == []


def test_empty_database_is_not_ready(monkeypatch):
    assert told(monkeypatch, (time.time(), ["on"] * 3, None)) == [
        f"{len(readiness._migrations())} migrations are pending: run manage.py migrate"
    ]


@pytest.mark.parametrize("problem", [OperationalError("password of ada"), InterfaceError("at 10.0.0.1")])
def test_database_that_does_not_answer_is_told_without_a_word_of_it(monkeypatch, problem):
    assert told(monkeypatch, problem) == ["the database does not answer"]


def test_nobody_at_the_database_s_address_is_not_ready(monkeypatch, django_db_blocker):
    away = connections["default"].__class__(
        {**connection.settings_dict, "HOST": "127.0.0.1", "PORT": "1"}, "default"
    )
    monkeypatch.setattr(readiness, "connection", away)
    with django_db_blocker.unblock():
        answer = Client().get("/readyz")
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    assert answer.content == b"not ready: the database does not answer\n"
    assert "no-store" in answer["Cache-Control"]
