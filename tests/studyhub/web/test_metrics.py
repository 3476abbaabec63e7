"""Counts for Prometheus: exact, bounded, of nobody, and shown to whoever has the token only.

tests/drills/test_watching.py counts over two worker processes of a real site. Of ASVS 5: V13.4.5, V14.2.1, V16.2.5.
"""

import os
import re
from collections import Counter

import pytest
from django.test import Client
from django.urls import get_resolver

from studyhub.web import logs, metrics
from studyhub.web.metrics import BUCKETS, STRIPS, Ledger
from studyhub.web.middleware import _route_names
from tests.conftest import CHAPTER, COURSE
from tests.studyhub.web.exposition import parsed

TOKEN = "0123456789abcdef-token"
ROUTES = {"home", "chapter"}


@pytest.fixture
def counting(settings):
    settings.METRICS_TOKEN = TOKEN
    metrics.end()
    yield
    metrics.end()


def asked(**headers):
    return Client().get("/metrics", headers=headers)


def shown():
    answer = asked(Authorization=f"Bearer {TOKEN}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    return parsed(answer.content.decode())


@pytest.mark.parametrize(
    "shown_by",
    ["", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN, f"bearer {TOKEN}", f"Basic {TOKEN}", "Bearer \u00e9"],
)  # fmt: skip
@pytest.mark.django_db
def test_without_the_token_there_is_nothing_here(counting, shown_by):
    answer, nothing = asked(Authorization=shown_by), Client().get("/there/is/nothing/")
    assert (answer.status_code, answer.content) == (404, nothing.content)


@pytest.mark.django_db
@pytest.mark.parametrize("shown_by", ["", "Bearer ", f"Bearer {TOKEN}"])
def test_without_a_token_of_the_site_nobody_sees_counts(settings, shown_by):
    settings.METRICS_TOKEN = ""
    assert asked(Authorization=shown_by).status_code == 404
    assert metrics.text() == ""


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_counts_are_only_asked_for(counting, method):
    assert (
        getattr(Client(), method)("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 405
    )


def test_counts_are_not_kept_and_belong_to_nobody(counting):
    browser = Client()
    browser.cookies["session"] = "x" * 32
    answer = browser.get(
        "/metrics", headers={"Authorization": f"Bearer {TOKEN}"}
    )  # no query: no database fixture
    assert (answer.status_code, answer["Cache-Control"], dict(answer.cookies)) == (200, "no-store", {})


@pytest.mark.django_db
def test_requests_are_counted_by_route_and_class_of_status(counting, course, settings):
    asks = Counter(
        {
            "/": 3,
            f"/c/{COURSE}/{CHAPTER}/": 2,
            "/there/is/nothing/": 4,
            "/static/nothing.css": 2,
            "/progress/": 1,
            "/healthz": 5,
        }
    )
    statuses = {path: Client().get(path).status_code for path in asks}
    for path, times in asks.items():
        for _ in range(times - 1):
            Client().get(path)
    found, again = shown(), shown()
    names = {"/": "home", f"/c/{COURSE}/{CHAPTER}/": "chapter", "/there/is/nothing/": "none", "/static/nothing.css": "static",
             "/progress/": "progress", "/healthz": "healthz"}  # fmt: skip
    expected = {(names[path], f"{statuses[path] // 100}xx"): times for path, times in asks.items()}
    counted = {
        (labels["route"], labels["status"]): value for labels, value in found["studyhub_requests_total"]
    }
    assert counted == expected
    later = {(labels["route"], labels["status"]): value for labels, value in again["studyhub_requests_total"]}
    assert later == {**expected, ("metrics", "2xx"): 1}


@pytest.mark.django_db
def test_nothing_in_the_counts_comes_from_a_request(counting, course):
    for path in ("/zqcanary/", f"/c/zqcanary/{CHAPTER}/", "/static/zqcanary.css", '/a"} 1\nzqcanary/'):
        Client().generic("ZQCANARY", path, headers={"User-Agent": "zqcanary"})
        Client().get(path, {"q": "zqcanary"})
    known = {*_route_names(get_resolver()), metrics.STATIC, metrics.UNKNOWN, metrics.TURNSTILE}
    found = shown()
    assert {labels["route"] for labels, _ in found["studyhub_requests_total"]} <= known
    assert "zqcanary" not in metrics.text()


def test_every_address_has_a_row_and_the_table_does_not_grow():
    names = list(_route_names(get_resolver()))
    ledger = Ledger(names)
    before = ledger.length
    for n in range(10_000):
        ledger.count_request(f"made-up-{n}", n, 0.0)
    assert (ledger.length, set(ledger.routes) >= set(names)) == (before, True)
    assert STRIPS * ledger.length * 8 < 4_000_000  # bytes shared by all processes
    totals = parsed(ledger.text())["studyhub_requests_total"]
    assert sum(value for _, value in totals) == 10_000
    assert {labels["route"] for labels, _ in totals} == {metrics.UNKNOWN}


@pytest.mark.parametrize("name", sorted(_route_names(get_resolver())))
def test_name_of_a_route_needs_no_quoting(name):
    assert re.fullmatch(r"[\w:.-]+", name)


@pytest.mark.parametrize("seconds", [0.0, *BUCKETS, *(one * 1.001 for one in BUCKETS), 1e6])
def test_time_is_counted_in_its_bucket_and_all_above(seconds):
    ledger = Ledger(ROUTES)
    ledger.count_request("home", 200, seconds)
    found = parsed(ledger.text())
    held = {labels["le"]: value for labels, value in found["studyhub_request_seconds_bucket"]}
    assert held == {**{str(end): float(seconds <= end) for end in BUCKETS}, "+Inf": 1.0}
    assert found["studyhub_request_seconds_count"] == [({"route": "home"}, 1.0)]
    assert found["studyhub_request_seconds_sum"][0][1] == pytest.approx(seconds, abs=1e-6)


def test_routes_without_a_view_are_called_the_same_in_lines_and_counts():
    assert (logs.NO_ROUTE, logs.STATIC) == (metrics.UNKNOWN, metrics.STATIC)


def test_strange_status_and_time_are_counted():
    ledger = Ledger(ROUTES)
    for status in (0, 99, 600, 999):
        ledger.count_request("home", status, -1.0)
    assert sum(value for _, value in parsed(ledger.text())["studyhub_requests_total"]) == 4


def in_a_child(act):
    """Run ``act`` in a forked process that ends without a word; gives what it came to."""
    pid = os.fork()
    if not pid:
        try:
            os._exit(act() or 0)
        finally:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_counts_of_processes_add_up_and_outlive_them():
    ledger = Ledger(ROUTES)
    for _ in range(STRIPS + 4):  # one after the other: the strip of a dead one is taken over
        assert in_a_child(lambda: [ledger.count_request("home", 200, 0.01) for _ in range(100)] and 0) == 0
    ledger.count_request("home", 503, 0.01)
    found = parsed(ledger.text())
    assert [value for _, value in found["studyhub_requests_total"]] == [(STRIPS + 4) * 100, 1]
    assert found["studyhub_unavailable_total"] == [({}, 1.0)]


def test_more_processes_than_strips_count_nothing_and_fail_nothing():
    ledger, reading = Ledger(ROUTES), []
    pipes = [os.pipe() for _ in range(STRIPS + 2)]
    done, begin = os.pipe()
    for end, _ in pipes:
        pid = os.fork()
        if not pid:
            ledger.count_request("home", 200, 0.0)
            os.write(begin, b"x")
            os.read(end, 1)
            os._exit(0)
        reading.append(pid)
    seen = b""
    while len(seen) < len(pipes):
        seen += os.read(done, 100)
    assert parsed(ledger.text())["studyhub_requests_total"] == [
        ({"route": "home", "status": "2xx"}, float(STRIPS))
    ]
    for pid, (_, go) in zip(reading, pipes, strict=True):
        os.write(go, b"x")
        os.waitpid(pid, 0)
    for one in (done, begin, *(one for pair in pipes for one in pair)):
        os.close(one)


@pytest.mark.parametrize(
    "text", ["a 1", "# TYPE a counter\na 1\na 1\n", "# TYPE a counter\na x\n", 'a{b="c} 1\n', "b 1\n", ""]
)
def test_parser_of_these_tests_refuses(text):
    with pytest.raises(ValueError):  # noqa: PT011 of whatever kind
        parsed(text)
