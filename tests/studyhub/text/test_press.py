"""The press keeps hostile text from holding up anything."""

from __future__ import annotations

import time

import pytest

from studyhub.text.markdown import MOST_BYTES, RenderContext, render
from studyhub.text.press import Job, PressRefused, press

CONTEXT = RenderContext(prefix="s", numbers={"a": 1}, links={}, figures={}, embeds={})
FINE = Job("fine", "Text [@a] with *marks* and \ud800.", CONTEXT)


def refusal(*jobs: Job, seconds: float = 20.0, megabytes: int = 512) -> tuple[str, str]:
    with pytest.raises(PressRefused) as caught:
        press(jobs, seconds=seconds, megabytes=megabytes)
    return caught.value.name, caught.value.reason


def test_jobs_come_back_in_order_as_if_rendered_here() -> None:
    inline = Job("inline", "An *option*", CONTEXT, inline=True)
    assert press([FINE, inline, FINE]) == [
        render(FINE.source, CONTEXT),
        render(inline.source, CONTEXT, inline=True),
        render(FINE.source, CONTEXT),
    ]


def test_no_jobs_need_no_child() -> None:
    assert press([]) == []


@pytest.mark.parametrize("source", ["[" * 8_000, "![[]()" * 4_000])
def test_crafted_text_is_stopped_and_named(source: str) -> None:
    start = time.monotonic()
    assert refusal(FINE, Job("bomb.md", source, CONTEXT), FINE, seconds=1.5) == (
        "bomb.md",
        "took longer than 1.5 s",
    )
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("megabytes", range(200, 280, 16))  # memory gives out in other places with each
def test_text_that_needs_too_much_memory_is_named(megabytes: int) -> None:
    table = "|a" * 1_000 + "\n" + "|-" * 1_000 + "\n" + "|\n" * 100_000  # every short row is filled up
    assert refusal(FINE, Job("table.md", table, CONTEXT), megabytes=megabytes) == (
        "table.md",
        f"needed more than {megabytes} MB",
    )


def test_text_over_256_kb_is_named() -> None:
    assert refusal(FINE, Job("long.md", "a" * (MOST_BYTES + 1), CONTEXT)) == (
        "long.md",
        "is longer than 256 kB",
    )


def test_absurd_nesting_is_named() -> None:
    nested = "\n".join(f"{' ' * 2 * depth}- a" for depth in range(400))
    assert refusal(Job("deep.md", nested, CONTEXT)) == ("deep.md", "is nested too deeply")


def test_five_hundred_options_fit_into_three_seconds() -> None:
    jobs = [
        Job(f"q{at}", f"Option *{at}* with `code` and $a_{{{at}}}$", CONTEXT, inline=True)
        for at in range(500)
    ]
    assert len(press(jobs, seconds=3.0)) == 500
