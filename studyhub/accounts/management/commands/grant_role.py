"""manage.py grant_role EMAIL author|admin [--revoke]: who may write courses, who may run the site."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from studyhub.accounts.actions import ROLES, NoSuchAccount, grant_role
from studyhub.accounts.auditing import COMMAND


class Command(BaseCommand):
    """Roles are given on the command line only, by whoever runs the server."""

    help = "Give an account the role of author or admin, or take it back."

    def add_arguments(self, parser: CommandParser) -> None:
        """EMAIL ROLE [--revoke]"""
        parser.add_argument("email", help="address of the account")
        parser.add_argument("role", choices=sorted(ROLES))
        parser.add_argument("--revoke", action="store_true", help="take the role back")

    def handle(self, *args: Any, **options: Any) -> None:
        """Grant or revoke, and say what holds now."""
        email, role, revoke = options["email"], options["role"], options["revoke"]
        try:
            changed = grant_role(email=email, role=role, by=COMMAND, at=timezone.now(), revoke=revoke)
        except NoSuchAccount as problem:
            raise CommandError(
                f"No account has the address {email}. Nothing was changed. The person signs up first; "
                "a guest has no address and cannot have a role."
            ) from problem
        state = "no longer" if revoke else "now"
        if not changed:
            state = "not" if revoke else "already"
        ended = " Every session of theirs has ended: the role holds from the next sign-in." if changed else ""
        self.stdout.write(f"{email} is {state} an {role}.{ended}")
