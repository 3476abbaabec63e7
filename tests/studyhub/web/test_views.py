import pytest
from django.db import OperationalError, connection
from django.test import Client, RequestFactory

from studyhub.web.views import server_error


def test_health_asks_no_database(client):
    answer = client.get("/healthz")  # without the fixture for it any query fails the test
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-cache" in answer["Cache-Control"]


@pytest.mark.django_db
def test_ready_says_so(client):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (200, b"ready\n")


@pytest.mark.django_db
def test_pending_migration_is_not_ready(client):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'quizzes'")
    answer = client.get("/readyz")
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    assert answer.content.startswith(b"not ready: ")
    assert b"manage.py migrate" in answer.content


@pytest.mark.parametrize("problem", [OperationalError("gone"), ValueError("xyzzy")])
def test_error_page_says_whether_to_come_back(problem):
    try:
        raise problem
    except type(problem):
        answer = server_error(RequestFactory().get("/"))
    expected = 503 if isinstance(problem, OperationalError) else 500
    assert answer.status_code == expected
    assert ("Retry-After" in answer.headers) is (expected == 503)
    assert b"Traceback" not in answer.content
    assert str(problem).encode() not in answer.content


@pytest.mark.django_db
@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true", "HX-Target": "question"}])
def test_session_whose_table_does_not_answer_is_told_as_passing(signed_in, settings, monkeypatch, htmx):
    def fail(*_, **__):
        raise OperationalError("gone")

    settings.SESSION_SAVE_EVERY_REQUEST = True
    monkeypatch.setattr("studyhub.accounts.models.Session.save", fail)
    answer = signed_in.get("/", headers=htmx)
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_watch_addresses_are_only_asked(address, method):
    assert getattr(Client(), method)(address).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize(
    "kind", ["text/plain; charset=rot13", 'text/plain; charset="idna"', "a; CHARSET=utf-16"]
)
def test_text_in_another_charset_is_refused(client, kind):
    response = client.get("/", headers={"Content-Type": kind})
    assert (response.status_code, response.content) == (400, b"Send text as UTF-8.\n")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "kind", ["text/plain; charset=utf-8", 'text/plain; charset="UTF-8"', "text/plain", ""]
)
def test_text_in_utf_8_is_taken(client, kind):
    assert client.get("/", headers={"Content-Type": kind}).status_code == 200


@pytest.mark.parametrize(("method", "accept", "words"), [
    ("get", "text/html,*/*", True), ("get", "application/json", False), ("head", "text/html", False),
])  # fmt: skip
def test_address_of_a_form_has_a_page_for_whoever_opens_it(method, accept, words):
    answer = getattr(Client(), method)("/reports/seen/", headers={"Accept": accept})
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert (b"This address takes a form only" in answer.content) == words
    assert int(answer.headers["Content-Length"]) == len(answer.content)
