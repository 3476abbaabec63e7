"""Advisory locks on files. The kernel lets go of them when the last holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from studyhub.postgres.problem import PostgresProblem

STEP = 0.05  # seconds between two looks


def try_lock(path: Path) -> int | None:
    """Lock the file (made if missing) and return its open descriptor, or None when somebody holds it.

    A process that inherits the descriptor shares the lock: it is free again when all of them
    are gone or have closed it. Raises OSError when the file cannot be opened.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def is_free(path: Path) -> bool:
    """Say whether nobody holds the lock at this moment. A missing file is free."""
    if not path.exists():
        return True
    descriptor = try_lock(path)
    if descriptor is None:
        return False
    os.close(descriptor)
    return True


@contextmanager
def turn(path: Path, *, seconds: float) -> Iterator[None]:
    """Hold the lock for the block, waiting up to ``seconds`` for it. Raises PostgresProblem after that."""
    deadline = time.monotonic() + seconds
    while (descriptor := try_lock(path)) is None:
        if time.monotonic() > deadline:
            raise PostgresProblem(
                "Another process has been starting or stopping this database for too long.",
                f"It holds {path}.",
                "Wait for it or end it, then start again.",
            )
        time.sleep(STEP)
    try:
        yield
    finally:
        os.close(descriptor)
