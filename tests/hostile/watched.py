"""A Chromium that says what was run in a page. The pages are handed to it; nothing is asked of any server."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route, sync_playwright

from studyhub.web.bundle import BUNDLES, bundle
from studyhub.web.guards import guards
from tests.journeys.visitor import FLAGS

SITE = "http://studyhub.test"
POLICY = "Content-Security-Policy"
SIGNS = re.compile(r"\.[0-9a-f]{12}(?=\.\w+$)")  # that a stored static file's name carries
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
# Whatever a script would do to be noticed tells on it; so does a policy that is asked about a script.
HOOK = """
for (const name of ["alert", "confirm", "prompt", "print"]) window[name] = () => ran(name);
document.addEventListener("securitypolicyviolation", (event) => {
  if (/script/.test(event.effectiveDirective)) tried(`${event.effectiveDirective} ${event.sample || event.blockedURI}`);
});
"""
# Fires at every element of the body whatever it may wait for, and clicks what leads to a script.
PROVOKE = """() => {
  const names = [];
  for (const name in document.body) if (name.startsWith("on")) names.push(name.slice(2));
  let fired = 0;
  for (const one of document.body.querySelectorAll("*")) {
    for (const name of names) { one.dispatchEvent(new Event(name)); fired += 1; }
    const leads = one.getAttribute("href") || one.getAttribute("xlink:href") || one.getAttribute("formaction") || "";
    if (!/^(https?:|mailto:|\\/|#|\\?|$)/i.test(leads)) one.dispatchEvent(new MouseEvent("click", { cancelable: true }));
  }
  return fired;
}"""


@dataclass
class Seen:
    """What came of one page: the functions that ran, the scripts that a policy was asked about, events fired."""

    ran: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    fired: int = 0


class Watched:
    """One browser and the pages it can see, by path."""

    def __init__(self, context: BrowserContext) -> None:
        self.context, self.pages, self.headers = context, dict[str, str](), dict[str, str]()
        self.seen = Seen()
        context.set_default_timeout(10_000)
        context.expose_function("ran", self._ran)
        context.expose_function("tried", self._tried)
        context.add_init_script(HOOK)
        context.route("**/*", self._answer)

    def _ran(self, what: str) -> None:
        self.seen.ran.append(what)

    def _tried(self, what: str) -> None:
        self.seen.tried.append(what)

    def look(self, pages: Mapping[str, str], policy: str) -> dict[str, Seen]:
        """Open every page, provoke it, and say what came of it. ``policy``: "on", "off" or "told" (asked, not obeyed)."""
        name = {"on": POLICY, "told": f"{POLICY}-Report-Only", "off": ""}[policy]
        self.pages = dict(pages)
        self.headers = {name: guards()[POLICY]} if name else {}
        return {path: self._look(path) for path in pages}

    def _look(self, path: str) -> Seen:
        self.seen = seen = Seen()
        page = self.context.new_page()
        page.on("dialog", lambda dialog: dialog.dismiss())
        try:
            page.goto(SITE + path, wait_until="load")
            seen.fired = self._provoke(page)
        except Error:  # a page that unsanitised text has run away with
            seen.tried.append("broke the page")
        page.close()
        return seen

    @staticmethod
    def _provoke(page: Page) -> int:
        fired = int(page.evaluate(PROVOKE))
        page.evaluate("() => new Promise(done => setTimeout(done, 20))")
        return fired

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(SITE).partition("?")[0].partition("#")[0]
        if route.request.url.startswith(SITE) and path in self.pages:
            route.fulfill(
                body=self.pages[path], content_type="text/html; charset=utf-8", headers=self.headers
            )
        elif route.request.url.startswith(f"{SITE}/static/"):
            _static(route, path.removeprefix("/static/"))
        else:
            route.abort()


def _static(route: Route, name: str) -> None:
    name = SIGNS.sub("", name)
    root = Path(str(settings.STATICFILES_DIRS[0]))
    kind = KINDS.get(Path(name).suffix, "text/plain")
    if name in BUNDLES:
        route.fulfill(body=bundle(name, root), content_type=kind)
    elif (file := _found(name)) is not None:
        route.fulfill(body=file.read_bytes(), content_type=kind)
    else:
        route.abort()


def _found(name: str) -> Path | None:
    from django.contrib.staticfiles import finders

    path = finders.find(name)
    return Path(path) if isinstance(path, str) else None


@contextmanager
def watched() -> Iterator[Watched]:
    """Start it; while it runs Django's own database calls are refused in this thread."""
    path = os.environ.get("CHROMIUM", "/usr/bin/chromium") or None
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield Watched(browser.new_context(viewport={"width": 1280, "height": 800}))
        finally:
            browser.close()
