"""What most tests share: the shipped course in the database, learners, browsers without a script."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from chapters.models import Course
from quizzes.models import Attempt, Quiz
from studyhub.accounts.models import User

PACK = Path(__file__).parent.parent / "fixtures" / "packs" / "llm-inference"
COURSE, CHAPTER, QUIZ = "llm-inference", "model-optimization", "inference-optimization"
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@cache
def _goods() -> tuple[Any, str]:
    """The shipped pack, set once in each test process."""
    from studyhub.packs.actions.load import check_pack, fingerprint_of
    from studyhub.packs.actions.setting import set_pack

    pack, _ = check_pack(PACK)
    return set_pack(pack, PACK), fingerprint_of(PACK)


def shelve_shipped_course() -> None:
    """Put the shipped course on the shelves if it is not there."""
    from studyhub.packs.actions.load import _shelve

    if not Course.objects.filter(slug=COURSE).exists():
        goods, fingerprint = _goods()
        _shelve(goods, fingerprint, timezone.now())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is long, unless the run chose its marks (``make drill``)."""
    long = [] if config.option.markexpr else [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    """Static files need no manifest, passwords are hashed quickly, no page outlives the test that made it."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.READY_SECONDS = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The shipped course is in the test database from the start; the audit log can be emptied after a test."""
    with django_db_blocker.unblock():
        shelve_shipped_course()
        with connection.cursor() as cursor:  # test_auditing.py tries the trigger as the migration makes it
            cursor.execute("ALTER TABLE accounts_auditevent DISABLE TRIGGER audit_not_emptied")


@pytest.fixture
def course(db: None) -> Course:
    """The shipped course; loaded again where a transactional test has emptied the tables."""
    shelve_shipped_course()
    return Course.objects.get(slug=COURSE)


@pytest.fixture
def quiz(course: Course) -> Quiz:
    """The first shipped quiz."""
    return Quiz.objects.select_related("course").get(course=course, slug=QUIZ)


@pytest.fixture
def learner(db: None) -> User:
    """An account."""
    return User.objects.create_user("ada@example.org", "correct horse battery")


@pytest.fixture
def other(db: None) -> User:
    """Another account, to whom nothing of the first belongs."""
    return User.objects.create_user("bob@example.org", "correct horse battery")


@pytest.fixture
def signed_in(client: Client, learner: User) -> Client:
    """A browser in which ``learner`` is signed in."""
    client.force_login(learner, "studyhub.accounts.backends.Backend")
    return client


@pytest.fixture
def attempt(quiz: Quiz, learner: User) -> Attempt:
    """An open attempt of ``learner``."""
    from quizzes.actions import start_attempt

    return start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=NOON)


__all__ = ["CHAPTER", "COURSE", "NOON", "PACK", "QUIZ", "shelve_shipped_course"]
