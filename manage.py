#!/usr/bin/env python
"""The operator's door: every command of StudyHub."""

from __future__ import annotations

import os
import sys

# These read or write files only and must work where no database can be had, or start and stop it themselves.
WITHOUT_DATABASE = {
    "check",
    "makemigrations",
    "check_pack",
    "collectstatic",
    "help",
    "version",
    "--help",
    "--version",
    "serve",
    "backup",
    "restore",
    "verify",
    "doctor",
}


def main() -> None:
    """Start the embedded Postgres where a command needs it, then run the command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studyhub.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
    except ModuleNotFoundError:
        sys.exit(
            "Django is not installed for this Python. Use .venv/bin/python manage.py …, which make run sets up."
        )
    from django.core.management import execute_from_command_line

    try:
        _start_database()
    except ImproperlyConfigured as problem:
        sys.exit(f"A setting cannot be used: {problem}")
    execute_from_command_line(sys.argv)


def _start_database() -> None:
    """Read the settings, and start the embedded Postgres for commands that need a database."""
    from django.conf import settings

    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    embedded = settings.EMBEDDED
    if embedded and command not in WITHOUT_DATABASE and not {"--help", "-h"} & set(sys.argv):
        from studyhub import postgres

        try:
            postgres.ensure_running(settings.DATA)
        except postgres.PostgresProblem as problem:
            sys.exit(str(problem))


if __name__ == "__main__":
    main()
