"""The audit log as admins read it and take it along: nobody else sees it, and no word can forge a line (trust.md 1.20)."""

import csv
import io
import re

import pytest
from django.test import Client

from studyhub.accounts import actions
from studyhub.accounts.auditing import COMMAND, Act, Actor, Kind, Thing, record
from studyhub.accounts.models import AuditEvent, User
from studyhub.accounts.queries import MOST_EVENTS, AuditFilter, audit_leaf
from tests.conftest import NOON
from tests.matrix.walk import bare
from tests.quizzes.play import counted

pytestmark = pytest.mark.django_db
BACKEND = "studyhub.accounts.backends.Backend"
PAGE, FILE = "/audit/", "/audit/events.csv"
HEADS = [{}, {"HX-Request": "true", "HX-Target": "main"}]
FORGED = 'Eve\r\nrow 99\x1b[2K\u202e<b>"=1+1"'


@pytest.fixture(autouse=True)
def _site(settings):
    settings.ROOT_URLCONF = "studyhub.urls"


@pytest.fixture
def boss(db):
    return User.objects.create_user("boss@example.org", "correct horse battery", is_admin=True)


@pytest.fixture
def browser(client, boss):
    client.force_login(boss, BACKEND)
    return client


def note(act=Act.REPORT_DECIDED, what=None, by=None, **facts):
    by, what = by or Actor(5, "192.0.2.7", "abc-123"), what or Thing(Kind.REPORT, 9)
    record(by=by, act=act, what=what, at=NOON, **facts)
    return AuditEvent.objects.latest("pk")


def shown(browser, query="", **headers):
    answer = browser.get(f"{PAGE}{query}", headers=headers)
    assert answer.status_code == 200
    body = re.sub(r"\s+", " ", answer.content.decode())
    lines = re.findall(r'<li id="event-\d+">(.*?)</li>', body)
    return [re.sub(r"<[^>]+>", "", one.split("</p>")[0]).strip() for one in lines], body


def table(browser, query=""):
    answer = browser.get(f"{FILE}{query}")
    assert answer.status_code == 200
    return list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode(), newline="")))


@pytest.mark.parametrize("address", [PAGE, FILE, f"{PAGE}?act=role-given", f"{PAGE}?person=x"])
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("who", ["visitor", "guest", "learner", "author", "former admin"])
def test_page_is_not_there_for_anybody_else(who, address, head, client):
    note()
    if who != "visitor":
        roles = {"author": {"is_author": True}, "former admin": {"is_admin": True, "is_active": False}}
        person = User.objects.create_user("ada@example.org", "correct horse battery", **roles.get(who, {}))
        if who == "guest":
            person = User.objects.create(guest=True)
        client.force_login(person, BACKEND)
    missing = Client().get("/there/is/nothing/")
    answer = client.get(address, headers=head)
    assert (answer.status_code, bare(answer)) == (404, bare(missing))
    assert client.post(address.partition("?")[0]).status_code == 405


@pytest.mark.parametrize("head", HEADS)
def test_each_line_is_in_words(browser, boss, head):
    note(Act.ROLE_GIVEN, Thing(Kind.PERSON, boss.pk), COMMAND, before={"admin": False}, after={"admin": True})
    note(before={"state": "open", "fixed_in": None}, after={"state": "fixed", "fixed_in": 4})
    note(
        Act.PACK_LOADED,
        Thing(Kind.COURSE, 1),
        COMMAND,
        before={"release": 3},
        after={"release": 4, "keys": ["a#b", "c#d"]},
    )
    note(Act.GUESTS_SWEPT, Thing(Kind.SITE), COMMAND, after={"guests": 3})
    note(Act.PASSWORD_CHANGED, Thing(Kind.PERSON, 5))
    note(Act.FACTORS_CHANGED, Thing(Kind.PERSON, 5), before={"totp": [1]}, after={"webauthn": [2, 3]})
    lines, body = shown(browser, **head)
    assert lines == [
        "Person 5 changed the second factors of person 5: totp 1 → none; webauthn none → 2, 3.",
        "Person 5 changed the password of person 5.",
        "A command on the server removed idle guests from the site: guests 3.",
        "A command on the server loaded a release of course 1: keys none → a#b, c#d; release 3 → 4.",
        "Person 5 decided report 9: fixed in none → 4; state open → fixed.",
        f"A command on the server gave a role to person {boss.pk} (boss@example.org): admin no → yes.",
    ]
    assert "from 192.0.2.7, request <code>abc-123</code>" in body
    assert '<time datetime="2026-11-30T12:00:00+00:00">2026-11-30 12:00:00</time>' in body


def test_every_act_and_kind_has_its_words(browser):
    for act in Act:
        note(act)
    lines, _ = shown(browser)
    assert [one for one in lines for act in Act if act.value in one] == []
    assert len(set(lines)) == len(Act)


