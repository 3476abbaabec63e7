"""Reads of people that every page needs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db import connection

from studyhub.accounts.models import User


@cache
def _fields() -> tuple[str, ...]:
    return tuple(field.attname for field in User._meta.concrete_fields)


def columns_of_person(alias: str) -> str:
    """The columns that ``person_of`` takes, for a statement that reads people."""
    return ", ".join(f'{alias}."{field.column}"' for field in User._meta.concrete_fields)


def person_of(row: Sequence[Any]) -> User:
    """The person in a row of ``columns_of_person``."""
    return User.from_db(connection.alias, _fields(), row)


@cache
def _statement() -> str:
    return f'SELECT {columns_of_person("person")} FROM "{User._meta.db_table}" AS person WHERE id = %s'  # noqa: S608


def person_by_id(pk: int) -> User | None:
    """The person with this id, read with one plain statement; None when there is none."""
    with connection.cursor() as cursor:
        cursor.execute(_statement(), [pk])
        row = cursor.fetchone()
    return None if row is None else person_of(row)
