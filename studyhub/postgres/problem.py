"""What went wrong with the embedded server, in words for the person at the terminal."""

from __future__ import annotations


class PostgresProblem(Exception):
    """The embedded server cannot be used: what happened, why, and how to mend it."""

    def __init__(self, what: str, why: str, mend: str) -> None:
        super().__init__(what, why, mend)
        self.what = what
        self.why = why
        self.mend = mend

    def __str__(self) -> str:
        """Three short lines, ready to print."""
        return f"{self.what}\n  Why: {self.why}\n  What to do: {self.mend}"
