"""manage.py load_pack FOLDER: bring the site in line with a course pack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from studyhub.packs.actions import PackRefused, load_pack


class Command(BaseCommand):
    """One transaction; a faulty pack changes nothing."""

    help = "Load a course pack. Loading the same pack again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        """The folder."""
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Load and say what was added, changed, reworded, retired and left alone."""
        folder: Path = options["folder"]
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder. Name the folder that holds course.md.")
        try:
            report = load_pack(folder=folder, at=timezone.now())
        except PackRefused as refused:
            for fault in refused.faults:
                self.stderr.write(str(fault))
            raise CommandError(
                f"{folder} was not loaded: {len(refused.faults)} faults. Nothing was changed."
            ) from None
        if report.unchanged:
            self.stdout.write(f"{report.course}: release {report.release} is loaded already, nothing to do.")
            return
        for kind, counts in report.counts.items():
            told = ", ".join(f"{number} {outcome}" for outcome, number in counts.items())
            self.stdout.write(f"{kind}: {told}")
        self.stdout.write(f"{report.course}: release {report.release} is loaded.")
