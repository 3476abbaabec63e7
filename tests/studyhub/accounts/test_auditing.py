"""The audit log: one row for each act, with the act or not at all, and no way to alter one (trust.md 1.20, goal 16)."""

import importlib
import io
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import RequestFactory

from studyhub.accounts import actions
from studyhub.accounts.auditing import COMMAND, Act, Actor, Kind, Thing, actor_of, record
from studyhub.accounts.models import AuditEvent, User
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
ALTERING = {
    "update": "UPDATE accounts_auditevent SET at = now() WHERE id = %s",
    "update of all": "UPDATE accounts_auditevent SET actor_id = NULL",
    "update of nothing": "UPDATE accounts_auditevent SET actor_id = 1 WHERE false",
    "delete": "DELETE FROM accounts_auditevent WHERE id = %s",
    "delete of all": "DELETE FROM accounts_auditevent",
    "upsert": "INSERT INTO accounts_auditevent (id, at, act, object_kind, before, after) VALUES (%s, now(), 'x', 'site', '{}', '{}')"
    " ON CONFLICT (id) DO UPDATE SET at = now()",
    "merge": "MERGE INTO accounts_auditevent AS one USING (SELECT 1) AS two ON true WHEN MATCHED THEN DELETE",
    "truncate": "TRUNCATE accounts_auditevent",
    "truncate with others": "TRUNCATE accounts_session, accounts_auditevent CASCADE",
    "quietly": "SET LOCAL session_replication_role = replica; DELETE FROM accounts_auditevent",
}


def noted(**values):
    given = {"by": COMMAND, "act": Act.ROLE_GIVEN, "what": Thing(Kind.PERSON, 7), "at": NOON, **values}
    record(**given)
    return AuditEvent.objects.latest("pk")


@contextmanager
def as_migrated():
    """The triggers exactly as the migration makes them: tests run with one of them off, so that they can clean up."""
    made = importlib.import_module("studyhub.accounts.migrations.0005_audit_log")
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in [*made.ANY_ACT, *made.ONLY_ADDED]:
            cursor.execute(statement)
        yield cursor
        transaction.set_rollback(True)


@pytest.mark.parametrize("statement", ALTERING.values(), ids=ALTERING)
def test_nothing_alters_a_row(statement):
    row = noted()
    with as_migrated() as cursor:
        parameters = [row.pk] if "%s" in statement else None
        with pytest.raises(DatabaseError, match="The audit log is only added to"), transaction.atomic():
            cursor.execute(statement, parameters)
        assert AuditEvent.objects.get() == row


def test_nothing_alters_a_row_through_the_models():
    row = noted()
    row.act = "other"
    for alter in (
        row.save,
        row.delete,
        AuditEvent.objects.all().delete,
        AuditEvent.objects.all()._raw_delete,
    ):
        with pytest.raises(DatabaseError, match="only added to"), transaction.atomic():
            alter(*(["default"] if alter.__name__ == "_raw_delete" else []))
    assert list(AuditEvent.objects.values_list("pk", "act")) == [(row.pk, "role-given")]


def test_both_triggers_hold_in_a_session_without_triggers_too():
    with as_migrated() as cursor:
        cursor.execute(
            "SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = 'accounts_auditevent'::regclass AND NOT tgisinternal"
        )
        assert sorted(cursor.fetchall()) == [("audit_not_emptied", "A"), ("audit_stays", "A")]


def test_backup_is_put_back_by_copy_which_only_adds():
    row = noted(by=Actor(3, "192.0.2.1", "abc"), before={"author": False}, after={"author": True})
    with connection.cursor() as cursor:
        with cursor.copy("COPY accounts_auditevent TO STDOUT") as out:
            saved = b"".join(bytes(one) for one in out)
        with cursor.copy("COPY accounts_auditevent FROM STDIN") as back:
            back.write(saved.replace(f"{row.pk}\t".encode(), f"{row.pk + 1}\t".encode(), 1))
    first, second = AuditEvent.objects.order_by("pk").values()
    assert {**second, "id": row.pk} == first


def test_row_says_who_did_what_to_what():
    noted(
        by=Actor(3, "2001:db8::1", "abc-1"), before={"state": "open"}, after={"state": "fixed", "fixed_in": 9}
    )
    assert list(AuditEvent.objects.values()) == [
        {"id": AuditEvent.objects.get().pk, "at": NOON, "actor_id": 3, "act": "role-given", "object_kind": "person",
         "object_id": 7, "before": {"state": "open"}, "after": {"state": "fixed", "fixed_in": 9}, "ip": "2001:db8::1",
         "request_id": "abc-1"}
    ]  # fmt: skip


