"""Bring rows in line with a list of goods: add, change, retire, leave alone. Called inside a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from chapters.draft import Tally
from chapters.models import Retirable

Row = TypeVar("Row", bound=Retirable)
Wanted = Sequence[tuple[str, Mapping[str, Any]]]


def shelve(
    model: type[Row], parent: Mapping[str, Any], wanted: Wanted, tally: Tally, at: datetime
) -> dict[str, Row]:
    """Make the rows of ``model`` under ``parent`` hold exactly ``wanted``: (slug, columns) in order.

    A row whose slug is not wanted is retired at ``at``, never deleted; one that comes back leaves retirement.
    Every outcome is counted in ``tally``. Returns the wanted rows by slug.
    """
    name = str(model._meta.verbose_name)
    present = {row.slug: row for row in model._default_manager.filter(**parent)}
    result: dict[str, Row] = {}
    added: list[Row] = []
    for position, (slug, columns) in enumerate(wanted, start=1):
        row = present.pop(slug, None)
        values = {**columns, "position": position, "retired_at": None}
        if row is None:
            row = model(slug=slug, **parent, **values)
            added.append(row)
            tally.add(name, "added", slug)
        else:
            tally.add(name, "changed" if apply_changes(row, values) else "untouched", slug)
        result[slug] = row
    model._default_manager.bulk_create(added)
    retire(present.values(), name, tally, at)
    return result


def apply_changes(row: Retirable, values: Mapping[str, Any]) -> bool:
    """Save the columns of ``row`` that differ from ``values``; say whether any did."""
    changed = [column for column, value in values.items() if getattr(row, column) != value]
    for column in changed:
        setattr(row, column, values[column])
    if changed:
        row.save(update_fields=changed)
    return bool(changed)


def retire(rows: Iterable[Retirable], name: str, tally: Tally, at: datetime) -> None:
    """Mark rows that left the pack; those that had left before stay as they are."""
    for row in rows:
        if row.retired_at is None:
            row.retired_at = at
            row.save(update_fields=["retired_at"])
            tally.add(name, "retired", row.slug)
