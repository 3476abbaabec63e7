"""What a backup's manifest may say. A file that somebody made is believed in nothing that was not looked at here."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

DUMP, MEDIA = "database.dump", "media/"
CHUNK = 1 << 20
NEEDED = {"format": int, "version": str, "made_at": str, "migrations": list, "tables": dict, "files": dict}


def odd_parts(manifest: Mapping[str, Any]) -> list[str]:
    """The names of parts that are not as in any backup: other types, files outside of the media folder."""
    odd = [name for name, kind in NEEDED.items() if not isinstance(manifest.get(name), kind)]
    if odd:
        return odd
    pairs = {
        name: one for part in ("tables", "files") for name, one in manifest[part].items() if not _counted(one)
    }
    odd += [*pairs, *(name for name in manifest["files"] if name != DUMP and not _plain(name))]
    counts, shape = manifest.get("sequences", {}), manifest.get("shape", [])
    if not isinstance(counts, dict) or not all(isinstance(one, int) for one in counts.values()):
        odd.append("sequences")
    if not isinstance(shape, list) or not all(isinstance(one, str) for one in shape):
        odd.append("shape")
    return odd


def _counted(value: object) -> bool:
    """Whether this is a number and a print."""
    return isinstance(value, list) and len(value) == 2 and type(value[0]) is int and isinstance(value[1], str)


def _plain(name: str) -> bool:
    """Whether this names a file within the media folder and nothing else."""
    parts = name.removeprefix(MEDIA).split("/")
    return (
        name.startswith(MEDIA) and not {"", ".", ".."} & set(parts) and "\0" not in name and "\\" not in name
    )


def body_print(body: IO[bytes]) -> tuple[int, str]:
    """Length in bytes and SHA-256 of what is read to its end."""
    total, size = hashlib.sha256(), 0
    while chunk := body.read(CHUNK):
        total.update(chunk)
        size += len(chunk)
    return size, total.hexdigest()


def file_print(file: Path) -> tuple[int, str]:
    """The same of a file."""
    with file.open("rb") as body:
        return body_print(body)
