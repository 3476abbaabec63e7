"""Finding and opening the files of a pack without being led out of its folder."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from studyhub.packs.formats.prose import LINE
from studyhub.packs.formats.report import Report

ROOMS = ("chapters", "quizzes", "cards", "media")
DEEPEST = 8  # folders inside one another
FILES = 5000
LONGEST = 250  # characters of a path
KILO = 1024
CHAPTER_SIZE = 256 * KILO  # bytes; course.md too
QUIZ_SIZE = 4 * KILO * KILO
MEDIA_SIZE = 4 * KILO * KILO
PICTURES = (".svg", ".png", ".jpg", ".jpeg")
STARTS = {".png": b"\x89PNG\r\n\x1a\n", ".jpg": b"\xff\xd8\xff", ".jpeg": b"\xff\xd8\xff"}


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the pack. ``kind``: course, chapter, quiz, cards or media; ``size`` in bytes."""

    path: str
    kind: str
    size: int


def kind_at(path: str) -> str:
    """What the file at ``path`` (in the pack) is by its place and name; "" when it is none of ours."""
    room = path.partition("/")[0] if "/" in path else ""
    if path == "course.md":
        return "course"
    if room == "media":
        return "media"
    if room not in ("", *ROOMS) or not path.endswith(".md"):
        return ""
    if path.endswith(".quiz.md"):
        return "quiz"
    if path.endswith(".cards.md"):
        return "cards"
    return "chapter" if room == "chapters" or path.endswith(".chapter.md") else ""


def find_files(folder: Path, report: Report) -> list[Found]:
    """Every file of ours below ``folder``, by path. Links are reported (E023) and never followed."""
    found: list[Found] = []
    places = [folder, *(folder / room for room in ROOMS)]
    if not folder.is_dir():
        report.add(1, "E024", "there is no such folder", "Name the folder that holds course.md.")
        return []
    while places and len(found) <= FILES:
        place = places.pop(0)
        name = place.relative_to(folder).as_posix()
        if place != folder and _is_no_room(place, name, report):
            continue
        for entry in _entries(place, name, report):
            path = entry.name if place == folder else f"{name}/{entry.name}"
            if not entry.is_symlink() and entry.is_dir(follow_symlinks=False):
                if path.count("/") >= DEEPEST:
                    report.add(
                        1, "E024", "folders lie too deep", f"Keep at most {DEEPEST} inside one another."
                    )
                elif place != folder:
                    places.append(place / entry.name)
            else:
                found.extend(_file(entry, path, report))
    return sorted(_not_too_many(found, report), key=lambda one: one.path)


def _not_too_many(found: list[Found], report: Report) -> list[Found]:
    if len(found) > FILES:
        report.add(1, "E025", f"more than {FILES} files in the pack", "Divide the course.")
    return found[:FILES]


def _is_no_room(place: Path, name: str, report: Report) -> bool:
    """Whether a place is to be passed over: nothing there, or a link (E023)."""
    if place.is_symlink():
        _refuse_link(name, report)
        return True
    return not place.is_dir()


def _deeper(place: Path, path: str, report: Report) -> list[Path]:
    """The folder to look into next, unless it lies too deep (E024)."""
    if path.count("/") < DEEPEST:
        return [place]
    report.add(1, "E024", "folders lie too deep", f"Keep at most {DEEPEST} inside one another.")
    return []


def _entries(place: Path, name: str, report: Report) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as problem:
        Report.add(report, 1, "E024", f"{name} cannot be read: {problem.strerror}", "Check its permissions.")
        return []


def _refuse_link(path: str, report: Report) -> None:
    link = Report(path)
    link.add(1, "E023", "a symbolic link is not followed", "Put the file itself here.")
    report.faults.extend(link.faults)


def _file(entry: os.DirEntry[str], path: str, report: Report) -> list[Found]:
    kind = kind_at(path)
    own = Report(path if path.isprintable() else ascii(path)[1:-1])
    known = bool(kind) or path.partition("/")[0] in ROOMS
    if entry.is_symlink():
        if known:
            _refuse_link(own.path, report)
        return []
    status = entry.stat(follow_symlinks=False)
    if not known or entry.name.startswith("."):
        return []
    if not path.isprintable() or len(path) > LONGEST or "\\" in path or not stat.S_ISREG(status.st_mode):
        own.add(
            1,
            "E024",
            "this is not a plain file with a plain name",
            "Rename it: letters, digits, dots, hyphens.",
        )
    elif not kind:
        own.add(
            1, "W107", "this file is not read", "Name it *.quiz.md, *.cards.md, or move it out of the pack."
        )
    report.faults.extend(own.faults)
    return [Found(path, kind, status.st_size)] if kind and not own.has_errors() else []


def read_text(folder: Path, found: Found, report: Report) -> str | None:
    """The text of a file, or None when it is too long, not UTF-8 or holds a NUL (reported)."""
    limit = QUIZ_SIZE if found.kind == "quiz" else CHAPTER_SIZE
    raw = _read_bytes(folder, found, limit, report)
    if raw is None:
        return None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        report.add(line, "E020", "the file is not UTF-8", "Save it with the encoding UTF-8.")
        return None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        report.add(line, "E021", "the file holds a NUL character", "Delete it; it may be no text file.")
        return None
    for number, row in enumerate(text.splitlines(), 1):
        if len(row) > LINE:
            report.add(number, "E022", f"a line is longer than {LINE} characters", "Break it.")
            return None
    return text


def _read_bytes(folder: Path, found: Found, limit: int, report: Report) -> bytes | None:
    """At most ``limit`` bytes of a regular file, opened without following a link."""
    try:
        handle = os.open(folder / found.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as stream:
            raw = stream.read(limit + 1)
    except OSError as problem:
        report.add(1, "E024", f"the file cannot be read: {problem.strerror}", "Check its permissions.")
        return None
    if len(raw) > limit:
        report.add(1, "E022", f"the file is longer than {limit // KILO} kB", "Divide it into smaller files.")
        return None
    return raw


def check_media(folder: Path, found: Found, report: Report) -> bool:
    """True for a picture we can show; reports other files, long ones and false ones."""
    ending = os.path.splitext(found.path)[1].lower()
    if ending not in PICTURES:
        report.add(1, "E317", "this is not a picture of a known type", "Use .svg, .png or .jpg.")
        return False
    raw = _read_bytes(folder, found, MEDIA_SIZE, report)
    if raw is None:
        return False
    start = STARTS.get(ending, b"")
    markup = raw.lstrip()[:1] == b"<" if ending == ".svg" else True
    if not raw.startswith(start) or not markup:
        report.add(1, "E317", f"the content is not that of a {ending} file", "Export the picture again.")
        return False
    return True
