"""Tables: stairs go down only, and every learner's row is known to those who join guest and account."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.contrib.contenttypes.fields import GenericForeignKey, GenericRelation
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from studyhub.accounts.merging import MERGERS
from studyhub.accounts.models import User
from tests.architecture.sources import HOUSE

STOREYS = {
    "web": 1,
    "accounts": 2,
    "chapters": 3,
    "quizzes": 4,
    "plans": 5,
    "packs": 6,
    "cohorts": 6,
    "desk": 7,
}
WITHOUT_TABLES = ("web", "packs", "desk")
# A guest has no role.
WITH_ROLES_ONLY = {
    "quizzes.Correction.applied_by",
    "quizzes.Correction.set_aside_by",
    "quizzes.Correction.undone_by",
    "quizzes.QuestionReport.decided_by",
}


def ours() -> list[type[models.Model]]:
    return [model for model in apps.get_models() if model.__module__.split(".")[0] in HOUSE]


def relations() -> Iterator[tuple[type[models.Model], models.Field]]:
    """Every column or table that leads from one of our tables to another."""
    for model in ours():
        for field in (*model._meta.local_fields, *model._meta.local_many_to_many):
            if field.is_relation:
                yield model, field


def names(field: models.Field) -> str:
    return f"{field.model._meta.label}.{field.name}"


def test_every_app_has_a_storey():
    labels = {config.label for config in apps.get_app_configs() if config.name.split(".")[0] in HOUSE}

    assert labels <= set(STOREYS)


def test_foreign_keys_never_point_up_a_storey():
    up = [
        names(field)
        for model, field in relations()
        if STOREYS.get(field.related_model._meta.app_label, 0) > STOREYS[model._meta.app_label]
    ]

    assert up == []


def test_siblings_do_not_know_each_other():
    aside = [
        names(field)
        for model, field in relations()
        if field.related_model._meta.app_label != model._meta.app_label
        and STOREYS.get(field.related_model._meta.app_label, 0) == STOREYS[model._meta.app_label]
    ]

    assert aside == []


def test_foreign_keys_across_storeys_cannot_be_walked_back():
    open_ = [
        names(field)
        for model, field in relations()
        if field.related_model._meta.app_label != model._meta.app_label and not field.remote_field.hidden
    ]

    assert open_ == []


def test_no_table_has_a_standing_order():
    assert [model._meta.label for model in ours() if model._meta.ordering] == []


def test_no_relation_is_generic():
    generic = [
        names(field)
        for model in ours()
        for field in model._meta.private_fields
        if isinstance(field, GenericForeignKey | GenericRelation)
    ]

    assert generic == []


def test_storeys_that_own_no_table_have_none():
    assert [model._meta.label for model in ours() if model._meta.app_label in WITHOUT_TABLES] == []


@pytest.mark.django_db(transaction=True)
def test_merging_a_guest_reaches_every_table_with_a_learner():
    """Each table above accounts that names a person is read or written when a guest becomes part of an account."""
    guest = User.objects.create(guest=True)
    account = User.objects.create_user("merging@example.org", "correct horse battery")
    with CaptureQueriesContext(connection) as captured:
        for move in MERGERS:
            move(guest.pk, account.pk)
    said = " ".join(query["sql"] for query in captured)
    personal = {
        model._meta.db_table
        for model, field in relations()
        if field.related_model is User
        and model._meta.app_label != "accounts"
        and names(field) not in WITH_ROLES_ONLY
    }

    assert personal, "no table with a learner was found"
    assert sorted(table for table in personal if f'"{table}"' not in said) == []
