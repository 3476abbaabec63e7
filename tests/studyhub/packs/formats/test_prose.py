"""Running text: links, anchors, citations, HTML; and nothing of it inside code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyhub.packs.formats.prose import (
    find_anchors,
    find_citations,
    find_html,
    find_links,
    paragraphs,
    resolve,
)


def test_links_outside_code_only() -> None:
    lines = [
        '[a](x.md#y "title") and ![b](../media/b.svg), `[c](c.md)`',
        "```",
        "[d](d.md)",
        "```",
        "[e]: <e.md>",
        "[![f](f.png)](g.md)",
    ]
    assert [(link.target, link.picture, link.line) for link in find_links(lines)] == [
        ("x.md#y", False, 0),
        ("../media/b.svg", True, 0),
        ("e.md", False, 4),
        ("f.png", True, 5),
        ("g.md", False, 5),
    ]


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("../media/a.svg", ("media/a.svg", "")),
        ("other.md#b", ("chapters/other.md", "b")),
        ("#b", ("chapters/x.md", "b")),
        ("../../a.md", None),
        ("..%2f..%2fa.md", None),
        ("/etc/passwd", None),
        ("..\\a.md", None),
        ("a/../../b.md", ("b.md", "")),
        ("../media/a%20b.svg", ("media/a%20b.svg", "")),
    ],
)
def test_place_in_the_pack(target: str, place: tuple[str, str] | None) -> None:
    assert resolve("chapters/x.md", target) == place


@given(st.text(alphabet="./%2fFeE\\~ab#", max_size=40))
def test_no_target_leaves_the_pack(target: str) -> None:
    place = resolve("chapters/x.md", target)
    assert place is None or not (place[0].startswith(("/", "../")) or place[0] == "..")


@pytest.mark.parametrize(
    ("line", "html"),
    [
        ("<b>bold</b>", True),
        ("<img src=x onerror=alert(1)>", True),
        ("<!-- hidden -->", True),
        ("<script", True),
        ("a < b and c > d", False),
        ("if a<b: pass", False),
        ("<https://a.example/b>", False),
        ("`<b>` is code", False),
        ("a <model> of that name", False),
    ],
)
def test_html_is_seen(line: str, html: bool) -> None:
    assert bool(find_html([line])) == html


def test_citations() -> None:
    assert find_citations(["so [@a] and [@b].", "`[@c]` [@d e]"]) == [("a", 0), ("b", 0), ("d e", 1)]


def test_anchor_in_the_middle_of_a_paragraph_is_told() -> None:
    found = find_anchors(["one {#a}", "two {#b}", "", "> [!NOTE] {#c}", "> text", "", "- x {#d}", "- y {#e}"])
    assert [(anchor.slug, anchor.closing) for anchor in found] == [
        ("a", False),
        ("b", True),
        ("c", True),
        ("d", True),
        ("e", True),
    ]


def test_paragraphs_by_kind() -> None:
    text = "one\ntwo\n\n- a\n- b\n\n| x |\n```\ncode\n\nmore\n```\n> said\n\n### head"
    assert [(part.kind, part.line) for part in paragraphs(text.split("\n"))] == [
        ("text", 0),
        ("list", 3),
        ("table", 6),
        ("code", 7),
        ("quote", 12),
        ("heading", 14),
    ]
