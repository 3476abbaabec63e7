import pytest
from django.test import Client
from django.utils import timezone

from studyhub.accounts import actions
from studyhub.accounts.models import User

PASSWORD = "a quiet harbour at dawn"
KEEP = "/test/keep/"


@pytest.fixture(autouse=True)
def _addresses(settings):
    settings.ROOT_URLCONF = "tests.studyhub.accounts.addresses"
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def account(db):
    return actions.open_account(
        email="ada@example.org", password=PASSWORD, zone="Europe/Berlin", at=timezone.now()
    )


@pytest.fixture
def guest(db, client: Client):
    client.post(KEEP)
    return User.objects.guests().get()


@pytest.fixture
def sign_in():
    def sign(client: Client, email: str = "ada@example.org", password: str = PASSWORD, **extra: str):
        return client.post("/accounts/login/", {"login": email, "password": password, **extra})

    return sign


@pytest.fixture
def sign_up():
    def sign(client: Client, email: str = "new@example.org", password: str = PASSWORD, **extra: str):
        return client.post("/accounts/signup/", {"email": email, "password1": password, **extra})

    return sign
