"""A server for a moment."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from studyhub.postgres import folder
from studyhub.postgres.place import Embedded
from studyhub.postgres.server import ensure_running, stop


@contextmanager
def scratch_server() -> Iterator[Mapping[str, object]]:
    """An embedded server with an empty database in a temporary folder, both gone afterwards; how to connect to it.

    Takes about 4 s. Raises PostgresProblem when it cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="studyhub-scratch-") as name:
        data = Path(name)
        data.chmod(0o711)  # under root another account runs the server
        place = Embedded.at(data)
        try:
            yield conninfo_to_dict(ensure_running(data).url)
        finally:
            stop(data)
            for elsewhere in (place.home.resolve(), folder.server_socket(place)):
                shutil.rmtree(elsewhere, ignore_errors=True)
