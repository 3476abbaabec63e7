"""May this person do this: small predicates. Guests and visitors may nothing that needs a role."""

from __future__ import annotations

from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser

from studyhub.accounts.models import Cohort, Membership, User

Person: TypeAlias = User | AnonymousUser | None


def has_account(user: Person) -> bool:
    """Whether this is an account with an address that has not been closed."""
    return isinstance(user, User) and user.is_active and not user.guest


def can_author(user: Person) -> bool:
    """Whether this person may write and load courses. Admins may."""
    return isinstance(user, User) and has_account(user) and (user.is_author or user.is_admin)


def can_administer(user: Person) -> bool:
    """Whether this person may grant roles and see the whole site."""
    return isinstance(user, User) and has_account(user) and user.is_admin


def belongs(user: Person, cohort: Cohort) -> bool:
    """Whether this person is a member of the cohort now, in any role."""
    return _has_part(user, cohort, *Membership.Role.values)


def oversees(user: Person, cohort: Cohort) -> bool:
    """Whether this person may see what the cohort's learners did: instructors and assistants."""
    return _has_part(user, cohort, Membership.Role.INSTRUCTOR, Membership.Role.ASSISTANT)


def teaches(user: Person, cohort: Cohort) -> bool:
    """Whether this person may change the cohort and its members: instructors only."""
    return _has_part(user, cohort, Membership.Role.INSTRUCTOR)


def _has_part(user: Person, cohort: Cohort, *roles: str) -> bool:
    if not isinstance(user, User) or not has_account(user):
        return False
    return Membership.objects.filter(cohort=cohort, user=user, role__in=roles, left_at__isnull=True).exists()
