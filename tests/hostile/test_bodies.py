"""Bodies, queries, paths, cookies and headers that no browser sends, to every address: 4xx, never 500, nothing kept.

Proves trust.md 1.5 and goal 6 (hostile bodies: 0 500s). Who asks is the owner of everything the addresses name, so that
nothing is refused for want of a person. What each answer shows is held by tests/studyhub/web/test_guards.py.
"""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.test import Client

from tests.matrix import things as matrix_things
from tests.matrix.actors import everyone
from tests.matrix.things import address_of, body_of, rows
from tests.matrix.walk import FREE, undone, written

pytestmark = pytest.mark.django_db
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
JSON = "application/json"
LIMIT = 256 * 1024  # bytes


def part(name: str, value: bytes, more: str = "") -> bytes:
    """One part of a multipart body."""
    return f'--x\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + value + b"\r\n"


# What every door refuses, whatever its form: (body, content type).
REFUSED = {
    "nul": (b"q=%00", URLENCODED),
    "raw nul": (b"q=\x00", URLENCODED),
    "nul in a name": (b"a%00b=1", URLENCODED),
    "nul in a part": (part("q", b"\x00") + b"--x--\r\n", MULTIPART),
    "nul in base64": (
        b'--x\r\nContent-Disposition: form-data; name="q"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--x--\r\n',
        MULTIPART,
    ),
    "surrogate": (b"q=%ed%a0%80", URLENCODED),
    "surrogates": (b"q=%ed%a0%bd%ed%b8%80", URLENCODED),
    "not utf-8": (b"q=%ff%fe", URLENCODED),
    "not utf-8 in a part": (part("q", b"\xff\xfe") + b"--x--\r\n", MULTIPART),
    "overlong": (b"q=%c0%80", URLENCODED),
    "latin": ("q=é".encode("latin-1"), URLENCODED),
    "list": (b"[1]", JSON),
    "json nul": (b'{"q": "\\u0000"}', JSON),
    "json surrogate": (b'{"q": "\\ud800"}', JSON),
    "nan": (b'{"q": NaN}', JSON),
    "long number": (b'{"q": ' + b"9" * 5_000 + b"}", JSON),
    "nested": (b"[" * 100_000 + b"]" * 100_000, JSON),
    "xml": (b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "application/xml"),
    "plain": (b"q=1", "text/plain"),
    "no type": (b"q=1", ""),
    "odd type": (b"q=1", "application/x-www-form-urlencoded-but-not"),
    "fields": (b"&".join(b"a%d=1" % at for at in range(5_000)), URLENCODED),
    "same field": (b"&".join([b"q=1"] * 1_000), URLENCODED),
    "files": (b"".join(part(f"f{at}", b"x", f'; filename="{at}"') for at in range(3_000))[:LIMIT - 9] + b"--x--\r\n", MULTIPART),
    "one byte too many": (b"q=" + b"a" * (LIMIT - 1), URLENCODED),
    "one part too long": (part("q", b"a" * LIMIT) + b"--x--\r\n", MULTIPART),
    "no boundary": (part("q", b"1"), "multipart/form-data"),
    "odd boundary": (part("q", b"1"), "multipart/form-data; boundary=\x00"),
    "long boundary": (part("q", b"1"), "multipart/form-data; boundary=" + "x" * 500),
    "charset": (b"q=1", f"{URLENCODED}; charset=utf-7"),
}  # fmt: skip
# What a door may take for a form that leaves everything out, or for its own fields: never 500.
ODD = {
    "empty": (b"", URLENCODED),
    "empty multipart": (b"", MULTIPART),
    "torn": (part("q", b"1")[:40], MULTIPART),
    "signs": (b"&&==&%&%zz&=%3d", URLENCODED),
    "long number": (b"q=" + b"9" * 5_000 + b"&try=" + b"9" * 5_000 + b"&after=-1&mark=1e9", URLENCODED),
    "nan": (b"q=NaN&choice=NaN&start=Infinity&certainty=NaN&key=NaN", URLENCODED),
    "brackets": (b"q[]=1&q[a]=1&__proto__=1&constructor=1", URLENCODED),
    "digits of others": ("q=١&try=²&mark=௧&start=１".encode(), URLENCODED),
    "replaced": ("q=\ufffd&text=\ufffd&section=\ufffd&state=\ufffd&act=\ufffd".encode(), URLENCODED),
}


