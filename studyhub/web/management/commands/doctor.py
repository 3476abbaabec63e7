"""``manage.py doctor``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyhub.web import diagnosis, serving
from studyhub.web.preparing import TROUBLE, database_up


class Command(BaseCommand):
    """Changes nothing; says in words what to do."""

    help = "Look at the versions, the database's settings, the disk, e-mail, the clock and the backups."
    requires_system_checks = ()

    def handle(self, *_: Any, **__: Any) -> None:
        """One line for each thing; exit with 1 when something is wrong."""
        try:
            with database_up():
                lines = diagnosis.examine(timezone.now(), serving.address_of_site())
        except TROUBLE as problem:
            raise CommandError(str(problem)) from problem
        for line in lines:
            self.stdout.write(str(line))
        if any(line.state == diagnosis.WRONG for line in lines):
            raise CommandError("Something is wrong: see the lines above.")
