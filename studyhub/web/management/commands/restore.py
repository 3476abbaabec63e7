"""``manage.py restore FILE``."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyhub.web import backups, serving
from studyhub.web.preparing import TROUBLE, database_up


class Command(BaseCommand):
    """Reads the file to its end before anything is touched."""

    help = "Put a backup into this site: an empty one, or with --replace in place of what is there."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which backup, and whether data may be replaced."""
        parser.add_argument("file", type=Path, help="a file that manage.py backup wrote")
        parser.add_argument(
            "--replace", action="store_true", help="what is there now is backed up, then replaced"
        )

    def handle(self, *_: Any, file: Path, replace: bool, **__: Any) -> None:
        """Check, restore, compare."""
        try:
            backup = backups.read_backup(file)
            with serving.claim(settings.DATA, "a backup is being restored"), database_up(beginning=True):
                if replace and backups.has_data():
                    before = backups.back_up_before("restore", timezone.now())
                    self.stdout.write(f"What was there is in {before.path}.")
                differing = backups.restore_backup(backup, replace=replace)
        except TROUBLE as problem:
            raise CommandError(f"Nothing was restored. {problem}") from problem
        if differing:
            raise CommandError("The restored tables differ from the backup:\n  " + "\n  ".join(differing))
        self.stdout.write(
            f"Restored the site of {backup.manifest['made_at']}: {len(backup.tables)} tables, each as in the backup. "
            "Start it with make run."
        )
