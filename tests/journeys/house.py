"""A real site for the journeys: ``manage.py serve`` on a data folder of its own, to be killed and started again."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from studyhub import postgres

ROOT = Path(__file__).parent.parent.parent
FIRST_START = 90  # seconds: an empty data folder on a busy machine
ENDING = 30  # seconds
TAKEN_OUT = ("DATABASE_URL", "SITE_URL", "SECRET_KEY", "EMAIL_HOST", "DEBUG", "BEHIND_PROXY", "ALLOWED_HOSTS")


def free_port() -> int:
    """A port nobody listens on, below those that outgoing connections take."""
    for port in random.sample(range(20000, 32000), 50):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no free port")


class House:
    """One site. ``url`` has no slash at the end; ``data`` is the folder it keeps everything in."""

    def __init__(self, data: Path, port: int) -> None:
        self.data = data
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Serve, and return when /readyz says so. Raises RuntimeError with what the server said otherwise."""
        with (self.data.parent / "serve.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "serve"],
                cwd=ROOT,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + FIRST_START
        while not self.ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the site did not come up:\n{self.said()}")
            time.sleep(0.1)

    def kill(self) -> None:
        """SIGKILL the server process: nothing can be tidied up. The database lives on, as it would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(ENDING)
        deadline = time.monotonic() + ENDING
        while self.ready():  # its workers follow within seconds
            if time.monotonic() > deadline:
                raise RuntimeError("workers of the killed server still answer")
            time.sleep(0.1)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(ENDING)

    def ready(self) -> bool:
        """Whether /readyz answers 200."""
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:
                return int(answer.status) == 200
        except (urllib.error.URLError, OSError):
            return False

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command of manage.py on this site; nothing is raised for its exit code."""
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def said(self) -> str:
        """The end of the server's log."""
        log = self.data.parent / "serve.log"
        return log.read_text(errors="replace")[-4000:] if log.exists() else ""

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in TAKEN_OUT}
        return {**kept, "STUDYHUB_DATA": str(self.data), "PORT": str(self.port)}


Kind = TypeVar("Kind", bound=House)


@contextmanager
def opened_house(make: type[Kind], name: str) -> Iterator[Kind]:
    """A site that serves, on a folder that is gone afterwards; the database's own account may look into it."""
    folder = Path(tempfile.mkdtemp(prefix=f"studyhub-{name}-"))
    folder.chmod(0o755)
    site = make(folder / "data", free_port())
    try:
        site.start()
        yield site
    finally:
        site.stop()
        postgres.stop(site.data)
        shutil.rmtree(folder, ignore_errors=True)
