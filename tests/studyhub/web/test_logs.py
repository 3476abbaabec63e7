"""Lines of the log: which request they belong to, and that nothing personal and no second line comes into them.

Proves trust.md 1.20 (no forged line) and, of ASVS 5, V14.2.1, V16.2.1-16.2.5, V16.4.1, V16.5.1, V16.5.4.
"""

import json
import logging
import os
import re
import sys
import threading

import psycopg
import pytest
from django.db import DataError, IntegrityError, OperationalError
from django.test import Client, RequestFactory
from django.urls import ResolverMatch

from studyhub.web import logs
from studyhub.web.logs import MOST, RUNNING, JsonLines, Lines, Running, TextLines

WORD = "zqcanary"
FORGED = 'a\n{"level": "INFO"}\r\n\x1b[31mb\u2028c\x85d\u202ee\x7f'


def running(path="/", data=None, **headers):
    request = RequestFactory().post(path, data or {}, headers=headers)
    _ = request.POST
    request.resolver_match = ResolverMatch(lambda: None, (), {}, url_name="home")
    return Running(request, "id-of-this", 0.0)


def record(said, *args, problem=None, level=logging.ERROR, **extra):
    trace = (type(problem), problem, problem.__traceback__) if problem else None
    made = logging.LogRecord("django.request", level, "a.py", 1, said, args, trace)
    made.__dict__.update(extra)
    return made


def line(*given, by=None, **extra):
    mark = RUNNING.set(by)
    try:
        return json.loads(JsonLines().format(record(*given, **extra)))
    finally:
        RUNNING.reset(mark)


def raised(problem):
    try:
        raise problem
    except type(problem) as caught:
        return caught


def test_line_of_a_request_says_which_and_how_it_ended():
    said = line("%s: %s", "Not Found", "/c/x/", by=running("/c/x/"), status_code=404)
    assert list(said) == [
        "time",
        "level",
        "logger",
        "message",
        "request_id",
        "method",
        "route",
        "status",
        "ms",
    ]
    assert (said["message"], said["request_id"], said["method"], said["route"], said["status"]) == (
        "Not Found: home", "id-of-this", "POST", "home", 404,
    )  # fmt: skip
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", said["time"])


def test_line_outside_of_requests_says_what_it_has():
    said = line("refused")
    assert list(said) == ["time", "level", "logger", "message"]


@pytest.mark.parametrize("path", ["/c/zqcanary/", "/c/Zo\u00eb zqcanary/?q=zqcanary"])
def test_address_of_a_request_is_its_route(path):
    by = running(path)
    for one in (
        by.request.path,
        by.request.path.encode("unicode_escape").decode(),
        by.request.get_full_path(),
    ):
        assert line("%s: %s", "Not Found", one, by=by)["message"] == "Not Found: home"


def test_route_is_said_though_the_address_is_called_the_same():
    by = running("/readyz")
    by.request.resolver_match.view_name = "readyz"
    assert line("%s: %s", "Service Unavailable", "/readyz", by=by)["message"] == "Service Unavailable: readyz"


def test_arguments_by_name_are_looked_at_too():
    said = line("%(who)s did %(n)d", {"who": WORD, "n": 5}, by=running(data={"a": WORD}))
    assert said["message"] == "[sent] did 5"


@pytest.mark.parametrize("method", ["ZQCANARY", "GET\nx", ""])
def test_method_that_is_none_is_not_repeated(method):
    by = running()
    by.request.method = method
    assert line("x", by=by)["method"] == "other"


@pytest.mark.parametrize(
    "said",
    [WORD, WORD.upper(), f"KeyError: '{WORD}'", f"Zo\u00eb {WORD}", repr(f"Zo\u00eb\n{WORD}"), ascii(f"Zo\u00eb\n{WORD}"), WORD[:7],
     f"{WORD}@example.org", f"a{WORD}@b.co"],
)  # fmt: skip
@pytest.mark.parametrize("place", ["form", "name of a field", "query", "header", "cookie", "path", "learner"])
def test_what_a_visitor_sent_is_not_repeated(said, place):
    typed = f"Zo\u00eb\n{WORD}, and more"
    by = {
        "form": lambda: running(data={"text": typed}),
        "name of a field": lambda: running(data={typed: 1}),
        "query": lambda: running(f"/?q=Zo%C3%AB%0A{WORD}"),
        "header": lambda: running(**{"X-Anything": f"Zo\u00eb {WORD}"}),
        "cookie": lambda: running(Cookie=f"session={WORD}; a=Zo\u00eb"),
        "path": lambda: running(f"/c/Zo\u00eb/{WORD}/"),
        "learner": running,
    }[place]()
    if place == "learner":
        by.request.__dict__["learner"] = type("Person", (), {"pk": 7})()
        by.request.learner.__dict__.update(name=typed, email=f"{WORD}@example.org")
    whole = json.dumps(line("it says %s", said, by=by, problem=raised(ValueError(said)))).casefold()
    assert WORD[:7] not in whole
    assert "zo\\u" not in whole or place == "learner"


