"""Each address that acts on data of others leaves exactly one row, and an address that is not listed fails (trust.md
1.20, goal 16).
"""

import ast
import inspect
import io
import textwrap

import pytest
from django.core.management import call_command
from django.urls import URLResolver, get_resolver, reverse

from quizzes.actions import apply_correction, set_aside, start_attempt
from quizzes.models import Correction, QuestionReport, QuestionVersion
from studyhub.accounts.auditing import COMMAND, Actor
from studyhub.accounts.models import AuditEvent, User
from studyhub.packs.actions import load as loading
from studyhub.packs.actions import load_pack
from tests.architecture.sources import HOUSE
from tests.conftest import NOON
from tests.quizzes.goods import AT, option, question, shelve_quiz
from tests.quizzes.play import send
from tests.studyhub.packs.small import QUIZ_FILE, edit, write
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
DECIDES = {"state": "declined", "answer": "It stands, Ada <ada@example.org>\n\x1b[31mrow 1"}
# address -> (made ready by, what is sent, the row it leaves: act, kind, before, after)
ACTS = {
    "inbox_report": [
        ("reported", DECIDES, "report-decided", {"state": "open", "fixed_in": None}, {"state": "declined", "fixed_in": None}),
    ],
    "correct": [
        ("corrected", {}, "correction-applied", {"applied": False}, {"applied": True, "moved": 1}),
        ("applied", {"act": "again"}, "correction-applied", {"applied": True}, {"applied": True, "moved": 0}),
        ("applied", {"act": "undo"}, "correction-undone", {"applied": True}, {"applied": False, "moved": 1}),
        ("corrected", {"act": "aside", "reason": "Ask Ada"}, "correction-set-aside", {"aside": False}, {"aside": True}),
        ("aside", {"act": "up"}, "correction-taken-up", {"aside": True}, {"aside": False}),
    ],
}  # fmt: skip
REFUSED = {
    "inbox_report": [("reported", {"state": "declined", "answer": ""}), ("reported", {"state": "nothing"})],
    "correct": [
        ("corrected", {"act": "undo"}),
        ("applied", {}),
        ("corrected", {"act": "aside"}),
        ("aside", {}),
    ],
}
CASES = [(name, *case) for name, cases in ACTS.items() for case in cases]
ROLES = {"can_author", "can_administer", "oversees", "teaches"}  # accounts.rules


def keyed(right):
    return question(
        "asked", options=(option("alpha", right=right == "alpha"), option("beta", right=right == "beta"))
    )


@pytest.fixture
def author():
    return User.objects.create_user("carol@example.org", "correct horse battery", is_author=True)


@pytest.fixture
def browser(client, author):
    client.force_login(author, "studyhub.accounts.backends.Backend")
    return client


@pytest.fixture
def ready(learner, author):
    """Makes a thing ready; answers the arguments of its address and its number."""

    def corrected():
        quiz = shelve_quiz(keyed("alpha"))
        attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
        send(attempt, 1)
        shelve_quiz(keyed("beta"))
        return Correction.objects.get().pk

    def applied():
        pk = corrected()
        apply_correction(correction_id=pk, by=Actor(author.pk), at=NOON)
        return pk

    def aside():
        pk = corrected()
        set_aside(correction_id=pk, by=Actor(author.pk), reason="Ask", at=NOON)
        return pk

    def reported():
        shelve_quiz(keyed("alpha"))
        version = QuestionVersion.objects.get(question__slug="asked")
        report = QuestionReport.objects.create(
            question_id=version.question_id, version=version, learner=learner, reason="key", text="Hm", at=AT
        )
        return report.pk

    return {"corrected": corrected, "applied": applied, "aside": aside, "reported": reported}


def since(last):
    return list(AuditEvent.objects.order_by("pk"))[last:]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "main"}], ids=["plain", "htmx"])
