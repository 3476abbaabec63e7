"""What happens to people's rows when they go: each storey says it here when the house starts.

Rows that belong to one person go with them (``on_delete=CASCADE``). ``KEPT`` names every column that leads to a
person and does not go, with the reason; ``NOBODYS`` every table that leads to nobody, with what it holds. ``ERASERS``
are what has to happen before rows go, or to rows that stay: each gets the ids of those who leave and runs in the
transaction of ``actions.erase_person``. ``HOLDERS`` lock, before anything else there, the rows that people's own acts
lock before they touch the person: one order for both, so that neither waits for the other in a circle.

With ``accounts.exporting`` this says of every table in the database what becomes of it: taken along, erased, kept. A
table of which nothing is said fails a test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

HOLDERS: list[Callable[[Sequence[int]], None]] = []
ERASERS: list[Callable[[Sequence[int]], None]] = []
KEPT: dict[str, str] = {}  # "app.Model.column" -> why the row stays, and what it says then
NOBODYS: dict[str, str] = {}  # table in the database -> what it holds, of nobody in particular
