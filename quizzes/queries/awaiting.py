"""What waits for authors, for their menu: reports that nobody answered, and corrections of keys nobody looked at."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from studyhub.accounts.models import User
from studyhub.accounts.rules import Person, can_author

AWAITING = """
SELECT (SELECT count(*) FROM quizzes_questionreport WHERE state = 'open'),
    (SELECT count(*) FROM quizzes_correction WHERE applied_at IS NULL AND set_aside_at IS NULL)
"""
ASKED = "_awaiting"  # attribute of a person that was asked for


class Awaiting(NamedTuple):
    """How many wait."""

    reports: int
    corrections: int

    @property
    def all(self) -> int:
        """Both together."""
        return self.reports + self.corrections


NOTHING = Awaiting(0, 0)


def awaiting(person: Person) -> Awaiting:
    """What waits for an author or admin (one query, once for each request); nothing, and no query, for others.

    ``person`` is read anew with every request, so what was found for it is kept at it.
    """
    if not isinstance(person, User) or not can_author(person):
        return NOTHING
    found = vars(person).get(ASKED)
    if not isinstance(found, Awaiting):
        with connection.cursor() as cursor:
            cursor.execute(AWAITING)
            found = vars(person)[ASKED] = Awaiting(*cursor.fetchone())
    return found