def test_words_of_the_code_are_repeated():
    said = line(
        "the sheet of %s has no %s", "a chapter", "section", by=running(data={"text": "something else"})
    )
    assert said["message"] == "the sheet of a chapter has no section"


@pytest.mark.parametrize(
    ("kind", "around", "text", "expected"),
    [
        (psycopg.errors.UniqueViolation, IntegrityError,
         'duplicate key value violates unique constraint "one_of_each"\nDETAIL:  Key (email)=(ada) already exists.',
         'duplicate key value violates unique constraint "one_of_each"'),
        (psycopg.errors.InvalidTextRepresentation, DataError,
         'invalid input syntax for type integer: "Ada"\nLINE 1: SELECT', "invalid input syntax for type integer"),
        (psycopg.errors.InvalidDatetimeFormat, DataError, 'date/time field value out of range: "Ada"',
         "date/time field value out of range"),
    ],
)  # fmt: skip
def test_values_that_postgres_adds_are_left_out(kind, around, text, expected):
    problem = around(text)
    problem.__cause__ = kind(text)
    said = line("x", problem=raised(problem))["exception"]
    assert [one.partition(": ")[2] for one in said if ".py:" not in one and one.endswith(expected)] == [
        expected
    ] * 2
    assert "ada" not in json.dumps(said).casefold()


@pytest.mark.parametrize("formatter", [JsonLines(), TextLines()])
@pytest.mark.parametrize("place", ["message", "argument", "exception", "logger"])
def test_no_value_begins_a_line_or_hides_one(formatter, place):
    made = record("%s", FORGED) if place == "argument" else record(FORGED if place == "message" else "x")
    if place == "exception":
        made = record("x", problem=raised(ValueError(FORGED)))
    if place == "logger":
        made.name = FORGED
    said = formatter.format(made)
    begun = [one for one in said.splitlines() if not one.startswith("    ")]
    assert len(begun) == 1
    assert all(one.isprintable() for one in said.split("\n"))
    if isinstance(formatter, JsonLines):
        assert said.isascii()
        assert json.loads(said)["level"] == "ERROR"


def deep(n):
    return deep(n - 1) if n else 1 / 0


def chain(n):
    problem = None
    for number in range(n):
        one = raised(ValueError("\U0001f600" * 2000 + str(number)))
        one.__cause__ = problem
        problem = one
    return problem


@pytest.mark.parametrize("formatter", [JsonLines(), TextLines()])
@pytest.mark.parametrize("case", ["message", "emoji", "deep", "chain", "address"])
def test_line_is_never_longer_than_a_pipe_takes_at_once(formatter, case):
    made = {
        "message": lambda: record("x" * 1_000_000),
        "emoji": lambda: record("\U0001f600" * 100_000),
        "deep": lambda: record("x", problem=caught(lambda: deep(200))),
        "chain": lambda: record("\x00" * 9000, problem=chain(40)),
        "address": lambda: record("@a" * 200_000),
    }[case]()
    said = formatter.format(made)
    assert 0 < len(said.encode()) < MOST
    if isinstance(formatter, JsonLines):
        json.loads(said)


def caught(act):
    try:
        act()
    except Exception as problem:
        return problem


def test_failure_says_where_it_came_from_nearest_place_last():
    said = line("x", problem=caught(lambda: deep(3)))["exception"]
    places = [one for one in said if ".py:" in one]
    assert said[-1] == "builtins.ZeroDivisionError: division by zero"
    assert [one.split(" in ")[1] for one in places] == ["caught", "<lambda>", *["deep"] * 4]
    assert {one.split(":")[0] for one in places} == {"tests/studyhub/web/test_logs.py"}


def test_record_that_does_not_fit_its_arguments_is_a_line_all_the_same():
    assert line("%s and %s", "one")["message"] == "%s and %s"
    assert line("%d", "x")["message"] == "%d"


class Mute(Exception):
    def __str__(self):
        raise RuntimeError


def test_failure_that_cannot_say_what_it_is_is_a_line_all_the_same():
    assert line("x", problem=raised(Mute()))["exception"][-1].endswith("Mute: (it cannot say what it is)")


class Broken(logging.Formatter):
    def format(self, record):
        raise ZeroDivisionError


@pytest.fixture
def handler(tmp_path):
    made = Lines((tmp_path / "log").open("w"))
    made.setFormatter(JsonLines())
    made.written = (tmp_path / "log").read_text
    return made


def test_line_that_cannot_be_made_says_so(handler):
    handler.setFormatter(Broken())
    handler.handle(record("x"))
    assert json.loads(handler.written())["message"] == "ZeroDivisionError"


