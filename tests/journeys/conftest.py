"""One real site and one Chromium for the journeys."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.journeys.house import House, opened_house
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import FLAGS, PATIENCE, WATCH, Faults, opened

NewContext = Callable[..., BrowserContext]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever opens a page is marked as needing Chromium."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    """A site that this test process has for itself."""
    with opened_house(House, "journeys") as site:
        yield site


@pytest.fixture
def ledger(house: House) -> Ledger:
    """The database behind the site."""
    return Ledger(house.data)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser; it ends with the journeys, because while it runs Django's own database calls are refused here."""
    path = os.environ.get("CHROMIUM", "/usr/bin/chromium") or None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_context(house: House, chromium: Browser) -> Iterator[NewContext]:
    """Makes browsers that know nothing of each other, as of different people or devices."""
    made: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        settings = {"base_url": house.url, "viewport": {"width": 1440, "height": 900}, **options}
        context = chromium.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        if settings.get("java_script_enabled", True):
            context.add_init_script(WATCH)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()


@pytest.fixture
def context(new_context: NewContext) -> BrowserContext:
    """A new visitor's browser."""
    return new_context()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page in a new visitor's browser."""
    return opened(context)


@pytest.fixture
def faults(page: Page) -> Faults:
    """What goes wrong in ``page``, to be compared with an empty list."""
    found = Faults()
    found.of(page)
    return found
