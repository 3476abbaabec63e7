"""What goes with every answer, whoever gives it, and what an answer never shows.

Proves trust.md 1.8 (no token in an address, names of cookies), 1.9 and 1.10 (headers on 100 % of answers), 1.12 (personal
pages are not stored, leaving clears the browser) and 1.26 (broken input shows nothing of the inside).
"""

import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client

from studyhub.web import turnstile
from studyhub.web.guards import guards
from studyhub.web.turnstile import Turnstile
from tests.conftest import CHAPTER, COURSE, QUIZ
from tests.studyhub.web.addresses import addresses

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[3]
METHODS = ["get", "head", "options", "post", "put", "delete", "trace"]
INSIDE = re.compile(
    r"Traceback|site-packages|\.py\b|File &quot;|File \"|psycopg|django\.|allauth|DoesNotExist|Exception (?:Type|Value)|"
    r"SELECT |INSERT |UPDATE |relation &quot;|/work/|/home/|/usr/lib|DJANGO_SETTINGS|SECRET_KEY"
)


@pytest.fixture
def found(attempt, learner, settings):
    """Every address, those of content and attempt leading somewhere."""
    settings.ACCOUNT_RATE_LIMITS = settings.MFA_RATE_LIMITS = False
    EmailAddress.objects.create(user=learner, email=learner.email, primary=True, verified=True)
    cache.clear()
    return addresses(
        course=COURSE, chapter=CHAPTER, quiz=QUIZ, card="weights-estimate", attempt_id=attempt.pk
    )


def unguarded(answer):
    return [name for name, value in guards().items() if answer.headers.get(name) != value]


@pytest.mark.parametrize("who", ["visitor", "learner"])
def test_every_answer_of_every_address_is_guarded(found, signed_in, who):
    browser = Client(enforce_csrf_checks=True)
    if who == "learner":
        browser.cookies = signed_in.cookies
    bare, statuses = {}, set()
    for name, address in found.items():
        for method in METHODS:
            answer = getattr(browser, method)(address)
            statuses.add(answer.status_code)
            if missing := unguarded(answer):
                bare[name, method] = missing
    assert bare == {}
    assert statuses >= {200, 302, 403, 404, 405}


def test_request_is_never_echoed(found, signed_in):
    for name, address in found.items():
        answer = signed_in.trace(address, headers={"X-Canary": "zzcanaryzz"})
        assert answer["Content-Type"] != "message/http", name
        assert (answer.status_code < 500, b"zzcanaryzz" in answer.content) == (True, False), name