@pytest.mark.parametrize("case", CASES)
def test_act_leaves_exactly_one_row(browser, author, ready, case, headers):
    name, thing, sent, act, before, after = case
    pk = ready[thing]()
    last = AuditEvent.objects.count()
    answer = browser.post(reverse(name, args=[pk]), sent, headers=headers)
    assert answer.status_code in {200, 302, 303}
    (row,) = since(last)
    assert (row.actor_id, row.act, row.object_id, row.before, row.after) == (
        author.pk,
        act,
        pk,
        before,
        after,
    )
    assert (row.ip, row.request_id) == ("127.0.0.1", answer.headers.get("X-Request-ID", ""))
    assert row.object_kind == {"inbox_report": "report", "correct": "correction"}[name]


@pytest.mark.parametrize(
    ("name", "thing", "sent"), [(name, *case) for name, cases in REFUSED.items() for case in cases]
)
def test_act_that_is_refused_leaves_none_and_changes_nothing(browser, ready, name, thing, sent):
    pk, before = ready[thing](), table_prints()
    browser.post(reverse(name, args=[pk]), sent)
    assert changed_tables(before) == []


@pytest.mark.parametrize("who", ["learner", "stranger"])
@pytest.mark.parametrize("name", ACTS)
def test_act_of_somebody_without_the_role_leaves_none(client, learner, ready, name, who):
    if who == "learner":
        client.force_login(learner, "studyhub.accounts.backends.Backend")
    thing, sent = ACTS[name][0][:2]
    pk, before = ready[thing](), table_prints()
    assert client.post(reverse(name, args=[pk]), sent).status_code in {302, 404}
    assert changed_tables(before) == []


def our_posts(resolver=None):
    """(name, view as written, source) of every address of ours that takes a POST."""
    for one in (resolver or get_resolver()).url_patterns:
        if isinstance(one, URLResolver):
            yield from our_posts(one)
            continue
        view = inspect.unwrap(one.callback)
        if inspect.isfunction(view) and view.__module__.split(".")[0] in HOUSE:
            source = textwrap.dedent(inspect.getsource(view))
            if "require_POST" in source or '"POST"' in source:
                yield one.name, source


def for_roles(source):
    """Whether a view is for people with a role: by a decorator called …_only, or by asking accounts.rules."""
    names = {one.id for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Name)}
    return any(name.endswith("_only") for name in names) or bool(names & ROLES)


def test_every_address_for_people_with_a_role_that_takes_a_post_is_tried_here(settings):
    settings.ROOT_URLCONF = "studyhub.urls"
    found = dict(our_posts())
    assert len(found) > 15
    assert {name for name, source in found.items() if for_roles(source)} == set(ACTS) == set(REFUSED)


def test_loading_another_key_is_one_row_that_names_the_question(db, tmp_path):
    folder = write(tmp_path)
    load_pack(folder=folder, by=COMMAND, at=NOON)
    (row,) = AuditEvent.objects.all()
    assert (row.act, row.actor_id, row.object_kind, row.before, row.after) == (
        "pack-loaded", None, "course", {"release": 0}, {"release": 1, "keys": [], "keys_changed": 0},
    )  # fmt: skip
    edit(folder, QUIZ_FILE, "± 0.5", "± 0.7")
    edit(
        folder, QUIZ_FILE, "A word has several.", "A word has some."
    )  # another wording of a key is not another key
    call_command("load_pack", str(folder), stdout=io.StringIO())
    row = AuditEvent.objects.latest("pk")
    assert AuditEvent.objects.count() == 2
    assert (row.before, row.after) == (
        {"release": 1}, {"release": 2, "keys": ["first#three"], "keys_changed": 1},
    )  # fmt: skip


def test_loading_what_is_loaded_already_is_no_act_and_a_load_that_fails_leaves_none(
    db, tmp_path, monkeypatch
):
    folder = write(tmp_path)
    load_pack(folder=folder, by=COMMAND, at=NOON)
    load_pack(folder=folder, by=COMMAND, at=AT)
    assert AuditEvent.objects.count() == 1
    (folder / "course.md").write_text((folder / "course.md").read_text().replace("title: ", "title: New ", 1))
    before = table_prints()

    def fail(*given):
        AuditEvent.objects.get()
        raise OSError

    monkeypatch.setattr(loading, "_record", fail)
    with pytest.raises(OSError):  # noqa: PT011
        load_pack(folder=folder, by=COMMAND, at=AT)
    assert changed_tables(before) == []
