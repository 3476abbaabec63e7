"""Starts the real site in a data folder of its own, as a person would, and weighs its processes."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from studyhub import postgres

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds until a first page must have come
FIRST_PAGE = "/c/llm-inference/model-optimization/"


class NotStarted(Exception):
    """The site did not answer; the text carries what it said."""


class NothingMeasured(Exception):
    """A round went wrong in a way that makes its figure meaningless; the text says how."""


@contextmanager
def folder() -> Iterator[Path]:
    """A data folder that is gone afterwards. The database's own account may look into it."""
    path = Path(tempfile.mkdtemp(prefix="studyhub-bench-"))
    path.chmod(0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def environment(data: Path, port: int) -> dict[str, str]:
    """The environment of the site: its own folder, its own port, the embedded server."""
    kept = {
        name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "DEBUG", "SITE_URL"}
    }
    return {**kept, "STUDYHUB_DATA": str(data), "PORT": str(port)}


@contextmanager
def site(
    data: Path, port: int, others: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[subprocess.Popen[bytes], float]]:
    """``manage.py serve`` until the block ends; gives the process and the seconds until the first page was there."""
    began = time.perf_counter()
    with (data / "serve.log").open("ab") as log:
        serving = subprocess.Popen(
            [sys.executable, "manage.py", "serve"],
            cwd=ROOT,
            env=environment(data, port) | others,
            stdout=log,
            stderr=log,
        )
    try:
        _wait(serving, port, FIRST_PAGE, data / "serve.log")
        yield serving, time.perf_counter() - began
    finally:
        _end(serving)


@contextmanager
def bared(data: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The same site on the same database, without its layers (tests.bench.bared), until the block ends."""
    own = data / "bared"
    own.mkdir(exist_ok=True)
    others = {
        "DJANGO_SETTINGS_MODULE": "tests.bench.bared",
        "DATABASE_URL": postgres.url(data),
        "SECRET_KEY": (data / "secret-key").read_text().strip(),
    }
    with site(own, port, others) as (serving, _):
        yield serving


@contextmanager
def yardstick(data: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The bare view, until the block ends."""
    with (data / "bare.log").open("ab") as log:
        serving = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.bare", str(port)], cwd=ROOT, stdout=log, stderr=log
        )
    try:
        _wait(serving, port, "/", data / "bare.log")
        yield serving
    finally:
        _end(serving)


def _wait(serving: subprocess.Popen[bytes], port: int, path: str, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and serving.poll() is None:
        caller = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            caller.request("GET", path)
            if caller.getresponse().status == 200:
                return
        except (OSError, http.client.HTTPException):
            pass
        finally:
            caller.close()
        time.sleep(0.05)
    raise NotStarted(log.read_text()[-3000:])


def _end(serving: subprocess.Popen[bytes]) -> None:
    serving.send_signal(signal.SIGINT)
    try:
        serving.wait(30)
    except subprocess.TimeoutExpired:
        serving.kill()


def roots(data: Path, serving: subprocess.Popen[bytes]) -> set[int]:
    """The two processes that all others of a site on this database come from: the web server's and the database's."""
    return {serving.pid, int((data / "postgres" / "cluster" / "postmaster.pid").read_text().split()[0])}


def memory(starters: set[int]) -> tuple[float, float]:
    """(shared pages counted once, plain sum of resident sets) of these processes' families, in MB of 10^6 bytes."""
    family = _family(starters)
    return _sum(family, "Pss:"), _sum(family, "Rss:")


def processor(starters: set[int]) -> float:
    """Seconds of processor time that these processes' families have used so far."""
    ticks = 0
    for pid in _family(starters):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _family(roots: set[int]) -> set[int]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = set(roots)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def _sum(family: set[int], field: str) -> float:
    total = 0
    for pid in family:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith(field):
                    total += int(line.split()[1]) * 1024
    return total / 1e6
