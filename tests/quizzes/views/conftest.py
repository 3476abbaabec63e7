"""What tests of authors' pages share."""

from __future__ import annotations

import pytest
from django.test import Client

from studyhub.accounts.models import User


@pytest.fixture
def author(other: User) -> Client:
    """The browser of Bob, who is an author."""
    User.objects.filter(pk=other.pk).update(is_author=True, name="Bob")
    client = Client()
    client.force_login(other, "studyhub.accounts.backends.Backend")
    return client
