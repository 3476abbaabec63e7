import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from studyhub.accounts import actions, rules
from studyhub.accounts.auditing import COMMAND
from studyhub.accounts.models import Cohort, Membership, User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("author", "admin", "active", "may_author", "may_administer"),
    [
        (False, False, True, False, False),
        (True, False, True, True, False),
        (False, True, True, True, True),
        (True, True, False, False, False),
    ],
)
def test_site_roles(author, admin, active, may_author, may_administer):
    person = User(email="a@example.org", is_author=author, is_admin=admin, is_active=active)
    assert (rules.can_author(person), rules.can_administer(person)) == (may_author, may_administer)


@pytest.mark.parametrize("person", [None, AnonymousUser(), User(guest=True, is_admin=True, is_author=True)])
def test_visitors_and_guests_may_nothing(person):
    cohort = Cohort.objects.create(course="c", title="t")
    asked = [rules.has_account, rules.can_author, rules.can_administer]
    assert [ask(person) for ask in asked] == [False] * 3
    assert [ask(person, cohort) for ask in (rules.belongs, rules.oversees, rules.teaches)] == [False] * 3


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("learner", (True, False, False)),
        ("assistant", (True, True, False)),
        ("instructor", (True, True, True)),
    ],
)
def test_cohort_roles(account, role, expected):
    cohort, other = (Cohort.objects.create(course="c", title=title) for title in "ab")
    part = Membership.objects.create(cohort=cohort, user=account, role=role)
    asked = (rules.belongs, rules.oversees, rules.teaches)
    assert tuple(ask(account, cohort) for ask in asked) == expected
    assert tuple(ask(account, other) for ask in asked) == (False, False, False)
    part.left_at = timezone.now()
    part.save()
    assert tuple(ask(account, cohort) for ask in asked) == (False, False, False)


def test_part_of_somebody_else_gives_nothing(account):
    cohort = Cohort.objects.create(course="c", title="t")
    teacher = User.objects.create_user("teacher@example.org", "correct horse battery")
    Membership.objects.create(cohort=cohort, user=teacher, role="instructor")
    asked = (rules.belongs, rules.oversees, rules.teaches)
    assert [ask(teacher, cohort) for ask in asked] == [True] * 3
    assert [ask(account, cohort) for ask in asked] == [False] * 3


def test_site_admin_does_not_teach(account):
    actions.grant_role(email=account.email, role="admin", by=COMMAND, at=timezone.now())
    account.refresh_from_db()
    assert rules.teaches(account, Cohort.objects.create(course="c", title="t")) is False