@pytest.mark.parametrize(
    "value",
    ["two words", "ada@example.org", "line\nbreak", "\x1b[31m", "", "x" * 251, "Zoë", {"a": 1}, 0.5, ["fine", "not fine"]],
)  # fmt: skip
def test_nothing_that_people_type_comes_in(value):
    for facts in ({"before": {"name": value}}, {"after": {"name": value}}):
        with pytest.raises(ValueError, match="this is"):
            noted(**facts)
    assert not AuditEvent.objects.exists()


def test_name_of_a_fact_is_a_word_too():
    with pytest.raises(ValueError, match="no word"):
        noted(after={"what ada said": 1})


@pytest.mark.parametrize(
    ("columns", "constraint"),
    [
        ({"ip": "192.0.2.1"}, "audit_command_has_no_browser"),
        ({"request_id": "abc"}, "audit_command_has_no_browser"),
        ({"act": ""}, "audit_act_and_object"),
        ({"object_kind": ""}, "audit_act_and_object"),
    ],
)
def test_constraint_refuses(columns, constraint):
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        AuditEvent.objects.create(**{"at": NOON, "act": "role-given", "object_kind": "person", **columns})


@pytest.mark.django_db(transaction=True)
def test_row_outside_of_the_transaction_of_its_act_is_refused():
    with pytest.raises(transaction.TransactionManagementError):
        noted()
    assert not AuditEvent.objects.exists()


def test_act_that_is_rolled_back_leaves_no_row(account):
    with transaction.atomic():
        actions.grant_role(email=account.email, role="author", by=COMMAND, at=NOON)
        assert AuditEvent.objects.count() == 1
        transaction.set_rollback(True)
    assert not AuditEvent.objects.exists()
    assert not User.objects.get(pk=account.pk).is_author


def test_act_whose_row_is_refused_is_not_done(account, monkeypatch):
    def refuse(**values):
        raise IntegrityError

    monkeypatch.setattr(actions, "record", refuse)
    with pytest.raises(IntegrityError), transaction.atomic():
        actions.grant_role(email=account.email, role="author", by=COMMAND, at=NOON)
    assert not User.objects.get(pk=account.pk).is_author


def test_command_that_gives_and_takes_a_role_leaves_one_row_each(account):
    for options, act, before, after in (
        ([], "role-given", {"author": False}, {"author": True}),
        ([], None, None, None),  # has it already
        (["--revoke"], "role-taken", {"author": True}, {"author": False}),
    ):
        last = AuditEvent.objects.count()
        call_command("grant_role", account.email, "author", *options, stdout=io.StringIO())
        rows = AuditEvent.objects.order_by("pk")[last:]
        said = [(one.act, one.actor_id, one.object_id, one.before, one.after, one.ip) for one in rows]
        assert said == ([(act, None, account.pk, before, after, None)] if act else [])


def test_sweep_of_idle_guests_leaves_one_row_with_their_number():
    for _ in range(3):
        User.objects.create(guest=True, seen_on="2020-01-01")
    assert actions.sweep_guests(at=NOON) == 3
    assert list(AuditEvent.objects.values_list("act", "object_kind", "after")) == [
        ("guests-swept", "site", {"guests": 3})
    ]
    assert actions.sweep_guests(at=NOON) == 0
    assert AuditEvent.objects.count() == 1


def test_person_who_left_stays_a_number(account, sign_in, client):
    actions.grant_role(email=account.email, role="author", by=Actor(account.pk, "192.0.2.1", "a"), at=NOON)
    number = account.pk
    actions.erase_person(person_id=number)
    assert list(AuditEvent.objects.values_list("actor_id", "object_id")) == [(number, number)]


def asked(forwarded=None, **meta):
    return RequestFactory().get("/", **meta, **({"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}))


def test_actor_of_a_request_is_its_learner_address_and_id(account, settings):
    request = asked("203.0.113.9", REMOTE_ADDR="192.0.2.1")
    request.learner = account
    assert actor_of(request) == Actor(account.pk, "192.0.2.1", "")
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1  # behind one's own proxy
    assert actor_of(request).ip == "203.0.113.9"
    assert actor_of(asked("no address", REMOTE_ADDR=""), person_id=5) == Actor(5, None, "")


def test_visitor_is_no_actor():
    request = asked()
    request.learner = None
    with pytest.raises(ValueError, match="nobody"):
        actor_of(request)