@pytest.mark.parametrize("stream", ["closed", "full", "nobody reads", "none"])
def test_line_that_cannot_be_written_is_lost_and_nothing_fails(handler, tmp_path, capfd, stream):
    if stream == "closed":
        handler.stream.close()
    elif stream == "full":
        handler.stream = open("/dev/full", "w")  # noqa: SIM115 as a full disk
    elif stream == "nobody reads":
        end, begin = os.pipe()
        os.close(end)
        handler.stream = os.fdopen(begin, "w")
    else:
        handler.stream = None
    for _ in range(3):
        handler.handle(record("x", problem=raised(ValueError("y"))))
    assert capfd.readouterr() == ("", "")


def test_line_after_one_that_was_torn_begins_anew(handler):
    os.write(handler.stream.fileno(), b'{"time"')
    handler.torn = True
    for _ in range(2):
        handler.handle(record("x"))
    assert [one[:8] for one in handler.written().splitlines()] == ['{"time"', '{"time":', '{"time":']


def test_lines_of_many_threads_do_not_mix(handler):
    begin = threading.Barrier(8)

    def write():
        begin.wait()
        for _ in range(50):
            handler.handle(record("x" * 900, problem=raised(ValueError("y" * 900))))

    threads = [threading.Thread(target=write) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [json.loads(one)["message"] for one in handler.written().splitlines()] == ["x" * 900] * 400


def test_what_python_would_print_is_a_line(handler, monkeypatch, capfd):
    for name in ("excepthook",):
        monkeypatch.setattr(threading, name, getattr(threading, name))
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        logs.take_over()
        thread = threading.Thread(target=lambda: 1 / 0)
        thread.start()
        thread.join()
    finally:
        root.removeHandler(handler)
        logging.captureWarnings(False)
    (said,) = map(json.loads, handler.written().splitlines())
    assert (said["logger"], said["exception"][-1]) == (
        "studyhub.failed", "builtins.ZeroDivisionError: division by zero",
    )  # fmt: skip
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.fixture
def journal(handler, settings):
    """What is written of requests from here on, everything switched on."""
    settings.ACCESS_LOG, settings.DEBUG = True, False
    noisy = [logging.getLogger(name) for name in ("", "django.request", "django.security", "studyhub.access")]
    levels = [one.level for one in noisy]
    for one in noisy:
        one.setLevel(logging.INFO)
    noisy[0].addHandler(handler)
    yield lambda: list(map(json.loads, handler.written().splitlines()))
    noisy[0].removeHandler(handler)
    for one, level in zip(noisy, levels, strict=True):
        one.setLevel(level)


@pytest.mark.parametrize("problem", [OperationalError("gone\nDETAIL: who"), ValueError("wrong")])
def test_failed_request_is_one_line_that_its_page_names(journal, monkeypatch, problem):
    def fail(request):
        raise problem

    monkeypatch.setattr("studyhub.web.readiness.obstacles", lambda: fail(None))
    answer = Client(raise_request_exception=False).get("/readyz")
    passing = isinstance(problem, OperationalError)
    failed, access = journal()
    assert answer.status_code == failed["status"] == access["status"] == (503 if passing else 500)
    assert answer["X-Request-ID"] == failed["request_id"] == access["request_id"]
    assert f"<code>{answer['X-Request-ID']}</code>" in answer.content.decode()
    assert (failed["route"], failed["level"], access["message"]) == ("readyz", "ERROR", "answered")
    assert any(".py:" in one for one in failed["exception"]) is not passing
    assert failed["exception"][-1].endswith(": gone" if passing else ": wrong")


OF_PROXYS = ["abcdefgh", "0123456789abcdef0123456789abcdef", "A-" * 32]
OF_NOBODY = [
    "",
    "short",
    "a" * 65,
    "with space",
    "abcdefgh\n",
    "<abcdefgh>",
    "abcdefg\u00e9",
    "abcdefgh,abcdefgh",
]


@pytest.mark.parametrize("trusting", [True, False])
@pytest.mark.parametrize("given", [*OF_PROXYS, *OF_NOBODY])
def test_id_of_a_request_is_the_proxys_or_our_own(settings, trusting, given):
    settings.BEHIND_PROXY = trusting
    answer = Client().get("/healthz", headers={"X-Request-ID": given})
    if trusting and given in OF_PROXYS:
        assert answer["X-Request-ID"] == given
    else:
        assert re.fullmatch("[0-9a-f]{16}", answer["X-Request-ID"])


def test_every_request_has_an_id_of_its_own():
    assert len({Client().get("/healthz")["X-Request-ID"] for _ in range(50)}) == 50


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/", "/there/is/nothing/", "/static/nothing.css", "/progress/", "/readyz"]
)
def test_every_answer_has_its_id_and_one_line(course, journal, address):
    answer = Client().get(address)
    access = [one for one in journal() if one["logger"] == "studyhub.access"]
    assert [(one["request_id"], one["status"]) for one in access] == [
        (answer["X-Request-ID"], answer.status_code)
    ]


def test_without_access_log_a_good_answer_is_no_line(journal, settings):
    settings.ACCESS_LOG = False
    Client().get("/healthz")
    assert journal() == []
