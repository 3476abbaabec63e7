"""What a browser really receives: bytes by kind, and the number of requests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

KB = 1000  # bytes
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


class NoBrowser(Exception):
    """Chromium is missing or does not start; the text says what it said."""


@dataclass(frozen=True, slots=True)
class Weight:
    """One page load: bytes that came over the wire, compressed, by kind of resource."""

    requests: int
    by_kind: dict[str, int]

    @property
    def without_fonts(self) -> float:
        """KB of everything but fonts."""
        return sum(size for kind, size in self.by_kind.items() if kind != "Font") / KB

    @property
    def scripts(self) -> float:
        """KB of JavaScript."""
        return self.by_kind.get("Script", 0) / KB

    def __str__(self) -> str:
        return ", ".join(f"{kind} {size / KB:.1f}" for kind, size in sorted(self.by_kind.items()))


def weigh(port: int, cookie: tuple[str, str], paths: Sequence[str]) -> list[Weight]:
    """Open the pages one after the other in a fresh browser that keeps its cache; one Weight each.

    Raises NoBrowser when there is none to open them in.
    """
    from playwright.sync_api import Error, sync_playwright

    named = (
        os.environ.get("CHROMIUM"),
        *map(shutil.which, ("chromium", "chromium-browser", "google-chrome")),
    )
    found = next(filter(None, named), None)
    site = f"http://127.0.0.1:{port}"
    with sync_playwright() as play:
        try:
            browser = play.chromium.launch(executable_path=found, args=FLAGS)
        except Error as problem:
            raise NoBrowser(str(problem).splitlines()[0]) from problem
        context = browser.new_context()
        context.add_cookies([{"name": cookie[0], "value": cookie[1], "url": site}])
        page = context.new_page()
        session = context.new_cdp_session(page)
        weights = [_one(page, session, site + path) for path in paths]
        browser.close()
    return weights


def _one(page: Any, session: Any, url: str) -> Weight:
    kinds: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def received(event: dict[str, Any]) -> None:
        if event["response"]["url"].startswith("http"):
            kinds[event["requestId"]] = event["type"]

    def finished(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = int(event["encodedDataLength"])

    session.on("Network.responseReceived", received)
    session.on("Network.loadingFinished", finished)
    session.send("Network.enable")
    page.goto(url, wait_until="networkidle")
    session.remove_listener("Network.responseReceived", received)
    session.remove_listener("Network.loadingFinished", finished)
    by_kind: dict[str, int] = {}
    for request, kind in kinds.items():
        by_kind[kind] = by_kind.get(kind, 0) + sizes.get(request, 0)
    return Weight(sum(1 for request in kinds if sizes.get(request, 0)), by_kind)
