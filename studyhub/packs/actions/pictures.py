"""Pictures of a pack: drawings are inlined, photographs kept under the hash of their content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from studyhub.packs.draft import Fault
from studyhub.text.figures import FigureRefused, read_svg

MAGIC = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpg", b"GIF87a": "gif", b"GIF89a": "gif"}


def picture_kind(content: bytes) -> str:
    """Tell png, jpg, gif or webp by the first bytes, whatever the file is called; "" for anything else."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "webp"
    return next((kind for magic, kind in MAGIC.items() if content.startswith(magic)), "")


def read_figure(folder: Path, path: str) -> str:
    """Give the SVG source of a drawing, or the address under which a photograph is kept from now on.

    "" for a file that is missing, a link, or not a picture; the checker has said so.
    """
    file = folder / path
    if file.is_symlink() or not file.is_file():
        return ""
    content = file.read_bytes()
    if file.suffix == ".svg":
        return content.decode("utf-8", "replace")
    kind = picture_kind(content)
    return keep_picture(content, kind) if kind else ""


def figure_faults(folder: Path, media: Iterable[str]) -> list[Fault]:
    """Find drawings that cannot be drawn (E319), and parts of drawings that are left out on the page (W413)."""
    faults = []
    for path in media:
        file = folder / path
        if not path.endswith(".svg") or file.is_symlink() or not file.is_file():
            continue
        try:
            removed = read_svg(file.read_text("utf-8", "replace")).removed
        except FigureRefused as refused:
            what = f"this figure cannot be drawn: {refused}"
            faults.append(Fault(path, 1, "E319", what, "Export it again as a plain SVG with a viewBox."))
            continue
        if removed:
            what = f"the page leaves out of this figure: {', '.join(dict.fromkeys(removed))}"
            faults.append(
                Fault(path, 1, "W413", what, "Use the elements and classes named in docs/authoring.md.")
            )
    return faults


def keep_picture(content: bytes, kind: str) -> str:
    """Store a picture once under the hash of its content and return its address."""
    name = f"{hashlib.sha256(content).hexdigest()}.{kind}"
    kept = Path(settings.MEDIA_ROOT) / "packs" / name
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(".part")
        fresh.write_bytes(content)
        fresh.replace(kept)
    return reverse("picture", args=[name])
