"""Runs the web server: the claim on folder and port, the workers, and their end."""

from __future__ import annotations

import errno
import gc
import http.client
import multiprocessing
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.urls import get_resolver
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import Server

from studyhub.postgres import lock
from studyhub.web import logs
from studyhub.web.turnstile import THREADS, Application, Turnstile

WORKERS = 2
LAST_REQUESTS = 10  # seconds that running requests get when the site stops
ORPHANED = 2  # seconds they get when the main process was killed
RUBBISH = (
    20_000,
    20,
    20,
)  # new objects before a look for unreachable ones: a request makes thousands, few of them cyclic
FREEING = 5  # seconds the port may need to come free after that
FIRST_ANSWER = 60  # seconds
GRANIANS_LOG = {  # the server's own lines go the way of all others (settings.LOGGING)
    "formatters": {},
    "handlers": {},
    "loggers": {"_granian": {"propagate": True}},
}
OTHER_FOLDER = "STUDYHUB_DATA=/path/to/folder make run"


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to serve a data folder: the open lock, and whether the last site there was killed."""

    held: int
    killed_before: bool


@contextmanager
def claim(data: Path, address: str) -> Iterator[Claim]:
    """Hold the data folder for one site.

    Raises CommandError: with the address of the site that has it, or when it cannot be written to.
    """
    path = data / "serve.lock"
    try:
        data.mkdir(parents=True, exist_ok=True)
        held = lock.try_lock(path)
        holder = path.read_text().strip()
        if held is not None:
            path.write_text(f"{address} (process {os.getpid()})")
    except OSError as error:
        raise CommandError(
            f"The data folder {data} cannot be written to: {error.strerror}.\n"
            f"Give yourself write permission there, or choose another folder: {OTHER_FOLDER}"
        ) from error
    if held is None:
        raise CommandError(
            f"StudyHub is running on the data folder {data} already: {holder or 'it is just starting'}.\n"
            f"Use that one, stop it with Ctrl-C, or choose another folder: {OTHER_FOLDER}"
        )
    try:
        yield Claim(held, killed_before=bool(holder))
    finally:
        path.write_text("")
        os.close(held)


def check_port(host: str, port: int, *, patient: bool) -> None:
    """Raise CommandError in plain words when nobody can listen there.

    ``patient`` waits a moment for workers whose main process was killed.
    """
    deadline = time.monotonic() + (FREEING if patient else 0)
    while True:
        try:
            _bind(host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < deadline:
                time.sleep(lock.STEP)
                continue
            raise CommandError(_refusal(host, port, error)) from error
        return


def run(host: str, port: int, *, claimed: Claim, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C, SIGTERM or a closed terminal; call ``ready`` when the first page answers.

    The application is loaded before the workers are forked: they share its memory.
    A worker that dies is replaced. Raises SystemExit(1) when one dies again and again.
    """
    multiprocessing.set_start_method("fork", force=True)
    logs.take_over()
    application = Turnstile(get_wsgi_application())
    _ = get_resolver().url_patterns
    connections.close_all()
    server = Server(
        "studyhub.wsgi:application",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        workers=WORKERS,
        blocking_threads=THREADS,  # they wait for bodies; the turnstile lets one at a time through
        blocking_threads_idle_timeout=600,  # a thread keeps its database connection
        respawn_failed_workers=True,
        workers_kill_timeout=LAST_REQUESTS,
        log_dictconfig=GRANIANS_LOG,
        log_level=LogLevels.error,  # it warns of many threads, which only wait for bodies
        log_access=False,
    )
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        server.on_startup(lambda: signal.signal(signal.SIGHUP, server.signal_handler_interrupt))
    threading.Thread(target=_announce, args=(host, port, ready), daemon=True).start()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RUBBISH)
    life = os.pipe()

    def begin(_: str) -> Application:
        _settle_in(claimed.held, life)
        return application

    server.serve(target_loader=begin)


def shown(host: str, port: int) -> str:
    """The address to type into a browser on this machine."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{name}:{port}/"


def running_at(data: Path) -> str:
    """The address of the site that runs on a data folder, without a slash at its end; "" where none does."""
    path = data / "serve.lock"
    if lock.is_free(path):
        return ""
    found = re.match(r"(https?://\S+?)/? \(process \d+\)", path.read_text())
    return found[1] if found else ""


def address_of_site() -> str:
    """How people reach this site: as SITE_URL says, else where it runs now; "" where neither is known."""
    said: str = settings.SITE_URL
    return running_at(settings.DATA) if said == f"http://127.0.0.1:{settings.PORT}" else said


def _bind(host: str, port: int) -> None:
    family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(where)
        probe.listen()


def _refusal(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use by another program.\nChoose another one: PORT={port + 1} make run"
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for root.\nChoose one above 1023: PORT=8000 make run"
    return (
        f"StudyHub cannot listen on {host}, port {port}: {error.strerror}.\n"
        "Choose another address or port: STUDYHUB_HOST=127.0.0.1 PORT=8000 make run"
    )


def _settle_in(claimed: int, life: tuple[int, int]) -> None:
    """In a new worker: let go of what is the main process's, and see to the end.

    The server library hangs on a second signal while a request is running, and signals come twice:
    Ctrl-C and service managers reach every process. So a worker hears of its end once, in a thread.
    """
    os.close(claimed)
    os.close(life[1])
    inherited = signal.getsignal(signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP, signal.SIGTERM})
    threading.Thread(target=_stop_once, args=(inherited,), daemon=True).start()
    threading.Thread(target=_follow, args=(life[0],), daemon=True).start()


def _stop_once(inherited: object) -> None:
    """Wait for the first SIGTERM and hand it to the handler that the server library has set."""
    signal.sigwait({signal.SIGTERM})
    while (handler := signal.getsignal(signal.SIGTERM)) is inherited:
        time.sleep(lock.STEP)
    if callable(handler):
        handler(signal.SIGTERM, None)


def _follow(life: int) -> None:
    """Stop soon after the main process is gone: then nobody holds the other end of its pipe."""
    os.read(life, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(ORPHANED)
    os.kill(os.getpid(), signal.SIGKILL)


def _announce(host: str, port: int, ready: Callable[[], None]) -> None:
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    deadline = time.monotonic() + FIRST_ANSWER
    while time.monotonic() < deadline:
        caller = http.client.HTTPConnection(name, port, timeout=5)
        try:
            caller.request("GET", "/healthz")
            caller.getresponse().read()
        except (OSError, http.client.HTTPException):
            time.sleep(lock.STEP)
            continue
        finally:
            caller.close()
        ready()
        return
