"""``manage.py backup FILE``."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyhub.web import backups
from studyhub.web.preparing import TROUBLE, database_up


class Command(BaseCommand):
    """Safe while the site runs: everything in the file is of one moment."""

    help = "Write the whole site, database and media, into one file."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to; or one more of the site's own."""
        parser.add_argument("file", nargs="?", type=Path, help="the file to write; replaced if it is there")
        parser.add_argument(
            "--rotate",
            action="store_true",
            help="write into the data folder's backups, keep 7 daily and 4 weekly",
        )

    def handle(self, *_: Any, file: Path | None, rotate: bool, **__: Any) -> None:
        """Write, and say what is in it."""
        if (file is None) is not rotate:
            raise CommandError("Name the file to write, or write --rotate for one of the site's own.")
        try:
            with database_up():
                at = timezone.now()
                made = backups.write_backup(file, at) if file else backups.back_up_and_rotate(at)
        except TROUBLE as problem:
            raise CommandError(f"No backup was written. {problem}") from problem
        rows = sum(number for number, _ in made.tables.values())
        self.stdout.write(
            f"{made.path}: {len(made.tables)} tables with {rows:,} rows, "
            f"{len(made.manifest['files']) - 1} media files, {made.path.stat().st_size / 1e6:.1f} MB."
        )
