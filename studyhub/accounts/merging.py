"""The list of those who own rows of a learner: each storey above puts its mover in when the house starts.

A mover gets the guest's id and the account's id and moves every row of the guest that it knows, so that
nothing is lost and nothing counts twice. It runs inside the transaction of ``actions.merge_guest``.
"""

from __future__ import annotations

from collections.abc import Callable

MERGERS: list[Callable[[int, int], None]] = []
