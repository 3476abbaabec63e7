"""Which passwords are taken, and that they are kept as they were typed.

Proves trust.md's figures for ASVS 5 V6.2: at least 10 signs, 64 and more allowed, no rules of composition, the 20,000
commonest refused, spaces and signs of every script kept; one password however a keyboard composes its signs.
"""

import gzip
import unicodedata
from pathlib import Path

import pytest
from django.contrib.auth import password_validation
from django.core.cache import cache
from django.test import Client

from studyhub.accounts.models import User, settled

pytestmark = pytest.mark.django_db
COMMONEST = Path(password_validation.__file__).parent / "common-passwords.txt.gz"


@pytest.fixture(autouse=True)
def _nothing_tried():
    cache.clear()


def takes(sign_up, password):
    User.objects.all().delete()
    return sign_up(Client(), password=password).status_code == 302


TAKEN = [
    "quietharbo", "1357924685", "aaaaaaaaab", "          quiet", "  leading and trailing  ", "UPPER HARBOUR", "??!!..,,;;",
    "x" * 64, "quiet harbour " * 300, "тихая гавань", "静かな港の夜明けの色は青い", "🌊" * 10, "\u202equiet harbour", "quiet\tharbour",
]  # fmt: skip


@pytest.mark.parametrize("password", TAKEN)
def test_password_of_any_composition_is_taken_and_kept_whole(sign_up, sign_in, password):
    assert takes(sign_up, password)
    assert sign_in(Client(), email="new@example.org", password=password).status_code == 302
    for other in (password[:-1], password[1:], password.swapcase(), f"{password} ", password.strip()):
        if other != password:
            assert not User.objects.get().check_password(other)


@pytest.mark.parametrize(
    "password", ["", "x", "harbour99", "x" * 9, "new@example.org", "1234567890", "Password123"]
)
def test_password_that_is_short_common_or_the_address_is_not_taken(sign_up, password):
    assert not takes(sign_up, password)


def commonest():
    """Those of the list that are long enough, in its order: the order of the list is not that of their frequency."""
    with gzip.open(COMMONEST, "rt", encoding="utf-8") as lines:
        return [line.strip() for line in lines]


def test_twenty_thousand_commonest_are_refused_also_in_capitals_and_full_width():
    listed = commonest()
    assert len(listed) >= 3_000
    long = [word for word in listed if len(word) >= 10]
    assert len(long) > 100
    wide = "".join(chr(ord(sign) + 0xFEE0) for sign in "password12")
    assert settled(wide) == "password12"
    for word in [*long, *(word.upper() for word in long), settled(wide)]:
        with pytest.raises(password_validation.ValidationError):
            password_validation.validate_password(word)


def test_common_password_in_full_width_signs_is_refused(sign_up):
    wide = "".join(chr(ord(sign) + 0xFEE0) for sign in commonest_long())
    assert not takes(sign_up, wide)


def commonest_long():
    return next(word for word in commonest() if len(word) >= 10 and word.isascii() and word.isalnum())


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_one_password_however_the_keyboard_composes_it(sign_up, sign_in, form):
    typed = "Café über Åland ﬁn"
    assert takes(sign_up, unicodedata.normalize("NFC", typed))
    there = unicodedata.normalize(form, typed)
    assert sign_in(Client(), email="new@example.org", password=there).status_code == 302
    browser = Client()
    sign_in(browser, email="new@example.org", password=there)
    change = {"oldpassword": there} | dict.fromkeys(["password1", "password2"], "another quiet harbour")
    assert browser.post("/accounts/password/change/", change).status_code == 302


@pytest.mark.parametrize("address", ["/accounts/signup/", "/accounts/login/"])
def test_password_field_hides_takes_pastes_and_helps_managers(client, address):
    body = client.get(address).content.decode()
    field = (
        body.split('type="password"')[1].split(">")[0] + body.split('type="password"')[0].rsplit("<", 1)[1]
    )
    assert "autocomplete=" in field
    assert 'autocomplete="off"' not in field
    assert "maxlength" not in field
    assert "onpaste" not in body


def test_password_does_not_run_out(account, sign_in):
    User.objects.update(joined_at="2015-01-01T00:00:00Z", last_login="2015-01-01T00:00:00Z")
    assert sign_in(Client()).status_code == 302