@pytest.fixture
def static_root(settings, tmp_path):
    (tmp_path / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    settings.STATIC_ROOT = tmp_path


def test_static_files_are_guarded_also_when_not_sent_again_or_in_part(static_root, course):
    first = Client().get("/static/icon.svg")
    again = Client().get("/static/icon.svg", headers={"If-Modified-Since": first["Last-Modified"]})
    part = Client().get("/static/icon.svg", headers={"Range": "bytes=0-3"})
    beyond = Client().get("/static/icon.svg", headers={"Range": "bytes=9999-"})
    put = Client().put("/static/icon.svg")
    answers = [
        first,
        again,
        part,
        beyond,
        put,
        Client().get("/static/"),
        Client().get("/static/none.css"),
        Client().get("/static/../settings.py"),
    ]
    assert [answer.status_code for answer in answers] == [200, 304, 206, 416, 405, 404, 404, 404]
    assert [unguarded(answer) for answer in answers] == [[]] * len(answers)


def test_refusals_and_redirects_are_guarded(course, settings, monkeypatch):
    answers = [
        Client().get(f"/c/{COURSE}"),
        Client().get("/", HTTP_HOST="evil.example"),
        Client().get("/", HTTP_HOST="a b"),
        Client().get("/", headers={"Content-Type": "text/plain; charset=rot13"}),
        Client(enforce_csrf_checks=True).post("/accounts/login/"),
        Client().post("/accounts/login/", b"x", content_type="multipart/form-data"),
    ]
    settings.SECURE_SSL_REDIRECT = True
    answers += [Client().get("/"), Client().get("/", HTTP_HOST="evil.example"), Client().get("/healthz")]
    settings.SECURE_SSL_REDIRECT = False
    for problem in (OperationalError("gone"), ValueError("inside")):

        def fail(*_, problem=problem, **__):
            raise problem

        monkeypatch.setattr("studyhub.web.context.site", fail)
        monkeypatch.setattr("studyhub.accounts.views.SettingsForm", fail)
        answers.append(Client(raise_request_exception=False).get("/settings/"))
    statuses = [answer.status_code for answer in answers]
    assert statuses == [
        301,
        400,
        400,
        400,
        403,
        400,
        301,
        400,
        200,
        503,
        500,
    ]  # a probe on the machine is not sent on
    assert [unguarded(answer) for answer in answers] == [[]] * len(answers)
    assert [INSIDE.findall(answer.content.decode()) for answer in answers] == [[]] * len(answers)


def test_what_the_turnstile_refuses_is_guarded(monkeypatch):
    monkeypatch.setattr(turnstile, "PATIENCE", 0.01)
    gate, said = Turnstile(lambda *_: []), []
    long = {"REQUEST_METHOD": "POST", "CONTENT_LENGTH": "9" * 20, "wsgi.input": BytesIO()}
    unclear = {"REQUEST_METHOD": "POST", "CONTENT_LENGTH": "-1", "wsgi.input": BytesIO()}
    with gate.turn:
        for environ in (long, unclear, {"REQUEST_METHOD": "GET"}):
            gate(environ, lambda line, headers: said.append((line[:3], dict(headers))))
    assert [status for status, _ in said] == ["413", "400", "503"]
    for _, headers in said:
        assert guards().items() <= headers.items()


# What stays in the browser


@pytest.mark.parametrize("person", ["learner", "guest"])
def test_no_page_of_somebody_is_stored(found, signed_in, person):
    browser = signed_in
    if person == "guest":
        browser = Client()
        browser.post(f"/c/{COURSE}/quizzes/{QUIZ}/start/")
    stored, pages = {}, 0
    for name, address in found.items():
        answer = browser.get(address)
        said = answer.headers.get("Cache-Control", "")
        personal = answer.status_code == 200 and answer["Content-Type"].startswith("text/html")
        pages += personal
        if personal and "no-store" not in said:
            stored[name] = said
    assert stored == {}
    assert pages > 15


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "main"}], ids=["plain", "htmx"])
def test_only_leaving_clears_the_browser(found, signed_in, headers):
    clearing = [
        name for name, one in found.items() if "Clear-Site-Data" in signed_in.get(one, headers=headers)
    ]
    assert clearing == []
    assert signed_in.post("/accounts/logout/", headers=headers)["Clear-Site-Data"] == '"cache", "storage"'


def test_no_form_that_asks_by_address_carries_a_token(found, signed_in):
    for name, address in found.items():
        answer = signed_in.get(address)
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        forms = [one.split("</form>")[0] for one in answer.content.decode().split("<form ")[1:]]
        asking = [one for one in forms if 'method="post"' not in one.split(">")[0]]
        assert [one for one in asking if "csrfmiddlewaretoken" in one] == [], name
        assert "csrf" not in "".join(
            re.findall(r'(?:href|action|src|hx-get)="([^"]*)"', answer.content.decode())
        ), name


def test_scripts_keep_nothing_of_anybody_in_the_browser():
    scripts = "".join(path.read_text() for path in (ROOT / "static" / "js").glob("*.js"))
    assert set(re.findall(r"(?:local|session)Storage\.\w+\(([^,)]*)", scripts)) == {'"theme"'}
    assert "indexedDB" not in scripts
    assert set(re.findall(r"document\.cookie = `(\w+)=", scripts)) == {"zone"}


