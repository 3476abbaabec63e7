"""trust.md 2, rows pool exhaustion and lock pile-up: nobody waits for a turn without an end."""

import threading
import time
from io import BytesIO

import pytest

from studyhub.web import turnstile
from studyhub.web.turnstile import LARGEST, WAITING, Turnstile


def seen(environ, start_response):
    start_response("200 OK", [])
    return [environ["wsgi.input"].read()]


def ask(application, body=b"", *, method="POST", length=None, stream=None):
    status = []
    environ = {"REQUEST_METHOD": method, "wsgi.input": stream or BytesIO(body)}
    if length is None:
        environ["CONTENT_LENGTH"] = str(len(body))
    elif length:
        environ["CONTENT_LENGTH"] = length
    answer = b"".join(application(environ, lambda line, headers: status.append(line)))
    return status[0], answer


@pytest.mark.parametrize("body", [b"", b"q=1", b"x" * LARGEST])
def test_body_reaches_the_application_whole(body):
    assert ask(Turnstile(seen), body) == ("200 OK", body)


def test_body_without_a_length_reaches_the_application():
    assert ask(Turnstile(seen), b"q=1", length="") == ("200 OK", b"q=1")


@pytest.mark.parametrize(
    ("body", "length", "status"),
    [
        (b"x" * (LARGEST + 1), None, "413 Content Too Large"),
        (b"x" * (LARGEST + 1), "", "413 Content Too Large"),
        (b"q=1", "1000", "400 Bad Request"),
        (b"q=1", "-1", "400 Bad Request"),
        (b"q=1", "9" * 30, "413 Content Too Large"),
    ],
)
def test_body_that_is_not_what_it_says_is_refused(body, length, status):
    assert ask(Turnstile(seen), body, length=length)[0] == status


class Slow:
    """A body whose sender is silent until told to go on."""

    def __init__(self):
        self.asked, self.go_on = threading.Event(), threading.Event()

    def read(self, size):
        self.asked.set()
        self.go_on.wait(10)
        return b"q=1"


def test_silent_senders_stop_neither_readers_nor_each_other():
    application = Turnstile(seen)
    slow = [Slow() for _ in range(WAITING)]
    answers = []
    threads = [
        threading.Thread(target=lambda one=one: answers.append(ask(application, stream=one, length="3")))
        for one in slow
    ]
    for thread in threads:
        thread.start()
    assert all(one.asked.wait(10) for one in slow)
    assert ask(application, method="GET") == ("200 OK", b"")
    assert ask(application, b"one more")[0] == "503 Service Unavailable"
    for one in slow:
        one.go_on.set()
    for thread in threads:
        thread.join(10)
    assert answers == [("200 OK", b"q=1")] * WAITING
    assert ask(application, b"one more") == ("200 OK", b"one more")


def test_one_request_at_a_time_goes_through():
    inside, most = [], []

    def counting(environ, start_response):
        inside.append(1)
        most.append(len(inside))
        inside.pop()
        return seen(environ, start_response)

    application = Turnstile(counting)
    threads = [threading.Thread(target=ask, args=(application, b"q")) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert max(most) == 1


def test_whoever_waits_too_long_for_a_turn_is_told_to_come_back(monkeypatch):
    monkeypatch.setattr(turnstile, "PATIENCE", 0.2)
    inside, go_on = threading.Event(), threading.Event()

    def stuck(environ, start_response):
        inside.set()
        go_on.wait(10)
        return seen(environ, start_response)

    application, said = Turnstile(stuck), []
    first = threading.Thread(target=ask, args=(application, b"q"))
    first.start()
    assert inside.wait(10)
    environ = {"REQUEST_METHOD": "GET", "CONTENT_LENGTH": "", "wsgi.input": BytesIO()}
    began = time.monotonic()
    body = application(environ, lambda line, headers: said.append((line, dict(headers)["Retry-After"])))
    assert (said, b"".join(body)) == (
        [("503 Service Unavailable", "2")],
        b"Nothing was recorded. Try again in a moment.\n",
    )
    assert time.monotonic() - began < 5
    go_on.set()
    first.join(10)
    assert ask(application, b"q") == ("200 OK", b"q")


def test_whether_the_process_lives_is_answered_out_of_turn_and_for_nobody():
    application, told = Turnstile(lambda environ, start_response: [repr(sorted(environ)).encode()]), []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/healthz", "HTTP_COOKIE": "session=a"}
    with application.turn:
        asking = threading.Thread(target=lambda: told.append(application(environ, None)))
        asking.start()
        asking.join(5)
    assert told == [[b"['PATH_INFO', 'REQUEST_METHOD', 'studyhub.arrived']"]]


def test_failure_gives_the_turn_back():
    def failing(environ, start_response):
        raise ValueError

    application = Turnstile(failing)
    for _ in range(2):
        with pytest.raises(ValueError):  # noqa: PT011 the one that was raised
            ask(application, b"q")
    assert not application.turn.locked()
