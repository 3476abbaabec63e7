"""Where the embedded cluster lives. Pure: nothing here touches the disk, except to follow links."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

PORT = 5432  # no network port: only part of the socket's name
SOCKET = f".s.PGSQL.{PORT}"
NAME = "studyhub"  # superuser and database
SOCKET_LIMIT = 100  # bytes; the kernel allows 107, some systems 103
SHORT_FOLDERS = Path("/tmp")  # noqa: S108 - owner and mode are checked before use


@dataclass(frozen=True, slots=True)
class Embedded:
    """The paths of one embedded cluster, all below the data folder as it is written there.

    ``home`` may be a link: when the database's account cannot reach the data folder,
    it leads to a folder in /var/lib/studyhub.
    """

    data: Path

    @classmethod
    def at(cls, data: Path) -> Embedded:
        """The cluster of a data folder; two names of one folder give the same answer."""
        return cls(data.resolve())

    @property
    def home(self) -> Path:
        """Everything that belongs to the database's account."""
        return self.data / "postgres"

    @property
    def cluster(self) -> Path:
        """Postgres's own data directory."""
        return self.home / "cluster"

    @property
    def log(self) -> Path:
        """What the server says."""
        return self.home / "log"

    @property
    def alive(self) -> Path:
        """Locked exactly as long as one process of the server lives."""
        return self.home / "alive"

    @property
    def turn(self) -> Path:
        """Locked while somebody starts or stops the server."""
        return self.data / "postgres.lock"

    @property
    def pointer(self) -> Path:
        """Tells people where the cluster is when ``home`` is a link."""
        return self.data / "postgres-location"

    @property
    def socket(self) -> Path:
        """The folder of the socket: in ``home``, or a short one when that name is too long or has a comma.

        (The Postgres driver takes a comma for the end of a host's name.)
        """
        usual = self.home / "socket"
        if len(os.fsencode(usual / SOCKET)) <= SOCKET_LIMIT and "," not in str(usual):
            return usual
        return SHORT_FOLDERS / f"studyhub-{hashlib.sha256(os.fsencode(self.data)).hexdigest()[:20]}"

    def conninfo(self, database: str = NAME) -> str:
        """The connection address of a database of this cluster."""
        host = quote(os.fsencode(self.socket), safe="")
        return f"postgresql://{NAME}@/{database}?host={host}&port={PORT}"


def url(data: Path) -> str:
    """The connection address of the embedded server of this data folder. Starts nothing."""
    return Embedded.at(data).conninfo()
