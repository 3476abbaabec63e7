"""What a database holds, in figures that can be compared: rows, sequences, and how the tables are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
import psycopg.sql

from studyhub.postgres.dump import conninfo

# The texts of rows must not depend on any setting, and no limit of a role may end a long look.
TEXTS = """
SET TIME ZONE 'UTC'; SET datestyle TO 'ISO, YMD'; SET intervalstyle TO postgres; SET bytea_output TO hex;
SET extra_float_digits TO 1;
SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN
    ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
"""
# Names and kinds only: conditions are put into other words when they are read again, and newer servers name what older
# ones do not (NOT NULL).
SHAPE = """
WITH ours AS (
    SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
), parts (part) AS (
    SELECT ours.relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
        || CASE WHEN attnotnull THEN ' not null' ELSE '' END
    FROM pg_attribute JOIN ours ON ours.oid = attrelid WHERE attnum > 0 AND NOT attisdropped
    UNION ALL SELECT ours.relname || ' constraint ' || conname || ' ' || contype::text || ' ' || convalidated
    FROM pg_constraint JOIN ours ON ours.oid = conrelid WHERE contype <> 'n'
    UNION ALL SELECT ours.relname || ' index ' || one.relname || ' ' || indisunique || ' ' || indisvalid
    FROM pg_index JOIN ours ON ours.oid = indrelid JOIN pg_class AS one ON one.oid = indexrelid
    UNION ALL SELECT ours.relname || ' trigger ' || tgname
    FROM pg_trigger JOIN ours ON ours.oid = tgrelid WHERE NOT tgisinternal
) SELECT part FROM parts ORDER BY part COLLATE "C"
"""


@contextmanager
def reading(given: Mapping[str, object], *, one_moment: bool = False) -> Iterator[psycopg.Connection[Any]]:
    """A connection of its own for comparing. ``given``: keywords of a connection.

    ``one_moment``: everything it reads is of the moment of its first statement, and nothing can be written.
    """
    address, environment = conninfo(given)
    with psycopg.connect(address, password=environment.get("PGPASSWORD")) as reader:
        if one_moment:
            reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            reader.read_only = True
        reader.execute(TEXTS)
        yield reader


def rows(reader: psycopg.Connection[Any]) -> dict[str, list[Any]]:
    """Number of rows, and MD5 of the MD5s of all rows in order, of every table."""
    found: dict[str, list[Any]] = {}
    with reader.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        for (table,) in cursor.fetchall():
            cursor.execute(
                psycopg.sql.SQL(
                    "SELECT count(*), md5(coalesce(string_agg(row, '' ORDER BY row), '')) "
                    "FROM (SELECT md5(t::text) AS row FROM {} t) rows"
                ).format(psycopg.sql.Identifier(table))
            )
            found[table] = list(cursor.fetchone() or ())
    return found


def sequences(reader: psycopg.Connection[Any]) -> dict[str, int]:
    """The last number that each sequence gave, 0 for none. No snapshot holds them: they only go up."""
    found = reader.execute(
        "SELECT sequencename::text, coalesce(last_value, 0) FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1"
    )
    return {name: int(last) for name, last in found.fetchall()}


def shape(reader: psycopg.Connection[Any]) -> list[str]:
    """Every column with its type, and the names of constraints, indexes and triggers, a line each."""
    return [part for (part,) in reader.execute(SHAPE).fetchall()]
