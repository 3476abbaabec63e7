"""A figure, its goal and the verdict."""

from __future__ import annotations

from dataclasses import dataclass

FAULT = 0.7  # of the goal: below that a figure is a fault, between that and the goal it is only reported


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value. With ``at_most`` smaller is better."""

    name: str
    value: float
    goal: float
    at_most: bool = False
    unit: str = ""
    note: str = ""

    @property
    def reached(self) -> float:
        """How much of the goal was reached; 1 and more is good."""
        return (self.goal / self.value if self.value else 1.0) if self.at_most else self.value / self.goal

    @property
    def verdict(self) -> str:
        """reached, near, or FAULT."""
        if self.reached >= 1:
            return "reached"
        return "near" if self.reached >= FAULT else "FAULT"


def table(figures: list[Figure]) -> str:
    """The figures as a table for a terminal."""
    rows = [("", "measured", "goal", "verdict", "")]
    for one in figures:
        digits = 3 if not one.unit else 1
        goal = f"{'≤' if one.at_most else '≥'} {one.goal:g} {one.unit}".strip()
        rows.append((one.name, f"{one.value:.{digits}f} {one.unit}".strip(), goal, one.verdict, one.note))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = []
    for row in rows:
        lines.append(
            "  ".join(cell.ljust(width) for cell, width in zip(row[:4], widths, strict=True)) + "  " + row[4]
        )
    return "\n".join(line.rstrip() for line in lines)
