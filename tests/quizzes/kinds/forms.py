"""A question of each kind of parts and one of typed words, as the loader stores them."""

from __future__ import annotations

from typing import Any


def about(name: str, **extra: Any) -> dict[str, Any]:
    """What a key says of one piece."""
    return {
        "right": True,
        "weight": None,
        "rationale": f"<p>Why {name}.</p>",
        "misconception": "",
        "belief": "",
        "read": "",
        **extra,
    }


def options(*slugs: str) -> list[dict[str, str]]:
    return [{"slug": slug, "html": f"<b>{slug}</b>", "text": slug} for slug in slugs]


WIDE = {"misconception": "wide", "belief": "Wider is faster"}
SHORT_BODY = {"exact": False}
SHORT_KEY = {
    "accepted": [
        {"text": "calibration data", **about("data")},
        {"text": "calibration set", **about("set", weight=0.9)},
        {"text": "calibrating data", **about("data")},
    ],
    "mistakes": [{"text": "training data", **about("mistake", **WIDE, read="small#here")}],
}
MATCH_BODY = {"rows": 3, "shuffle": True, "options": options("fp32", "bf16", "fp8", "w16", "w32", "w4", "w8")}
MATCH_KEY = {
    "score": "partial",
    "pairs": [1, 0, 3],
    "options": {one["slug"]: about(one["slug"], **WIDE) for one in MATCH_BODY["options"]},
}
ORDER_BODY = {"options": options("d", "a", "c", "b")}
ORDER_KEY = {
    "score": "partial",
    "sequence": [1, 3, 2, 0],
    "options": {slug: about(slug, **(WIDE if slug == "d" else {})) for slug in "abcd"},
}
CLOZE_BODY = {"gaps": [{"hint": "which bound"}, {"hint": ""}], "exact": False}
CLOZE_KEY = {
    "score": "partial",
    "gaps": [
        {"accepted": ["bandwidth", "memory bandwidth"], **about("gap 1", **WIDE)},
        {"accepted": ["<ridge>"], **about("gap 2", read="small#here")},
    ],
}
ALL_OR_NOTHING = {"score": "all"}
