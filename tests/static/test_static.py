"""What the static sources promise: weight, licences, contrast, nothing inline."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from math import cos, radians, sin
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from studyhub.web.bundle import BUNDLES, bundle

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "static"
ALONE = {"js/theme.js", "js/account.js"}  # before the first paint; only where passkeys are handled
SIGNS = "–—‘’“”…·×÷±≤≥≈≠αγλ√²³½µ−°"
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
TOKENS = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")


def test_all_fonts_together_weigh_at_most_80_kb() -> None:
    assert sum(path.stat().st_size for path in (STATIC / "fonts").glob("*.woff2")) <= 80 * 1024


@pytest.mark.parametrize("path", sorted((STATIC / "fonts").glob("*.woff2")), ids=lambda path: path.stem)
def test_a_font_carries_our_name_and_its_licence(path: Path) -> None:
    font = TTFont(path)
    names = {record.nameID: record.toUnicode() for record in font["name"].names}
    assert names[1].startswith("StudyHub ")
    assert "SIL Open Font License" in names[13]
    assert (STATIC / "fonts" / f"LICENSE-{path.stem.removesuffix('-italic')}.txt").exists()
    assert {ord(sign) for sign in SIGNS} <= set(font.getBestCmap())


def test_every_source_is_in_a_bundle_but_those_that_stand_alone() -> None:
    sources = {
        str(p.relative_to(STATIC)) for kind in ("css", "js") for p in (STATIC / kind).rglob(f"*.{kind}")
    }
    assert {name for names in BUNDLES.values() for name in names} == sources - ALONE


def test_scripts_and_styles_stay_small() -> None:
    def packed(name: str) -> int:
        return len(gzip.compress(bundle(name, STATIC).encode()))

    assert packed("js/studyhub.js") <= 4 * 1024
    assert packed("css/studyhub.css") <= 9 * 1024
    assert packed("css/more.css") <= 9 * 1024
    assert packed("js/questions.js") <= 5 * 1024
    assert (STATIC / "js" / "theme.js").stat().st_size < 1024


def test_a_bundle_has_its_sources_in_order_without_comments() -> None:
    text = bundle("css/studyhub.css", STATIC)
    assert text.startswith("@layer tokens, base, layout, parts;")
    assert "/*" not in text
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_a_template_has_nothing_inline_and_stays_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"<style|\sstyle=|\son[a-z]+=|\shx-on|javascript:", text) == []
    assert [
        tag
        for tag in re.findall(r"<script[^>]*>", text)
        if "src=" not in tag and "application/json" not in tag
    ] == []
    assert len(text.splitlines()) <= 150


def _linear(text: str) -> tuple[float, float, float]:
    """Linear sRGB, clipped to the gamut, of "L C h" in OKLCH (Ottosson's matrices)."""
    light, chroma, hue = (float(part) for part in text.split())
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    lms = (
        (light + 0.3963377774 * a + 0.2158037573 * b) ** 3,
        (light - 0.1055613458 * a - 0.0638541728 * b) ** 3,
        (light - 0.0894841775 * a - 1.2914855480 * b) ** 3,
    )
    rows = (
        (4.0767416621, -3.3077115913, 0.2309699292),
        (-1.2684380046, 2.6097574011, -0.3413193965),
        (-0.0041960863, -0.7034186147, 1.7076147010),
    )
    red, green, blue = (
        min(1.0, max(0.0, sum(factor * value for factor, value in zip(row, lms, strict=True))))
        for row in rows
    )
    return red, green, blue


def _contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two OKLCH colours."""
    bright, dim = sorted(
        (0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (_linear(one), _linear(other))), reverse=True
    )
    return (bright + 0.05) / (dim + 0.05)


def _pairs() -> Iterator[tuple[str, str, float]]:
    papers = ("paper", "raise", "sink", "accent-wash", "right-wash", "wrong-wash", "unsure-wash")
    yield from (("ink", paper, 7.0) for paper in papers)
    yield from (("soft", paper, 4.5) for paper in papers)
    yield from (
        (word, paper, 4.5)
        for word in ("accent", "right", "wrong", "unsure", "violet")
        for paper in papers[:3]
    )
    yield from ((word, f"{word}-wash", 4.5) for word in ("accent", "right", "wrong", "unsure"))
    yield from (("on-accent", back, 4.5) for back in ("accent", "accent-deep"))
    yield from (("edge", paper, 3.0) for paper in ("paper", "raise"))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back", "least"), list(_pairs()), ids=str)
def test_colours_are_readable_on_their_paper(theme: int, front: str, back: str, least: float) -> None:
    head = TOKENS.partition("prefers-contrast")[0]
    pair = r"--{}: light-dark\(oklch\(([^)]*)\), oklch\(([^)]*)\)\)"
    found = [re.search(pair.format(name), head) for name in (front, back)]
    colours = [match.group(theme + 1) for match in found if match]
    assert len(colours) == 2
    assert _contrast(*colours) >= least
