"""Texts that mean harm or break what handles them carelessly."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import brs_kb  # type: ignore[import-untyped]

HERE = Path(__file__).parent
OWN = (
    "null\ufffdreplaced",
    "\ud83d".encode("utf-16", "surrogatepass").decode("utf-16", "replace") + "half a pair, replaced",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "\U0001f1fa\U0001f1f8\U0001f1e9",
    "\U0001f44d\U0001f3fd and \U0010fffd and \U0001fffe",
    "\U00020bb7\u91ce\u5bb6",
    "\u202eevil\u202c and back",
    "\u2066isolated\u2069 \u2067other way\u2069",
    "\u0645\u0631\u062d\u0628\u0627 abc \u05e9\u05dc\u05d5\u05dd 123",
    "a\u200bb\u200cc\u200dd\u2060e\ufefff",
    "\ufeffbegins with a byte order mark",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a",
    "e\u0301 and \u00e9",
    "\u1e9b\u0323 and \u1e9b\u0323".replace("\u1e9b", "\u017f\u0307"),
    "\ufb01ne \u2460 \uff21 \u212b \u2126",
    "\u1100\u1161\u11a8 \uac01",
    "\u0130stanbul \u0131\u0307 \u00df \u1e9e",
    "lines\u2028and\u2029paragraphs",
    "next\u0085line",
    "one\ttab and  two  blanks",
    "no\u00a0break\u2007here\u202f",
    "line\nfeed\n\nand more",
    "form\x0cfeed and vertical\x0btab",
    "escape \x1b[31mred\x1b[0m and bell\x07",
    "\x01\x02\x1e\x1f\x7f controls",
    "\u0080\u009f second controls",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "=cmd|' /C calc'!A0",
    "\uff1d1\uff0b1",
    "&amp; &lt;b&gt; &#60; &#x3c;script&gt; &nbsp; &notin;",
    "{{ user.password }} {% debug %} {# x #} ${7*7} <%= 7*7 %> #{7*7}",
    "%s %(name)s %n {0} {name.__class__} {x!r:>9}",
    "a\\b\\\\c \\u0041 \\x41 \\n",
    "' OR 1=1 -- \"; DROP TABLE x; /* */",
    "<!-- --> ]]> <![CDATA[ x ]]> <?xml?> <!DOCTYPE x>",
    "\uffff \ufffe \ufdd0 noncharacters",
    "\U000e0041\U000e0042 tags and \ufe0f selectors",
    "x" * 120,
)  # 41, all of them to be kept as they are
PAGES = 60  # pages that the scripts are spread over


@cache
def naughty() -> tuple[str, ...]:
    """The Big List of Naughty Strings (485) and our own."""
    return (*json.loads((HERE / "blns.json").read_text(encoding="utf-8")), *OWN)


@cache
def scripts() -> tuple[str, ...]:
    """Every script in disguise of brs-kb, each once, in a fixed order; without NUL, which no text can hold."""
    found = {str(one["payload"]) for one in brs_kb.get_all_payloads().values()}
    return tuple(sorted(one for one in found if one.strip() and "\x00" not in one))


def batches(texts: tuple[str, ...] = (), number: int = PAGES) -> list[tuple[str, ...]]:
    """The texts dealt out over ``number`` pages, so that each page gets some of every sort."""
    texts = texts or scripts()
    return [texts[at::number] for at in range(number)]