@pytest.fixture
def actors(course, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.MFA_RATE_LIMITS = False
    return everyone()


@pytest.fixture
def doors(actors):
    """(actor, address) of everything that may take a POST, asked by whoever it is for."""
    things = matrix_things.made(actors["owner"])
    found = []
    for name, kind in rows():
        who = "author" if name.startswith(("inbox", "correct")) else "owner"
        address = address_of(name, kind, actors[who], things) if kind in {"own", "live", "-"} else None
        if address and name not in {"account_logout"}:
            found.append((actors[who], address, body_of(name, actors[who], things)))
    return found


def posted(browser, address, body, kind, **more):
    """(status, tables that were written) of a POST; then all is taken back."""
    with undone():
        before = written()
        answer = browser.generic("POST", address, body, content_type=kind, **more)
        return answer.status_code, [
            name for name, n in written().items() if n != before.get(name) and name not in FREE
        ]


def test_no_door_takes_a_body_that_no_form_sends(doors):
    wrong = {}
    for actor, address, _ in doors:
        actor.browser.raise_request_exception = False
        for name, (body, kind) in REFUSED.items():
            status, tables = posted(actor.browser, address, body, kind)
            if not 400 <= status < 500 or tables:
                wrong[address, name] = status, tables
    assert wrong == {}
    assert len(doors) > 60


def test_no_door_breaks_on_an_odd_form(doors):
    wrong = {}
    for actor, address, body in doors:
        actor.browser.raise_request_exception = False
        own = "&".join(f"{quote(str(name))}={{}}" for name in body).encode()
        each = {
            f"own {value}": (own.replace(b"{}", value), URLENCODED)
            for value in (b"", b"%20", b"%F0%9F%91%8D" * 99, b"-1", b"1e999", b"[]")
        }
        twice = "&".join(f"{quote(str(name))}=1&{quote(str(name))}=2" for name in body).encode()
        for name, (sent, kind) in {**ODD, **each, "twice": (twice, URLENCODED)}.items():
            status, _ = posted(actor.browser, address, sent, kind)
            if status >= 500:
                wrong[address, name] = status
    assert wrong == {}


LYING = [
    {"CONTENT_LENGTH": "-1"},
    {"CONTENT_LENGTH": "nine"},
    {"CONTENT_LENGTH": "9" * 30},
    {"CONTENT_LENGTH": "٣"},
]


@pytest.mark.parametrize("lie", LYING, ids=range(len(LYING)))
def test_lengths_that_lie_are_refused(doors, lie):
    actor, address, _ = next(one for one in doors if one[1].endswith("/note/"))
    assert posted(actor.browser, address, b"text=x", URLENCODED, **lie) == (400, [])


QUERIES = [
    "%00",
    "%ff",
    "%ed%a0%80",
    "9" * 5_000,
    "-1",
    "1e9",
    "NaN",
    "[1]",
    "%F0%9F%91%8D",
    "١",
    "%0d%0aX:1",
    "a" * 9_000,
    "{{7*7}}",
    "'",
]
NAMES = (
    "q",
    "page",
    "at",
    "back",
    "next",
    "state",
    "again",
    "mine",
    "quiz",
    "act",
    "person",
    "thing",
    "before",
    "filter",
    "level",
    "topic",
)


def wire(text: str) -> str:
    """The text as WSGI hands over a header: each byte of its UTF-8 as one character."""
    return text.encode().decode("latin-1")


HEADERS = [
    {"Host": "evil.example"}, {"Host": "127.0.0.1:99999"}, {"Host": "[::"}, {"Host": "a\x00b"}, {"X-Forwarded-Host": "evil.example"},
    {"X-Forwarded-Proto": "\x00"}, {"X-Forwarded-For": "'; --"}, {"Referer": "http://["}, {"Origin": "null\x00"}, {"Cookie": "session=\x00"},
    {"Cookie": "session=" + wire("٣" * 40)}, {"Cookie": "session=" + wire("\xff" * 40)}, {"Cookie": 'csrf="\\000"; zone=\x00; tz=%ff'}, {"Accept-Language": "x" * 9_000}, {"HX-Request": "\x00", "HX-Target": "'\""},
    {"HX-Request": "true", "HX-Current-URL": "http://[", "HX-Target": wire("\U0001f600")}, {"If-None-Match": "W/\x00"}, {"If-Modified-Since": "yesterday"}, {"Accept-Encoding": "\x00;q=NaN"},
]  # fmt: skip
PATHS = [
    "%00",
    "%ff",
    "%ed%a0%80",
    "..%2f..%2fetc%2fpasswd",
    "%0d%0aX:1",
    "9" * 300,
    "'",
    "%2500",
    "%F0%9F%91%8D",
    "a" * 2_000,
]


@pytest.mark.long
def test_no_query_path_cookie_or_header_breaks_a_page(doors):
    wrong = {}
    for actor, address, _ in doors:
        actor.browser.raise_request_exception = False
        parts = [one for one in address.strip("/").split("/") if one]
        asked = [
            f"{address.partition('?')[0]}?" + "&".join(f"{name}={value}" for name in NAMES)
            for value in QUERIES
        ]
        asked += ["/" + "/".join([*parts[:-1], odd]) + "/" for odd in PATHS]
        answers = [(one, actor.browser.get(one)) for one in asked]
        stranger = Client(raise_request_exception=False)
        answers += [(str(one), stranger.get(address, headers=one)) for one in HEADERS]
        for one, answer in answers:
            if answer.status_code >= 500 or "evil.example" in str(answer.headers) or "X" in answer.headers:
                wrong[address, one[-60:]] = answer.status_code
    assert wrong == {}