HTTPS = """
import json, django
django.setup()
from django.conf import settings
from django.test import Client
from studyhub.web.strangers import _cookie
names = ["SESSION_COOKIE_NAME", "SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY", "SESSION_COOKIE_SAMESITE",
         "SESSION_COOKIE_PATH", "SESSION_COOKIE_DOMAIN", "CSRF_COOKIE_NAME", "CSRF_COOKIE_SECURE", "CSRF_COOKIE_HTTPONLY",
         "CSRF_COOKIE_SAMESITE", "CSRF_COOKIE_PATH", "CSRF_COOKIE_DOMAIN"]
there = Client().get("/", HTTP_HOST="study.example")
print(json.dumps({"said": [getattr(settings, name) for name in names], "stranger": _cookie("x"),
                  "there": [there.status_code, there["Location"]], "csp": "Content-Security-Policy" in there,
                  "hsts": Client().get("/healthz", secure=True, HTTP_HOST="study.example")["Strict-Transport-Security"]}))
"""


def test_cookies_of_a_site_on_https_belong_to_its_host_alone(tmp_path):
    env = {
        **os.environ,
        "SITE_URL": "https://study.example",
        "STUDYHUB_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "studyhub.settings",
    }
    env.pop("DEBUG", None)
    said = subprocess.run(
        [sys.executable, "-c", HTTPS], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == (
        '{"said": ["__Host-session", true, true, "Lax", "/", null, "__Host-csrf", true, true, "Lax", "/", null], '
        '"stranger": "__Host-csrf=x; Max-Age=31449600; Path=/; SameSite=Lax; HttpOnly; Secure", '
        '"there": [301, "https://study.example/"], "csp": true, '
        '"hsts": "max-age=31536000; includeSubDomains; preload"}'
    )


# Broken input


QUERIES = [
    "q=%00",
    "q=%ff%fe",
    "q=" + "9" * 40,
    "q=" + "x" * 4000,
    "page=-1&q[]=1",
    "q=1'%20OR%201=1--",
    "next=//x&before=é",
]
BODIES = [
    (b"", "multipart/form-data"),
    (b"--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\x00", "multipart/form-data; boundary=x"),
    (b"q=%00&key=%00&choice=%00&email=%00&login=%00&password=%00", "application/x-www-form-urlencoded"),
    (b"q=%ff&key=%ed%a0%80&text=%ff&name=%ff", "application/x-www-form-urlencoded"),
    (b"q=" + b"9" * 5000 + b"&key=1&section=%27&state=x", "application/x-www-form-urlencoded"),
    (b"&".join(b"a=1" for _ in range(300)), "application/x-www-form-urlencoded"),
    (b'{"q": ' + b"[" * 50_000, "application/json"),
]  # fmt: skip
COOKIES = [
    "session=%00; csrf=%00",
    "session=" + "a" * 3000,
    'session="\\000"; zone=../../etc/passwd',
    "csrf=<script>",
]


def problems(answer):
    """What is wrong with the answer to something broken: nothing, if it is refused in our own words."""
    if answer.status_code >= 500:
        return [answer.status_code]
    return INSIDE.findall(answer.content.decode()) if answer.status_code >= 400 else []


@pytest.mark.parametrize("who", ["visitor", "learner"])
def test_broken_input_shows_nothing_of_the_inside(found, signed_in, who, settings):
    assert settings.DEBUG is False
    browser = Client(raise_request_exception=False)
    if who == "learner":
        browser.cookies = signed_in.cookies
    wrong, asked = {}, 0
    for name, address in found.items():
        if name == "account_logout":
            continue
        answers = [browser.get(f"{address}?{query}") for query in QUERIES]
        answers += [
            browser.get(re.sub(r"[^/]+/$", odd, address)) for odd in ("%00/", "'/", "%ff/", "..%2f..%2f/")
        ]
        if name != "leave":
            answers += [browser.generic("POST", address, body, content_type=kind) for body, kind in BODIES]
        if who == "visitor":
            answers += [
                Client(raise_request_exception=False).get(address, headers={"Cookie": one}) for one in COOKIES
            ]
        asked += len(answers)
        if found_wrong := [one for answer in answers for one in problems(answer)]:
            wrong[name] = found_wrong
    assert wrong == {}
    assert asked > 1000
