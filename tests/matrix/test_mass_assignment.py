"""A form sets what it shows and nothing else: every POST again with the columns of all models beside its own fields.

Proves trust.md 1.4: role, owner, score, cohort and the rest never come from a request.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from tests.matrix import things as matrix_things
from tests.matrix.actors import everyone
from tests.matrix.things import address_of, body_of, rows
from tests.matrix.walk import ask, outcome, undone, written

NEW_EACH_TIME = frozenset(
    {"id", "pk", "key", "at", "uuid", "tokens", "seed", "order_seed", "password", "changes", "request_id"}
)
# Names of columns that are fields of the form itself, though the plain body leaves them out: by address.
OWN = {
    "note": {"page", "anchor", "state"},
    "place": {"anchor", "state"},
    "read": {"anchor"},
    "unmark": {"page"},
    "attempt": {"certainty", "try", "hinted", "raw", "choice", "flagged"},
    "card_rate": {"point", "rating"},
    "account_signup": {"email", "name", "password", "next"},
}


def columns() -> list[str]:
    """Every name by which a column of any model could be asked for."""
    fields = [field for model in apps.get_models() for field in model._meta.concrete_fields]
    return sorted({name for field in fields for name in (field.name, field.attname, field.column)})


def state(tables: dict[str, int]) -> dict[str, Counter[str]]:
    """The rows of these tables without what is new each time: keys, moments, random numbers."""
    found: dict[str, Counter[str]] = {}
    with connection.cursor() as cursor:
        for table in sorted(tables):
            described = connection.introspection.get_table_description(cursor, table)
            moments = {
                one.name for one in described if "time" in str(one.type_code) or one.name.endswith("_at")
            }
            kept = [one.name for one in described if one.name not in NEW_EACH_TIME | moments]
            if not kept:
                continue
            listed = ", ".join(f'"{name}"::text' for name in kept)
            cursor.execute(f'SELECT array_to_string(ARRAY[{listed}], chr(31), chr(30)) FROM "{table}"')
            found[table] = Counter(row[0] for row in cursor.fetchall())
    return found


def after(actor: Any, address: str, body: dict[str, Any]) -> tuple[str, dict[str, Counter[str]]]:
    """What came of a POST: its outcome and the state of every table it wrote to; then all is taken back."""
    with undone():
        before = written()
        answer = ask(actor, "POST", address, body)
        now = written()
        return outcome(answer), state({name: n for name, n in now.items() if n != before.get(name)})


def differences(one: dict[str, Counter[str]], other: dict[str, Counter[str]]) -> list[str]:
    """The rows that only one of two states has, with their table."""
    return [
        f"{table}: {row}"
        for table in sorted(one | other)
        for row in (one.get(table, Counter()) - other.get(table, Counter()))
        + (other.get(table, Counter()) - one.get(table, Counter()))
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "value",
    [pytest.param("1", marks=pytest.mark.long), pytest.param("true", marks=pytest.mark.long), "victim"],
)
def test_columns_sent_along_change_nothing(course, value, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000  # there are more columns than a form may have fields
    actors = everyone()
    things = matrix_things.made(actors["owner"])
    victim = str(actors["owner"].user.pk)
    hostile = dict.fromkeys(columns(), victim if value == "victim" else value)
    faults, posted, wrote = [], 0, 0
    for name, kind in rows():
        if kind not in {"own", "live", "-"}:
            continue
        for actor in (actors[one] for one in ("learner", "guest", "author")):
            address = address_of(name, kind, actor, things)
            body = body_of(name, actor, things)
            more = {
                key: one for key, one in hostile.items() if key not in body and key not in OWN.get(name, ())
            }
            plain, loaded = after(actor, address, body), after(actor, address, {**more, **body})
            posted += 1
            wrote += bool(plain[1])
            if plain != loaded:
                faults.append(
                    f"{name} {actor.name}: {plain[0]} and {loaded[0]}, {differences(plain[1], loaded[1])}"
                )
    assert not faults, "\n".join(faults)
    assert posted > 150
    assert wrote > 20
