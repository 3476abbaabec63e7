"""manage.py sweep_guests: guests who have not been here for 30 days go, with what they kept."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from studyhub.accounts.actions import sweep_guests


class Command(BaseCommand):
    """Safe to run at any time and as often as one likes."""

    help = "Delete guests who have kept nothing for 30 days, and sessions that have run out."

    def handle(self, *args: Any, **options: Any) -> None:
        """Sweep, and say how many went."""
        swept = sweep_guests(at=timezone.now())
        call_command("clearsessions")
        if options["verbosity"]:
            self.stdout.write(f"{swept} idle guest{'' if swept == 1 else 's'} removed.")
