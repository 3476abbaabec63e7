"""Reads of people that every page needs."""

from __future__ import annotations

from functools import cache

from django.db import connection

from studyhub.accounts.models import User


@cache
def _statement() -> tuple[str, list[str]]:
    fields = list(User._meta.concrete_fields)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return f'SELECT {columns} FROM "{User._meta.db_table}" WHERE id = %s', [one.attname for one in fields]  # noqa: S608


def person_by_id(pk: int) -> User | None:
    """The person with this id, read with one plain statement; None when there is none."""
    statement, names = _statement()
    with connection.cursor() as cursor:
        cursor.execute(statement, [pk])
        row = cursor.fetchone()
    return None if row is None else User.from_db(connection.alias, names, row)
