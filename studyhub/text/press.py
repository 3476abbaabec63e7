"""The press: renders texts in one child process that has a limit of time and memory."""

from __future__ import annotations

import json
import math
import os
import resource
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from studyhub.text.markdown import (
    MOST_BYTES,
    Paragraph,
    RenderContext,
    Rendered,
    TextTooLong,
    render,
)

_ROOT = Path(__file__).resolve().parents[2]
_TOO_LONG = "is longer than 256 kB"
_NO_MEMORY = 70  # how the child ends when memory is out even for saying so


@dataclass(frozen=True, slots=True)
class Job:
    """One text to render; ``name`` is what a refusal calls it (for example its file and line)."""

    name: str
    source: str
    context: RenderContext
    inline: bool = False


class PressRefused(Exception):
    """A text was not rendered: ``name`` says which, ``reason`` why, as the end of a sentence about it."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} {reason}")
        self.name = name
        self.reason = reason


def press(jobs: Sequence[Job], *, seconds: float = 20.0, megabytes: int = 512) -> list[Rendered]:
    """Render all jobs in order, in one child process with ``seconds`` and ``megabytes`` for all of them.

    Raises ``PressRefused`` for the job that was being rendered when a limit was met. Never waits longer than
    the time limit (plus the moment that ending the child takes).
    """
    if not jobs:
        return []
    for job in jobs:
        if len(job.source.encode("utf-8", "replace")) > MOST_BYTES:
            raise PressRefused(job.name, _TOO_LONG)
    with subprocess.Popen(
        [sys.executable, "-m", "studyhub.text.press"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
    ) as child:
        try:
            output, _ = child.communicate(_order(jobs, seconds, megabytes), timeout=seconds)
            late = False
        except subprocess.TimeoutExpired:
            child.kill()
            output, _ = child.communicate()
            late = True
        except BaseException:
            child.kill()
            raise
    return _delivered(jobs, output, _ending(child.returncode, late, seconds, megabytes))


def _order(jobs: Sequence[Job], seconds: float, megabytes: int) -> bytes:
    """The jobs as JSON; a context that several jobs share is written once."""
    places: dict[int, int] = {}
    contexts: list[dict[str, Any]] = []
    texts: list[dict[str, Any]] = []
    for job in jobs:
        if id(job.context) not in places:
            places[id(job.context)] = len(contexts)
            contexts.append(_context_out(job.context))
        texts.append(
            {
                "source": job.source,
                "inline": job.inline,
                "context": places[id(job.context)],
            }
        )
    order = {
        "seconds": seconds,
        "megabytes": megabytes,
        "contexts": contexts,
        "jobs": texts,
    }
    return json.dumps(order).encode("ascii")


def _context_out(context: RenderContext) -> dict[str, Any]:
    return {
        "prefix": context.prefix,
        "numbers": dict(context.numbers),
        "links": dict(context.links),
        "figures": dict(context.figures),
        "embeds": dict(context.embeds),
    }


def _ending(code: int, late: bool, seconds: float, megabytes: int) -> str:
    """Why a child that did not finish its work has ended."""
    if late or code == -24:  # SIGXCPU
        return f"took longer than {seconds:g} s"
    if code in {_NO_MEMORY, -6, -9, -11}:  # or out of Python's reach: abort, kill, fault
        return f"needed more than {megabytes} MB"
    return "could not be rendered"


def _delivered(jobs: Sequence[Job], output: bytes, ending: str) -> list[Rendered]:
    finished: list[Rendered] = []
    for line in output.splitlines(keepends=True):
        if not line.endswith(b"\n"):
            break
        said = json.loads(line)
        if "refused" in said:
            raise PressRefused(jobs[len(finished)].name, str(said["refused"]))
        finished.append(_rendered(said))
    if len(finished) < len(jobs):
        raise PressRefused(jobs[len(finished)].name, ending)
    return finished


def _rendered(said: Mapping[str, Any]) -> Rendered:
    return Rendered(
        html=said["html"],
        paragraphs=tuple(Paragraph(each["slug"], each["text"]) for each in said["paragraphs"]),
        cites=tuple(said["cites"]),
        text=said["text"],
        dropped=tuple(said["dropped"]),
    )


def _limit(seconds: float, megabytes: int) -> None:
    """Bind this process; the hard limits make sure that it cannot loosen them."""
    size = megabytes * 1024 * 1024
    time = max(1, math.ceil(seconds))
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CPU, (time, time + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _work(order: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    contexts = [RenderContext(**fields) for fields in order["contexts"]]
    for job in order["jobs"]:
        try:
            rendered = render(job["source"], contexts[job["context"]], inline=job["inline"])
        except MemoryError:
            yield {"refused": f"needed more than {order['megabytes']} MB"}
        except RecursionError:
            yield {"refused": "is nested too deeply"}
        except TextTooLong:
            yield {"refused": _TOO_LONG}
        except Exception as problem:
            yield {"refused": f"could not be rendered ({type(problem).__name__})"}
        else:
            yield asdict(rendered)


def main(source: TextIO, target: TextIO) -> None:
    """The child: read one order, write one line per job as soon as it is done, stop at the first refusal."""
    order = json.load(source)
    _limit(order["seconds"], order["megabytes"])
    for said in _work(order):
        target.write(json.dumps(said) + "\n")
        target.flush()
        if "refused" in said:
            return


if __name__ == "__main__":
    try:
        main(sys.stdin, sys.stdout)
    except MemoryError:  # while a result was written, or while a first one was told
        os._exit(_NO_MEMORY)
