"""Where a door leads afterwards: to pages of ours only, whatever it is told.

Proves trust.md 1.11. The doors that listen are found by walking all addresses; tests/studyhub/accounts/test_adapters.py
goes through sign-in and sign-up itself.
"""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client

from tests.hostile.fields import is_page
from tests.matrix import things as matrix_things
from tests.matrix.actors import everyone
from tests.matrix.things import address_of, body_of, rows
from tests.matrix.walk import undone
from tests.studyhub.accounts.test_adapters import ELSEWHERE
from tests.studyhub.text.judge import parse

pytestmark = pytest.mark.django_db
MORE = [
    "/%2f/evil.example", "/%5cevil.example", "%2f%2fevil.example", "%5c%5cevil.example", "/..//evil.example", "/.//evil.example",
    "//evil.example/%2f..", "//evil.example:80/", "//evil.example\\@testserver", "//testserver@evil.example", "//testserver\\@evil.example",
    "https://evil.example/testserver", "https://testserver.evil.example", "https://testserver%2eevil.example", "https:\\\\evil.example",
    "https:///evil.example", "hTTps://evil.example", "h\tttps://evil.example", "java\nscript:alert(1)", "\x01javascript:alert(1)",
    "javascript://testserver/%0aalert(1)", "data://testserver/,x", "//\u3002evil.example", "//evil\u3002example", "\u2028//evil.example",
    "/\u2028/evil.example", "\ufeff//evil.example", "\u00a0//evil.example", "/\x0b/evil.example", "\r//evil.example", "//[::1]", "//0x7f000001/",
    "//2130706433/", "view-source:https://evil.example", "file:///etc/passwd", "blob:https://evil.example/x", "\uff0f\uff0fevil.example",
]  # fmt: skip
FORMS = [*ELSEWHERE, *MORE]
NAMES = ("next", "back", "to", "url", "return", "redirect", "continue", "redirect_to", "return_to")
LEADS = (
    "Location",
    "HX-Redirect",
    "HX-Location",
    "HX-Push-Url",
    "HX-Replace-Url",
    "Refresh",
    "Content-Location",
    "Link",
)
OURS = "/progress/"


def leads_away(target: str) -> bool:
    """Whether a browser takes this for a page that is not ours: it drops tabs, ends of lines, and blanks around, and
    reads a backslash as a slash (WHATWG URL, 4.4).
    """
    read = re.sub(r"[\t\r\n]", "", target.strip("".join(map(chr, range(33))))).replace("\\", "/")
    read = read.removeprefix("http://testserver/")
    return read.startswith("//") or re.match(r"[a-z][a-z0-9+.-]*:", read, re.IGNORECASE) is not None


def faults(answer) -> list[str]:
    """Headers, links and form actions of an answer that lead elsewhere."""
    found = [answer[name] for name in LEADS if name in answer]
    if is_page(answer):
        for one in parse(answer.content.decode()).iter():
            found += [
                one.get(name) for name in ("action", "formaction", "hx-get", "hx-post") if one.get(name)
            ]
            if one.tag == "a" and "evil" in one.get("href", ""):
                found.append(one.get("href"))
    return [one for one in found if leads_away(one)]


def asked(actor, address, body, where):
    """The answers to a form and to a look with ``where`` under every name; then all is taken back."""
    told = dict.fromkeys(NAMES, where)
    with undone():
        browser = Client()
        browser.cookies = actor.browser.cookies.copy()
        yield browser.get(address.partition("?")[0], told)
        yield browser.post(
            address, {**body, **told}, headers={"HX-Request": "true"} if len(where) % 2 else {}
        )


def listens(answers) -> bool:
    """Whether an answer shows, or leads to, what was told."""
    return any(OURS in answer.headers.get("Location", "") or f'value="{OURS}"' in answer.content.decode(errors="replace")
               for answer in answers if not answer.streaming)  # fmt: skip


@pytest.fixture
def doors(course, settings):
    """(name, actor, address, form) of every address, for a stranger and for somebody who has signed in."""
    settings.ACCOUNT_RATE_LIMITS = settings.MFA_RATE_LIMITS = False
    cache.clear()
    actors = everyone()
    things = matrix_things.made(actors["owner"])
    sign_in = {"login": "learner@example.org", "password": "correct horse battery"}
    found = []
    for name, kind in rows():
        for actor in (actors["visitor"], actors["owner"]):
            address = address_of(name, kind, actor, things) if kind in {"live", "-", "own"} else None
            if address:
                found.append(
                    (
                        name,
                        actor,
                        address,
                        {**body_of(name, actor, things), **(sign_in if "account" in name else {})},
                    )
                )
    return found


def test_there_are_60_forms():
    assert len(set(FORMS)) >= 60
    assert len([one for one in FORMS if leads_away(one)]) > 50  # the others lead astray, within the house


@pytest.mark.long
def test_no_door_leads_elsewhere(doors):
    wrong, listening = {}, set()
    for at, (name, actor, address, body) in enumerate(doors):
        heard = name not in listening and listens(asked(actor, address, body, OURS))
        listening.update({name} if heard else ())
        for where in FORMS if heard else [FORMS[at % len(FORMS)]] if actor.user is None else []:
            if found := [one for answer in asked(actor, address, body, where) for one in faults(answer)]:
                wrong[name, actor.name, where] = found
    assert wrong == {}
    assert listening >= {"account_login", "account_logout", "account_reauthenticate"}
