"""What tests say of all tables at once: one md5 each, over their rows in order."""

from __future__ import annotations

from collections.abc import Collection

from django.db import connection

OF_REQUESTS = frozenset({"accounts_session"})  # may change with any request


def table_prints(leave_out: Collection[str] = OF_REQUESTS) -> dict[str, str]:
    """md5 of every table's rows as text, by table."""
    prints = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            if table in leave_out:
                continue
            cursor.execute(
                f"SELECT md5(coalesce(string_agg(row, '\n' ORDER BY row), '')) FROM (SELECT t::text AS row FROM \"{table}\" t) r"
            )
            prints[table] = cursor.fetchone()[0]
    return prints


def changed_tables(before: dict[str, str], leave_out: Collection[str] = OF_REQUESTS) -> list[str]:
    """The tables whose rows are not as they were."""
    now = table_prints(leave_out)
    return [name for name in now if now[name] != before.get(name)]
