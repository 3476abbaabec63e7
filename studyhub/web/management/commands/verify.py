"""``manage.py verify [FILE]``."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studyhub.postgres import PostgresProblem
from studyhub.web import backups, diagnosis
from studyhub.web.preparing import database_up


class Command(BaseCommand):
    """Changes nothing."""

    help = "Look whether a backup is whole, or, without a file, whether this site's data agrees with itself."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A backup, or nothing."""
        parser.add_argument("file", nargs="?", type=Path, help="a file that manage.py backup wrote")

    def handle(self, *_: Any, file: Path | None, **__: Any) -> None:
        """Say what was looked at; exit with 1 when something is wrong."""
        try:
            if file:
                found = backups.read_backup(file)
                rows = sum(number for number, _ in found.tables.values())
                self.stdout.write(
                    f"{file} is whole: {len(found.tables)} tables, {rows:,} rows, of {found.manifest['made_at']}."
                )
                return
            with database_up():
                lines = diagnosis.soundness()
        except (backups.BackupProblem, PostgresProblem, OSError) as problem:
            raise CommandError(str(problem)) from problem
        for line in lines:
            self.stdout.write(str(line))
        if any(line.state == diagnosis.WRONG for line in lines):
            raise CommandError("Not everything agrees. Keep this site as it is, and look at the lines above.")
