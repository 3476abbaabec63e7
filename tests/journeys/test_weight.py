"""What the browser really loads for a chapter: bytes on the wire and requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page

from tests.journeys.visitor import CHAPTER, COURSE, opened

KB = 1024  # bytes
FONTS = 80 * KB
SECOND = COURSE + "about/"


@dataclass
class Load:
    """Requests of one page, in bytes as they came over the wire, headers included."""

    kinds: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, float] = field(default_factory=dict)
    heads: dict[str, float] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)

    def of(self, *kinds: str) -> float:
        """The bytes of these kinds (Document, Script, Stylesheet, Font, Image, Other)."""
        return sum(size for one, size in self.sizes.items() if self.kinds.get(one) in kinds)

    @property
    def fonts(self) -> float:
        """The bytes of the font files, without the headers."""
        return sum(
            size - self.heads[one] for one, size in self.sizes.items() if self.kinds.get(one) == "Font"
        )

    @property
    def text(self) -> float:
        """Everything but fonts."""
        return sum(self.sizes.values()) - self.of("Font")

    @property
    def requests(self) -> int:
        """How many went to the server."""
        return len([one for one in self.kinds if one not in self.cached])


def measure(session: CDPSession, page: Page, address: str) -> Load:
    """Open a page and count, until the network is quiet."""
    load = Load()

    def received(event: dict[str, Any]) -> None:
        load.kinds[event["requestId"]] = event["type"]
        load.heads[event["requestId"]] = event["response"]["encodedDataLength"]

    session.on("Network.responseReceived", received)
    session.on("Network.requestServedFromCache", lambda event: load.cached.add(event["requestId"]))
    session.on(
        "Network.loadingFinished",
        lambda event: load.sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )
    page.goto(address, wait_until="networkidle")
    return load


def session_of(context: BrowserContext, page: Page) -> CDPSession:
    """A line to the browser's own network records."""
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    return session


def test_first_chapter_page_is_light(page: Page, context: BrowserContext) -> None:
    load = measure(session_of(context, page), page, CHAPTER)
    assert load.of("Script") > 0
    assert load.of("Script") <= 25 * KB
    assert load.text <= 90 * KB
    assert 0 < load.fonts <= FONTS
    assert load.requests <= 10


def test_second_page_brings_little_more_than_itself(page: Page, context: BrowserContext) -> None:
    page.goto(CHAPTER, wait_until="networkidle")
    second = opened(context)
    load = measure(session_of(context, second), second, COURSE)
    assert load.of("Document") > 0
    assert sum(load.sizes.values()) <= 25 * KB
