"""Who comes in, by number, and who does not is a line of the log, without a word of what was tried.

Of ASVS 5: V16.3.1 (for passwords) and V16.3.3.
"""

import logging

import pytest
from django.core.cache import cache
from django.test import Client

from studyhub.web.logs import JsonLines

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines(caplog):
    cache.clear()
    caplog.set_level(logging.INFO, "studyhub.doors")
    return lambda: [
        (one.levelname, one.getMessage()) for one in caplog.records if one.name == "studyhub.doors"
    ]


def test_sign_in_is_a_line_with_a_number(account, sign_in, lines):
    assert sign_in(Client()).status_code == 302
    assert lines() == [("INFO", f"person {account.pk} signed in")]


@pytest.mark.parametrize("email", ["ada@example.org", "nobody@example.org"])
def test_wrong_password_is_the_same_line_whether_or_not_there_is_an_account(account, sign_in, lines, email):
    assert sign_in(Client(), email=email, password="not this one").status_code == 200
    assert lines() == [("WARNING", "a wrong password was refused")]


def test_try_too_many_is_a_line(account, sign_in, lines):
    for _ in range(7):
        sign_in(Client(), password="not this one")
    assert [said for _, said in lines()] == [
        *["a wrong password was refused"] * 5, *["a password was not looked at: too many tries"] * 2
    ]  # fmt: skip


def test_line_has_no_word_of_what_was_tried(account, sign_in, caplog, lines):
    sign_in(Client(), email="zqcanary@example.org", password="zqcanary-quiet")
    written = [JsonLines().format(one) for one in caplog.records]
    assert len(written) > 0
    assert [one for one in written if "zqcanary" in one] == []
