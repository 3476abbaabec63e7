"""Hostile course text: what an independent parser finds in it afterwards, and text made to take for ever.

Proves trust.md 1.6 (goal 4, judge 1: 0 violations), 1.25 and goal 7 (64 kB of each of 19 Markdown bombs). The press
gives up in time; the tests of studyhub/text say what one payload becomes.
"""

from __future__ import annotations

import time

import pytest

from studyhub.text.press import Job, PressRefused, press
from studyhub.text.sanitise import sanitise
from studyhub.text.sheet import NOTHING, RenderContext
from tests.hostile.strings import naughty, scripts
from tests.studyhub.text.judge import faults

AROUND = (
    "{}",  # a paragraph
    "> {}\n\n- {}",
    "| a | b |\n|---|---|\n| {} | `{}` |",
    "[{}](https://example.org/ \"{}\") ![{}](x \"{}\")",
    "<div class=\"{}\" title='{}'>{}</div>",
)  # fmt: skip
SECTION = RenderContext(prefix="s", numbers={"a": 1}, links={}, figures={}, embeds={})


def shown(texts: list[str], context: RenderContext, *, inline: bool = False) -> list[str]:
    """What the press makes of the texts, all in one child as when a pack is loaded."""
    jobs = [Job(str(at), text, context, inline=inline) for at, text in enumerate(texts)]
    return [one.html for one in press(jobs, seconds=120.0)]


def guilty(sources: list[str], results: list[str]) -> list[tuple[str, list[str]]]:
    """Sources whose result could run, load, submit or style something."""
    judged = ((source, faults(result)) for source, result in zip(sources, results, strict=True))
    return [(source, found) for source, found in judged if found]


def test_there_are_enough_of_them() -> None:
    assert len(scripts()) > 4_300
    assert len(naughty()) == 485 + 41


def test_scripts_as_course_text_leave_nothing_that_could_run() -> None:
    texts = [*scripts(), *naughty()]
    assert guilty(texts, shown(texts, SECTION)) == []
    assert guilty(texts[::2], shown(texts[::2], NOTHING, inline=True)) == []


@pytest.mark.parametrize("around", AROUND[1:], ids=["lists", "table", "links", "attributes"])
def test_scripts_within_marks_leave_nothing_that_could_run(around: str) -> None:
    texts = [around.replace("{}", one) for one in scripts()[::8]]
    assert guilty(texts, shown(texts, SECTION)) == []


def test_the_last_gate_alone_holds_too() -> None:
    texts = [*scripts(), *naughty()]
    assert guilty(texts, [sanitise(one, set()) for one in texts]) == []


def test_the_judge_finds_what_stands_there_unsanitised() -> None:
    assert len(guilty(list(scripts()), list(scripts()))) > 2_500


SIZE = 64 * 1024  # bytes
BOMBS = {
    "brackets": "[", "images": "![", "pictures": "![[]()", "links": "[a](", "closed links": "[a](b", "stars": "*",
    "two stars": "**a *b ", "underscores": "_a", "ticks": "`a``b", "quotes": "> ", "lists": "- ", "nested lists": "",
    "tables": "|a", "angles": "<a ", "entities": "&a", "dollars": "$a", "notes": "[@a] ", "backslashes": "\\[", "fences": "```a\n",
}  # fmt: skip


def bomb(name: str) -> str:
    """64 kB of one pattern."""
    if name == "nested lists":
        return "\n".join(f"{' ' * 2 * depth}- a" for depth in range(250))[:SIZE]
    return (BOMBS[name] * SIZE)[:SIZE]


def test_there_are_19_bombs() -> None:
    assert len(BOMBS) == 19


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_is_shown_harmlessly_or_refused_in_time_with_a_message(name: str) -> None:
    began = time.monotonic()
    try:
        (made,) = press([Job("bomb.md:1", bomb(name), SECTION)], seconds=1.0)
    except PressRefused as refused:
        assert refused.name == "bomb.md:1"
        assert refused.reason in {"took longer than 1 s", "is nested too deeply", "needed more than 512 MB"}
    else:
        assert faults(made.html[:SIZE]) == []
    assert time.monotonic() - began < 10
