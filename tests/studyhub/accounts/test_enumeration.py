"""Nobody learns at a door whether an address has an account, and a letter's link opens one account once.

Proves trust.md 1.14 (status, bytes and number of letters; the time in a drill, over 200 pairs) and 1.15.
"""

import io
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from math import erfc, sqrt
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from studyhub.accounts import actions
from studyhub.accounts.models import User
from studyhub.web.turnstile import LEAVES, Turnstile
from tests.quizzes.play import at_once

from .conftest import KEEP, PASSWORD

pytestmark = pytest.mark.django_db
LOGIN, SIGNUP, RESET = "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"
NEW, OTHER = "another quiet harbour", "a third quiet harbour"
HTMX = {"HX-Request": "true", "HX-Target": "main"}
KNOWN, UNKNOWN = "ada@example.org", "eve@example.org"  # of one length


@pytest.fixture(autouse=True)
def _sends_letters(settings):
    """As on a site with a mail server: an address counts once its owner opened the letter."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    cache.clear()


@pytest.fixture
def person(account):
    EmailAddress.objects.create(user=account, email=account.email, primary=True, verified=True)
    return account


def form_for(door, email):
    return {
        LOGIN: {"login": email, "password": "wrong wrong wrong"},
        SIGNUP: {"email": email, "password1": PASSWORD},
        RESET: {"email": email},
    }[door]


def bare(body):
    """The page without form tokens and without the address that was typed."""
    return re.sub(r"[A-Za-z0-9]{64}", "TOKEN", body.decode()).replace(KNOWN, "X").replace(UNKNOWN, "X")


def told(door, email, headers):
    """All that a browser sees of one try, and of the page it is led to."""
    browser = Client()
    answer = browser.post(door, form_for(door, email), headers=headers)
    kept = {name for name in answer.headers if name not in {"Content-Length", "X-Request-ID"}}
    cookies = {
        name: (one["samesite"], one["httponly"], len(one.value)) for name, one in answer.cookies.items()
    }
    pages = [bare(answer.content)]
    if "Location" in answer:
        pages.append(bare(browser.get(answer["Location"]).content))
    return answer.status_code, answer.headers.get("Location"), kept, cookies, pages


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize("door", [LOGIN, SIGNUP, RESET])
@pytest.mark.parametrize("state", ["verified", "unverified", "deactivated", "without a password"])
def test_known_and_unknown_address_look_the_same(account, door, headers, state):
    EmailAddress.objects.create(user=account, email=KNOWN, primary=True, verified=state != "unverified")
    if state == "deactivated":
        User.objects.update(is_active=False)
    if state == "without a password":
        account.set_unusable_password()
        account.save()
    answers = [told(door, email, headers) for email in (KNOWN, UNKNOWN)]
    assert answers[0] == answers[1]
    letters = [letter.to for letter in mail.outbox]
    assert letters == ([] if door == LOGIN else [[KNOWN], [UNKNOWN]])
    sizes = [len(letter.attachments) for letter in mail.outbox]
    assert sizes == [0] * len(sizes)


@pytest.mark.parametrize("door", [LOGIN, SIGNUP])
def test_known_and_unknown_address_are_hashed_alike(person, door, monkeypatch):
    hashed = []
    from django.contrib.auth.hashers import MD5PasswordHasher

    plain = MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher, "encode", lambda self, *given: hashed.append(1) or plain(self, *given)
    )
    counts = []
    for email in (KNOWN, UNKNOWN):
        hashed.clear()
        Client().post(door, form_for(door, email))
        counts.append(len(hashed))
    assert counts == [1, 1]
    assert sorted(User.objects.values_list("email", flat=True)) == [
        KNOWN,
        *([UNKNOWN] if door == SIGNUP else []),
    ]


@pytest.mark.parametrize(("letters", "waits"), [("mandatory", True), ("none", False)])
@pytest.mark.parametrize("door", [LOGIN, SIGNUP, RESET])
def test_door_that_must_not_tell_asks_for_an_even_time(person, settings, door, letters, waits):
    settings.ACCOUNT_EMAIL_VERIFICATION = letters
    for email in (KNOWN, UNKNOWN):
        answer = Client().post(door, form_for(door, email))
        assert (LEAVES in answer.wsgi_request.META) is waits
    assert LEAVES not in Client().get(door).wsgi_request.META
    signed_in = Client().post(LOGIN, {"login": KNOWN, "password": PASSWORD})
    assert (signed_in.status_code, LEAVES in signed_in.wsgi_request.META) == (302, False)


def test_answer_waits_after_its_turn_and_not_in_it():
    entered = threading.Event()

    def slow(environ, start_response):
        if environ["PATH_INFO"] == "/even/":
            environ[LEAVES] = time.perf_counter() + 0.5
            entered.set()
        start_response("200 OK", [])
        return [b"x"]

    def ask(address):
        began = time.perf_counter()
        turns({"REQUEST_METHOD": "GET", "PATH_INFO": address}, lambda *_: None)
        return time.perf_counter() - began

    turns = Turnstile(slow)
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(ask, "/even/")
        assert entered.wait(10)
        assert pool.submit(ask, "/other/").result(10) < 0.4
        assert waiting.result(10) >= 0.5


def _application():
    from django.core.handlers.wsgi import WSGIHandler

    return WSGIHandler()


def _ask(application, address, form):
    """POST as a browser that has a form token does; the status line."""
    body = urlencode({**form, "csrfmiddlewaretoken": "a" * 32}).encode()
    said = []
    environ = {
        "REQUEST_METHOD": "POST", "PATH_INFO": address, "SCRIPT_NAME": "", "QUERY_STRING": "",
        "SERVER_NAME": "localhost", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost", "HTTP_COOKIE": f"csrf={'a' * 32}", "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": "application/x-www-form-urlencoded", "wsgi.input": io.BytesIO(body),
        "wsgi.url_scheme": "http", "wsgi.errors": io.StringIO(),
    }  # fmt: skip
    answer = application(environ, lambda line, headers, *_: said.append(line))
    b"".join(answer)
    return said[0]


def _timed(application, address, form):
    """Seconds until the answer to one request leaves."""
    began = time.perf_counter()
    assert _ask(application, address, form)[:3] in {"200", "302"}
    return time.perf_counter() - began


def mann_whitney(left, right):
    """Two-sided p of the rank-sum test with the normal approximation; ties get the mean of their ranks.

    Source: Mann and Whitney, Annals of Mathematical Statistics 18 (1947), 50 to 60.
    """
    values = sorted([*left, *right])
    rank = {}
    for place, value in enumerate(values, start=1):
        rank.setdefault(value, []).append(place)
    ranks = sum(sum(rank[value]) / len(rank[value]) for value in left)
    n, m = len(left), len(right)
    u = ranks - n * (n + 1) / 2
    ties = sum(len(one) ** 3 - len(one) for one in rank.values())
    spread = sqrt(n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1))))
    return erfc(abs(u - n * m / 2) / spread / sqrt(2))


@pytest.mark.parametrize(
    ("left", "right", "low", "high"),
    [([1, 2, 3], [1, 2, 3], 0.99, 1), (range(100), range(50, 150), 0, 1e-9), (range(0, 200, 2), range(1, 200, 2), 0.8, 1)],
)  # fmt: skip
def test_rank_sum_tells_apart_what_differs(left, right, low, high):
    assert low <= mann_whitney([float(one) for one in left], [float(one) for one in right]) <= high


@pytest.mark.long
@pytest.mark.parametrize("door", [LOGIN, SIGNUP, RESET])
@pytest.mark.django_db(transaction=True)
def test_time_tells_nothing_over_200_pairs(door, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    settings.ACCOUNT_RATE_LIMITS = False
    application, times = Turnstile(_application()), {True: [], False: []}
    with ThreadPoolExecutor(1) as pool:  # a turn takes its thread's connection away
        for n in range(200):
            email = f"known{n}@example.org"
            person = actions.open_account(email=email, password=PASSWORD, zone="UTC", at=timezone.now())
            EmailAddress.objects.create(user=person, email=email, primary=True, verified=True)
            for known in (True, False) if n % 2 else (False, True):
                form = form_for(door, email if known else f"other{n}@example.org")
                times[known].append(pool.submit(_timed, application, door, form).result(60))
    assert mann_whitney(times[True], times[False]) > 0.01


# The letter's link


def link_for(email, **headers):
    Client().post(RESET, {"email": email}, **headers)
    return re.search(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)[1]


def form_behind(browser, link):
    """The address of the form that the link leads to, or None where it leads nowhere."""
    page = browser.get(link, follow=True)
    return (
        page.redirect_chain[-1][0]
        if page.redirect_chain and "not valid" not in page.content.decode()
        else None
    )


def set_password(browser, target, password=NEW):
    return browser.post(target, {"password1": password, "password2": password})


FORGED = [
    {"HTTP_HOST": "localhost:666"},
    {"HTTP_HOST": "127.0.0.1", "HTTP_X_FORWARDED_HOST": "evil.example"},
    {"HTTP_X_FORWARDED_HOST": "evil.example", "HTTP_X_FORWARDED_PROTO": "https", "HTTP_X_FORWARDED_PORT": "666"},
    {"HTTP_X_HOST": "evil.example", "HTTP_FORWARDED": "host=evil.example;proto=https", "HTTP_ORIGIN": "https://evil.example"},
    {"HTTP_REFERER": "https://evil.example/", "HTTP_X_ORIGINAL_URL": "/evil", "HTTP_X_REWRITE_URL": "/evil"},
]  # fmt: skip


@pytest.mark.parametrize("headers", FORGED)
@pytest.mark.parametrize("door", [SIGNUP, RESET])
@pytest.mark.parametrize("email", [KNOWN, UNKNOWN])
def test_links_of_all_letters_lead_to_the_site(person, settings, door, headers, email):
    settings.SITE_URL = "https://study.example"
    Client().post(door, form_for(door, email), **headers)
    (letter,) = mail.outbox
    assert set(re.findall(r"https?://[^/\s]+", letter.body)) == {"https://study.example"}
    assert not re.search(
        "evil|:666", f"{letter.body} {letter.subject} {letter.from_email} {letter.extra_headers}"
    )


def test_host_that_is_not_ours_sends_no_letter(person):
    assert Client().post(RESET, {"email": KNOWN}, HTTP_HOST="evil.example").status_code == 400
    assert mail.outbox == []


def test_link_works_once(person):
    link, first, second = link_for(KNOWN), Client(), Client()
    targets = [form_behind(first, link), form_behind(second, link)]
    assert None not in targets
    assert set_password(first, targets[0])["Location"].endswith("/done/")
    assert "not valid" in set_password(second, targets[1], OTHER).content.decode()
    assert form_behind(Client(), link) is None
    assert User.objects.get().check_password(NEW)


def test_of_two_links_the_second_dies_with_the_use_of_the_first(person):
    links = [link_for(KNOWN), link_for(KNOWN)]
    browser = Client()
    set_password(browser, form_behind(browser, links[1]))
    assert [form_behind(Client(), link) for link in links] == [None, None]


@pytest.mark.parametrize(("minutes", "alive"), [(59, True), (61, False)])
def test_link_lives_an_hour(person, monkeypatch, minutes, alive):
    link = link_for(KNOWN)
    later = datetime.now() + timedelta(minutes=minutes)  # noqa: DTZ005 as Django counts
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda self: later)
    assert (form_behind(Client(), link) is not None) is alive


def change_password(person):
    person.set_password(OTHER)
    person.save()


def change_address(person):
    EmailAddress.objects.update(email="moved@example.org")
    User.objects.update(email="moved@example.org")


def sign_in(person):
    assert Client().post(LOGIN, {"login": KNOWN, "password": PASSWORD}).status_code == 302


def deactivate(person):
    User.objects.update(is_active=False)


@pytest.mark.parametrize("event", [change_password, change_address, sign_in])
def test_link_dies_with(person, event):
    link = link_for(KNOWN)
    event(person)
    assert form_behind(Client(), link) is None


def test_link_of_somebody_deactivated_signs_nobody_in(person):
    link, browser = link_for(KNOWN), Client()
    deactivate(person)
    if target := form_behind(browser, link):
        set_password(browser, target)
    Client().post(LOGIN, {"login": KNOWN, "password": NEW})
    assert browser.get(KEEP).content.decode().split()[0] == "None"


def test_second_step_is_asked_after_a_new_password(person):
    TOTP.activate(person, generate_totp_secret())
    browser = Client()
    set_password(browser, form_behind(browser, link_for(KNOWN)))
    assert browser.get(KEEP).content.decode().split()[0] == "None"
    assert browser.post(LOGIN, {"login": KNOWN, "password": NEW})["Location"] == "/accounts/2fa/authenticate/"


def test_link_is_taken_out_of_the_address_at_once(person):
    link = link_for(KNOWN)
    key = link.rstrip("/").rsplit("-", 1)[1]
    page = Client().get(link, follow=True)
    assert key not in page.redirect_chain[-1][0]
    assert key not in page.content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_eight_at_once_one_sets_the_password(person, monkeypatch):
    link, gate = link_for(KNOWN), threading.Barrier(8)
    plain = User.set_password

    def together(self, raw):  # all have seen a link that is good before anybody writes
        plain(self, raw)
        if raw.startswith("word"):
            gate.wait(30)

    browsers = [Client() for _ in range(8)]
    targets = [form_behind(browser, link) for browser in browsers]
    monkeypatch.setattr(User, "set_password", together)
    words = [f"word {n} of a quiet harbour" for n in range(8)]
    acts = [lambda n=n: set_password(browsers[n], targets[n], words[n]) for n in range(8)]
    answers = at_once(acts)
    won = [n for n, answer in enumerate(answers) if answer["Location"].endswith("/done/")]
    assert len(won) == 1
    assert [answer["Location"] for n, answer in enumerate(answers) if n not in won] == [LOGIN] * 7
    assert User.objects.get().check_password(words[won[0]])
    loser = browsers[1 if won[0] == 0 else 0]
    assert "changed in another window" in loser.get(LOGIN).content.decode()
