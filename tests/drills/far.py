"""A site whose database is reached over TCP, by a line that can be made to stall."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from studyhub.postgres import Embedded
from studyhub.postgres.place import NAME, SOCKET
from tests.journeys.house import House


class FarHouse(House):
    """A site with DATABASE_URL: it starts, watches and stops no database."""

    def __init__(self, data: Path, port: int, database: int) -> None:
        super().__init__(data, port)
        self._database = database

    def _environment(self) -> dict[str, str]:
        return super()._environment() | {
            "DATABASE_URL": f"postgresql://{NAME}@127.0.0.1:{self._database}/{NAME}"
        }


class StallingLine:
    """Passes bytes on, in both directions, while ``open`` is set; keeps them otherwise, and keeps all connections."""

    def __init__(self, target: Path) -> None:
        self.open = threading.Event()
        self.open.set()
        self._target = os.fspath(Embedded.at(target).socket / SOCKET)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])

    def serve(self) -> None:
        """Take connections until closed."""
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._target)
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def close(self) -> None:
        """Take no more."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                self.open.wait()
                sink.sendall(data)
        self.open.wait()  # an end is not passed on either
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)


@contextmanager
def stalling(target: Path) -> Iterator[StallingLine]:
    """A line to the database of a data folder."""
    line = StallingLine(target)
    threading.Thread(target=line.serve, daemon=True).start()
    try:
        yield line
    finally:
        line.open.set()
        line.close()
