"""``manage.py verify [FILE]``."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studyhub.web import backups, diagnosis
from studyhub.web.preparing import TROUBLE, database_up


class Command(BaseCommand):
    """Changes nothing."""

    help = "Look whether a backup can be restored, or, without a file, whether this site's data agrees with itself."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A backup, or nothing."""
        parser.add_argument("file", nargs="?", type=Path, help="a file that manage.py backup wrote")
        parser.add_argument(
            "--quick", action="store_true", help="read the file to its end, but do not try to restore it"
        )

    def handle(self, *_: Any, file: Path | None, quick: bool, **__: Any) -> None:
        """Say what was looked at; exit with 1 when something is wrong."""
        try:
            if file:
                self._look_at_file(file, quick=quick)
            else:
                self._look_at_site()
        except TROUBLE as problem:
            raise CommandError(str(problem)) from problem

    def _look_at_file(self, file: Path, *, quick: bool) -> None:
        found = backups.read_backup(file)
        rows = sum(number for number, _ in found.tables.values())
        self.stdout.write(
            f"{file} is whole: {len(found.tables)} tables, {rows:,} rows, "
            f"{len(found.manifest['files']) - 1} media files, of {found.manifest['made_at']}."
        )
        if quick:
            return
        if differing := backups.prove(found):
            raise CommandError("Restored for a trial it differs:\n  " + "\n  ".join(differing))
        self.stdout.write(
            "Restored for a trial into a database of its own, every table was as in the backup."
        )

    def _look_at_site(self) -> None:
        with database_up():
            lines = diagnosis.soundness()
        for line in lines:
            self.stdout.write(str(line))
        if any(line.state == diagnosis.WRONG for line in lines):
            raise CommandError("Not everything agrees. Keep this site as it is, and look at the lines above.")
