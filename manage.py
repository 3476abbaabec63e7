#!/usr/bin/env python
"""The operator's door: every command of StudyHub."""

from __future__ import annotations

import os
import sys

# These read or write files only; they must work where no database can be had.
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
}


def main() -> None:
    """Start the embedded Postgres where a command needs it, then run the command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studyhub.settings")
    from django.core.management import execute_from_command_line

    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command not in WITHOUT_DATABASE and not {"--help", "-h"} & set(sys.argv):
        from django.conf import settings

        from studyhub import postgres

        if settings.EMBEDDED:
            try:
                postgres.ensure_running(settings.DATA)
            except postgres.PostgresProblem as problem:
                sys.exit(str(problem))
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
