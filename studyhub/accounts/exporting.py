"""What people take along: each storey says, table by table, what of it is theirs, when the house starts.

``Table`` names the columns that go into a file and gives a reason for each that does not, so that a new column is
either taken along or left out on purpose. ``NOT_TAKEN`` does the same for whole tables. ``TEXTS`` holds what makes
files for people to read, not for machines. Everything is read by the learner's own id and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, Model

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """What one table holds of a learner.

    ``columns``: name in the file -> column, or a path to one through foreign keys. ``left_out``: column -> reason.
    ``shape`` may turn a row into what people understand; it gets the row and gives the one for the file.
    """

    file: str
    model: type[Model]
    owner: str  # path of the learner's id
    columns: Mapping[str, str]
    order: tuple[str, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    shape: Callable[[Row], Row] = dict

    def rows(self, learner_id: int) -> Iterator[Row]:
        """The learner's rows in order (one query)."""
        found = self.model._default_manager.filter(**{self.owner: learner_id}).order_by(*self.order)
        for values in found.values_list(*(F(path) for path in self.columns.values())).iterator(2000):
            yield self.shape(dict(zip(self.columns, values, strict=True)))


TABLES: list[Table] = []
TEXTS: dict[str, Callable[[int], str]] = {}  # name of the file -> makes it for a learner
NOT_TAKEN: dict[str, str] = {}  # label of a table that leads to people -> why it is not in the export


def take_along(*tables: Table) -> None:
    """Register tables, each once."""
    TABLES.extend(one for one in tables if one.file not in {known.file for known in TABLES})
