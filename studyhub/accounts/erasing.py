"""What happens to people's rows when they go: each storey says it here when the house starts.

Rows that belong to one person go with them (``on_delete=CASCADE``). ``KEPT`` names every column that leads to a
person and does not go, with the reason; ``ERASERS`` are what has to happen before rows go, or to rows that stay: each
gets the ids of those who leave and runs in the transaction of ``actions.erase_people``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

ERASERS: list[Callable[[Sequence[int]], None]] = []
KEPT: dict[str, str] = {}  # "app.Model.column" -> why the row stays, and what it says then
