"""What holds for every address of the site."""

import gzip

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import Attempt
from tests.conftest import CHAPTER, COURSE, NOON, QUIZ
from tests.quizzes.play import send
from tests.studyhub.web.addresses import addresses
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
CSP = {"default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'", "connect-src 'self'",
       "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "object-src 'none'"}  # fmt: skip


CARD = "weights-estimate"
COUNTED = frozenset(
    {"accounts_session", "web_cache"}
)  # sessions, and how often a door with a limit was knocked at


@pytest.fixture
def found(attempt, learner):
    """Every address, those of content and attempt leading somewhere."""
    EmailAddress.objects.create(user=learner, email=learner.email, primary=True, verified=True)
    send(attempt, 1)
    return addresses(course=COURSE, chapter=CHAPTER, quiz=QUIZ, card=CARD, attempt_id=attempt.pk)


def guest_browser():
    browser = Client()
    browser.post(f"/c/{COURSE}/quizzes/{QUIZ}/start/")
    return browser


@pytest.mark.parametrize("method", ["get", "head", "options"])
@pytest.mark.parametrize("who", ["visitor", "guest", "learner"])
def test_asking_changes_no_table(found, signed_in, method, who):
    browser = {"visitor": Client, "guest": guest_browser, "learner": lambda: signed_in}[who]()
    changed = {}
    for name, address in found.items():
        before = table_prints(COUNTED)
        answer = getattr(browser, method)(address)
        if tables := changed_tables(before, COUNTED):
            changed[name] = tables
        assert answer.status_code < 500, name
    assert changed == {}


@pytest.mark.parametrize("who", ["visitor", "guest", "learner"])
def test_post_without_a_token_is_403_and_changes_nothing(found, learner, who):
    browser = Client(enforce_csrf_checks=True)
    if who == "learner":
        browser.force_login(learner, "studyhub.accounts.backends.Backend")
    if who == "guest":
        browser.cookies = guest_browser().cookies
    before = table_prints()
    answers = {
        name: browser.post(address, {"q": 2, "state": "on", "section": "x"}).status_code
        for name, address in found.items()
    }
    assert {name: status for name, status in answers.items() if status != 403} == {}
    assert changed_tables(before) == []


def test_post_with_the_token_of_the_page_goes_through(course, learner):
    browser = Client(enforce_csrf_checks=True)
    page = browser.get(f"/c/{COURSE}/quizzes/{QUIZ}/").content.decode()
    token = page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    assert (
        browser.post(f"/c/{COURSE}/quizzes/{QUIZ}/start/", {"csrfmiddlewaretoken": token}).status_code == 303
    )
    attempt = Attempt.objects.get()
    headers = {"X-CSRFToken": token, "HX-Request": "true"}
    assert browser.post(f"/attempts/{attempt.pk}/skip/", {"q": 1}, headers=headers).status_code == 303


def test_no_form_is_sent_without_a_token_in_it(found, signed_in, attempt, learner):
    pages = ["home", "course", "chapter", "lab", "quiz", "attempt", "card", "progress", "settings"]
    bodies = {name: signed_in.get(found[name]).content.decode() for name in pages}
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=NOON)
    bodies["review"] = signed_in.get(found["review"]).content.decode()
    for name, body in bodies.items():
        forms = body.split("<form ")[1:]
        posting = [one.split("</form>")[0] for one in forms if 'method="post"' in one.split(">")[0]]
        assert [one for one in posting if "csrfmiddlewaretoken" not in one] == [], name


def test_no_page_has_inline_script_style_or_handler(found, signed_in):
    for name in (
        "home",
        "course",
        "chapter",
        "lab",
        "quiz",
        "attempt",
        "cards",
        "card",
        "progress",
        "about",
        "settings",
    ):
        body = signed_in.get(found[name]).content.decode().lower()
        assert "<style" not in body, name
        assert " style=" not in body, name
        assert " onclick=" not in body, name
        assert all(" src=" in tag.split(">")[0] for tag in body.split("<script")[1:]), name


