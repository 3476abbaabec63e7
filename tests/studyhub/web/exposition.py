"""A strict reader of Prometheus' text format 0.0.4, as far as the site writes it."""

from __future__ import annotations

import re

SAMPLE = re.compile(r"([a-z_]+)(?:\{([^{}]*)\})? (\d+(?:\.\d+)?(?:e[+-]?\d+)?)")
LABEL = re.compile(r'([a-z_]+)="([^"\\\n]*)"')
HISTOGRAM = ("_bucket", "_sum", "_count")
Samples = dict[str, list[tuple[dict[str, str], float]]]


def parsed(text: str) -> Samples:
    """Samples by name. Raises ValueError for text that a scraper would refuse, and for counts that cannot be."""
    if not text.endswith("\n"):
        raise ValueError("the last line has no end")
    kinds: dict[str, str] = {}
    found: Samples = {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            continue
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            if name in kinds:
                raise ValueError(f"{name} is declared twice")
            kinds[name] = kind
            continue
        name, labels, value = _sample(line)
        family = next((name.removesuffix(one) for one in HISTOGRAM if name.endswith(one)), name)
        if kinds.get(name, kinds.get(family)) not in {"counter", "histogram"}:
            raise ValueError(f"{name} was not declared")
        if any(labels == other for other, _ in found.setdefault(name, [])):
            raise ValueError(f"{line} is there twice")
        found[name].append((labels, value))
    _check_buckets(found)
    return found


def _sample(line: str) -> tuple[str, dict[str, str], float]:
    whole = SAMPLE.fullmatch(line)
    if whole is None:
        raise ValueError(f"not a sample: {line}")
    parts = whole[2].split(",") if whole[2] else []
    pairs = [LABEL.fullmatch(one) for one in parts]
    if None in pairs:
        raise ValueError(f"not a label: {line}")
    return whole[1], {one[1]: one[2] for one in pairs if one}, float(whole[3])


def _check_buckets(found: Samples) -> None:
    """The buckets of each route grow, and the endless one holds all."""
    buckets: dict[str, list[float]] = {}
    for labels, value in found.get("studyhub_request_seconds_bucket", []):
        buckets.setdefault(labels["route"], []).append(value)
    counts = {labels["route"]: value for labels, value in found.get("studyhub_request_seconds_count", [])}
    if {route: held[-1] for route, held in buckets.items()} != counts:
        raise ValueError("the endless bucket does not hold all")
    if any(held != sorted(held) for held in buckets.values()):
        raise ValueError("a bucket holds less than a smaller one")
