"""manage.py check_pack FOLDER: every fault of a course pack at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from studyhub.packs.actions import check_pack
from studyhub.packs.lints import Balance, balance


class Command(BaseCommand):
    """Exits with 1 when the pack cannot be loaded or a question would stay a draft."""

    help = "Check a course pack: form, references and writing. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """The folder, and whether warnings count."""
        parser.add_argument("folder", type=Path)
        parser.add_argument("--strict", action="store_true", help="warnings fail the check too")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the faults by path and line, then the balance of keys, then a count."""
        folder: Path = options["folder"]
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder. Name the folder that holds course.md.")
        pack, faults = check_pack(folder)
        for fault in faults:
            self.stdout.write(str(fault))
        for one in balance(pack):
            self.stdout.write(_told(one))
        questions = sum(len(quiz.questions) for quiz in pack.quizzes)
        cards = sum(len(deck.cards) for deck in pack.decks)
        failing = [
            one for one in faults if options["strict"] or one.code.startswith("E") or one.code == "W214"
        ]
        self.stdout.write(
            f"{len(pack.chapters)} chapters, {len(pack.quizzes)} quizzes, {questions} questions, {cards} cards: "
            f"{len(failing)} faults that fail the check, {len(faults) - len(failing)} warnings."
        )
        if failing:
            sys.exit(1)


def _told(one: Balance) -> str:
    """One line on where the right options of a file lie, against chance."""
    share = f"{100 * one.longest_right / one.singles:.0f} %" if one.singles else "none"
    places = "/".join(str(count) for count in one.positions)
    return (
        f"{one.path}: right option longest in {one.longest_right} of {one.singles} single-choice questions ({share}; "
        f"chance {one.expected:.1f}, p = {one.longest_p:.2f}); right option in place 1/2/3/…: {places} "
        f"(p = {one.position_p:.2f})"
    )
