"""Leaving: nothing of a person stays but counts, and nothing of anybody else changes (trust.md 1.19)."""

from datetime import timedelta

import pytest
from django.db import connection, models
from django.test import Client

from chapters.models import Section
from quizzes.models import AnswerCount, Attempt, QuestionReport, Response
from studyhub.accounts.actions import LastAdministrator, erase_person, sweep_guests
from studyhub.accounts.erasing import KEPT
from studyhub.accounts.models import Session, User
from tests.conftest import NOON
from tests.matrix.actors import CANARY, everyone
from tests.studyhub.accounts.test_exports import leading_to_people

BACKEND = "studyhub.accounts.backends.Backend"
LEAVE = "/settings/delete/"
PASSWORD = "correct horse battery"


@pytest.fixture
def people(course):
    return everyone()


def tables_with(token):
    """The tables in which the token stands, in whatever column."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*) FROM "{table}" t WHERE position(%s IN t::text) > 0', [token])
            if cursor.fetchone()[0]:
                found.append(table)
    return sorted(found)


def rows_of(person_id):
    """md5 of everything that leads to a person, by table, of the tables that hold a learner or a user."""
    prints = {}
    for model in sorted(leading_to_people() - {User}, key=lambda one: one._meta.db_table):
        for one in model._meta.concrete_fields:
            if one.is_relation and one.related_model is User:
                rows = model._default_manager.filter(**{one.name: person_id}).order_by("pk")
                prints[f"{model._meta.label}.{one.name}"] = [tuple(row) for row in rows.values_list()]
    return prints


def test_every_column_that_leads_to_a_person_goes_with_them_or_has_a_reason():
    stays = set()
    for model in leading_to_people():
        for one in model._meta.concrete_fields:
            if (
                one.is_relation
                and one.related_model is User
                and one.remote_field.on_delete is not models.CASCADE
            ):
                stays.add(f"{model._meta.label}.{one.name}")
    assert stays == set(KEPT)
    assert all(len(reason) > 30 for reason in KEPT.values())


@pytest.mark.django_db
def test_nothing_of_a_person_stays(people, settings, tmp_path, django_capture_on_commit_callbacks):
    settings.EMAIL_FILE_PATH = tmp_path
    owner, other = people["owner"].user, people["classmate"].user
    (tmp_path / "a.log").write_text(f"To: {owner.email.upper()}\n")
    (tmp_path / "b.log").write_text(f"To: {other.email}\n")
    held = tables_with(CANARY)
    assert {
        "accounts_user",
        "account_emailaddress",
        "chapters_note",
        "quizzes_cardtry",
        "quizzes_questionreport",
    } <= set(held)
    theirs = rows_of(other.pk)
    with django_capture_on_commit_callbacks(execute=True):
        erase_person(person_id=owner.pk)
    assert tables_with(CANARY) == []
    assert all(rows == [] for rows in rows_of(owner.pk).values())
    assert rows_of(other.pk) == theirs
    assert Session.objects.filter(person_id=owner.pk).count() == 0
    assert [one.name for one in tmp_path.iterdir()] == ["b.log"]
    assert people["owner"].browser.get(f"/attempts/{people['owner'].attempt.pk}/").status_code == 404


@pytest.mark.django_db
def test_answers_of_those_who_left_are_counted_and_added_up(people):
    owner = people["owner"]
    given = list(Response.objects.filter(learner=owner.user).values_list("version_id", "state", "options"))
    assert len(given) == 3
    assert any(options for *_, options in given)
    erase_person(person_id=owner.user.pk)
    counts = AnswerCount.objects.values_list("version_id", "state", "option", "n", "first")
    assert sorted((v, s, n) for v, s, option, n, first in counts if option == "" and first) == sorted(
        (v, s, 1) for v, s, _ in given
    )
    assert sorted(option for *_, option, _n, _f in counts if option) == sorted(
        option for *_, options in given for option in options
    )
    classmate = people["classmate"]
    from tests.quizzes.play import send

    send(classmate.attempt, 1)
    version = classmate.attempt.slots.get(position=1).version_id
    erase_person(person_id=classmate.user.pk)
    total = sum(AnswerCount.objects.filter(version_id=version, option="").values_list("n", flat=True))
    assert total == 1 + sum(1 for v, *_ in given if v == version)


@pytest.mark.django_db
def test_report_in_doubt_stays_without_words_and_a_settled_one_goes(people):
    owner = people["owner"].user
    open_one = QuestionReport.objects.get()
    open_one.pk, open_one.state, open_one.answer, open_one.decided_at = None, "declined", "It stands.", NOON
    open_one.save()
    erase_person(person_id=owner.pk)
    assert list(QuestionReport.objects.values_list("state", "text", "learner")) == [("open", "", None)]


@pytest.mark.django_db
def test_only_administrator_cannot_leave(people):
    admin = people["admin"].user
    with pytest.raises(LastAdministrator):
        erase_person(person_id=admin.pk)
    User.objects.filter(pk=people["author"].user.pk).update(is_admin=True)
    erase_person(person_id=admin.pk)
    assert not User.objects.filter(pk=admin.pk).exists()


@pytest.mark.django_db
def test_idle_guests_leave_the_same_way(people):
    from tests.quizzes.play import send

    guest = people["guest"]
    send(guest.attempt, 1)
    User.objects.filter(pk=guest.user.pk).update(
        seen_on=(NOON - timedelta(days=40)).date(), joined_at=NOON - timedelta(days=40)
    )
    assert sweep_guests(at=NOON) == 1
    assert AnswerCount.objects.get(option="").n == 1
    assert not Attempt.objects.filter(learner_id=guest.user.pk).exists()


@pytest.mark.django_db
def test_guest_leaves_by_typing_the_word(people):
    guest = people["guest"]
    page = guest.browser.get(LEAVE)
    assert "Type the word" in page.content.decode()
    refused = guest.browser.post(LEAVE, {"word": "no"})
    assert refused.status_code == 422
    assert "Nothing was deleted" in refused.content.decode()
    done = guest.browser.post(LEAVE, {"word": " Delete "})
    assert (done.status_code, done["Location"]) == (303, "/settings/deleted/")
    assert done["Clear-Site-Data"] == '"cache", "storage"'
    assert not User.objects.filter(pk=guest.user.pk).exists()
    assert "is deleted" in guest.browser.get(done["Location"]).content.decode()


@pytest.mark.django_db
def test_account_gives_its_password_again_before_it_leaves(people):
    owner = people["owner"]
    asked = owner.browser.post(LEAVE, {"word": "delete"})
    assert asked["Location"].startswith("/accounts/reauthenticate/")
    assert User.objects.filter(pk=owner.user.pk).exists()
    wrong = owner.browser.post(asked["Location"], {"password": "something else"})
    assert wrong.status_code == 200
    assert User.objects.filter(pk=owner.user.pk).exists()
    back = owner.browser.post(
        asked["Location"], {"password": PASSWORD}
    )  # the form sent before goes on from here
    assert back["Location"] == "/settings/deleted/"
    assert not User.objects.filter(pk=owner.user.pk).exists()


@pytest.mark.django_db
def test_visitor_has_nothing_to_delete(course):
    assert Client().get(LEAVE).status_code in {302, 404}
    assert Section.objects.exists()
