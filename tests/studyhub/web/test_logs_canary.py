"""A word in everything that people send and are called by, sent to every address, stands in no line of the log.

Proves trust.md 1.19 (logs hold nothing of anybody) and, of ASVS 5, V14.2.1, V16.2.5 and V16.5.1. Each request is made
four times: as it is, with a failure of the code that repeats all it got, and with two failures of Postgres that repeat
values of a row and of the form. What Python's own formatter writes of the same is looked at too: there the words are.
"""

import json
import logging
from http.cookies import SimpleCookie

import pytest
from django.db import connection, transaction

from studyhub.web.logs import JsonLines, Lines, TextLines
from tests.matrix import things as matrix_things
from tests.matrix.actors import CANARY, everyone
from tests.matrix.things import address_of, body_of, rows

WORD = "zqcanary"  # of what is sent; CANARY stands in what the owner is called and wrote before
FAILINGS = ("none", "code", "row", "value")
KINDS = {"own", "live", "-", "missing"}


def sent(body):
    """The form with the word in every field, once beside a line of its own and signs that are not ASCII."""
    typed = f'Zo\u00eb {WORD}\n{{"level": "INFO", "message": "{WORD}"}}\x1b[0m'
    kept = {
        name: value
        for name, value in body.items()
        if isinstance(value, list) or name in {"q", "key", "section"}
    }
    fields = {*body, "text", "words", "quote", "answer", "name", "reason", "next"}
    secret = {"password": f"{WORD}-Pw1", "password1": f"{WORD}-Pw1", "oldpassword": WORD, "code": f"{WORD}1"}
    letters = {"email": f"{WORD}@example.org", "login": f"{WORD}@example.org"}
    return {**dict.fromkeys(fields, typed), **secret, **letters, **kept}


class Failing:
    """A middleware that fails inside of all others, as a view would."""

    how = "none"

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        return self.get_response(request)

    def process_view(self, request, view, args, kwargs):
        if Failing.how == "none":
            return
        learner = getattr(request, "learner", None)
        told = [dict(request.POST), request.get_full_path(), kwargs, dict(request.headers), request.COOKIES]
        if Failing.how == "code":
            try:
                int(f"{request.POST.get('text')} {getattr(learner, 'name', '')}")
            except ValueError as problem:
                raise KeyError(told) from problem
        with connection.cursor() as cursor, transaction.atomic():
            if Failing.how == "value":
                cursor.execute("SELECT %s::text::int", [f"{CANARY} {request.POST.get('text')}"])
            cursor.execute("INSERT INTO accounts_user SELECT * FROM accounts_user WHERE email ~ %s", [CANARY])


@pytest.fixture
def written(settings, tmp_path):
    """Lines as JSON, for reading, and as Python would write them: three files."""
    settings.DEBUG, settings.ACCESS_LOG = False, True
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.Failing"]
    root, noisy = logging.getLogger(), ["django.request", "django.security", "studyhub.access"]
    levels = {name: logging.getLogger(name).level for name in noisy}
    made = {"json": JsonLines(), "text": TextLines(), "naive": logging.Formatter("%(message)s")}
    handlers = []
    for name, formatter in made.items():
        handlers.append(Lines((tmp_path / name).open("w")))
        handlers[-1].setFormatter(formatter)
        root.addHandler(handlers[-1])
    for name in noisy:
        logging.getLogger(name).setLevel(logging.INFO)
    yield {name: tmp_path / name for name in made}
    for one in handlers:
        root.removeHandler(one)
        one.stream.close()
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def told(actors, things):
    """Send everything; gives (id of the request, status, how it failed) of each."""
    headers = {"User-Agent": WORD, "Referer": f"http://testserver/{WORD}", "X-Any": f"Zo\u00eb {WORD}"}
    for name, kind in rows():
        if kind not in KINDS:
            continue
        for actor in (actors["owner"], actors["visitor"]):
            address = address_of(name, kind, actor, things)
            if address is None:
                continue
            glue, body = "&" if "?" in address else "?", sent(body_of(name, actor, things))
            for Failing.how in FAILINGS if actor is actors["owner"] else FAILINGS[:1]:
                cookies = actor.browser.cookies
                held = {key: one.value for key, one in cookies.items()}
                actor.browser.cookies = SimpleCookie({**held, "seen": WORD})
                with transaction.atomic():
                    answer = actor.browser.post(
                        f"{address}{glue}key={WORD}&a=Zo%C3%AB%0A{WORD}", body, headers=headers
                    )
                    transaction.set_rollback(True)
                actor.browser.cookies = cookies
                yield answer["X-Request-ID"], answer.status_code, Failing.how


@pytest.mark.django_db
def test_nothing_that_was_sent_stands_in_a_line(course, written):
    actors = everyone()
    things = matrix_things.made(actors["owner"])
    for one in actors.values():
        one.browser.raise_request_exception = False
    try:
        answers = list(told(actors, things))
        Failing.how = "none"
        for path in (f"/{WORD}/", f"/c/{WORD}/x/", f"/Zo\u00eb/{WORD}%0A{WORD}/"):
            actors["visitor"].browser.get(path, {"q": WORD})
    finally:
        Failing.how = "none"
    texts = {name: path.read_text() for name, path in written.items()}
    leaks = {
        name: [
            one[:400]
            for one in text.splitlines()
            if WORD in one.casefold() or CANARY in one or "zo\\u00eb" in one.casefold()
        ]
        for name, text in texts.items()
    }
    assert (leaks["json"][:3], leaks["text"][:3]) == ([], [])
    assert len(leaks["naive"]) > 300
    lines = list(map(json.loads, texts["json"].splitlines()))
    access = [(one["request_id"], one["status"]) for one in lines if one["logger"] == "studyhub.access"]
    assert access[: len(answers)] == [(name, status) for name, status, _ in answers]
    failed = [one for one in lines if one.get("status") == 500 and one["logger"] == "django.request"]
    assert [one["request_id"] for one in failed] == [name for name, status, _ in answers if status == 500]
    assert {how for _, status, how in answers if status == 500} == set(FAILINGS) - {"none"}
