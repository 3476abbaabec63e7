"""``manage.py serve``: from an empty folder to an open page, and back to nothing on Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from django.utils import timezone

from studyhub import postgres
from studyhub.web import preparing, serving

FIRST_STEPS = """
  StudyHub is ready: {address}

  Try first:
    1. Open the Model Optimization chapter, read a section and tick a box at its end.
    2. Take one of its quizzes: every option explains itself after your answer.
    3. Make an account, so that you find all of it again on another device.

  Your data is in {data}
  Stop with Ctrl-C.
"""
BACKUP_LOOK = 900.0  # seconds between two looks whether the day's backup is made
WATCH = 1.0  # seconds between two looks at the database
DEMO = "  Sample people and cohorts are not part of this version yet: make demo is the same as make run.\n"


class Command(BaseCommand):
    """Prepares what is missing, then serves."""

    help = "Start StudyHub: the database, the tables, the shipped course, the web server."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """``--demo`` for make demo."""
        parser.add_argument("--demo", action="store_true", help="with sample people")

    def handle(self, *_: Any, demo: bool, **__: Any) -> None:
        """Serve until stopped. Ctrl-C, SIGTERM and a closed terminal end the web server and the database."""
        host, port = settings.HOST, settings.PORT
        address = serving.shown(host, port)

        def greet() -> None:
            self._say(FIRST_STEPS.format(address=address, data=settings.DATA) + (DEMO if demo else ""))

        try:
            with serving.claim(settings.DATA, address) as claimed:
                serving.check_port(host, port, patient=claimed.killed_before)
                with _stopping_like_ctrl_c(), self._database():
                    self._prepare()
                    threading.Thread(target=self._back_up, daemon=True).start()
                    serving.run(host, port, claimed=claimed, ready=greet)
        except postgres.PostgresProblem as problem:
            raise CommandError(str(problem)) from problem
        except KeyboardInterrupt:
            pass
        self._say("StudyHub has stopped.")

    @contextmanager
    def _database(self) -> Iterator[None]:
        """The embedded server for the block, unless DATABASE_URL names another one."""
        if not settings.EMBEDDED:
            yield
            return
        over = threading.Event()
        try:
            self._say("Starting the database.")
            running = postgres.ensure_running(settings.DATA)
            if running.note:
                self._say(running.note)
            threading.Thread(target=self._watch, args=(over,), daemon=True).start()
            yield
        finally:
            over.set()
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)  # the clean end is not to be cut short
            postgres.stop(settings.DATA)

    def _watch(self, over: threading.Event) -> None:
        """Start the database again when it has died under the running site; the site answers 503 meanwhile."""
        while not over.wait(WATCH):
            try:
                if postgres.answers(settings.DATA) or over.wait(WATCH) or postgres.answers(settings.DATA):
                    continue
                self._say("The database has ended unexpectedly. Starting it again.")
                postgres.ensure_running(settings.DATA)
            except (postgres.PostgresProblem, OSError) as problem:
                # A full disk, say: it is tried again until it works.
                self._say(str(problem))
            else:
                self._say("The database answers again; what was saved is there.")

    def _back_up(self) -> None:
        """Make a backup a day while the site runs; the first look is a while after the start."""
        while True:
            time.sleep(BACKUP_LOOK)
            try:
                preparing.back_up_daily(timezone.now())
            except Exception as problem:
                self._say(f"No backup was made today: {problem}\n")
            finally:
                connection.close()

    def _prepare(self) -> None:
        try:
            connection.ensure_connection()
        except OperationalError as error:
            raise CommandError(
                f"The database does not answer: {str(error).strip().splitlines()[-1]}\n"
                "Check DATABASE_URL, or leave it unset for the embedded server."
            ) from error
        preparing.migrate(self._say, timezone.now())
        preparing.close_mail_folder()
        preparing.sweep_guests()
        preparing.load_shipped_pack(self._say)
        preparing.collect_static(self._say)

    def _say(self, line: str) -> None:
        with suppress(OSError):  # the file behind it may be on a full disk: no reason to stop working
            self.stdout.write(line)
            self.stdout.flush()


@contextmanager
def _stopping_like_ctrl_c() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the preparation like Ctrl-C does; the web server sets its own later."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, interrupt)
    yield
