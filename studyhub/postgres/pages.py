"""Looks at tables and indexes page by page, as pg_amcheck does."""

from __future__ import annotations

from typing import Any

import psycopg
import psycopg.sql

TABLES = """
SELECT oid::regclass::text, oid FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1
"""
INDEXES = """
SELECT indexrelid::regclass::text, indexrelid FROM pg_index JOIN pg_class AS one ON one.oid = indexrelid
JOIN pg_am ON pg_am.oid = one.relam
WHERE one.relnamespace = 'public'::regnamespace AND one.relkind = 'i' AND amname = 'btree' AND indisvalid ORDER BY 1
"""


def damaged(reader: psycopg.Connection[Any]) -> list[str] | None:
    """Tables with rows that cannot be read, and indexes that do not hold every row of their table, with what was found.

    None where the server has no amcheck or does not let us use it. The site may run meanwhile; nothing stays behind:
    the extension is made in a transaction that is rolled back. Reads the whole database once.
    """
    try:
        reader.execute("CREATE EXTENSION IF NOT EXISTS amcheck")
        schema = _schema(reader)
        return [*_tables(reader, schema), *_indexes(reader, schema)]
    except (psycopg.errors.InsufficientPrivilege, psycopg.NotSupportedError, psycopg.errors.UndefinedFile):
        return None
    finally:
        reader.rollback()


def _schema(reader: psycopg.Connection[Any]) -> psycopg.sql.Identifier:
    row = reader.execute(
        "SELECT nspname FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace WHERE extname = 'amcheck'"
    ).fetchone()
    assert row is not None
    return psycopg.sql.Identifier(row[0])


def _tables(reader: psycopg.Connection[Any], schema: psycopg.sql.Identifier) -> list[str]:
    look = psycopg.sql.SQL(
        "SELECT blkno, msg FROM {}.verify_heapam(%s::regclass, check_toast => true) LIMIT 1"
    )
    found = []
    for name, number in reader.execute(TABLES).fetchall():
        if fault := reader.execute(look.format(schema), [number]).fetchone():
            found.append(f"table {name}, page {fault[0]}: {fault[1]}")
    return found


def _indexes(reader: psycopg.Connection[Any], schema: psycopg.sql.Identifier) -> list[str]:
    look = psycopg.sql.SQL("SELECT {}.bt_index_check(%s::regclass, true)")
    found = []
    for name, number in reader.execute(INDEXES).fetchall():
        try:
            with reader.transaction():
                reader.execute(look.format(schema), [number])
        except (psycopg.errors.IndexCorrupted, psycopg.errors.DataCorrupted) as fault:
            found.append(f"index {name}: {fault.diag.message_primary}")
    return found