@pytest.fixture
def static_root(settings, tmp_path):
    (tmp_path / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    settings.STATIC_ROOT = tmp_path


@pytest.mark.parametrize(
    ("address", "status"),
    [("/", 200), (f"/c/{COURSE}/{CHAPTER}/", 200), ("/there/is/nothing/", 404), ("/static/icon.svg", 200),
     ("/static/nothing.css", 404), ("/healthz", 200), ("/readyz", 200), ("/accounts/login/", 200), ("/progress/", 200)],
)  # fmt: skip
def test_guard_headers_are_on_every_answer(course, static_root, address, status):
    answer = Client().get(address)
    assert answer.status_code == status
    said = {part.strip() for part in answer["Content-Security-Policy"].split(";")}
    assert said >= CSP
    assert not any("unsafe" in part or "*" in part for part in said)
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in answer["Permissions-Policy"]


def test_guard_headers_are_on_refusals_too(course):
    for answer in (
        Client(enforce_csrf_checks=True).post("/accounts/login/"),
        Client().put(f"/c/{COURSE}/{CHAPTER}/"),
        Client().generic("POST", "/accounts/login/", b"x", content_type="multipart/form-data"),
    ):
        assert answer.status_code in {400, 403, 405}
        assert "default-src 'none'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize(
    "page", ["home", "course", "chapter", "lab", "about", "quiz", "attempt", "card", "progress"]
)
def test_gzip_answer_is_exactly_the_plain_one(found, signed_in, page):
    def bare(body):
        return b"".join(
            part.split(b'"', 1)[1]
            for part in body.replace(b'"X-CSRFToken": "', b'csrfmiddlewaretoken" value="').split(
                b'csrfmiddlewaretoken" value="'
            )[1:]
        )

    def told(**headers):
        answer = signed_in.get(found[page], headers=headers)
        return answer, gzip.decompress(answer.content) if "Content-Encoding" in answer else answer.content

    squeezed, unpacked = told(**{"Accept-Encoding": "gzip"})
    whole, body = told()
    assert squeezed["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in whole
    if page == "attempt":  # each form carries an idempotency key of its own
        unpacked, body = (
            one.split(b'name="key" value="')[0] + one.split(b'name="key" value="')[1][36:]
            for one in (unpacked, body)
        )
    assert len(unpacked) == len(body)
    assert bare(unpacked) == bare(body)


def test_chapter_weighs_little_on_the_wire(course, client):
    squeezed = client.get(f"/c/{COURSE}/{CHAPTER}/", headers={"Accept-Encoding": "gzip"})
    whole = client.get(f"/c/{COURSE}/{CHAPTER}/")
    assert len(squeezed.content) < len(whole.content) / 3


def test_unknown_address_looks_the_same_for_everybody(found, signed_in):
    assert Client().get("/there/is/nothing/").content == signed_in.get("/there/is/nothing/").content


def test_start_of_nothing_is_404_for_every_door(course, signed_in):
    for address in (f"/c/{COURSE}/quizzes/nothing/start/", f"/c/nothing/quizzes/{QUIZ}/start/"):
        assert signed_in.post(address).status_code == 404
    assert Attempt.objects.count() == 0


def test_attempt_of_a_retired_quiz_stays_with_its_learner(attempt, signed_in, learner):
    from datetime import timedelta

    attempt.quiz.__class__.objects.filter(pk=attempt.quiz_id).update(retired_at=NOON + timedelta(days=1))
    assert signed_in.get(f"/attempts/{attempt.pk}/").status_code == 200
    assert signed_in.get(f"/c/{COURSE}/quizzes/{QUIZ}/").status_code == 404
    assert start_attempt(learner_id=learner.pk, quiz=attempt.quiz, fresh=False, at=NOON) == attempt
