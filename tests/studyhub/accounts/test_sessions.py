"""The session store brings its person along, and trusts nothing that the session does not say."""

import pytest
from django.test import Client

from studyhub.accounts.models import Session, User
from studyhub.accounts.sessions import GUEST, SessionStore

pytestmark = pytest.mark.django_db


def store_with(**values):
    store = SessionStore()
    store.update(values)
    store.save()
    return store


@pytest.mark.parametrize("name", ["_auth_user_id", GUEST])
def test_row_names_the_person_of_the_session(learner, name, django_assert_num_queries):
    key = store_with(**{name: learner.pk}).session_key
    assert Session.objects.get(session_key=key).person_id == learner.pk
    with django_assert_num_queries(1):
        store = SessionStore(key)
        assert store[name] == learner.pk
        assert store.person(learner.pk) == learner


def test_account_comes_before_the_guest(learner, other):
    key = store_with(**{"_auth_user_id": str(learner.pk), GUEST: other.pk}).session_key
    assert Session.objects.get(session_key=key).person_id == learner.pk


def test_session_of_nobody_names_nobody():
    assert Session.objects.get(session_key=store_with(since=1.0).session_key).person_id is None


def test_another_person_than_the_session_s_is_read_from_the_table(learner, other):
    store = SessionStore(store_with(**{GUEST: learner.pk}).session_key)
    store.load()
    assert store.person(other.pk) == other


def test_session_whose_person_is_gone_still_loads_and_saves(other):
    key = store_with(**{GUEST: other.pk}).session_key
    gone = other.pk
    User.objects.filter(pk=gone).delete()
    store = SessionStore(key)
    assert (store[GUEST], store.person(gone)) == (gone, None)
    store["since"] = 2.0
    store.save()


def test_ended_session_is_empty_and_gets_another_key(learner):
    key = store_with(_auth_user_id=str(learner.pk)).session_key
    Session.objects.update(expire_date="2020-01-01T00:00:00Z")
    store = SessionStore(key)
    assert (dict(store.items()), store.session_key) == ({}, None)


@pytest.fixture
def browser(learner):
    client = Client()
    client.force_login(learner, "studyhub.accounts.backends.Backend")
    assert "Sign out" in client.get("/").content.decode()
    return client


def test_session_of_somebody_whose_password_changed_signs_nobody_in(browser, learner):
    learner.set_password("another long password")
    learner.save()
    assert "Sign out" not in browser.get("/").content.decode()


def test_session_of_somebody_deactivated_signs_nobody_in(browser, learner):
    User.objects.filter(pk=learner.pk).update(is_active=False)
    assert "Sign out" not in browser.get("/").content.decode()


def test_session_of_another_way_to_sign_in_signs_nobody_in(learner):
    client = Client()
    client.force_login(learner, "studyhub.accounts.backends.Backend")
    session = client.session
    session["_auth_user_backend"] = "somewhere.Else"
    session.save()
    assert "Sign out" not in client.get("/").content.decode()


@pytest.mark.parametrize("key", ['"\\000aaaaaaaaaaa"', "' OR 1=1 --", "x" * 5000, "ä" * 32])
def test_cookie_that_no_session_can_have_is_a_stranger_s(key):
    response = Client(raise_request_exception=True).get("/", headers={"Cookie": f"session={key}"})
    assert response.status_code == 200
    assert "Sign in" in response.content.decode()