def test_act_of_a_later_release_is_shown_by_its_name(browser):
    AuditEvent.objects.create(at=NOON, actor_id=5, act="cohort-closed", object_kind="cohort", object_id=2)
    assert shown(browser)[0] == ["Person 5 cohort-closed cohort 2."]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [4, 3, 2, 1]),
        ("?act=role-given", [1]),
        ("?person=5", [3, 2]),
        ("?person=6&act=report-decided", [4]),
        ("?kind=report&thing=9", [4, 2]),
        ("?kind=person&thing=9", [3]),
        ("?thing=9", [4, 3, 2]),
        ("?kind=course", []),
        ("?act=&person=&kind=&thing=", [4, 3, 2, 1]),
    ],
)
def test_filter(browser, query, found):
    made = [
        note(Act.ROLE_GIVEN, Thing(Kind.PERSON, 8), COMMAND),
        note(),
        note(Act.PASSWORD_CHANGED, Thing(Kind.PERSON, 9)),
        note(by=Actor(6)),
    ]
    wanted = [made[number - 1].pk for number in found]
    _, body = shown(browser, query)
    assert list(map(int, re.findall(r'<li id="event-(\d+)">', body))) == wanted
    assert [int(row[0]) for row in table(browser, query)[1:]] == wanted
    assert ("No row is like this." in body) is (found == [])


@pytest.mark.parametrize("query", ["?person=x", "?person=0", "?thing=9223372036854775808", "?act=nothing", "?kind=x", "?before=y"])  # fmt: skip
def test_filter_that_says_nothing_shows_nothing(browser, query):
    note()
    answer = browser.get(PAGE + query)
    assert answer.status_code == 422
    assert "event-" not in answer.content.decode()
    assert browser.get(FILE + query).status_code == 404


def test_page_is_turned_by_number_so_that_new_rows_shift_nothing(browser):
    made = [note(by=Actor(5 + n % 2)).pk for n in range(2 * MOST_EVENTS + 4)]
    kept = "?person=5"
    _, body = shown(browser, kept)
    seen = list(map(int, re.findall(r'id="event-(\d+)"', body)))
    older = re.search(r'href="(\?person=5&amp;before=\d+)"', body)[1].replace("&amp;", "&")
    note()
    _, body = shown(browser, older)
    seen += list(map(int, re.findall(r'id="event-(\d+)"', body)))
    assert seen == [pk for pk in reversed(made) if AuditEvent.objects.get(pk=pk).actor_id == 5]
    assert "before=" not in body
    assert f'href="{FILE}{kept}"' in body


@pytest.mark.parametrize("rows", [1, 3])
def test_page_costs_the_same_whatever_it_shows(rows, boss):
    for number in range(rows):
        person = User.objects.create_user(f"ada{number}@example.org")
        note(what=Thing(Kind.PERSON, person.pk), by=Actor(person.pk))
    leaf, statements = counted(lambda: audit_leaf(AuditFilter()))
    assert (len(leaf.lines), len(statements)) == (rows, 2)


def test_no_name_or_sent_word_can_forge_a_line(browser, boss, client):
    eve = User.objects.create_user("eve@example.org", "correct horse battery", name=FORGED)
    actions.grant_role(email=eve.email, role="author", by=Actor(eve.pk, "192.0.2.7", "abc"), at=NOON)
    for body in (shown(browser)[1], b"".join(browser.get(FILE).streaming_content).decode()):
        assert "99" not in body
        assert not re.search("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f\u202e]", body)
    assert len(shown(browser)[0]) == 1
    answer = b"".join(browser.get(FILE).streaming_content).decode()
    assert answer.count("\r\n") == answer.count("\n") == 2


def test_file_has_every_row_with_its_numbers_and_facts(browser):
    first = note(before={"state": "open"}, after={"state": "declined"})
    last = note(Act.GUESTS_SWEPT, Thing(Kind.SITE), COMMAND, after={"guests": 3})
    assert table(browser) == [
        ["number", "at", "act", "person", "object", "object number", "before", "after", "address", "request"],
        [str(last.pk), "2026-11-30T12:00:00+00:00", "guests-swept", "", "site", "", "{}", '{"guests": 3}', "", ""],
        [str(first.pk), "2026-11-30T12:00:00+00:00", "report-decided", "5", "report", "9", '{"state": "open"}',
         '{"state": "declined"}', "192.0.2.7", "abc-123"],
    ]  # fmt: skip
    answer = browser.get(FILE)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert re.fullmatch(
        r'attachment; filename="studyhub-audit-\d{4}-\d\d-\d\d.csv"', answer["Content-Disposition"]
    )
    assert "no-store" in answer["Cache-Control"]


def test_file_of_many_rows_is_whole(browser, monkeypatch):
    monkeypatch.setattr("studyhub.accounts.exports.BATCH", 2)
    made = [note().pk for _ in range(5)]
    assert [int(row[0]) for row in table(browser)[1:]] == made[::-1]


def test_admin_finds_the_page_in_the_menu_and_nobody_else_does(browser, boss):
    author = User.objects.create_user("carol@example.org", "correct horse battery", is_author=True)
    other = Client()
    other.force_login(author, BACKEND)
    assert 'href="/audit/"' in browser.get("/settings/").content.decode()
    assert 'href="/audit/"' not in other.get("/settings/").content.decode()


def test_own_acts_are_taken_along(boss):
    from studyhub.accounts.exporting import TABLES

    note(by=Actor(boss.pk, "192.0.2.7", "abc"), after={"state": "fixed"})
    note()
    (acts,) = [one for one in TABLES if one.file == "acts.json"]
    assert list(acts.rows(boss.pk)) == [
        {"at": NOON, "act": "report-decided", "object_kind": "report", "object_id": 9, "before": {},
         "after": {"state": "fixed"}, "ip": "192.0.2.7"}
    ]  # fmt: skip
