"""manage.py load_pack FOLDER: bring the site in line with a course pack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from studyhub.accounts.auditing import COMMAND
from studyhub.packs.actions import LoadReport, PackRefused, load_pack
from studyhub.web.serving import address_of_site

MOST_NAMED = 12  # ids that one line of the report names


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
            report = load_pack(folder=folder, by=COMMAND, at=timezone.now())
        except PackRefused as refused:
            for fault in refused.faults:
                self.stderr.write(str(fault))
            raise CommandError(
                f"{folder} was not loaded: {len(refused.faults)} faults. Nothing was changed."
            ) from None
        if report.unchanged:
            self.stdout.write(f"{report.course}: release {report.release} is loaded already, nothing to do.")
            self._tell_waiting(report)
            return
        for kind, counts in report.counts.items():
            names = report.names.get(kind, {})
            told = (
                f"{number} {outcome}{_named(names.get(outcome, []))}" for outcome, number in counts.items()
            )
            self.stdout.write(f"{kind}: {', '.join(told)}")
        self._tell_waiting(report)
        self.stdout.write(f"{report.course}: release {report.release} is loaded.")

    def _tell_waiting(self, report: LoadReport) -> None:
        """That changed keys wait for an author, and where: until then no mark moves."""
        if not report.waiting:
            return
        number = len(report.waiting)
        wait = "1 corrected key waits" if number == 1 else f"{number} corrected keys wait"
        where = f"{address_of_site()}{reverse('corrections')}"
        self.stdout.write(
            f"{wait} to be looked at{_named(report.waiting)}; no mark moves before an author applies it: {where}"
        )


def _named(names: Sequence[str]) -> str:
    """The ids in brackets, the first twelve of them."""
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f" ({', '.join(names[:MOST_NAMED])}{more})"
